#include "app/window/workspace.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/calm_strip.h"
#include "app/window/evidence_bar.h"
#include "app/window/fitted_panes.h"
#include "app/window/inspector_drawer.h"
#include "app/window/run_figure.h"
#include "app/window/shown_finding.h"
#include "app/window/table_tabs.h"
#include "app/window/view_options.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/charts_page.h"
#include "ui/controls/data_table.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_breakdown_view.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/mark_steps.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/panels/allocations_table.h"
#include "ui/panels/cause_chain_list.h"
#include "ui/panels/filter_bar.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/inspector.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/time_ruler_bar.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

QList<Workspace::PageName> Workspace::pageNames() {
    return {{tr("Summary"), tr("The run on one page, with what costs time and memory")},
            {tr("Timeline"), tr("Timeline, memory and tables")},
            {tr("Memory"), tr("What fills the memory, and why its peak is where it is")},
            {tr("Charts"), tr("Flame charts, roofline, attention, phases and layers")}};
}

QList<Workspace::ViewName> Workspace::views() {
    QList<ViewName> views = {{QStringLiteral("summary"), tr("Summary"), Page::kSummary},
                             {QStringLiteral("timeline"), tr("Timeline"), Page::kViews},
                             {QStringLiteral("memory"), tr("Memory over time"), Page::kViews},
                             {QStringLiteral("ops"), tr("Ops and kernels"), Page::kViews},
                             {QStringLiteral("phases"), tr("Phases"), Page::kViews},
                             {QStringLiteral("breakdown"), tr("Memory at the cursor"), Page::kViews},
                             {QStringLiteral("allocations"), tr("Allocations"), Page::kViews},
                             {QStringLiteral("find"), tr("Find"), Page::kViews},
                             {QStringLiteral("inspector"), tr("Inspector"), Page::kViews},
                             {QStringLiteral("memory-map"), tr("Allocation map"), Page::kMemory},
                             {QStringLiteral("treemap"), tr("Treemap of memory"), Page::kMemory},
                             {QStringLiteral("between"), tr("Memory between two cursors"), Page::kMemory},
                             {QStringLiteral("segments"), tr("Segments"), Page::kMemory}};
    for (const ui::ChartsPage::Entry& chart : ui::ChartsPage::views())
        views.append({chart.name, chart.title, Page::kCharts});
    return views;
}

QStringList Workspace::viewNames() {
    QStringList names;
    for (const ViewName& view : views())
        names << view.name;
    return names;
}

Workspace::Workspace(ui::RunDocument& document, ui::TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_document(document) {
    m_filter = new ui::RunFilter(document, axis, this);
    m_summary = new ui::SummaryPage(document, this);
    connect(m_summary, &ui::SummaryPage::showRequested, this, &Workspace::showFinding);
    m_timeline = ui::named(new ui::TimelineView(&document, &axis, this), "timeline");
    m_timeline->setFilter(m_filter);
    m_memoryChart = ui::named(new ui::MemoryChart(document, axis, this), "memory");
    m_memoryChart->setLabelWidth(ui::kTrackLabelWidth);
    m_memoryChart->plot().setFilter(m_filter);
    m_ops = ui::named(new ui::OpTable(document, axis, *m_filter, this), "ops");
    auto* phases = ui::named(new ui::PhasesTable(document, axis, *m_filter, this), "phases");
    auto* breakdown = ui::named(new ui::MemoryBreakdownView(document, axis, *m_filter, this), "breakdown");
    m_allocations = ui::named(new ui::AllocationsTable(document, axis, *m_filter, this), "allocations");
    auto* inspector = ui::named(new ui::Inspector(document, axis, this), "inspector");
    inspector->chain().setFilter(m_filter);
    connect(inspector, &ui::Inspector::showRequested, this, &Workspace::showFinding);
    m_drawer = new InspectorDrawer(*inspector, axis, this);

    m_charts = new ui::ChartsPage(document, axis, *m_filter, this);
    auto* chartFilter = new ui::FilterBar(document, *m_filter, m_charts);
    m_charts->setFilterBar(chartFilter, chartFilter->chipLine());
    connect(m_charts, &ui::ChartsPage::viewChanged, chartFilter,
            [chartFilter](const ui::ChartView& view) { chartFilter->setWithout(view.without()); });
    chartFilter->setWithout(
        {ui::RunFilter::Condition::kCategory, ui::RunFilter::Condition::kAllocations});  // the first chart's
    connect(m_charts, &ui::ChartsPage::timelineRequested, this, [this] { showView(m_timeline); });

    m_tabs = ui::named(new TableTabs(this), "tables");
    m_tabs->addTab(m_ops, tr("Ops"));
    m_tabs->addTab(breakdown, tr("Memory at cursor"));
    m_tabs->addTab(m_allocations, tr("Allocations"));
    m_tabs->addTab(phases, tr("Phases"));
    m_find = ui::named(new ui::FindPanel(document, axis, *m_filter, this), "find");
    m_tabs->addTab(m_find, tr("Find"));
    connectFind();

    m_timelinePanes = ui::named(new FittedPanes(Qt::Vertical, this), "timelineSplitter");
    auto* overTime = new QWidget(this);
    auto* overTimeLayout = ui::spaced(new QVBoxLayout(overTime), {}, 0);
    m_overview = ui::named(new ui::OverviewStrip(document, axis, ui::kTrackLabelWidth, overTime), "overview");
    m_overview->setFilter(m_filter);
    overTimeLayout->addWidget(m_overview);
    overTimeLayout->addWidget(m_timeline, 1);
    for (QWidget* part : {overTime, static_cast<QWidget*>(m_memoryChart), static_cast<QWidget*>(m_tabs)})
        m_timelinePanes->addWidget(part);
    m_timelinePanes->setSizesFor(sizesOfTimelinePage(m_timeline->viewport(), *m_memoryChart, *m_tabs));

    auto* outer = ui::named(new FittedPanes(Qt::Horizontal, this), "inspectorSplitter");
    ui::addAll(outer, {m_timelinePanes, inspector});
    outer->setStretchFactor(0, 1);
    outer->setStretchFactor(1, 0);
    outer->setSizesFor(sizesBesideInspector);

    auto* layout = ui::spaced(new QVBoxLayout(this), {}, 0);
    m_pages = new QStackedWidget(this);
    // In the order of Page.
    ui::addAll(m_pages, {m_summary, outer});
    m_memoryPage = new ui::MemoryPage(document, axis, *m_filter, this);
    m_memoryPage->chart().plot().setFilter(m_filter, false);
    auto* memoryFilter = new ui::FilterBar(document, *m_filter, m_memoryPage);
    memoryFilter->setOfAllocations();
    m_memoryPage->setFilterBar(memoryFilter, memoryFilter->chipLine());
    ui::addAll(m_pages, {m_memoryPage, m_charts});
    m_pages->setCurrentWidget(outer);
    m_messages = new CalmStrip(*m_pages, this);
    m_finding = new ShownFinding(*this, document, axis, *m_messages);
    m_messages->add(&m_finding->bar());
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    m_ruler = ui::named(new ui::TimeRulerBar(axis, ui::kTrackLabelWidth, this), "rulerAlone");
    m_ruler->hide();
    layout->addWidget(m_ruler);
    for (const ui::MemoryChart* chart : {m_memoryChart, &m_memoryPage->chart()})
        connect(&chart->plot(), &ui::MemoryPlot::spacingChanged, this, &Workspace::showRuler);
}

void Workspace::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || event->modifiers() != Qt::NoModifier || !m_filter->letGo())
        QWidget::keyPressEvent(event);
}

