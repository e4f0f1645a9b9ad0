#include "ui/models/breakdown_model.h"

#include "engine/base/format.h"
#include "engine/query/module_group.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return BreakdownModel::tr(text); };
    using FirstSort = TableModel::FirstSort;
    return {
        {tr("Name"), {}, {}, false, 280},
        {tr("Size"), tr("Size (bytes)"), tr("Bytes alive, as the allocator gave them"), true, 96},
        {tr("Allocations"), {}, tr("How many are alive"), true, 92},
        {tr("Share"), {}, tr("Share of all bytes alive, divided by category"), false, 0, FirstSort::kMost}};
}

}  // namespace

QString groupedByOpWords() {
    return BreakdownModel::tr(
        "By the op that asked for it: what empty, empty_strided and their like allocate counts under the op "
        "that called them");
}

BreakdownModel::BreakdownModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void BreakdownModel::setRows(BreakdownKey key, std::vector<BreakdownRow> rows) {
    if (key != m_key) {
        clear();  // "step" the op and "step" the module are not the same row
        m_key = key;
    }
    replaceRows(std::move(rows));
}

QString BreakdownModel::text(std::size_t i, int column) const {
    const BreakdownRow& r = row(i);
    switch (column) {
        case kName:
            return toQString(r.name);
        case kShare:
            return toQString(formatPercent(r.share));
        case kBytes:
            return toQString(formatBytes(r.bytes));
        case kAllocations:
            return toQString(formatGrouped(r.allocations));
        default:
            return {};
    }
}

QString BreakdownModel::exactText(std::size_t i, int column) const {
    const BreakdownRow& r = row(i);
    if (column == kBytes)
        return toQString(formatBytesExact(r.bytes));
    if (column != kShare)
        return text(i, column);
    QStringList lines;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        if (r.byCategory[c] != 0) {
            lines << tr("%1: %2").arg(toQString(kCategoryNames[c]),
                                      toQString(formatBytesExact(Bytes(r.byCategory[c]))));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant BreakdownModel::plainValue(std::size_t i, int column) const {
    const BreakdownRow& r = row(i);
    switch (column) {
        case kName:
            return toQString(r.name);
        case kShare:
            return r.share;
        case kBytes:
            return static_cast<qlonglong>(r.bytes.value);
        case kAllocations:
            return static_cast<qlonglong>(r.allocations);
        default:
            return {};
    }
}

QVariant BreakdownModel::swatch(std::size_t i, int column) const {
    if (column != kName)
        return {};
    if (m_key == BreakdownKey::kCategory) {
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            if (kCategoryNames[c] == row(i).name)
                return QVariant::fromValue(Swatch{Swatch::kCategory, static_cast<std::uint8_t>(c)});
        }
    } else if (m_key == BreakdownKey::kPhase) {
        const std::string_view name =
            row(i).name == kOutsidePhases ? phaseName(Phase::kNone) : std::string_view(row(i).name);
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            if (kPhaseNames[p] == name)
                return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(p)});
        }
    }
    return {};
}

QVariant BreakdownModel::shareBar(std::size_t i, int column) const {
    if (column != kShare)
        return {};
    return QVariant::fromValue(ShareBar{row(i).share, row(i).byCategory});
}

bool BreakdownModel::isMono(int column) const {
    return column == kName && (m_key == BreakdownKey::kModule || m_key == BreakdownKey::kOp);
}

}  // namespace warpglass::ui
