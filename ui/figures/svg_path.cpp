#include "ui/figures/svg_path.h"

#include <algorithm>
#include <cmath>

namespace warpglass::ui {

namespace {

constexpr SvgLength kPerUnit = 100;
/// Far beyond any page; sums of these still are whole in 64 bits.
constexpr double kFarthest = 1e15;

}  // namespace

SvgLength svgLength(double units) {
    return std::isnan(units)
               ? 0
               : std::llround(std::clamp(units * static_cast<double>(kPerUnit), -kFarthest, kFarthest));
}

QByteArray svgNumber(SvgLength length) {
    const SvgLength size = std::abs(length), whole = size / kPerUnit, part = size % kPerUnit;
    QByteArray text;
    if (length < 0)
        text += '-';
    if (whole > 0 || part == 0)
        text += QByteArray::number(static_cast<qlonglong>(whole));
    if (part > 0) {
        text += '.';
        text += static_cast<char>('0' + part / 10);
        if (part % 10 > 0)
            text += static_cast<char>('0' + part % 10);
    }
    return text;
}

void SvgPath::moveTo(SvgPoint to) {
    writeLine();
    if (!m_any)
        writeNumbers('M', {to.x, to.y});
    else
        writeNumbers('m', {to.x - m_at.x, to.y - m_at.y});
    m_any = true;
    m_start = m_at = to;
}

void SvgPath::lineTo(SvgPoint to) {
    const SvgLength dx = to.x - m_at.x, dy = to.y - m_at.y;
    if (dx != 0 && dy != 0) {
        writeLine();
        writeNumbers('l', {dx, dy});
    } else {
        // A line to where it is already is a dot, where nothing else is drawn.
        const Axis axis = dy != 0 ? Axis::kDown : Axis::kAcross;
        const SvgLength along = dy != 0 ? dy : dx;
        const bool goesOn = m_axis == axis && (m_along < 0) == (along < 0);
        if (along != 0 && !goesOn)
            writeLine();
        if (along != 0 || m_axis == Axis::kNone) {
            m_axis = axis;
            m_along += along;
        }
    }
    m_at = to;
}

void SvgPath::curveTo(SvgPoint firstControl, SvgPoint secondControl, SvgPoint to) {
    writeLine();
    writeNumbers('c', {firstControl.x - m_at.x, firstControl.y - m_at.y, secondControl.x - m_at.x,
                       secondControl.y - m_at.y, to.x - m_at.x, to.y - m_at.y});
    m_at = to;
}

void SvgPath::close() {
    writeLine();
    m_text += 'z';
    m_at = m_start;
}

void SvgPath::addRect(const SvgRect& rect) {
    moveTo({rect.left, rect.top});
    lineTo({rect.right, rect.top});
    lineTo({rect.right, rect.bottom});
    lineTo({rect.left, rect.bottom});
    close();
}

QByteArray SvgPath::text() {
    writeLine();
    return m_text;
}

void SvgPath::writeLine() {
    if (m_axis != Axis::kNone)
        writeNumbers(m_axis == Axis::kAcross ? 'h' : 'v', {m_along});
    m_axis = Axis::kNone;
    m_along = 0;
}

void SvgPath::writeNumbers(char command, std::initializer_list<SvgLength> numbers) {
    m_text += command;
    bool first = true;
    for (const SvgLength number : numbers) {
        if (!first && number >= 0)
            m_text += ' ';  // a sign parts them too
        m_text += svgNumber(number);
        first = false;
    }
}

}  // namespace warpglass::ui
