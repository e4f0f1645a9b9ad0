#include "ui/figures/compact_svg.h"

#include <QXmlStreamReader>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "ui/figures/svg_path.h"

namespace warpglass::ui {

namespace {

/// Filled rectangles that are held against each other at once: a thousand columns of some rows.
constexpr std::size_t kMostRects = 8192;

/// What the outermost group says, and a shape only where it differs.
constexpr const char* kDefaults =
    R"(<g fill="none" stroke="none" stroke-linecap="square" stroke-linejoin="bevel" xml:space="preserve">)"
    "\n";
struct Default {
    const char *name, *value;
};
constexpr std::array<Default, 8> kStrokeDefaults = {{{"stroke-opacity", "1"},
                                                     {"stroke-width", "1"},
                                                     {"stroke-linecap", "square"},
                                                     {"stroke-linejoin", "bevel"},
                                                     {"stroke-miterlimit", "4"},
                                                     {"stroke-dasharray", ""},
                                                     {"stroke-dashoffset", "0"},
                                                     {"vector-effect", "none"}}};
constexpr std::array<Default, 4> kFontDefaults = {
    {{"font-family", ""}, {"font-size", ""}, {"font-weight", "400"}, {"font-style", "normal"}}};

QByteArray attribute(const char* name, const QString& value) {
    return QByteArray(" ") + name + "=\"" + value.toHtmlEscaped().toUtf8() + '"';
}

QString valueOf(const QXmlStreamAttributes& attributes, const char* name) {
    return attributes.value(QLatin1String(name)).toString();
}

/// Those of the names that are there and not as they usually are.
template <std::size_t N>
QByteArray unusual(const QXmlStreamAttributes& attributes, const std::array<Default, N>& defaults) {
    QByteArray text;
    for (const auto& [name, value] : defaults) {
        const QString stated = valueOf(attributes, name);
        if (!stated.isEmpty() && stated != QLatin1String(value))
            text += attribute(name, stated);
    }
    return text;
}

/// The numbers in a text that has others between them: "matrix(1,0,0,1,0,24)".
std::vector<double> numbersIn(const QByteArray& text) {
    std::vector<double> numbers;
    const char *at = text.constData(), *end = at + text.size();
    while (at < end) {
        double number = 0;
        const auto [after, problem] = std::from_chars(at, end, number);
        if (problem == std::errc()) {
            numbers.push_back(number);
            at = after;
        } else {
            ++at;
        }
    }
    return numbers;
}

/// How shapes are painted, from here to the next such statement.
struct Paint {
    QByteArray fill, stroke, opacity;  // as attributes; empty for none
    /// Where shapes are drawn, but for a shift, which their coordinates have.
    QByteArray transform;
    double scaleX = 1, scaleY = 1, dx = 0, dy = 0;
    /// Covers what is under it: what it is painted over twice looks the same.
    bool opaqueFill = false, opaqueStroke = false;

    SvgPoint at(double x, double y) const { return {svgLength(x + dx), svgLength(y + dy)}; }
};

/// One scale and a shift as such; anything else, and what colors depend on the place in, stays a matrix.
void takeTransform(const QByteArray& stated, bool placed, Paint& paint) {
    const std::vector<double> m = numbersIn(stated);
    const bool plain = m.size() == 6 && m[1] == 0 && m[2] == 0 && m[0] > 0 && m[3] > 0 && !placed;
    if (!plain) {
        paint.transform = " transform=\"" + stated + '"';
        return;
    }
    paint.dx = m[4] / m[0];
    paint.dy = m[5] / m[3];
    if (m[0] == 1 && m[3] == 1)
        return;
    paint.transform = " transform=\"scale(" + QByteArray::number(m[0], 'g', 9);
    if (m[0] != m[3])
        paint.transform += ' ' + QByteArray::number(m[3], 'g', 9);
    paint.transform += ")\"";
}

Paint paintOf(const QXmlStreamAttributes& attributes) {
    Paint paint;
    const QString fill = valueOf(attributes, "fill"), stroke = valueOf(attributes, "stroke");
    const QString opacity = valueOf(attributes, "fill-opacity");
    if (!fill.isEmpty() && fill != QLatin1String("none")) {
        paint.fill = attribute("fill", fill);
        if (!opacity.isEmpty() && opacity != QLatin1String("1"))
            paint.fill += attribute("fill-opacity", opacity);
    }
    if (!stroke.isEmpty() && stroke != QLatin1String("none"))
        paint.stroke = attribute("stroke", stroke) + unusual(attributes, kStrokeDefaults);
    if (const QString whole = valueOf(attributes, "opacity"); !whole.isEmpty())
        paint.opacity = attribute("opacity", whole);
    const bool plain = paint.opacity.isEmpty() && fill.startsWith(QLatin1Char('#'));
    paint.opaqueFill = plain && !paint.fill.contains("opacity") && paint.stroke.isEmpty();
    paint.opaqueStroke = paint.opacity.isEmpty() && !paint.stroke.contains("opacity");
    takeTransform(valueOf(attributes, "transform").toLatin1(), fill.startsWith(QLatin1String("url")), paint);
    return paint;
}

/// Writes shapes in their order, those of one look and place as a group.
class Writer {
public:
    explicit Writer(QByteArray& out) : m_out(out) {}

