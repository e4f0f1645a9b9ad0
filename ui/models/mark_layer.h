// A run's marks as one view shows them: flags with their notes in a lane of the view, a line through it, what
// a flag tells and does, and the field in which a note is written. The view says where a moment is and where
// the flags' lane is; it passes on clicks, tool tips and keys.
//
// GUI thread only. Belongs to the view, which it repaints.
#pragma once

#include <QPoint>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "ui/controls/mark_flags.h"
#include "ui/models/mark_list.h"
#include "ui/models/mark_steps.h"

class QPainter;
class QWidget;

namespace warpglass::ui {

class NoteEditor;

class MarkLayer : public QObject {
    Q_OBJECT
public:
    struct Place {
        /// The pixel column of a moment in the visible range, in the view.
        std::function<int(Nanoseconds)> xOf;
        /// The top of the flags, and the last column available to them.
        std::function<int()> top, right;
    };
    /// Document and axis outlive it.
    MarkLayer(const RunDocument& document, TimeAxis& axis, Place place, QWidget& view);

    /// Those of the shown run; they outlive the view. Without them there are none.
    void setMarks(MarkList* marks);
    bool empty() const { return !m_marks || m_marks->marks().empty(); }
    /// Going through the marks, making and ending them; with their keys.
    MarkSteps& steps() const { return *m_steps; }
    /// Flags of what is marked in the visible range, in view coordinates; also ranges that begin before it.
    std::vector<MarkFlag> flags() const;
    /// The first mark of the flag there.
    std::optional<std::size_t> markAt(QPoint at) const;
    /// The notes and moments of the flag there, one line each; empty beside all flags.
    QString toolTipAt(QPoint at) const;
    /// Paints the flags with their lines from `top` to `bottom`.
    void paint(QPainter& painter, int top, int bottom) const;

private:
    void edit(Nanoseconds time, const QString& note, bool exists);

    const RunDocument& m_document;
    TimeAxis& m_axis;
    Place m_place;
    QWidget& m_view;
    MarkList* m_marks = nullptr;
    MarkSteps* m_steps;
    NoteEditor* m_editor;
    Nanoseconds m_edited;
};

}  // namespace warpglass::ui
