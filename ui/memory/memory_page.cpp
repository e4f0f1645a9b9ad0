#include "ui/memory/memory_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/peak_explanation.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/segmented_control.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/between_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_plot.h"
#include "ui/memory/segments_view.h"
#include "ui/models/mark_steps.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/time_ruler_bar.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

MemoryPage::MemoryPage(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_focus(new MemoryFocus(document, axis, filter, this)),
      m_explanation(new QLabel(this)),
      m_filterRow(new QHBoxLayout),
      m_restriction(named(new ElidedLabel(this), "memoryRestriction")),
      m_explanationQuery([this] { return makeExplanationJob(); }) {
    askWhileSeen(this, m_explanationQuery);
    setObjectName(QStringLiteral("memoryPage"));
    setNames(m_explanation, "peakExplanation", tr("Why the peak is here"));
    wrapWords(*m_explanation);
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_explanation->setContentsMargins(Metrics::kCardMargins);

    setSecondary(m_restriction);
    m_restriction->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // One widget, so that a part alone hides all of it, whatever is shown in it meanwhile.
    auto* filterRows = new QWidget(this);
    auto* rows = spaced(new QVBoxLayout(filterRows), {}, 0);
    rows->addLayout(m_filterRow);
    m_filterRow->setContentsMargins(Metrics::kSpace2, 0, Metrics::kSpace3, Metrics::kSpace1);
    m_filterRow->setSpacing(Metrics::kSpace3);
    m_filterRow->addWidget(m_restriction, 2);
    m_restriction->hide();
    makeFollow();

    auto* columns = divided(named(new QSplitter(Qt::Horizontal, this), "memoryColumns"));
    addAll(columns, {makeLeft(), makeRight()});
    columns->setStretchFactor(0, 3);
    columns->setStretchFactor(1, 2);
    columns->setSizes({840, 520});
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    addAll(layout, {m_explanation, filterRows});
    layout->addWidget(columns, 1);

    m_explanationQuery.follow(m_document);
    connect(m_focus, &MemoryFocus::momentChanged, this, &MemoryPage::showMoment);
    connect(m_focus, &MemoryFocus::grown, this, &MemoryPage::showMoment);
    connect(&m_axis, &TimeAxis::clockChanged, this, [this] {
        m_explanationQuery.invalidate(DeferredQuery::Cause::kGrowth);
        showSelected();
    });
    for (const auto signal : {&MemoryFocus::filterChanged, &MemoryFocus::momentChanged, &MemoryFocus::grown})
        connect(m_focus, signal, this, &MemoryPage::showRestriction);
    showMoment();
    showRestriction();
}

/// As the timeline has one.
void MemoryPage::makeFollow() {
    m_follow = named(new QPushButton(tr("Follow the run ›"), this), "followRunOnMemoryPage");
    m_follow->setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
    m_follow->setToolTip(tr("Show the newest moments as they are recorded"));
    m_follow->hide();
    m_filterRow->addWidget(m_follow);
    connect(m_follow, &QPushButton::clicked, this, [this] { m_axis.setFollowing(true); });
    const auto offer = [this] { m_follow->setVisible(m_document.isLive() && !m_axis.following()); };
    connect(&m_axis, &TimeAxis::followingChanged, this, offer);
    connect(&m_document, &RunDocument::runChanged, this, offer);
    connect(&m_document, &RunDocument::snapshotChanged, this, offer);
}

QWidget* MemoryPage::makeLeft() {
    auto* left = divided(named(new QSplitter(Qt::Vertical, this), "memoryRows"));
    m_chart = named(new MemoryChart(m_document, m_axis, left), "memoryPageChart");
    m_chart->setLabelWidth(kTrackLabelWidth);
    m_chart->plot().setPhaseNames(true);
    auto* lower = new QWidget(left);
    auto* layout = spaced(new QVBoxLayout(lower), {}, 0);
    m_map = named(new AllocationMapPanel(m_document, m_axis, *m_focus, lower), "memory-map");
    m_map->setLabelWidth(kTrackLabelWidth);
    layout->addWidget(m_map, 1);
    layout->addWidget(new TimeRulerBar(m_axis, kTrackLabelWidth, lower));
    addAll(left, {m_chart, lower});
    left->setSizes({320, 520});
    return left;
}

QWidget* MemoryPage::makeRight() {
    auto* right = new QWidget(this);
    m_at = new SegmentedControl({tr("At the peak"), tr("At the cursor")}, right);
    setNames(m_at, "memoryMoment", tr("Which moment is shown"));
    m_at->button(1)->setToolTip(
        tr("Where the mouse is over the charts, or where a click has pinned the cursor"));
    m_moment = new ElidedLabel(right);
    setSecondary(m_moment);
    m_selected = new QLabel(right);
    setNames(m_selected, "selectedAllocation", tr("The selected allocation"));
    m_selected->setFont(Theme::tableFont());
    wrapWords(*m_selected);
    m_selected->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_selected->setContentsMargins(Metrics::kCardMargins);
    m_selected->hide();
    // Before the tables, which scroll to the selected row: the sentence takes some of their height.
    connect(m_focus, &MemoryFocus::selectedChanged, this, &MemoryPage::showSelected);
    m_alive = named(new AlivePanel(m_document, *m_focus, right), "treemap");
    m_tabs = named(new QTabWidget(right), "memoryTabs");
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_alive, tr("Live"));
    auto* between = named(new BetweenPanel(m_document, m_axis, *m_focus, right), "between");
    m_tabs->addTab(between, tr("Between cursors"));
    m_segments = named(new SegmentsView(m_document, *m_focus, right), "segments");
    m_tabs->addTab(m_segments, tr("Segments"));
    auto* bar = spaced(new QHBoxLayout, Metrics::kBarMargins, Metrics::kSpace3);
    bar->addWidget(m_at);
    bar->addWidget(m_moment, 1);
    auto* layout = spaced(new QVBoxLayout(right), {}, 0);
    layout->addLayout(bar);
    layout->addWidget(m_tabs, 1);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MemoryPage::showMoment);
    layout->addWidget(m_selected);
    connect(&m_map->view(), &AllocationMapView::mergedClicked, this, &MemoryPage::showMerged);
    connect(m_at, &SegmentedControl::chosen, this,
            [this](int index) { m_focus->setAt(static_cast<MemoryFocus::At>(index)); });
    return right;
}

