#include "ui/panels/op_table.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/query/model/shared_work.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/data_table.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/family_legend.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/summary_label.h"
#include "ui/controls/tab_room.h"
#include "ui/models/span_details.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/filter_bar.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// With more spans than this the first rows are shown before all are added up: some 50 ms' worth.
constexpr std::uint64_t kManySpans = 2'000'000;
/// The first rows are from the first of so many parts of the run's time.
constexpr std::int64_t kFirstPart = 16;

QToolButton* focusableSquareButton(Icon icon, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("segment", true);
    button->setIcon(makeQuietIcon(icon));
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setFixedSize(Metrics::kControlHeight, Metrics::kControlHeight - 4);
    return button;
}

/// The part of a filter that lies in the run's beginning.
SpanFilter firstPartOf(const Snapshot& snapshot, const SpanFilter& filter) {
    SpanFilter part = filter;
    if (part.ranges.empty())
        part.ranges = {snapshot.range()};
    for (TimeRange& range : part.ranges)
        range.end = range.begin + Nanoseconds(range.duration().value / kFirstPart);
    return part;
}

}  // namespace

OpTable::OpTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_subjects(new SegmentedControl({tr("Kernels"), tr("Ops"), tr("Copies")}, this)),
      m_groupings(new ComboBox(this)),
      m_filterBar(new FilterBar(document, filter, this)),
      m_columns(focusableSquareButton(Icon::kColumns, tr("Columns"), this)),
      m_histogram(focusableSquareButton(Icon::kHistogram, tr("Durations of the selected row"), this)),
      m_summary(new SummaryLabel(this)),
      m_table(new DataTable(this)),
      m_families(new FamilyKey(m_model, m_model.column("name"), this)),
      m_distribution(new DistributionPane(this)),
      m_query([this] { return makeJob(); }),
      m_distributionQuery([this] { return makeDistributionJob(); }) {
    showFailures(this, m_query);
    showFailures(this, m_distributionQuery);
    setObjectName(QStringLiteral("opTable"));
    setNames(m_table, "opRows", tr("Ops"));
    buildBar();
    m_filterBar->setWithout({RunFilter::Condition::kCategory, RunFilter::Condition::kAllocations});
    m_table->setTable(&m_model, m_model.column("self_share"), Qt::DescendingOrder,
                      DataTable::Sorting::kByModel);
    m_table->setToolTip({});
    showDefaultColumns();
    connectParts();
    m_model.setOfCpu(m_subject == Subject::kOps);
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void OpTable::buildBar() {
    setNames(m_subjects, "opSubject", tr("What is counted"));
    m_subjects->setFixedWidth(176);
    m_subjects->button(0)->setToolTip(tr("What ran on the GPU"));
    m_subjects->button(1)->setToolTip(tr("ATen ops: time on the CPU's threads"));
    m_subjects->button(2)->setToolTip(tr("Copies and fills of the GPU"));
    m_subjects->hide();
    setNames(m_groupings, "opGrouping", tr("Grouping"));
    m_groupings->setToolTip(tr("One row per name, or a tree of modules or phases with sums"));
    m_groupings->addItems({tr("Flat"), tr("By module"), tr("By phase")});
    m_groupings->setFont(Theme::tableFont());
    m_groupings->setFixedWidth(104);
    m_columns->setObjectName(QStringLiteral("opColumns"));
    m_columns->setToolTip(tr("Choose columns"));
    m_columns->setPopupMode(QToolButton::InstantPopup);
    m_columns->setMenu(new QMenu(m_columns));
    m_histogram->setObjectName(QStringLiteral("opHistogram"));
    m_histogram->setToolTip(tr("Distribution of the durations of the selected row"));
    m_histogram->setCheckable(true);
    m_summary->setObjectName(QStringLiteral("opSummary"));
    setSecondary(m_summary);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    // It has what the filter leaves: its words may be left out, and the chips say some of them.
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* bar = m_bar = spaced(new QHBoxLayout,
                               {Metrics::kSpace3, TabRoom::kBarMargin, Metrics::kSpace2, TabRoom::kBarMargin},
                               Metrics::kSpace2);
    addAll(bar, {new TabRoom(this), m_subjects, m_groupings, m_filterBar});
    bar->addWidget(m_summary, 1);
    addAll(bar, {m_columns, m_histogram});
    auto* line = hairline(Qt::Vertical, this);
    line->hide();
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_table, 1);
    addAll(body, {line, m_distribution});
    m_distribution->hide();
    connect(m_histogram, &QToolButton::toggled, line, &QWidget::setVisible);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    addAll(layout, {m_filterBar->chipLine(), m_families});
    layout->addLayout(body, 1);
}