QTabWidget* Workspace::tabs() const {
    return m_tabs;
}

void Workspace::setMarks(ui::MarkList* marks) {
    m_timeline->setMarks(marks);
    m_overview->setMarks(marks);
    m_memoryChart->plot().marks().setMarks(marks);
    m_memoryPage->chart().plot().marks().setMarks(marks);
}

ui::MarkSteps* Workspace::markStepsHere() {
    for (ui::MemoryChart* chart : {m_memoryChart, &m_memoryPage->chart()}) {
        const bool alone = !m_timeline->isVisible();
        if (chart->isVisible() && (alone || chart->isAncestorOf(QApplication::focusWidget())))
            return &chart->plot().marks().steps();
    }
    return m_timeline->isVisible() ? &m_timeline->marks().steps() : nullptr;
}

bool Workspace::addMark() {
    ui::MarkSteps* steps = markStepsHere();
    if (steps)
        steps->add();
    return steps != nullptr;
}

void Workspace::editMark() {
    ui::MarkSteps* steps = markStepsHere();
    if (!steps) {
        emit otherViewWanted();
        showView(m_timeline);
        steps = &m_timeline->marks().steps();
    }
    steps->editCurrent();
}

void Workspace::connectFind() {
    connect(m_find, &ui::FindPanel::ticksChanged, m_timeline, &ui::TimelineView::setTicks);
    connect(m_ops, &ui::OpTable::findRequested, this, &Workspace::openFind);
    connect(m_timeline, &ui::TimelineView::spanMenuRequested, this,
            [this](QMenu* menu, ui::SpanRef ref) { addSpanActions(*menu, ref); });
}

void Workspace::addSpanActions(QMenu& menu, SpanRef ref) {
    const auto span = ui::describeSpan(*m_document.snapshot(), ref);
    if (!span)
        return;
    const bool op = span->kind == TrackKind::kCpuThread || isGpuTrack(span->kind);
    ui::addFilterActions(menu, *m_filter, span->module, span->phase, op ? span->name : std::string());
    menu.addAction(tr("Find All"), this, [this, name = ui::toQString(span->name)] { openFind(name); });
}

void Workspace::openFind(const QString& text) {
    emit otherViewWanted();
    setPage(Page::kViews);
    m_tabs->setCurrentWidget(m_find);
    if (!text.isEmpty())
        m_find->setPattern(text);
    m_find->focusField();
}

QWidget* Workspace::pageWidget(Page page) const {
    return m_pages->widget(static_cast<int>(page));
}

