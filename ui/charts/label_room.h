// What labels of a chart must not be written over: dots, lines, each other.
#pragma once

#include <QLineF>
#include <QRectF>
#include <vector>

namespace warpglass::ui {

class LabelRoom {
public:
    /// Labels stay within it.
    explicit LabelRoom(const QRectF& area) : m_area(area) {}

    void takeBox(const QRectF& box) { m_boxes.push_back(box); }
    void takeLine(const QLineF& line) { m_lines.push_back(line); }

    bool isFree(const QRectF& box) const;
    /// No box is in its way; it may cross lines.
    bool isFree(const QLineF& line) const;

    static bool meets(const QRectF& box, const QLineF& line);

private:
    QRectF m_area;
    std::vector<QRectF> m_boxes;
    std::vector<QLineF> m_lines;
};

}  // namespace warpglass::ui