void OpTable::connectParts() {
    using Cause = DeferredQuery::Cause;
    connect(m_subjects, &SegmentedControl::chosen, this, [this](int index) {
        setSubject(index == 0 ? Subject::kKernels : index == 1 ? Subject::kOps : Subject::kCopies);
    });
    connect(m_groupings, &QComboBox::activated, this,
            [this](int index) { setGrouping(static_cast<SpanGrouping>(index)); });
    connect(m_columns->menu(), &QMenu::aboutToShow, this, [this] {
        m_columns->menu()->clear();
        m_table->fillColumnMenu(*m_columns->menu());
    });
    connect(m_histogram, &QToolButton::clicked, this, &OpTable::setDistributionShown);
    connect(m_table, &DataTable::rowActivated, this, &OpTable::activate);
    connect(m_table, &DataTable::expansionRequested, &m_model, &SpanTableModel::setExpanded);
    connect(m_table, &DataTable::menuRequested, this, [this](QMenu* menu, int row) { fillMenu(*menu, row); });
    connect(m_table, &DataTable::currentRowChanged, this, [this](int row) {
        m_row = row;
        fitDistribution();
        m_distributionQuery.invalidate(Cause::kPerson);
    });
    connect(m_distribution, &DistributionPane::spanRequested, this, &OpTable::goTo);
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_longestOf.reset();
        m_selectFirst = false;  // it was asked of the former run
        m_query.invalidate(Cause::kOtherRun);
        offerSubjects();
        // Rows of the former run are not left beside this one while it is computed.
        showRows({}, m_grouping, true);
        m_distributionQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] {
        offerSubjects();
        m_query.invalidate(Cause::kGrowth);
        m_distributionQuery.invalidate(Cause::kGrowth);
    });
    connect(&m_filter, &RunFilter::changed, this, [this] {
        m_query.invalidate(Cause::kPerson);
        updateSummary();
        m_distributionQuery.invalidate(Cause::kPerson);
    });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] { m_query.invalidate(Cause::kGrowth); });
}

void OpTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_families->setHeightOfView(height());
    fitDistribution();
}

void OpTable::setSubject(Subject subject) {
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_query.invalidate(DeferredQuery::Cause::kPerson);
    m_longestOf.reset();
    m_subjects->setCurrent(subject == Subject::kKernels ? 0 : subject == Subject::kOps ? 1 : 2);
    m_model.setOfCpu(subject == Subject::kOps);
    showRows({}, m_grouping, true);
    showDefaultColumns();
    sortByWhatIsShown();
}

OpTable::Subject OpTable::firstSubject() const {
    const auto& snapshot = m_document.snapshot();
    const bool gpu = snapshot && !snapshot->tracksOfKind(TrackKind::kGpuStream).empty();
    return gpu ? Subject::kKernels : Subject::kOps;
}

void OpTable::selectFirst() {
    m_selectFirst = true;
    if (m_query.isIdle())
        selectFirstNow();
}

/// Once what is shown is what was asked for.
void OpTable::selectFirstNow() {
    if (!m_selectFirst || !m_complete || m_table->shownRows() == 0)
        return;
    m_selectFirst = false;
    m_table->selectRow(0);
    m_table->scrollToTop();
}

