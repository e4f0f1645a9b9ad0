// Statistics of ops or of phases as a table: nsys's columns and, since ops nest, self time.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "engine/query/statistics.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct NameOf {
    const std::string& operator()(const StatisticsRow& row) const { return row.name; }
};

class StatisticsModel : public KeyedTableModel<StatisticsRow, NameOf> {
    Q_OBJECT
public:
    enum class Kind { kOps, kPhases };
    /// Columns of kOps, in order. A table of phases has its name first and no family; see column().
    enum Column {
        kFamily,
        kSelfShare,
        kSelf,
        kTimeShare,
        kTotal,
        kInstances,
        kAverage,
        kMedian,
        kMin,
        kMax,
        kStandardDeviation,
        kName,
        kPeak,  // phases only: the most memory while it ran
    };

    explicit StatisticsModel(Kind kind, QObject* parent = nullptr);

    /// Bytes by row name.
    using Peaks = std::unordered_map<std::string, std::int64_t>;
    void setRows(std::vector<StatisticsRow> rows, Peaks peaks = {});
    /// Where a column stands in this kind's table; −1 when it has none.
    int position(Column column) const;

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    Column columnAt(int position) const;
    std::optional<std::int64_t> peakOf(std::size_t row) const;

    Kind m_kind;
    double m_largestSelfShare = 0;
    double m_largestTimeShare = 0;
    Peaks m_peaks;
};

}  // namespace warpglass::ui
