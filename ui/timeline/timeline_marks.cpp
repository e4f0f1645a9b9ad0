#include "ui/timeline/timeline_marks.h"

#include <QMenu>
#include <QPainter>
#include <QWidget>
#include <algorithm>

#include "ui/models/mark_list.h"
#include "ui/models/time_axis.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

namespace {

constexpr int kMarkLane = kFlagHeight + 3;
/// As many are listed in the menu.
constexpr std::size_t kMostListed = 20;

}  // namespace

TimelineMarks::TimelineMarks(QWidget& view, const RunDocument& document, TimeAxis& axis,
                             TimelineViewport& viewport)
    : m_view(view), m_axis(axis), m_viewport(viewport) {
    m_layer = new MarkLayer(document, axis,
                            {[this](Nanoseconds t) {
                                 const QRect plot = m_viewport.plotArea();
                                 return plot.left() +
                                        static_cast<int>(timeToPixel(t, m_axis.visibleRange(), plot.width()));
                             },
                             [this] { return m_layer->empty() ? 3 : kRulerHeight + 1; },
                             [this] { return m_viewport.plotArea().right(); }},
                            view);
}

void TimelineMarks::setMarks(MarkList* marks) {
    m_layer->setMarks(marks);
    if (marks)
        QObject::connect(marks, &MarkList::changed, &m_view, [this] { updateLane(); });
    updateLane();
}

void TimelineMarks::setShowsRuler(bool shown) {
    m_ruler = shown;
    updateLane();
}

/// The first mark brings their lane, the last one takes it away.
void TimelineMarks::updateLane() {
    if (m_viewport.setHeadHeight((m_ruler ? kRulerHeight : 0) + (m_layer->empty() ? 0 : kMarkLane)))
        m_view.update();
}

void TimelineMarks::paint(QPainter& painter) const {
    if (m_layer->empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const int ruler = m_ruler ? kRulerHeight : 0;
    const QRect lane(0, ruler, m_view.width(), m_viewport.headHeight() - ruler);
    painter.fillRect(lane, colors.background);
    painter.fillRect(QRect(0, lane.bottom(), m_view.width(), 1), colors.hairline);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRect(Metrics::kSpace3, lane.top(), kTrackLabelWidth - Metrics::kSpace3, lane.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("Marks"));
    const PainterScope undone(painter);
    painter.setClipRect(m_view.rect().adjusted(kTrackLabelWidth - 1, 0, 0, 0));
    m_layer->paint(painter, ruler + kFlagHeight, m_viewport.plotArea().bottom());
}

void TimelineMarks::addActions(QMenu& menu, std::optional<Nanoseconds> time) const {
    MarkSteps* const steps = &m_layer->steps();
    if (!steps->marks())
        return;
    menu.addSeparator();
    if (steps->current()) {
        menu.addAction(QObject::tr("Edit Mark…\tE"), steps, &MarkSteps::editCurrent);
        menu.addAction(QObject::tr("Delete Mark\tDel"), steps, &MarkSteps::removeCurrent);
    }
    menu.addAction(time ? QObject::tr("Mark This Moment…\tM") : QObject::tr("Mark the Cursor…\tM"), steps,
                   [steps, time] {
                       if (time)
                           steps->addAt(*time);
                       else
                           steps->add();
                   });
    const std::vector<RunMark>& marks = steps->marks()->marks();
    if (marks.empty())
        return;
    auto* list = menu.addMenu(QObject::tr("Marks"));
    list->addAction(QObject::tr("Next\tN"), steps, &MarkSteps::next);
    list->addAction(QObject::tr("Previous\tShift+N"), steps, &MarkSteps::previous);
    list->addSeparator();
    for (std::size_t i = 0; i < std::min(marks.size(), kMostListed); ++i) {
        const QString text = toQString(marks[i].text).replace(QLatin1Char('&'), QLatin1String("&&"));
        list->addAction(text + QLatin1Char('\t') + m_axis.clock().text(marks[i].time), steps,
                        [steps, time = marks[i].time] {
                            if (const auto index = steps->marks()->at(time))
                                steps->goTo(*index);
                        });
    }
}

}  // namespace warpglass::ui
