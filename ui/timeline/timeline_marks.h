// The timeline's marks: their lane under the ruler, while there are any, and their menu.
#pragma once

#include <optional>

#include "ui/models/mark_layer.h"

class QMenu;

namespace warpglass::ui {

class TimelineViewport;

class TimelineMarks {
public:
    /// All outlive it.
    TimelineMarks(QWidget& view, const RunDocument& document, TimeAxis& axis, TimelineViewport& viewport);

    void setMarks(MarkList* marks);
    /// Without one where a timeline directly above it has the same times; for one without marks.
    void setShowsRuler(bool shown);
    bool showsRuler() const { return m_ruler; }
    /// The flags in their lane, in widget coordinates.
    const MarkLayer& layer() const { return *m_layer; }
    /// Going through the marks, making and ending them; with their keys.
    MarkSteps& steps() const { return m_layer->steps(); }
    /// `time`: of the moment that the menu is opened at.
    void addActions(QMenu& menu, std::optional<Nanoseconds> time) const;
    void paint(QPainter& painter) const;

private:
    void updateLane();

    QWidget& m_view;
    const TimeAxis& m_axis;
    TimelineViewport& m_viewport;
    MarkLayer* m_layer;
    bool m_ruler = true;
};

}  // namespace warpglass::ui
