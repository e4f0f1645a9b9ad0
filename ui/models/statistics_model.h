// Statistics of phases as a table: mean ± standard deviation first, and the most memory while each ran.
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
    enum Column {
        kName,
        kAverage,
        kStandardDeviation,
        kMedian,
        kMin,
        kMax,
        kTotal,
        kInstances,
        kPeak,  // the most memory while it ran
        kTimeShare
    };

    explicit StatisticsModel(QObject* parent = nullptr);

    /// Set-up and teardown: in no step, and no share of one.
    static bool isOutsideSteps(const StatisticsRow& row);
    /// The whole of a step, which its phases add up to.
    static bool isStep(const StatisticsRow& row);

    /// Bytes by row name.
    using Peaks = std::unordered_map<std::string, std::int64_t>;
    /// `peaksAreLeast`: some records of memory are missing, and a peak may have been higher.
    void setRows(std::vector<StatisticsRow> rows, Peaks peaks = {}, bool peaksAreLeast = false);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    bool isStrong(std::size_t i) const override { return isStep(row(i)); }

private:
    std::optional<std::int64_t> peakOf(std::size_t row) const;

    double m_largestTimeShare = 0;
    Peaks m_peaks;
    bool m_peaksAreLeast = false;
};

}  // namespace warpglass::ui
