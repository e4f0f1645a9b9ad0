#include "ui/theme/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr qreal kGrid = 16.0;
constexpr qreal kStroke = 1.5;

struct Drawing {
    QPainterPath stroke;
    QPainterPath fill;
};

QPainterPath polyline(std::initializer_list<QPointF> points, bool closed = false) {
    QPainterPath path;
    bool first = true;
    for (const QPointF& p : points) {
        if (first)
            path.moveTo(p);
        else
            path.lineTo(p);
        first = false;
    }
    if (closed)
        path.closeSubpath();
    return path;
}

Drawing drawingOf(Icon icon) {
    Drawing d;
    switch (icon) {
        case Icon::kRun:
            d.fill = polyline({{5, 3.5}, {12.5, 8}, {5, 12.5}}, true);
            d.stroke = d.fill;  // rounds the corners
            break;
        case Icon::kStop:
            d.fill.addRoundedRect(QRectF(4, 4, 8, 8), 1, 1);
            break;
        case Icon::kChevronDown:
            d.stroke = polyline({{4.5, 6.25}, {8, 9.75}, {11.5, 6.25}});
            break;
        case Icon::kChevronUp:
            d.stroke = polyline({{4.5, 9.75}, {8, 6.25}, {11.5, 9.75}});
            break;
        case Icon::kChevronRight:
            d.stroke = polyline({{6.25, 4.5}, {9.75, 8}, {6.25, 11.5}});
            break;
        case Icon::kClose:
            d.stroke = polyline({{4.75, 4.75}, {11.25, 11.25}});
            d.stroke.addPath(polyline({{11.25, 4.75}, {4.75, 11.25}}));
            break;
        case Icon::kSearch:
            d.stroke.addEllipse(QPointF(7, 7), 4, 4);
            d.stroke.addPath(polyline({{10, 10}, {13.25, 13.25}}));
            break;
        case Icon::kCheck:
            d.stroke = polyline({{3.5, 8.5}, {6.5, 11.5}, {12.5, 4.75}});
            break;
        case Icon::kWarning:
            d.stroke = polyline({{8, 2.5}, {14, 13}, {2, 13}}, true);
            d.stroke.addPath(polyline({{8, 6.5}, {8, 9.25}}));
            d.fill.addEllipse(QPointF(8, 11.1), 0.9, 0.9);
            break;
        case Icon::kMore:
            for (const qreal x : {3.5, 8.0, 12.5})
                d.fill.addEllipse(QPointF(x, 8), 1.25, 1.25);
            break;
        case Icon::kChevronLeft:
            d.stroke = polyline({{9.75, 4.5}, {6.25, 8}, {9.75, 11.5}});
            break;
        case Icon::kPlus:
            d.stroke = polyline({{8, 3.75}, {8, 12.25}});
            d.stroke.addPath(polyline({{3.75, 8}, {12.25, 8}}));
            break;
        case Icon::kColumns:
            d.stroke.addRoundedRect(QRectF(2.75, 3.25, 10.5, 9.5), 1, 1);
            d.stroke.addPath(polyline({{6.25, 3.25}, {6.25, 12.75}}));
            d.stroke.addPath(polyline({{9.75, 3.25}, {9.75, 12.75}}));
            break;
        case Icon::kHistogram:
            d.stroke = polyline({{2.75, 13}, {13.25, 13}});
            for (const auto& [x, top] : {std::pair{4.5, 9.0}, {7.0, 3.5}, {9.5, 6.5}, {12.0, 10.5}})
                d.stroke.addPath(polyline({{x, 10.75}, {x, top}}));
            break;
    }
    return d;
}

class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(Icon icon, const QColor& color, bool quiet)
        : m_icon(icon), m_color(color), m_quiet(quiet) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const ThemeColors& colors = Theme::instance().colors();
        QColor color = m_color.isValid() ? m_color : colors.text;
        if (m_quiet || mode == QIcon::Disabled)
            color = colors.secondaryText;
        paintIcon(*painter, rect, m_icon, color);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        // `size` is in device pixels: the drawing fills it.
        painter.scale(size.width() / kGrid, size.height() / kGrid);
        paint(&painter, QRect(0, 0, int(kGrid), int(kGrid)), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new LineIconEngine(*this); }

private:
    Icon m_icon;
    QColor m_color;
    bool m_quiet;
};

}  // namespace

void paintIcon(QPainter& painter, const QRectF& rect, Icon icon, const QColor& color) {
    const qreal side = std::min({rect.width(), rect.height(), kGrid});
    const Drawing drawing = drawingOf(icon);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2);
    painter.scale(side / kGrid, side / kGrid);
    painter.fillPath(drawing.fill, color);
    if (!drawing.stroke.isEmpty())
        painter.strokePath(drawing.stroke, QPen(color, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

QIcon makeIcon(Icon icon, const QColor& color) {
    return QIcon(new LineIconEngine(icon, color, false));
}

QIcon makeQuietIcon(Icon icon) {
    return QIcon(new LineIconEngine(icon, {}, true));
}

}  // namespace warpglass::ui