void MemoryPage::setFilterBar(QWidget* bar, QWidget* line) {
    m_filterRow->insertWidget(0, bar, 3);
    m_filterRow->parentWidget()->layout()->addWidget(line);
}

QString MemoryPage::restriction() const {
    return m_restriction->text();
}

void MemoryPage::showRestriction() {
    const QString only = m_focus->only(), alive = m_focus->aliveOnly();
    QStringList parts;
    if (!only.isEmpty())
        parts << tr("only %1; memory over time and segments show everything").arg(only);
    // A range leaves out of what is alive alone: elsewhere it is drawn, or is what the figures are of.
    if (alive != only)
        parts << tr("live memory: only %1").arg(alive);
    else if (const QString later = m_focus->laterSelection(); !later.isEmpty())
        parts << tr("showing all live allocations: %1 starts after the moment shown").arg(later);
    const QString text = parts.join(QStringLiteral("; "));
    m_restriction->setText(text);
    m_restriction->setToolTip(text);
    m_restriction->setVisible(!text.isEmpty());
}

QString MemoryPage::explanation() const {
    return m_explanation->text();
}

void MemoryPage::showAlive(bool atCursor) {
    m_focus->setSelected(std::nullopt);
    m_focus->setAt(atCursor ? MemoryFocus::At::kCursor : MemoryFocus::At::kPeak);
    m_tabs->setCurrentWidget(m_alive);
    m_alive->treemap().setFocus(Qt::OtherFocusReason);
    m_alive->selectFirst();
}

void MemoryPage::showSegments(bool atCursor) {
    m_focus->setSelected(std::nullopt);
    m_focus->setAt(atCursor ? MemoryFocus::At::kCursor : MemoryFocus::At::kPeak);
    m_tabs->setCurrentWidget(m_segments);
    m_segments->setFocus(Qt::OtherFocusReason);
}

void MemoryPage::showView(QWidget* view) {
    if (m_tabs->indexOf(view) >= 0)
        m_tabs->setCurrentWidget(view);
}

void MemoryPage::setAlone(const QWidget* view) {
    m_map->setAlone(view == m_map);
}

void MemoryPage::showMoment() {
    // What happens between two cursors is of no one moment.
    const bool ofOne = !qobject_cast<BetweenPanel*>(m_tabs->currentWidget());
    m_at->setEnabled(ofOne);
    m_at->setCurrent(static_cast<int>(m_focus->at()));
    m_moment->setText(ofOne ? m_focus->momentText() : QString());
}

void MemoryPage::showSelected() {
    const auto selected = m_focus->selected();
    m_selected->setVisible(selected.has_value());
    // Another run's clock comes before what was selected in the former goes.
    if (selected && m_focus->knows(*selected))
        m_selected->setText(allocationSentence(m_focus->detailOf(*selected), m_focus->clock()));
    m_selected->parentWidget()->layout()->activate();
}

/// In the selected one's place, of which there is none then.
void MemoryPage::showMerged(const QString& words) {
    if (m_focus->selected())
        return;
    m_selected->setText(words);
    m_selected->setVisible(!words.isEmpty());
}

DeferredQuery::Job MemoryPage::makeExplanationJob() {
    const MemorySource source = MemorySource::of(m_document);
    return {[this, source, clock = m_focus->clock()] {
                QString text = m_document.noRunWords(tr("to see what its memory holds"));
                if (source.snapshot) {
                    const auto why = explainPeak(*source.timeline());
                    text = why ? QString::fromStdString(why->sentence(clock.text(why->time).toStdString()))
                               : toQString(Completeness(*source.snapshot).why(DataKind::kMemory));
                }
                return [this, text] { m_explanation->setText(text); };
            },
            source.isHeavy()};
}

void MemoryPage::refreshNow() {
    m_explanationQuery.runNow();
    showMoment();
}

void MemoryPage::keyPressEvent(QKeyEvent* event) {
    // What the map leaves: the marks are those of the chart over it. A table keeps its letters and Delete.
    const bool ofMap = m_map->view().hasFocus();
    if (!ofMap || !m_chart->plot().marks().steps().handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

}  // namespace warpglass::ui
