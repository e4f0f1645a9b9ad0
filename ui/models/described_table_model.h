// A table of the window, made of the descriptions of its columns (engine/tables/column.h): the same values
// and texts that the command line prints.
#pragma once

#include <QList>
#include <algorithm>
#include <cmath>

#include "engine/tables/column.h"
#include "ui/models/table_model.h"
#include "ui/models/time_axis.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

/// A number or a text, for copying; not valid where it is absent.
QVariant plainVariant(const Cell& cell);
/// The value that sorting compares: invalid if absent.
QVariant sortVariant(const Cell& cell);

/// What a header says about a column, independent of the row type.
template <class Row, class Of>
TableModel::Head headOf(const Column<Row, Of>& column) {
    return {
        toQString(column.title),
        toQString(column.plainTitle.empty() ? plainTitleOf(column.title, column.unit) : column.plainTitle),
        toQString(column.description),
        toQString(column.name),
        toQString(column.formerTitle),
        isNumber(column.unit) && !column.longBar,
        column.longBar,
        sortsMostFirst(column.unit, column.firstSort),
        column.width};
}

/// `Of` is what the cells of all rows depend on. Described is what the columns are of: Row, or a base of it.
template <class Row, class Of = NoContext, class Described = Row>
class DescribedTableModel : public KeyedTableModel<Row> {
public:
    using Description = TableDescription<Described, Of>;

    explicit DescribedTableModel(const Description& table, QObject* parent = nullptr)
        : KeyedTableModel<Row>(parent) {
        describe(table);
    }

    void show(std::vector<Row> rows, Of of = {}) {
        m_of = std::move(of);
        measureBars(rows);
        this->replaceRows(std::move(rows));
    }
    /// The same columns in other words or another unit.
    void describe(const Description& table) {
        m_table = table;
        m_columns = m_table.inWindow();
        std::vector<TableModel::Head> heads;
        for (const auto* column : m_columns) {
            heads.push_back(headOf(*column));
            if (m_axis && column->unit == Unit::kMoment) {
                heads.back().toolTip += QObject::tr("; in a step, told from the start of that step");
                heads.back().width = std::max(heads.back().width, kMomentWidth);
            }
        }
        this->setHeads(std::move(heads));
    }
    /// Moments are told by that axis's clock, in step with the timeline; it outlives the model. The plain
    /// numbers are since the start of the run.
    void setClockOf(const TimeAxis& axis) {
        m_axis = &axis;
        describe(m_table);
        QObject::connect(&axis, &TimeAxis::clockChanged, this, [this] {
            if (this->rowCount() > 0)
                emit this->dataChanged(this->index(0, 0),
                                       this->index(this->rowCount() - 1, this->columnCount() - 1));
        });
    }
    const Of& of() const { return m_of; }
    int column(std::string_view key) const { return m_table.place(key); }
    QList<int> columns(std::initializer_list<std::string_view> keys) const {
        QList<int> places;
        for (const std::string_view key : keys)
            places << column(key);
        return places;
    }
    /// Whether any row has a value in the column.
    bool hasAny(std::string_view key) const {
        const auto& value = m_table.column(key).value;
        return std::ranges::any_of(this->rows(), [&](const Row& row) { return !isAbsent(value(row, m_of)); });
    }

protected:
    bool isSum(const Described& row) const { return m_table.isSum && m_table.isSum(row); }
    static std::optional<double> numberIn(const Cell& cell) {
        if (const auto* whole = std::get_if<std::int64_t>(&cell))
            return static_cast<double>(*whole);
        const auto* real = std::get_if<double>(&cell);
        return real && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
    }
    QVariant cell(std::size_t i, std::size_t c, int role) const override {
        const Column<Described, Of>& column = *m_columns[c];
        const Described& row = this->row(i);
        switch (role) {
            case Qt::DisplayRole:
                if (const auto moment = column.unit == Unit::kMoment && m_axis
                                            ? numberIn(column.value(row, m_of))
                                            : std::nullopt)
                    return m_axis->clock().text(Nanoseconds(std::llround(*moment)));
                return toQString(textOf(column, row, m_of));
            case Qt::ToolTipRole:
                return toQString(exactTextOf(column, row, m_of));
            case kPlainRole:
                return plainVariant(column.value(row, m_of));
            case kSortRole:
                return sortOf(column, i);
            case kSwatchRole:
                return swatchOf(column, row);
            case kShareRole:
                return barOf(c, row);
            case kMonoRole:
                return column.code && column.code(row, m_of);
            case kStrongRole:
                return isSum(row);
            case kTrendRole:
                return column.trend ? column.trend(row, m_of) : 0;
            case kDepthRole:
                return -1;
            case kExpansionRole:
                return kLeaf;
            default:
                return {};
        }
    }
    const Column<Described, Of>& described(int column) const {
        return *m_columns[static_cast<std::size_t>(column)];
    }

private:
    QVariant sortOf(const Column<Described, Of>& column, std::size_t i) const {
        if (!column.inOrder || !column.inOrder(m_of))
            return sortVariant((column.sort ? column.sort : column.value)(this->row(i), m_of));
        const int group = column.group ? column.group(this->row(i), m_of) : 0;
        return this->ordinal(i) + static_cast<qlonglong>(group) * this->rowCount();
    }

    QVariant swatchOf(const Column<Described, Of>& column, const Described& row) const {
        const auto swatch = column.swatch ? column.swatch(row, m_of) : std::nullopt;
        return swatch ? QVariant::fromValue(*swatch) : QVariant();
    }

    QVariant barOf(std::size_t c, const Described& row) const {
        const Column<Described, Of>& column = *m_columns[c];
        if (column.bar == Bar::kNone)
            return {};
        const auto number = numberIn(column.value(row, m_of));
        const auto [least, most] = column.bar == Bar::kOfWhole ? std::pair(0.0, 1.0) : m_extremes[c];
        const double longest = std::max(-least, most);
        if (!number || longest <= 0)
            return {};
        const bool diverging = column.bar == Bar::kDiverging;
        if (diverging && column.isApart && column.isApart(row, m_of))
            return {};
        ShareBar bar{std::min(1.0, number.value_or(0) / longest), {}, diverging};
        bar.zero = least < 0 && most > 0 ? 0.5 : least < 0 ? 1 : 0;
        if (column.parts)
            bar.parts = column.parts(row, m_of);
        bar.largestFirst = isSum(row);
        if (column.pale)
            bar.pale = column.pale(row, m_of);
        return QVariant::fromValue(bar);
    }

    void measureBars(const std::vector<Row>& rows) {
        m_extremes.assign(m_columns.size(), {0, 0});
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const Column<Described, Of>& column = *m_columns[c];
            for (const Row& row : rows) {
                if ((column.bar != Bar::kOfLargest && column.bar != Bar::kDiverging) ||
                    (column.isApart && column.isApart(row, m_of)))
                    continue;
                const double number = numberIn(column.value(row, m_of)).value_or(0);
                auto& [least, most] = m_extremes[c];
                least = std::min(least, column.bar == Bar::kDiverging ? number : 0);
                most = std::max(most, number);
            }
        }
    }

    /// Logical pixels: "step 12 + 583.899 ms".
    static constexpr int kMomentWidth = 140;

    const TimeAxis* m_axis = nullptr;
    Description m_table;
    std::vector<const Column<Described, Of>*> m_columns;  // of m_table
    Of m_of{};
    std::vector<std::pair<double, double>>
        m_extremes;  // by column: what the longest bars are of, 0 or beyond
};

}  // namespace warpglass::ui
