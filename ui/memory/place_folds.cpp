#include "ui/memory/place_folds.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cstdint>

#include "engine/base/format.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The allocator hands out pieces of segments of 2 MiB: what is left at their ends is no gap.
constexpr std::int64_t kMostGap = 2 << 20;
/// As much height as a folded region takes in a map of 540 pixels.
constexpr std::int64_t kLeastShare = 30;

/// The rows that live so long, by place.
std::vector<std::uint32_t> constantRows(const AllocationMap& map, TimeRange steps) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < map.size(); ++row) {
        if (map.begin(row) <= steps.begin.value && map.end(row) >= steps.end.value)
            rows.push_back(static_cast<std::uint32_t>(row));
    }
    std::sort(rows.begin(), rows.end(),
              [&](std::uint32_t a, std::uint32_t b) { return map.place(a) < map.place(b); });
    return rows;
}

/// For each of these rows, whether something else is between it and the one before during the steps.
std::vector<bool> partedBefore(const AllocationMap& map, const std::vector<std::uint32_t>& rows,
                               TimeRange steps) {
    std::vector<bool> parted(rows.size() + 1, false);
    std::size_t constant = 0;
    std::vector<std::uint32_t> byBirth = rows;
    std::sort(byBirth.begin(), byBirth.end());
    for (std::size_t row = 0; row < map.size(); ++row) {
        if (constant < byBirth.size() && byBirth[constant] == row) {
            ++constant;
            continue;
        }
        if (map.begin(row) >= steps.end.value || map.end(row) <= steps.begin.value)
            continue;
        const auto after = std::upper_bound(
            rows.begin(), rows.end(), map.place(row),
            [&](std::int64_t place, std::uint32_t other) { return place < map.place(other); });
        parted[static_cast<std::size_t>(after - rows.begin())] = true;
    }
    return parted;
}

}  // namespace

std::vector<PlaceFold> constantFolds(const AllocationMap& map, TimeRange steps) {
    std::vector<PlaceFold> folds;
    if (!map.hasPlaces() || steps.begin >= steps.end)
        return folds;
    const std::vector<std::uint32_t> rows = constantRows(map, steps);
    const std::vector<bool> parted = partedBefore(map, rows, steps);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto from = static_cast<double>(map.place(rows[i]));
        const double to = from + static_cast<double>(map.bytes(rows[i]));
        const TimeRange life{Nanoseconds(map.begin(rows[i])), Nanoseconds(map.end(rows[i]))};
        const bool goesOn = !folds.empty() && !parted[i] && folds.back().category == map.category(rows[i]) &&
                            from - folds.back().to <= static_cast<double>(kMostGap);
        if (!goesOn)
            folds.push_back({from, to, map.category(rows[i]), life, {}});
        PlaceFold& fold = folds.back();
        fold.to = std::max(fold.to, to);
        fold.lives.begin = std::max(fold.lives.begin, life.begin);
        fold.lives.end = std::min(fold.lives.end, life.end);
        fold.sum.bytes += map.bytes(rows[i]);
        ++fold.sum.count;
    }
    const double least = static_cast<double>(map.placeEnd()) / kLeastShare;
    std::erase_if(folds, [&](const PlaceFold& fold) { return fold.to - fold.from < least; });
    return folds;
}

void paintFold(QPainter& painter, const QRectF& band, const QRectF& plot, const PlaceFold& fold) {
    const QColor color = Theme::categoryColor(fold.category);
    painter.fillRect(band, color);
    // Two lines at both edges: as of a sheet that is folded together.
    const QColor line = Theme::mixed(color, Theme::textOn(color), 0.5);
    for (const double y : {band.top() + 1, band.top() + 3, band.bottom() - 4, band.bottom() - 2}) {
        if (band.height() >= kFoldHeight - 4)
            painter.fillRect(QRectF(band.left(), std::round(y), band.width(), 1), line);
    }
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    const QRectF inside = band.intersected(plot).adjusted(6, 0, -6, 0);
    const QFontMetricsF metrics(font, painter.device());
    if (inside.height() < metrics.ascent() || inside.width() < 40)
        return;
    const QString text = metrics.elidedText(
        QObject::tr("%1 %2, constant, folded")
            .arg(toQString(categoryName(fold.category)), toQString(formatBytes(Bytes(fold.sum.bytes)))),
        Qt::ElideRight, inside.width());
    painter.setFont(font);
    // The lines do not go through the text.
    painter.fillRect(
        QRectF(inside.left() - 3, band.top(), metrics.horizontalAdvance(text) + 6, band.height()), color);
    painter.setPen(Theme::textOn(color));
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace warpglass::ui
