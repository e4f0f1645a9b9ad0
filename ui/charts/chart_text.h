// Numbers of charts as people read them, the values at which a scale has its marks, and how text is drawn.
#pragma once

#include <QFont>
#include <QPointF>
#include <QString>
#include <cstdint>
#include <vector>

#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

/// A duration in ns, which may be a mean: "868 µs"; and "868,123 ns".
QString durationText(double nanoseconds);
QString durationExact(double nanoseconds);
QString bytesText(std::int64_t bytes);
QString flopsText(std::int64_t flops);
/// Operations per second, "216 TFLOP/s"; bytes per second, "4.1 TB/s" (decimal, like devices' rates).
QString flopRateText(double perSecond);
QString byteRateText(double perSecond);
QString percentText(double fraction);
/// Shown in place of FLOPs and bytes moved if some of what the filter includes is unknown (plan_of_scope.h);
/// and why.
QString unknownWorkText();
QString unknownWorkWords();

/// 0 and round values (1, 2 or 5 × 10ⁿ apart) up to `top`, at most `most` steps; two
/// values or more where `most` is 3 or more. {0} for a top of 0.
std::vector<double> linearTicks(double top, int most);
/// The powers of ten within [low, high].
std::vector<double> decades(double low, double high);

/// 11 px, the smallest text that charts have.
QFont chartFont();
/// Text in a box of its own, kept inside `within`: for labels over lines and bars.
void drawBoxedLabel(QPainter& painter, QPointF at, Qt::Alignment side, const QString& text,
                    const QRectF& within, const QColor& ink);

}  // namespace warpglass::ui
