// Where the axes of a chart of data have their marks, and what these say. Pure; any thread.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <vector>

#include "engine/tables/cell.h"

namespace warpglass::ui {

/// A value in its unit's words with no more digits than it needs: "500 µs", "1 ms".
QString tickText(double value, Unit unit);
/// Round values from `low` to `high`: of bytes powers of two, on a logarithmic axis powers of ten, or 1, 2
/// and 5 times these where few of them lie within, and equal steps within a decade that has two of these or
/// less. About `most` at the most.
std::vector<double> valueTicks(double low, double high, Unit unit, bool logarithmic, int most);
/// Which of labels at `places` (ascending, in pixels) of those widths are written so that none meet: the last
/// and, from the first on, as many as there is room for.
std::vector<std::size_t> labelsThatFit(const std::vector<double>& places, const std::vector<double>& widths);

/// A name that is wider than `room`, in two lines that are as short as its words allow; any other as it is.
QString nameInRoom(const QString& name, const QFontMetricsF& metrics, double room);
/// The width of the widest line of a label.
double labelWidth(const QString& label, const QFontMetricsF& metrics);

}  // namespace warpglass::ui
