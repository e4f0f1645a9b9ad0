// Which bytes an allocation map shows: their order, the part that is zoomed to, and which regions are folded.
#pragma once

#include <QObject>
#include <QSizeF>
#include <vector>

#include "ui/memory/allocation_geometry.h"
#include "ui/memory/map_content.h"

namespace warpglass::ui {

class MapBytes : public QObject {
    Q_OBJECT
public:
    /// The content outlives it.
    explicit MapBytes(const MapContent& content) : m_content(content) {}

    enum class Order { kAddress, kBirth };
    Order order() const { return m_shown.order; }
    void setOrder(Order order);
    bool hasAddresses() const { return m_content.map->hasPlaces(); }
    /// By allocation time where the run has no meaningful addresses.
    bool byAddress() const { return order() == Order::kAddress && hasAddresses(); }

    /// By address, whether regions that never change are folded.
    bool folds() const { return m_shown.open.empty(); }
    void setFolds(bool folded);
    /// Whether there are any.
    bool hasFolds() const { return order() == Order::kAddress && !m_content.folds.empty(); }
    void open(const PlaceFold& fold);

    /// What was in view before a zoom into merged blocks.
    struct Zoom {
        TimeRange time;
        double low = 0, high = 0;
    };
    /// Which bytes of one run are shown, to be put back when that is shown again.
    struct Shown {
        Order order = Order::kAddress;
        double low = 0, high = 0;  // both 0: all
        std::vector<Zoom> zooms;
        std::vector<double> open;
    };
    const Shown& shown() const { return m_shown; }
    void restore(const Shown& shown);
    /// Another run is shown: all of it, by address.
    void reset() { m_shown = {}; }

    /// At the lower and upper edge; all of them by default.
    void setShown(double low, double high);
    bool showsAll() const { return m_shown.high <= m_shown.low; }
    void showAll();
    /// About the bytes at y.
    void zoomAt(const MapViewport& view, double y, double factor);
    /// A zoom into merged blocks is one of time and of bytes: what takes back the one takes back the other.
    void rememberZoom(const MapViewport& view) { m_shown.zooms.push_back({view.time, view.low, view.high}); }
    void followTime(TimeRange visible, TimeRange full);

    /// That part in that time, in a plot of that size.
    MapViewport viewport(TimeRange time, QSizeF plot) const;

signals:
    void changed();

private:
    double heightOfAll() const;

    const MapContent& m_content;
    Shown m_shown;
};

}  // namespace warpglass::ui
