// The text of an SVG path in few bytes: coordinates in hundredths of a unit, relative to the previous point,
// with short forms for lines along an axis and with lines in the same direction merged.
#pragma once

#include <QByteArray>
#include <cstdint>

namespace warpglass::ui {

/// Lengths in hundredths of a unit, which for a figure's pixel is some µm on paper.
using SvgLength = std::int64_t;

/// Rounded; what no page holds is at its edge. 0 of what is no number.
SvgLength svgLength(double units);
/// "12.5", "-.25".
QByteArray svgNumber(SvgLength length);

struct SvgPoint {
    SvgLength x = 0, y = 0;
    bool operator==(const SvgPoint&) const = default;
};

struct SvgRect {
    SvgLength left = 0, top = 0, right = 0, bottom = 0;
    bool isEmpty() const { return right <= left || bottom <= top; }
    /// Whether they share more than an edge.
    bool overlaps(const SvgRect& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    bool operator==(const SvgRect&) const = default;
};

class SvgPath {
public:
    void moveTo(SvgPoint to);
    void lineTo(SvgPoint to);
    void curveTo(SvgPoint firstControl, SvgPoint secondControl, SvgPoint to);
    /// Back to where the last moveTo() was.
    void close();
    void addRect(const SvgRect& rect);

    /// The text of an attribute `d`; nothing may be added afterwards.
    QByteArray text();

private:
    enum class Axis : std::uint8_t { kNone, kAcross, kDown };
    void writeLine();
    void writeNumbers(char command, std::initializer_list<SvgLength> numbers);

    QByteArray m_text;
    SvgPoint m_start, m_at;
    bool m_any = false;
    /// A line along an axis that the next may go on.
    Axis m_axis = Axis::kNone;
    SvgLength m_along = 0;
};

}  // namespace warpglass::ui
