// How far bars that should be alike lie from their median: a strip under a chart of them, with a line at 0, a
// bar for each that has a share, and a scale of what there is: half a percent at least, below which it is
// noise.
//
// Geometry and painting; GUI thread only.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

class QPainter;

namespace warpglass::ui {

class DeviationStrip {
public:
    /// 0.1 for 10% over the median, by bar; nothing for a bar that is not compared.
    void setShares(std::vector<std::optional<double>> shares);
    const std::vector<std::optional<double>>& shares() const { return m_shares; }
    /// None is compared.
    bool isEmpty() const { return !m_any; }
    /// The share at the upper and, negative, at the lower edge: 0.005, 0.01, 0.02, 0.05 …
    double scale() const { return m_scale; }

    /// With its title, under a chart of that height with it.
    static double heightIn(double chart);
    /// Where bars are drawn in the strip that takes `strip`.
    static QRectF plotOf(const QRectF& strip);
    /// From the line at 0 up or down, in a column; empty for a bar that is not compared.
    QRectF barOf(std::size_t bar, const QRectF& column, const QRectF& strip) const;

    /// The title over the strip, the scale to its left, the line and the bars, each in its column. `warned`:
    /// the bars that stand out.
    void paint(QPainter& painter, const QRectF& strip, const std::vector<QRectF>& columns,
               const std::vector<bool>& warned, const QString& title) const;

private:
    std::vector<std::optional<double>> m_shares;
    bool m_any = false;
    double m_scale = kLeastScale;

    static constexpr double kLeastScale = 0.005;
};

}  // namespace warpglass::ui
