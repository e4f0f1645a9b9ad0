#include "tests/gui/painted_structure.h"

#include <QFont>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <map>
#include <sstream>

namespace warpglass::test {

namespace {

/// Up to this many shapes of one color are each listed; of more, only their number, area and extent are.
constexpr std::size_t kListed = 24;
/// What another version of a font or its rasterizer may move.
constexpr double kTextSlack = 8, kShapeSlack = 3;

QColor colorOf(const QBrush& brush) {
    if (const QGradient* gradient = brush.gradient(); gradient && !gradient->stops().isEmpty())
        return gradient->stops().first().second;
    return brush.color();
}

double areaOf(const QPolygonF& polygon) {
    double twice = 0;
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF& a = polygon[i];
        const QPointF& b = polygon[(i + 1) % polygon.size()];
        twice += a.x() * b.y() - b.x() * a.y();
    }
    return std::abs(twice) / 2;
}

class Recorder : public QPaintEngine {
public:
    explicit Recorder(QRectF device)
        : QPaintEngine(AllFeatures & ~(PatternBrush | PerspectiveTransform | PorterDuff)), m_device(device) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& state) override {
        const auto changed = state.state();
        if (changed & DirtyPen)
            m_pen = state.pen();
        if (changed & DirtyBrush)
            m_brush = state.brush();
        if (changed & DirtyTransform)
            m_transform = state.transform();
        if (changed & DirtyOpacity)
            m_opacity = state.opacity();
    }

    void drawPath(const QPainterPath& path) override {
        if (m_brush.style() != Qt::NoBrush) {
            double area = 0;
            for (const QPolygonF& polygon : path.toFillPolygons(m_transform))
                area += areaOf(polygon);
            add(PaintedItem::Kind::kFill, m_transform.map(path).boundingRect(), colorOf(m_brush), area);
        }
        stroke(path.boundingRect());
    }
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            if (m_brush.style() != Qt::NoBrush) {
                const QRectF box = m_transform.mapRect(rects[i]);
                add(PaintedItem::Kind::kFill, box, colorOf(m_brush), box.width() * box.height());
            }
            stroke(rects[i]);
        }
    }
    void drawRects(const QRect* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            const QRectF rect(rects[i]);
            drawRects(&rect, 1);
        }
    }
    void drawLines(const QLineF* lines, int count) override {
        for (int i = 0; i < count; ++i)
            stroke(QRectF(lines[i].p1(), lines[i].p2()).normalized());
    }
    void drawPoints(const QPointF* points, int count) override {
        for (int i = 0; i < count; ++i)
            stroke(QRectF(points[i], QSizeF(0, 0)));
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i)
            polygon << points[i];
        if (mode != PolylineMode && m_brush.style() != Qt::NoBrush) {
            const QPolygonF mapped = m_transform.map(polygon);
            add(PaintedItem::Kind::kFill, mapped.boundingRect(), colorOf(m_brush), areaOf(mapped));
        }
        stroke(polygon.boundingRect());
    }
    void drawPixmap(const QRectF& rect, const QPixmap&, const QRectF&) override { picture(rect); }
    void drawTiledPixmap(const QRectF& rect, const QPixmap&, const QPointF&) override { picture(rect); }
    void drawImage(const QRectF& rect, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {
        picture(rect);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        PaintedItem painted{PaintedItem::Kind::kText,
                            QRectF(m_transform.map(at), QSizeF(item.width(), 0)),
                            m_pen.color(),
                            0,
                            item.text(),
                            item.font().pixelSize(),
                            item.font().weight()};
        painted.color.setAlphaF(static_cast<float>(painted.color.alphaF() * m_opacity));
        if (!isSeen(painted.box))
            return;
        if (continuesLabel(painted)) {
            items.back().text += painted.text;
            items.back().box.setRight(painted.box.right());
        } else if (!painted.text.trimmed().isEmpty()) {
            items.push_back(std::move(painted));
        }
    }

    std::vector<PaintedItem> items;

private:
    bool isSeen(const QRectF& box) const {
        return box.right() >= 0 && box.bottom() >= 0 && box.left() <= m_device.right() &&
               box.top() <= m_device.bottom();
    }
    /// Figures of one width are drawn one by one; what follows on the line is the same label.
    bool continuesLabel(const PaintedItem& next) const {
        if (items.empty() || items.back().kind != PaintedItem::Kind::kText)
            return false;
        constexpr double kGap = 1.5;
        const PaintedItem& last = items.back();
        return last.color == next.color && last.pixels == next.pixels && last.weight == next.weight &&
               std::abs(last.box.top() - next.box.top()) < kGap &&
               std::abs(last.box.right() - next.box.left()) < kGap;
    }
    void stroke(const QRectF& rect) {
        if (m_pen.style() != Qt::NoPen)
            add(PaintedItem::Kind::kStroke, m_transform.mapRect(rect), m_pen.color(), 0);
    }
    void picture(const QRectF& rect) { add(PaintedItem::Kind::kPicture, m_transform.mapRect(rect), {}, 0); }
    void add(PaintedItem::Kind kind, const QRectF& box, QColor color, double area) {
        if (color.isValid())
            color.setAlphaF(static_cast<float>(color.alphaF() * m_opacity));
        const bool invisible = kind != PaintedItem::Kind::kPicture && color.alpha() == 0;
        if (!invisible && isSeen(box))
            items.push_back({kind, box, color, area, {}, 0, 0});
    }

    QRectF m_device;
    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    double m_opacity = 1;
};