Workspace::Page Workspace::page() const {
    return static_cast<Page>(m_pages->currentIndex());
}

void Workspace::setPage(Page page) {
    if (page == this->page())
        return;
    m_pages->setCurrentWidget(pageWidget(page));
    m_messages->settle();
    emit pageChanged(page);
}

void Workspace::showFinding(const Finding& finding) {
    m_finding->show(finding);
}

EvidenceBar& Workspace::evidence() const {
    return m_finding->bar();
}

QWidget* Workspace::view(const QString& name) const {
    return viewNames().contains(name) ? findChild<QWidget*>(name) : nullptr;
}

QWidget* Workspace::viewHere(const QString& name) const {
    return page() == Page::kMemory && name == m_memoryChart->objectName() ? &m_memoryPage->chart()
                                                                          : view(name);
}

QString Workspace::focusedView() const {
    const QStringList names = viewNames();
    for (const QWidget* widget = QApplication::focusWidget(); widget && widget != this;
         widget = widget->parentWidget()) {
        if (widget == &m_memoryPage->chart())
            return m_memoryChart->objectName();
        if (names.contains(widget->objectName()) && isAncestorOf(widget))
            return widget->objectName();
    }
    return {};
}

QWidget* Workspace::mainView() const {
    for (const ViewName& entry : views()) {
        if (QWidget* first = view(entry.name); entry.page == page() && first->isVisible())
            return first;
    }
    return pageWidget(page());
}

void Workspace::showView(QWidget* view) {
    for (const ViewName& entry : views()) {
        if (entry.name == view->objectName())
            setPage(entry.page);
    }
    if (view == &m_memoryPage->chart())
        setPage(Page::kMemory);
    if (m_tabs->indexOf(view) >= 0)
        m_tabs->setCurrentWidget(view);
    if (view->objectName() == QLatin1String("inspector"))
        m_drawer->open();
    m_memoryPage->showView(view);
    m_charts->showView(view);
}

void Workspace::focusView(QWidget* view) {
    if (view == m_find)
        return m_find->focusField();
    if (view->focusPolicy() != Qt::NoFocus || view->focusProxy())
        return view->setFocus(Qt::OtherFocusReason);
    // The largest part that takes the keyboard and is no control of it.
    QWidget* largest = nullptr;
    const auto area = [](const QWidget& part) { return part.width() * part.height(); };
    for (QWidget* part : view->findChildren<QWidget*>()) {
        const bool control = qobject_cast<QAbstractButton*>(part) || qobject_cast<QLineEdit*>(part) ||
                             qobject_cast<QComboBox*>(part) || qobject_cast<QAbstractSpinBox*>(part);
        if (part->isVisible() && part->isEnabled() && (part->focusPolicy() & Qt::TabFocus) && !control &&
            (!largest || area(*part) > area(*largest)))
            largest = part;
    }
    if (!largest)
        return view->setFocus(Qt::OtherFocusReason);
    largest->setFocus(Qt::OtherFocusReason);
    // So that it can be seen where the keyboard is. In a chart's table and that of allocations the current
    // row is what the person has chosen: it would be selected.
    auto* table = qobject_cast<ui::DataTable*>(largest);
    if (table && !qobject_cast<ui::ChartView*>(view) && view != m_allocations &&
        !table->currentIndex().isValid() && table->shownRows() > 0)
        table->setCurrentIndex(table->model()->index(0, 0));
}

void Workspace::setAlone(const QWidget* view) {
    m_alone = view;
    m_drawer->setHeld(view != nullptr);
    m_memoryChart->plot().setPhaseNames(view == m_memoryChart);
    m_memoryPage->setAlone(view);
    showRuler();
}

void Workspace::showRuler() {
    m_ruler->setVisible(m_alone && hasRulerElsewhere(*m_alone));
}

void Workspace::addOptions(QMenu& menu) {
    QList<QWidget*> all;
    QList<ViewName> entries = views();
    for (const ViewName& entry : entries)
        all << view(entry.name);
    std::stable_sort(entries.begin(), entries.end(), [this](const ViewName& a, const ViewName& b) {
        return a.page == page() && b.page != page();
    });
    const auto add = [&menu](const QString& title, const QList<QWidget*>& options,
                             const std::function<void()>& show) {
        if (!options.isEmpty())
            app::addOptions(*menu.addMenu(title), options, show);
    };
    for (const ViewName& entry : entries) {
        QWidget* shown = view(entry.name);
        add(entry.title, optionsOf(*shown), [this, shown] {
            if (shown->isVisible())
                return;
            emit otherViewWanted();
            showView(shown);
        });
    }
    // What a page has for all of its views.
    const QList<PageName> names = pageNames();
    for (int i = 0; i < names.size(); ++i) {
        const auto page = static_cast<Page>(i);
        if (!all.contains(pageWidget(page)))
            add(names[i].title, optionsOf(*pageWidget(page), all), [this, page] {
                if (pageWidget(page)->isVisible())
                    return;
                emit otherViewWanted();
                setPage(page);
            });
    }
}

}  // namespace warpglass::app