    /// `look`: its attributes, as the others' of a group. `united`: of paths, that one with several parts
    /// looks like several.
    void add(const QByteArray& transform, const QByteArray& look, const char* name, const QByteArray& shape,
             const QByteArray& content = {}, bool united = false);
    void addPath(const QByteArray& transform, const QByteArray& look, const QByteArray& d, bool united) {
        add(transform, look, "path", d, {}, united);
    }
    /// Adds a rectangle of one opaque color.
    void addRect(const QByteArray& transform, const QByteArray& look, const SvgRect& rect);
    void end();

private:
    struct Shape {
        const char* name;
        QByteArray shape, content;
        bool united;
    };
    struct Filled {
        QByteArray look;
        std::vector<SvgRect> rects;
        SvgRect around;
    };
    void place(const QByteArray& transform);
    void writeShapes();
    void writeRects();
    void write(const Shape& shape, const QByteArray& look);

    QByteArray& m_out;
    QByteArray m_transform, m_look;
    std::vector<Shape> m_shapes;   // of m_look
    std::vector<Filled> m_filled;  // painted in this order
    std::size_t m_rects = 0;
};

void Writer::place(const QByteArray& transform) {
    if (transform == m_transform)
        return;
    writeShapes();
    writeRects();
    if (!m_transform.isEmpty())
        m_out += "</g>\n";
    m_transform = transform;
    if (!m_transform.isEmpty())
        m_out += "<g" + m_transform + ">\n";
}

void Writer::add(const QByteArray& transform, const QByteArray& look, const char* name,
                 const QByteArray& shape, const QByteArray& content, bool united) {
    place(transform);
    writeRects();
    // A group that lets through what is under it would be one sheet.
    if (!m_shapes.empty() && (look != m_look || look.contains(" opacity=")))
        writeShapes();
    m_look = look;
    if (united && !m_shapes.empty() && m_shapes.back().united)
        m_shapes.back().shape += shape;
    else
        m_shapes.push_back({name, shape, content, united});
}

/// With those of its color, if it lies over none of those that are painted after them.
void Writer::addRect(const QByteArray& transform, const QByteArray& look, const SvgRect& rect) {
    if (rect.isEmpty())
        return;
    place(transform);
    writeShapes();
    if (m_rects >= kMostRects)
        writeRects();
    ++m_rects;
    for (std::size_t i = m_filled.size(); i-- > 0;) {
        Filled& filled = m_filled[i];
        if (filled.look == look) {
            SvgRect& last = filled.rects.back();
            if (last.top == rect.top && last.bottom == rect.bottom && last.right == rect.left)
                last.right = rect.right;
            else if (last != rect)
                filled.rects.push_back(rect);
            filled.around = {std::min(filled.around.left, rect.left), std::min(filled.around.top, rect.top),
                             std::max(filled.around.right, rect.right),
                             std::max(filled.around.bottom, rect.bottom)};
            return;
        }
        const auto overlaps = [&rect](const SvgRect& other) { return other.overlaps(rect); };
        if (overlaps(filled.around) && std::any_of(filled.rects.begin(), filled.rects.end(), overlaps))
            break;
    }
    m_filled.push_back({look, {rect}, rect});
}

void Writer::writeRects() {
    for (const Filled& filled : m_filled) {
        SvgPath path;
        for (const SvgRect& rect : filled.rects)
            path.addRect(rect);
        write({"path", path.text(), {}, true}, filled.look);
    }
    m_filled.clear();
    m_rects = 0;
}

void Writer::writeShapes() {
    const bool group = m_shapes.size() > 1;
    if (group)
        m_out += "<g" + m_look + ">\n";
    for (const Shape& shape : m_shapes)
        write(shape, group ? QByteArray() : m_look);
    if (group)
        m_out += "</g>\n";
    m_shapes.clear();
}

void Writer::write(const Shape& shape, const QByteArray& look) {
    m_out += '<';
    m_out += shape.name;
    m_out += look;
    if (qstrcmp(shape.name, "path") == 0)
        m_out += " d=\"" + shape.shape + '"';
    else
        m_out += shape.shape;
    if (shape.content.isEmpty())
        m_out += "/>\n";
    else
        m_out += '>' + shape.content + "</" + shape.name + ">\n";
}

void Writer::end() {
    place({});
    writeShapes();
    writeRects();
}

/// Reads what the generator has written, shape by shape.
class Reader {
public:
    Reader(const QByteArray& svg, QByteArray& out) : m_xml(svg), m_writer(out) {}
    /// Whether all of it was understood.
    bool readAll();

private:
    bool readGroup();
    bool readShape(const Paint& paint);
    bool readRect(const Paint& paint, const QXmlStreamAttributes& attributes);
    bool readPath(const Paint& paint, const QXmlStreamAttributes& attributes);
    bool readPolyline(const Paint& paint, const QXmlStreamAttributes& attributes);
    bool readEllipse(const Paint& paint, const QXmlStreamAttributes& attributes, const char* name);
    bool readText(const Paint& paint, const QXmlStreamAttributes& attributes);
    bool readImage(const Paint& paint, const QXmlStreamAttributes& attributes);