class RecordingDevice : public QPaintDevice {
public:
    explicit RecordingDevice(QSize size) : recorder(QRectF(QPointF(0, 0), size)), m_size(size) {}
    QPaintEngine* paintEngine() const override { return &recorder; }

    mutable Recorder recorder;

protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int kDotsPerInch = 96;
        switch (metric) {
            case PdmWidth:
                return m_size.width();
            case PdmHeight:
                return m_size.height();
            case PdmWidthMM:
                return qRound(m_size.width() * 25.4 / kDotsPerInch);
            case PdmHeightMM:
                return qRound(m_size.height() * 25.4 / kDotsPerInch);
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return kDotsPerInch;
            case PdmNumColors:
                return 1 << 24;
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    QSize m_size;
};

void putBox(std::ostream& out, const QRectF& box) {
    out << std::lround(box.left()) << ' ' << std::lround(box.top()) << ' ' << std::lround(box.width()) << ' '
        << std::lround(box.height());
}

std::string nameOf(const QColor& color) {
    return color.isValid() ? color.name(color.alpha() == 255 ? QColor::HexRgb : QColor::HexArgb).toStdString()
                           : "-";
}

/// "shapes" of one kind and color, in the order in which their colors first come.
void putShapes(std::ostream& out, const std::vector<PaintedItem>& items, PaintedItem::Kind kind,
               const char* word) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const PaintedItem*>> byColor;
    for (const PaintedItem& item : items) {
        if (item.kind != kind)
            continue;
        auto& shapes = byColor[nameOf(item.color)];
        if (shapes.empty())
            order.push_back(nameOf(item.color));
        shapes.push_back(&item);
    }
    for (const std::string& color : order) {
        const auto& shapes = byColor[color];
        QRectF extent = shapes.front()->box;
        double area = 0;
        for (const PaintedItem* shape : shapes) {
            // QRectF::united() passes over empty ones, as lines are.
            extent.setCoords(
                std::min(extent.left(), shape->box.left()), std::min(extent.top(), shape->box.top()),
                std::max(extent.right(), shape->box.right()), std::max(extent.bottom(), shape->box.bottom()));
            area += shape->area;
        }
        out << word << ' ' << color << " × " << shapes.size() << " within ";
        putBox(out, extent);
        if (kind == PaintedItem::Kind::kFill)
            out << " area " << std::lround(area);
        out << '\n';
        if (shapes.size() < 2 || shapes.size() > kListed)
            continue;
        for (const PaintedItem* shape : shapes) {
            out << "  ";
            putBox(out, shape->box);
            out << '\n';
        }
    }
}

