// How long a kind of span takes: a histogram, one span's place marked. A click on a bar, or Enter on the one
// that Left and Right choose, asks for the longest span in it.
#pragma once

#include <QWidget>
#include <optional>

#include "engine/query/statistics/duration_distribution.h"

namespace warpglass::ui {

class DurationHistogram : public QWidget {
    Q_OBJECT
public:
    explicit DurationHistogram(QWidget* parent = nullptr);

    /// Hidden when there are no bins.
    void setDistribution(const DurationDistribution& distribution, std::optional<Nanoseconds> marked);
    const DurationDistribution& distribution() const { return m_distribution; }
    /// Bars can be chosen; off at first.
    void setInteractive(bool interactive);

    /// The initial height, and the least at which it is readable.
    static constexpr int kHeight = 84, kLeastHeight = 48;
    QSize sizeHint() const override { return {264, kHeight}; }
    /// The bar at an x; −1 for none. And where a bar is.
    int binAt(int x) const;
    QRect binRect(int bin) const;

signals:
    void binActivated(int bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF bars() const;
    void choose(int bin);
    QString describe(int bin) const;

    DurationDistribution m_distribution;
    std::optional<Nanoseconds> m_marked;
    int m_chosen = -1;
    bool m_interactive = false;
};

}  // namespace warpglass::ui
