#include "ui/memory/place_folds.h"

#include <QObject>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cstdint>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// A segment of 20 MiB that something else is in, as the allocator takes them for what is smaller than 10
/// MiB, and what is left at the ends of its neighbors.
constexpr std::int64_t kMostGap = 32 << 20;
/// As much height as a folded region takes in a map of 540 pixels.
constexpr std::int64_t kLeastShare = 30;
/// The teeth at a folded region's edges.
constexpr double kTear = 3, kTooth = 8;

/// The rows that live so long, by place.
std::vector<std::uint32_t> constantRows(const AllocationMap& map, TimeRange steps) {
    std::vector<std::uint32_t> rows;
    // What lives as they begin is found without looking at all others.
    map.forEachWithin({steps.begin, steps.begin + Nanoseconds(1)}, [&](std::uint32_t row) {
        if (map.end(row) >= steps.end.value)
            rows.push_back(row);
    });
    std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) { return map.place(a) < map.place(b); });
    return rows;
}

/// Whether an allocation is as good as next to the region.
bool isNear(const PlaceFold& fold, double from, double to, std::int64_t bytes) {
    const double between = to - fold.from - static_cast<double>(fold.sum.bytes + bytes);
    return from - fold.to <= static_cast<double>(kMostGap) && between <= kMostBetween * (to - fold.from);
}

/// Adds the folds of one category's rows.
void addFolds(const AllocationMap& map, const std::vector<std::uint32_t>& rows, Category category,
              std::vector<PlaceFold>& folds) {
    bool goesOn = false;
    for (const std::uint32_t row : rows) {
        if (map.category(row) != category)
            continue;
        const auto from = static_cast<double>(map.place(row));
        const double to = from + static_cast<double>(map.bytes(row));
        const TimeRange life{Nanoseconds(map.begin(row)), Nanoseconds(map.end(row))};
        if (!goesOn || !isNear(folds.back(), from, to, map.bytes(row)))
            folds.push_back({from, to, category, life, {}});
        goesOn = true;
        PlaceFold& fold = folds.back();
        fold.to = std::max(fold.to, to);
        fold.lives.begin = std::max(fold.lives.begin, life.begin);
        fold.lives.end = std::min(fold.lives.end, life.end);
        fold.sum.bytes += map.bytes(row);
        ++fold.sum.count;
    }
}

}  // namespace

std::vector<PlaceFold> constantFolds(const AllocationMap& map, TimeRange steps) {
    std::vector<PlaceFold> folds;
    if (!map.hasPlaces() || steps.begin >= steps.end)
        return folds;
    const std::vector<std::uint32_t> rows = constantRows(map, steps);
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        addFolds(map, rows, static_cast<Category>(category), folds);
    const double least = static_cast<double>(map.placeEnd()) / kLeastShare;
    std::erase_if(folds, [&](const PlaceFold& fold) { return fold.to - fold.from < least; });
    std::ranges::sort(folds, {}, &PlaceFold::from);
    // Categories whose allocations alternate are not told apart: the lower region stays.
    double end = 0;
    std::erase_if(folds, [&end](const PlaceFold& fold) {
        if (fold.from < end)
            return true;
        end = fold.to;
        return false;
    });
    return folds;
}

void paintFold(QPainter& painter, const QRectF& band, const QRectF& plot, const PlaceFold& fold) {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = Theme::categoryColor(fold.category);
    const bool torn = band.height() >= kFoldHeight - 4;
    const QRectF inner = torn ? band.adjusted(0, kTear, 0, -kTear) : band;
    painter.fillRect(band, colors.background);
    painter.fillRect(inner, color);
    // Teeth at both edges: a piece of the scale is torn out here.
    const QRectF seen = band.intersected(plot);
    QPainterPath teeth;
    for (double x = std::floor(seen.left() / kTooth) * kTooth; torn && x < seen.right(); x += kTooth) {
        teeth.addPolygon(
            QPolygonF({{x, inner.top()}, {x + kTooth / 2, band.top()}, {x + kTooth, inner.top()}}));
        teeth.addPolygon(
            QPolygonF({{x, inner.bottom()}, {x + kTooth / 2, band.bottom()}, {x + kTooth, inner.bottom()}}));
    }
    painter.save();
    painter.setClipRect(band, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(teeth, color);
    painter.restore();
    const QRectF inside = seen.adjusted(6, 0, -6, 0);
    const QFontMetricsF metrics(chartFont(), painter.device());
    if (inside.height() < metrics.ascent() || inside.width() < 40)
        return;
    const QString text =
        QObject::tr("%1 · %2, constant: folded")
            .arg(toQString(categoryName(fold.category)), toQString(formatBytes(Bytes(fold.sum.bytes))));
    painter.setFont(chartFont());
    painter.setPen(Theme::textOn(color));
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideRight, inside.width()));
}

}  // namespace warpglass::ui
