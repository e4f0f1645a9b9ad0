#include "ui/timeline/follow_button.h"

#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

FollowButton::FollowButton(QWidget& view, const RunDocument& document, TimeAxis& axis,
                           const TimelineViewport& viewport)
    : QPushButton(tr("Follow the run ›"), &view), m_document(document), m_axis(axis), m_viewport(viewport) {
    setObjectName(QStringLiteral("followRun"));
    setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
    setCursor(Qt::ArrowCursor);
    setToolTip(tr("Show the newest moments as they are recorded"));
    hide();
    connect(this, &QPushButton::clicked, &axis, [&axis] { axis.setFollowing(true); });
    connect(&axis, &TimeAxis::followingChanged, this, &FollowButton::place);
}

void FollowButton::place() {
    const bool shown = m_document.isLive() && !m_axis.following() && !m_viewport.rows().rows().empty();
    setVisible(shown);
    if (!shown)
        return;
    adjustSize();
    move(parentWidget()->width() - width() - kScrollBarWidth - Metrics::kSpace3,
         parentWidget()->height() - height() - Metrics::kSpace3);
    raise();
}

}  // namespace warpglass::ui
