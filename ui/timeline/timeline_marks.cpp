// TimelineView's marks: their lane under the ruler, and their menu.
#include <QMenu>
#include <QPainter>
#include <algorithm>

#include "ui/models/mark_list.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

constexpr int kMarkLane = kFlagHeight + 3;
/// As many are listed in the menu.
constexpr std::size_t kMostListed = 20;

}  // namespace

MarkLayer* TimelineView::makeMarks() {
    return new MarkLayer(
        *m_document, *m_axis,
        {[this](Nanoseconds t) {
             const QRect plot = plotArea();
             return plot.left() + static_cast<int>(timeToPixel(t, m_axis->visibleRange(), plot.width()));
         },
         [this] { return m_marks->empty() ? 3 : kRulerHeight + 1; }, [this] { return plotArea().right(); }},
        *this);
}

int TimelineView::headHeight() const {
    return kRulerHeight + (m_marks->empty() ? 0 : kMarkLane);
}

void TimelineView::setMarks(MarkList* marks) {
    m_marks->setMarks(marks);
    if (marks)
        connect(marks, &MarkList::changed, this, &TimelineView::onHeadChanged);
    onHeadChanged();
}

/// The first mark brings their lane, the last one takes it away.
void TimelineView::onHeadChanged() {
    if (headHeight() == m_head)
        return;
    m_head = headHeight();
    updateScrollBar();
    update();
}

void TimelineView::paintMarks(QPainter& painter) {
    if (m_marks->empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRect lane(0, kRulerHeight, width(), headHeight() - kRulerHeight);
    painter.fillRect(lane, colors.background);
    painter.fillRect(QRect(0, lane.bottom(), width(), 1), colors.hairline);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRect(Metrics::kSpace3, lane.top(), kTrackLabelWidth - Metrics::kSpace3, lane.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Marks"));
    painter.save();
    painter.setClipRect(rect().adjusted(kTrackLabelWidth - 1, 0, 0, 0));
    m_marks->paint(painter, kRulerHeight + kFlagHeight, plotArea().bottom());
    painter.restore();
}

void TimelineView::addMarkActions(QMenu& menu, std::optional<Nanoseconds> time) {
    MarkSteps* const steps = &m_marks->steps();
    if (!steps->marks())
        return;
    menu.addSeparator();
    if (steps->current()) {
        menu.addAction(tr("Edit Mark…\tE"), steps, &MarkSteps::editCurrent);
        menu.addAction(tr("Delete Mark\tDel"), steps, &MarkSteps::removeCurrent);
    }
    menu.addAction(time ? tr("Mark This Moment…\tM") : tr("Mark the Cursor…\tM"), this, [steps, time] {
        if (time)
            steps->addAt(*time);
        else
            steps->add();
    });
    const std::vector<RunMark>& marks = steps->marks()->marks();
    if (marks.empty())
        return;
    auto* list = menu.addMenu(tr("Marks"));
    list->addAction(tr("Next\tN"), steps, &MarkSteps::next);
    list->addAction(tr("Previous\tShift+N"), steps, &MarkSteps::previous);
    list->addSeparator();
    for (std::size_t i = 0; i < std::min(marks.size(), kMostListed); ++i) {
        const QString text = toQString(marks[i].text).replace(QLatin1Char('&'), QLatin1String("&&"));
        list->addAction(text + QLatin1Char('\t') + m_axis->clock().text(marks[i].time), this,
                        [steps, time = marks[i].time] {
                            if (const auto index = steps->marks()->at(time))
                                steps->goTo(*index);
                        });
    }
}

}  // namespace warpglass::ui
