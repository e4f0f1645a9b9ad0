// The longest of several wordings that has room. A sentence is never cut: half of one says something else.
#pragma once

#include <QFontMetricsF>
#include <QStringList>
#include <algorithm>

namespace warpglass::ui {

/// The first of these ever shorter wordings that is no wider than that, in logical pixels; empty where none
/// is.
inline QString fittingText(const QStringList& wordings, const QFontMetricsF& metrics, qreal width) {
    const auto fits = std::ranges::find_if(
        wordings, [&](const QString& wording) { return metrics.horizontalAdvance(wording) <= width; });
    return fits == wordings.end() ? QString() : *fits;
}

}  // namespace warpglass::ui
