#include "ui/memory/map_bytes.h"

#include <algorithm>

namespace warpglass::ui {

namespace {
/// Above the highest stack, as the chart of memory over time has it less its label.
constexpr double kHeadroom = 1.04;
/// Below some hundred bytes nothing is told apart.
constexpr double kLeastShown = 512;
}  // namespace

void MapBytes::setOrder(Order order) {
    if (order == m_shown.order)
        return;
    m_shown = {order, 0, 0, {}, std::move(m_shown.open)};
    emit changed();
}

void MapBytes::setFolds(bool folded) {
    m_shown.open.clear();
    for (const PlaceFold& fold : m_content.folds) {
        if (!folded)
            m_shown.open.push_back(fold.from);
    }
    emit changed();
}

void MapBytes::open(const PlaceFold& fold) {
    m_shown.open.push_back(fold.from);
    emit changed();
}

void MapBytes::restore(const Shown& shown) {
    m_shown = shown;
    emit changed();
}

void MapBytes::setShown(double low, double high) {
    const double all = heightOfAll();
    const double span = std::clamp(high - low, std::min(kLeastShown, all), all);
    low = std::clamp(low, 0.0, all - span);
    m_shown.low = span < all ? low : 0;
    m_shown.high = span < all ? low + span : 0;
    emit changed();
}

void MapBytes::showAll() {
    m_shown.zooms.clear();
    setShown(0, heightOfAll());
}

void MapBytes::zoomAt(const MapViewport& view, double y, double factor) {
    const double at = view.bytesAt(y);
    setShown(at - (at - view.low) * factor, at + (view.high - at) * factor);
}

void MapBytes::followTime(TimeRange visible, TimeRange full) {
    std::vector<Zoom>& zooms = m_shown.zooms;
    if (zooms.empty() || (visible != zooms.back().time && visible != full))
        return;
    const bool last = visible == zooms.back().time;
    const Zoom before = last ? zooms.back() : zooms.front();
    zooms.resize(last ? zooms.size() - 1 : 0);
    setShown(before.low, before.high);
}

double MapBytes::heightOfAll() const {
    if (byAddress())
        return static_cast<double>(std::max<std::int64_t>(1, m_content.map->placeEnd()));
    return std::max(1.0,
                    m_content.peak ? static_cast<double>(sumOf(m_content.peak->bytes)) * kHeadroom : 0.0);
}

MapViewport MapBytes::viewport(TimeRange time, QSizeF plot) const {
    MapViewport view{time, m_shown.low, showsAll() ? heightOfAll() : m_shown.high,
                     std::max(1.0, plot.width()), std::max(1.0, plot.height())};
    if (byAddress()) {
        std::vector<PlaceFold> folds = m_content.folds;
        std::erase_if(folds, [this](const PlaceFold& fold) {
            return std::find(m_shown.open.begin(), m_shown.open.end(), fold.from) != m_shown.open.end();
        });
        view.fold(std::move(folds));
    }
    return view;
}

}  // namespace warpglass::ui