/// A line's words: "text X Y COLOR SIZE WEIGHT "label"" keeps its label whole.
std::vector<std::string> wordsOf(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; words.size() < (line.starts_with("text ") ? 6 : std::string::npos) && in >> word;)
        words.push_back(word);
    if (line.starts_with("text ")) {
        std::string label;
        std::getline(in >> std::ws, label);
        words.push_back(label);
    }
    return words;
}

bool sameLabel(const std::string& a, const std::string& b) {
    if (a == b)
        return true;
    // Cut off where the width ends: a letter earlier or later with another version of the font.
    static const std::string kDots = "…";
    const auto cut = [](const std::string& label) { return label.find(kDots); };
    if (cut(a) == std::string::npos && cut(b) == std::string::npos)
        return false;
    const std::size_t common = std::min({cut(a), cut(b), a.size(), b.size()});
    constexpr std::size_t kLetters = 3;
    const auto apart =
        static_cast<std::size_t>(std::abs(static_cast<long>(a.size()) - static_cast<long>(b.size())));
    return a.compare(0, common, b, 0, common) == 0 && apart <= kLetters + kDots.size();
}

bool sameLine(const std::string& a, const std::string& b) {
    if (a == b)
        return true;
    const auto x = wordsOf(a), y = wordsOf(b);
    if (x.size() != y.size() || x.empty())
        return false;
    const bool text = x[0] == "text";
    // The area of many shapes differs by more than that of one.
    bool afterArea = false, afterTimes = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (text && i == 6) {
            if (!sameLabel(x[i], y[i]))
                return false;
            continue;
        }
        char *endX = nullptr, *endY = nullptr;
        const double p = std::strtod(x[i].c_str(), &endX), q = std::strtod(y[i].c_str(), &endY);
        const bool numbers = *endX == '\0' && *endY == '\0';
        // Only places and areas may differ; neither counts nor a font's size and weight.
        const bool place = numbers && !afterTimes && (!text || i < 3);
        const double slack = afterArea ? 60 + 0.02 * std::max(p, q) : text ? kTextSlack : kShapeSlack;
        if (x[i] != y[i] && (!place || std::abs(p - q) > slack))
            return false;
        afterArea = x[i] == "area";
        afterTimes = x[i] == "×";
    }
    return true;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

std::vector<PaintedItem> paintedBy(QSize size, const std::function<void(QPainter&)>& paint) {
    RecordingDevice device(size);
    QPainter painter(&device);
    paint(painter);
    painter.end();
    return std::move(device.recorder.items);
}

QStringList textOf(const std::vector<PaintedItem>& items) {
    QStringList labels;
    for (const PaintedItem& item : items) {
        if (item.kind == PaintedItem::Kind::kText)
            labels << item.text;
    }
    return labels;
}

std::string structureText(const std::vector<PaintedItem>& items) {
    std::ostringstream out;
    for (const PaintedItem& item : items) {
        if (item.kind != PaintedItem::Kind::kText)
            continue;
        QString label = item.text;
        label.replace(QLatin1Char('\n'), QLatin1Char(' '));
        out << "text " << std::lround(item.box.left()) << ' ' << std::lround(item.box.top()) << ' '
            << nameOf(item.color) << ' ' << item.pixels << "px " << item.weight << ' '
            << label.trimmed().toStdString() << '\n';
    }
    putShapes(out, items, PaintedItem::Kind::kFill, "fill");
    putShapes(out, items, PaintedItem::Kind::kStroke, "stroke");
    putShapes(out, items, PaintedItem::Kind::kPicture, "picture");
    return out.str();
}

std::string structureDifference(const std::string& expected, const std::string& painted) {
    const auto was = linesOf(expected), is = linesOf(painted);
    std::ostringstream out;
    int told = 0;
    constexpr int kMost = 10;
    for (std::size_t i = 0; i < std::max(was.size(), is.size()) && told < kMost; ++i) {
        const std::string a = i < was.size() ? was[i] : "(nothing)", b = i < is.size() ? is[i] : "(nothing)";
        if (sameLine(a, b))
            continue;
        out << "line " << i + 1 << "\n  expected " << a << "\n  painted  " << b << '\n';
        ++told;
    }
    return out.str();
}

}  // namespace warpglass::test