    QXmlStreamReader m_xml;
    Writer m_writer;
};

std::optional<double> numberOf(const QXmlStreamAttributes& attributes, const char* name) {
    bool is = false;
    const double number = attributes.value(QLatin1String(name)).toDouble(&is);
    return is && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// " x="12" y="3.5"".
QByteArray placeOf(SvgPoint at, const char* x, const char* y) {
    return QByteArray(" ") + x + "=\"" + svgNumber(at.x) + "\" " + y + "=\"" + svgNumber(at.y) + '"';
}

/// With what a cosmetic pen says of each shape.
QByteArray strokeOf(const Paint& paint, const QXmlStreamAttributes& attributes) {
    return paint.stroke.isEmpty() ? QByteArray() : paint.stroke + unusual(attributes, kStrokeDefaults);
}

bool Reader::readAll() {
    if (!m_xml.readNextStartElement() || m_xml.name() != QLatin1String("svg"))
        return false;
    while (m_xml.readNextStartElement()) {
        if (m_xml.name() != QLatin1String("g")) {
            m_xml.skipCurrentElement();
            continue;
        }
        while (m_xml.readNextStartElement()) {
            if (m_xml.name() != QLatin1String("g") || !readGroup())
                return false;
        }
    }
    m_writer.end();
    return !m_xml.hasError();
}

bool Reader::readGroup() {
    const Paint paint = paintOf(m_xml.attributes());
    while (m_xml.readNextStartElement()) {
        if (!readShape(paint))
            return false;
    }
    return true;
}

bool Reader::readShape(const Paint& paint) {
    const QXmlStreamAttributes attributes = m_xml.attributes();
    const QByteArray name = m_xml.name().toLatin1();
    if (name == "text")
        return readText(paint, attributes);
    m_xml.skipCurrentElement();
    if (name == "image")
        return readImage(paint, attributes);
    if (paint.fill.isEmpty() && paint.stroke.isEmpty())
        return true;  // nothing is seen of it
    return name == "rect"       ? readRect(paint, attributes)
           : name == "path"     ? readPath(paint, attributes)
           : name == "polyline" ? readPolyline(paint, attributes)
           : name == "circle"   ? readEllipse(paint, attributes, "circle")
                                : name == "ellipse" && readEllipse(paint, attributes, "ellipse");
}

bool Reader::readRect(const Paint& paint, const QXmlStreamAttributes& attributes) {
    const auto x = numberOf(attributes, "x"), y = numberOf(attributes, "y");
    const auto width = numberOf(attributes, "width"), height = numberOf(attributes, "height");
    if (!x || !y || !width || !height)
        return false;
    const SvgPoint from = paint.at(*x, *y), to = paint.at(*x + *width, *y + *height);
    const SvgRect rect{from.x, from.y, to.x, to.y};
    if (paint.opaqueFill) {
        m_writer.addRect(paint.transform, paint.fill, rect);
        return true;
    }
    SvgPath path;
    path.addRect(rect);
    m_writer.addPath(paint.transform, paint.fill + strokeOf(paint, attributes) + paint.opacity, path.text(),
                     false);
    return true;
}

bool Reader::readPath(const Paint& paint, const QXmlStreamAttributes& attributes) {
    const QByteArray d = valueOf(attributes, "d").toLatin1();
    // What is filled alone is closed by that; the line to its beginning need not be written.
    const bool filled = paint.stroke.isEmpty();
    SvgPath path;
    SvgPoint start;
    const char *at = d.constData(), *end = at + d.size();
    while (at < end) {
        const char command = *at++;
        if (command == ' ')
            continue;
        std::array<double, 6> n{};
        const std::size_t count = command == 'C' ? 6 : command == 'M' || command == 'L' ? 2 : 0;
        for (std::size_t i = 0; i < count; ++i) {
            while (at < end && (*at == ',' || *at == ' '))
                ++at;
            const auto [after, problem] = std::from_chars(at, end, n.at(i));
            if (problem != std::errc() || !std::isfinite(n.at(i)))
                return false;
            at = after;
        }
        if (count == 0)
            return false;
        const SvgPoint to = paint.at(n[count - 2], n[count - 1]);
        const char* next = std::find_if(at, end, [](char c) { return c != ' '; });
        const bool last = next == end || *next == 'M';
        if (command == 'M') {
            path.moveTo(to);
            start = to;
        } else if (command == 'C') {
            path.curveTo(paint.at(n[0], n[1]), paint.at(n[2], n[3]), to);
        } else if (filled && last && to == start) {
            path.close();
        } else {
            path.lineTo(to);
        }
    }
    const bool evenOdd = valueOf(attributes, "fill-rule") == QLatin1String("evenodd");
    QByteArray look = paint.fill;
    if (!look.isEmpty() && evenOdd)
        look += " fill-rule=\"evenodd\"";
    m_writer.addPath(paint.transform, look + strokeOf(paint, attributes) + paint.opacity, path.text(),
                     paint.fill.isEmpty() && paint.opaqueStroke);
    return true;
}

bool Reader::readPolyline(const Paint& paint, const QXmlStreamAttributes& attributes) {
    const std::vector<double> numbers = numbersIn(valueOf(attributes, "points").toLatin1());
    if (numbers.size() % 2 != 0)
        return false;
    if (paint.stroke.isEmpty() || numbers.size() < 4)
        return true;
    SvgPath path;
    path.moveTo(paint.at(numbers[0], numbers[1]));
    for (std::size_t i = 2; i < numbers.size(); i += 2)
        path.lineTo(paint.at(numbers[i], numbers[i + 1]));
    m_writer.addPath(paint.transform, strokeOf(paint, attributes) + paint.opacity, path.text(),
                     paint.opaqueStroke);
    return true;
}

bool Reader::readEllipse(const Paint& paint, const QXmlStreamAttributes& attributes, const char* name) {
    const auto x = numberOf(attributes, "cx"), y = numberOf(attributes, "cy");
    if (!x || !y)
        return false;
    QByteArray shape = placeOf(paint.at(*x, *y), "cx", "cy");
    for (const char* radius : {"r", "rx", "ry"}) {
        if (const auto length = numberOf(attributes, radius))
            shape += QByteArray(" ") + radius + "=\"" + svgNumber(svgLength(*length)) + '"';
    }
    m_writer.add(paint.transform, paint.fill + strokeOf(paint, attributes) + paint.opacity, name, shape);
    return true;
}

/// A reader of SVG leaves out spaces at the ends, and takes several for one, whatever stands around the text.
bool hasSpacesToKeep(const QString& text) {
    return text.startsWith(QLatin1Char(' ')) || text.endsWith(QLatin1Char(' ')) ||
           text.contains(QLatin1String("  "));
}

bool Reader::readText(const Paint& paint, const QXmlStreamAttributes& attributes) {
    const auto x = numberOf(attributes, "x"), y = numberOf(attributes, "y");
    const QString content = m_xml.readElementText();
    if (!x || !y || m_xml.hasError())
        return false;
    const Paint own = paintOf(attributes);
    const QByteArray look = own.fill + unusual(attributes, kFontDefaults) + paint.opacity;
    if (!content.isEmpty())
        m_writer.add(paint.transform, look, "text",
                     placeOf(paint.at(*x, *y), "x", "y") +
                         (hasSpacesToKeep(content) ? R"( xml:space="preserve")" : ""),
                     content.toHtmlEscaped().toUtf8());
    return true;
}

bool Reader::readImage(const Paint& paint, const QXmlStreamAttributes& attributes) {
    const auto x = numberOf(attributes, "x"), y = numberOf(attributes, "y");
    if (!x || !y)
        return false;
    QByteArray shape = placeOf(paint.at(*x, *y), "x", "y");
    for (const QXmlStreamAttribute& other : attributes) {
        const QString name = other.qualifiedName().toString();
        if (name != QLatin1String("x") && name != QLatin1String("y"))
            shape += attribute(name.toLatin1().constData(), other.value().toString());
    }
    m_writer.add(paint.transform, paint.opacity, "image", shape);
    return true;
}

}  // namespace

QByteArray compactSvg(const QByteArray& svg) {
    const QByteArray defsEnd = "</defs>\n";
    const qsizetype defs = svg.indexOf("<defs>"), body = svg.indexOf(defsEnd);
    if (defs < 0 || body < defs)
        return svg;
    const QByteArray definitions = svg.mid(defs, body + defsEnd.size() - defs);
    QByteArray out = svg.left(defs);
    if (definitions.size() > QByteArray("<defs>\n").size() + defsEnd.size())
        out += definitions;
    out += kDefaults;
    if (!Reader(svg, out).readAll())
        return svg;
    return out + "</g>\n</svg>\n";
}

}  // namespace warpglass::ui
