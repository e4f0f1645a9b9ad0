// The durations of a row of statistics by the column that shows them: one reading for every model with such
// columns, whatever their order in it. `Model` has kTotal, kAverage, kMedian, kMin, kMax and
// kStandardDeviation among its columns.
#pragma once

#include <QVariant>
#include <cmath>
#include <optional>

#include "engine/query/statistics.h"

namespace warpglass::ui {

/// A duration of the row in ns; nothing for a column that holds no duration, and NaN where it is not known,
/// as the spread of a single instance.
template <class Model>
std::optional<double> durationIn(int column, const StatisticsRow& r) {
    const auto of = [](Nanoseconds t) { return static_cast<double>(t.value); };
    switch (column) {
        case Model::kTotal:
            return of(r.total);
        case Model::kAverage:
            return r.average;
        case Model::kMedian:
            return r.median;
        case Model::kMin:
            return of(r.min);
        case Model::kMax:
            return of(r.max);
        case Model::kStandardDeviation:
            return r.spread().value_or(std::nan(""));
        default:
            return std::nullopt;
    }
}

/// As a copied table has it: whole nanoseconds are whole there, not 1e+09.
template <class Model>
QVariant plainDuration(int column, double nanoseconds) {
    const bool whole =
        column != Model::kAverage && column != Model::kMedian && column != Model::kStandardDeviation;
    return whole ? QVariant(static_cast<qlonglong>(nanoseconds)) : QVariant(nanoseconds);
}

}  // namespace warpglass::ui
