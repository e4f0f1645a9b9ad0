#include "ui/timeline/timeline_keys.h"

#include <QKeyEvent>

#include "ui/models/mark_steps.h"
#include "ui/timeline/time_gestures.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_selection.h"

namespace warpglass::ui {

bool TimelineKeys::handle(const QKeyEvent& event) {
    if (takeZoomHistoryKey(m_axis, event) || m_labels.handleKey(event))
        return true;
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    return handleRange(event) || m_marks.handleKey(event.key(), event.modifiers()) ||
           m_selection.handleKey(event);
}

bool TimelineKeys::handleRange(const QKeyEvent& event) {
    const Nanoseconds anchor = m_axis.cursor().value_or(middleOf(m_axis));
    switch (event.key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return takeMoveKey(m_axis, Qt::Key_W, anchor);
        case Qt::Key_Minus:
            return takeMoveKey(m_axis, Qt::Key_S, anchor);
        case Qt::Key_Home:
            m_axis.fitAll();
            return true;
        case Qt::Key_End:
            m_axis.panBy(m_axis.fullRange().end - m_axis.visibleRange().end);
            return true;
        case Qt::Key_F:
            if (event.modifiers() & Qt::ShiftModifier)
                m_axis.fitAll();
            else
                m_selection.fitSelectionOrAll();
            return true;
        case Qt::Key_PageUp:
            m_viewport.scrollByPages(-1);
            return true;
        case Qt::Key_PageDown:
            m_viewport.scrollByPages(1);
            return true;
        default:
            return takeMoveKey(m_axis, event.key(), anchor);
    }
}

}  // namespace warpglass::ui