void OpTable::setGrouping(SpanGrouping grouping) {
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_groupings->setCurrentIndex(static_cast<int>(grouping));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

/// What fits, in the order of use: a kernel has no self time of its own, an op that launched it it has.
void OpTable::showDefaultColumns() {
    if (m_subject == Subject::kOps) {
        QList<int> columns =
            m_model.columns({"name", "self_share", "self_ns", "total_ns", "instances", "instances_per_step",
                             "average_ns", "median_ns", "max_ns", "min_ns", "stddev_ns", "time_share"});
        if (m_hasTypes)
            columns << m_model.column("types");
        columns << m_model.columns({"flops", "ceiling_share", "bytes", "family", "launched_by"});
        m_table->setColumnPriority(columns);
    } else {
        const bool copies = m_subject == Subject::kCopies;
        QList<int> columns = m_model.columns(
            {"name", "time_share", "total_ns", "instances", "instances_per_step", "average_ns",
             copies ? "bytes" : "ceiling_share", copies ? "ceiling_share" : "shape", "median_ns", "max_ns",
             "min_ns", "stddev_ns", "launched_by"});
        if (!copies)
            columns << m_model.columns({"bytes", "flops", "not_moved_bytes"});
        m_table->setColumnPriority(columns << m_model.columns({"family", "self_share", "self_ns"}));
    }
}

/// By what is shown first: a hidden column says nothing of the order.
void OpTable::sortByWhatIsShown() {
    const QHeaderView* header = m_table->horizontalHeader();
    if (m_table->isColumnHidden(header->sortIndicatorSection()))
        m_table->sortByColumn(
            m_subject == Subject::kOps ? m_model.column("self_share") : m_model.column("time_share"),
            Qt::DescendingOrder);
}

TrackKind OpTable::trackKind() const {
    return m_subject == Subject::kKernels  ? TrackKind::kGpuStream
           : m_subject == Subject::kCopies ? TrackKind::kGpuCopies
                                           : TrackKind::kCpuThread;
}

/// A run of a GPU begins with its kernels; one without has nothing to choose from.
void OpTable::offerSubjects() {
    const bool gpu = firstSubject() == Subject::kKernels;
    if (gpu == !m_subjects->isHidden())
        return;
    m_subjects->setVisible(gpu);
    setSubject(firstSubject());
}

DeferredQuery::Job OpTable::makeJob() {
    const auto snapshot = m_document.snapshot();
    const SpanGrouping grouping = m_grouping;
    if (!snapshot) {
        return {[this, grouping] { return [this, grouping] { showRows({}, grouping, true); }; }};
    }
    const SpanFilter filter = m_filter.spanFilter();
    const TrackKind kind = trackKind();
    const std::string text = m_filter.state().text.toStdString();
    const auto show = [this, grouping, found = !text.empty(), words = m_filter.words().withoutText(),
                       byBegin = m_filter.countsBeginnings()](GroupedStatistics statistics, bool complete,
                                                              std::int64_t steps) {
        m_words = words;
        m_steps = steps;
        m_byBegin = byBegin;
        showRows(std::move(statistics), grouping, complete, found);
    };
    // A table that grows keeps its rows until there are all of the new ones.
    const bool partFirst =
        snapshot->spanCount() > kManySpans && m_query.cause() != DeferredQuery::Cause::kGrowth;
    return {[this, snapshot, filter, kind, grouping, text, show, partFirst, subject = m_subject,
             self = QPointer<OpTable>(this)] {
                if (partFirst) {
                    auto first =
                        groupedStatistics(*snapshot, firstPartOf(*snapshot, filter), kind, grouping, text);
                    QMetaObject::invokeMethod(
                        qApp,
                        [self, show, snapshot, first = std::move(first)]() mutable {
                            if (self && self->m_document.snapshot() == snapshot && !self->m_query.isIdle())
                                show(std::move(first), false, 0);
                        },
                        Qt::QueuedConnection);
                }
                auto all = groupedStatistics(*snapshot, filter, kind, grouping, text);
                const std::int64_t steps = wholeStepsOf(*snapshot, filter);
                NoRows none;
                if (all.rows.empty())
                    none = whyNoRows(*snapshot, subject);
                const bool unsplit = subject == Subject::kKernels && grouping == SpanGrouping::kModule &&
                                     !filter.modulePath.empty() && hasSharedWork(*snapshot);
                return [this, show, steps, all = std::move(all), none, unsplit]() mutable {
                    m_noRows = none;
                    m_unsplit = unsplit;
                    show(std::move(all), true, steps);
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void OpTable::showRows(GroupedStatistics statistics, SpanGrouping grouping, bool complete, bool found) {
    m_complete = complete;
    const bool offerTypes =
        m_subject == Subject::kOps && statistics.spansOfFilter > 0 && statistics.hasTypes != m_hasTypes;
    m_model.setStatistics(std::move(statistics), grouping, m_steps, found);
    if (offerTypes) {
        m_hasTypes = !m_hasTypes;
        showDefaultColumns();
        sortByWhatIsShown();
    }
    updateSummary();
    if (m_row >= 0 && rowToShow() < 0) {  // its histogram goes with it
        m_distributionQuery.invalidate(DeferredQuery::Cause::kPerson);
        fitDistribution();
    }
    if (m_query.isIdle()) {
        selectFirstNow();
        m_selectFirst = false;
    }
}

void OpTable::activate(int row) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || row < 0 || row >= m_model.rowCount())
        return;
    if (m_model.rowAt(row).isGroup) {
        m_model.toggle(row);
        return;
    }
    m_longestOf = m_model.rowAt(row).key;
    m_distributionQuery.setActive(true);
    m_distributionQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    if (snapshot->spanCount() <= DeferredQuery::kHeavySpans)
        m_distributionQuery.runNow();
}

void OpTable::goTo(SpanPosition position) {
    const SpanRef found{position.lane, position.row};
    const auto& snapshot = m_document.snapshot();
    const auto span = snapshot ? describeSpan(*snapshot, found) : std::nullopt;
    if (!span)
        return;
    m_filter.look(found);
    m_axis.setPinnedCursor(span->start);
    // The span in the middle third, its neighbors at its sides.
    m_axis.setVisibleRange({span->start - span->duration, span->start + 2 * span->duration});
}

void OpTable::fillMenu(QMenu& menu, int row) {
    if (m_grouping != SpanGrouping::kFlat) {
        menu.addAction(tr("Expand All"), this, [this] { m_model.expandAll(true); });
        menu.addAction(tr("Collapse All"), this, [this] { m_model.expandAll(false); });
        menu.addSeparator();
    }
    auto* groupings = menu.addMenu(tr("Group By"));
    for (int i = 0; i < m_groupings->count(); ++i) {
        const auto grouping = static_cast<SpanGrouping>(i);
        QAction* action =
            groupings->addAction(m_groupings->itemText(i), this, [this, grouping] { setGrouping(grouping); });
        makeCheckable(action, grouping == m_grouping);
    }
    menu.addSeparator();
    if (row < 0 || row >= m_model.rowCount())
        return;
    const SpanTableRow& shown = m_model.rowAt(row);
    const std::string& group = shown.row.group;
    // A part is a piece of a module's work, and no module.
    const std::string module =
        m_grouping == SpanGrouping::kModule ? group.substr(0, group.find('/')) : std::string();
    Phase phase = Phase::kNone;
    for (std::size_t p = 0; m_grouping == SpanGrouping::kPhase && p < kPhaseCount; ++p) {
        if (kPhaseNames[p] == group)
            phase = static_cast<Phase>(p);
    }
    const std::string name = shown.isGroup ? std::string() : shown.row.figures.name;
    addFilterActions(menu, m_filter, module, phase, name);
    if (!shown.isGroup && shown.row.launchedBy != name && !shown.row.launchedBy.empty())
        menu.addAction(tr("Only What %1 Launched").arg(toQString(shown.row.launchedBy)), this,
                       [this, op = shown.row.launchedBy] { m_filter.setName(op); });
    if (!name.empty()) {
        menu.addAction(tr("Find All"), this, [this, name] { emit findRequested(toQString(name)); });
        if (const std::string& types = shown.row.types; !types.empty())
            menu.addAction(tr("Find All of These Types"), this,
                           [this, types] { emit findRequested(toQString(types)); });
        menu.addAction(tr("Show the Longest"), this, [this, row] { activate(row); });
    }
}

void OpTable::refreshNow() {
    m_query.runNow();
    if (!m_distribution->isHidden())
        m_distributionQuery.runNow();
}

void OpTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
    m_distributionQuery.setActive(!m_distribution->isHidden());
}

void OpTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_longestOf.reset();
    m_query.setActive(false);
    m_distributionQuery.setActive(false);
}

}  // namespace warpglass::ui
