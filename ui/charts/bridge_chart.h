// The way from one figure to another as a waterfall: bars of both figures at its ends, and between them one
// for each part, from what was reached before it to what is reached with it; over each bar its name and
// figure. Less and more are in the colors of a comparison, unless parts have colors of their own. In little
// room the smaller parts are one; the tool tip has all. Where the changes are small against the figures, the
// bars begin above 0, which a zigzag at the foot of both figures' says.
#pragma once

#include <QColor>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/bridge.h"

namespace warpglass::ui {

class BridgeChart : public QWidget {
    Q_OBJECT
public:
    /// `what` the figures are: "Time per step".
    explicit BridgeChart(const QString& what, QWidget* parent = nullptr);

    /// Nothing: an empty chart.
    void setBridge(const std::optional<Bridge>& bridge);
    bool hasBridge() const { return m_bridge.has_value(); }
    /// A part's color by its name, where it has one elsewhere in the view; an invalid one if not.
    void setColors(std::function<QColor(const QString& name)> colorOf) { m_colorOf = std::move(colorOf); }
    /// Bars that take little height.
    void setLow(bool low);
    /// The value at which bars begin: 0, unless these would then hide what changes.
    std::int64_t foot() const { return m_foot; }
    /// A bar with its words over it, in widget coordinates.
    struct Step {
        QString name, figure;   // no name: one of the two figures at the ends
        std::int64_t from, to;  // in the bridge's unit; the first and the last from 0, if drawn from foot()
        QRectF words, bar;
    };
    /// As drawn at this size.
    std::vector<Step> steps() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Those with so many parts, without places.
    std::vector<Step> stepsOf(std::size_t mostParts) const;

    QString m_what;
    double m_words = 0, m_bars = 0;  // heights
    std::int64_t m_foot = 0;
    std::optional<Bridge> m_bridge;
    std::function<QColor(const QString&)> m_colorOf;
};

}  // namespace warpglass::ui
