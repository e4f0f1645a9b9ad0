#include "ui/panels/op_table.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/models/span_details.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kNameWidth = 236;  // "aten::_scaled_dot_product_att…": nearly every ATen op unabridged
// The bar gives way before the inspector does: at 1280 px these and the two controls fit beside it.
constexpr int kFilterWidth = 200, kLeastFilterWidth = 110, kLeastChipWidth = 64;

/// Whether a measured step has begun: until then "measured" would be an empty table during warm-up.
bool hasMeasuredStep(const Snapshot& snapshot) {
    const std::int64_t warmup = snapshot.info().getInteger("config.warmup").value_or(0);
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            const auto last = lane.empty() ? std::nullopt : lane.row(lane.rows() - 1);
            if (last && last->step >= warmup)
                return true;
        }
    }
    return std::any_of(snapshot.openSpans().begin(), snapshot.openSpans().end(),
                       [warmup](const OpenSpan& open) { return open.step >= warmup; });
}

}  // namespace

OpTable::OpTable(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(new QLineEdit(this)),
      m_subjects(new SegmentedControl({tr("Kernels"), tr("Ops"), tr("Copies")}, this)),
      m_scopes(new SegmentedControl({tr("Run"), tr("Measured"), tr("In view")}, this)),
      m_chip(new QToolButton(this)),
      m_summary(new ElidedLabel(this)),
      m_model(StatisticsModel::Kind::kOps),
      m_table(new DataTable(this)),
      m_query([this] { return makeJob(); }),
      m_longestQuery([this] { return makeLongestJob(); }) {
    setObjectName(QStringLiteral("opTable"));
    m_filter->setObjectName(QStringLiteral("opFilter"));
    m_filter->setAccessibleName(tr("Filter ops by name"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setToolTip(tr("Shows only ops whose name contains this"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFont(Theme::tableFont());
    m_filter->setMinimumWidth(kLeastFilterWidth);
    m_filter->setMaximumWidth(kFilterWidth);
    m_filter->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_subjects->setObjectName(QStringLiteral("opSubject"));
    m_subjects->setAccessibleName(tr("What is counted"));
    m_subjects->setFixedWidth(190);
    m_subjects->button(0)->setToolTip(tr("What ran on the GPU"));
    m_subjects->button(1)->setToolTip(tr("ATen ops, on the CPU's threads"));
    m_subjects->button(2)->setToolTip(tr("Copies and fills of the GPU"));
    m_subjects->hide();
    m_scopes->setObjectName(QStringLiteral("opScope"));
    m_scopes->setAccessibleName(tr("Which ops count"));
    m_scopes->setFixedWidth(212);
    m_scopes->button(0)->setToolTip(tr("Everything, with set-up and warm-up"));
    m_scopes->button(1)->setToolTip(tr("Only the measured steps"));
    m_scopes->button(2)->setToolTip(tr("What the timeline shows now"));
    m_scopes->setCurrent(static_cast<int>(m_scope));
    m_chip->setObjectName(QStringLiteral("opSelection"));
    m_chip->setProperty("chip", true);
    m_chip->setFont(Theme::tableFont());
    m_chip->setIcon(makeQuietIcon(Icon::kClose));
    m_chip->setLayoutDirection(Qt::RightToLeft);  // the cross stands after the words
    m_chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_chip->setToolTip(tr("Only what the selection in the timeline holds counts; a click clears it"));
    m_chip->setMinimumWidth(kLeastChipWidth);
    m_chip->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_chip->hide();
    m_summary->setObjectName(QStringLiteral("opSummary"));
    m_summary->setFont(Theme::tableFont());
    m_summary->setProperty("secondary", true);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setObjectName(QStringLiteral("opRows"));
    m_table->setAccessibleName(tr("Ops"));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace2);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_subjects);
    bar->addWidget(m_scopes);
    bar->addWidget(m_chip);
    bar->addWidget(m_summary, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);

    m_table->setTable(&m_model, m_model.position(StatisticsModel::kSelfShare), Qt::DescendingOrder);
    // The name leads, so that it is in sight at any width; exports keep nsys's order with the name last.
    QHeaderView* header = m_table->horizontalHeader();
    const int name = m_model.position(StatisticsModel::kName);
    header->moveSection(header->visualIndex(name), 0);
    header->resizeSection(name, kNameWidth);
    m_table->setToolTip({});
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(m_model.position(StatisticsModel::kName), text);
        updateSummary();
    });
    connect(m_scopes, &SegmentedControl::chosen, this,
            [this](int index) { setScope(static_cast<Scope>(index)); });
    connect(m_subjects, &SegmentedControl::chosen, this, [this](int index) {
        setSubject(index == 0 ? Subject::kKernels : index == 1 ? Subject::kOps : Subject::kCopies);
    });
    connect(m_chip, &QToolButton::clicked, this, [this] {
        m_axis.setSelectedRange(std::nullopt);
        m_axis.setSelectedSpan(std::nullopt);
    });
    connect(m_table, &DataTable::rowActivated, this, &OpTable::goToLongest);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        offerSubjects();
        // Rows of the former run are not left beside this one while it is computed.
        m_table->setEmptyText(tr("Adding up…"));
        showRows({}, {});
        m_query.invalidate(Cause::kOtherRun);
        m_wanted.clear();
        m_longestQuery.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] {
        offerSubjects();
        m_query.invalidate(Cause::kGrowth);
    });
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        if (m_scope == Scope::kInView)
            m_query.invalidate(Cause::kGrowth);
    });
    m_query.invalidate(Cause::kOtherRun);
}

void OpTable::setScope(Scope scope) {
    if (scope == m_scope)
        return;
    m_scope = scope;
    m_scopes->setCurrent(static_cast<int>(scope));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void OpTable::setSubject(Subject subject) {
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_subjects->setCurrent(subject == Subject::kKernels ? 0 : subject == Subject::kOps ? 1 : 2);
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void OpTable::setFilterText(const QString& text) {
    m_filter->setText(text);
}

TrackKind OpTable::trackKind() const {
    return m_subject == Subject::kKernels  ? TrackKind::kGpuStream
           : m_subject == Subject::kCopies ? TrackKind::kGpuCopies
                                           : TrackKind::kCpuThread;
}

/// A run of a GPU begins with its kernels; one without has nothing to choose from.
void OpTable::offerSubjects() {
    const auto& snapshot = m_document.snapshot();
    const bool gpu = snapshot && !snapshot->tracksOfKind(TrackKind::kGpuStream).empty();
    if (gpu == !m_subjects->isHidden())
        return;
    m_subjects->setVisible(gpu);
    setSubject(gpu ? Subject::kKernels : Subject::kOps);
}

OpTable::Selection OpTable::currentSelection() const {
    Selection selection;
    const auto& snapshot = m_document.snapshot();
    if (const auto range = m_axis.selectedRange()) {
        selection.filter.ranges = {*range};
        const QString duration = toQString(formatDuration(range->duration()));
        selection.words = tr("the selected %1").arg(duration);
        selection.chip = tr("selected %1").arg(duration);
        selection.byBegin = true;
        selection.fromTimeline = true;
        return selection;
    }
    // Selecting an op is looking at it, not filtering by it.
    const auto picked = m_axis.selectedSpan();
    const auto span = picked ? describeSpan(*snapshot, *picked) : std::nullopt;
    const bool range = span && (span->kind == TrackKind::kStep || span->kind == TrackKind::kPhase ||
                                span->kind == TrackKind::kModule);
    if (range) {
        selection.filter.ranges = {span->range()};
        selection.filter.byLaunch = true;
        selection.words = toQString(span->name);
        if (span->kind != TrackKind::kStep && span->step != kNoStep)
            selection.words += tr(" of step %1").arg(span->step);
        selection.chip = selection.words;
        selection.fromTimeline = true;
        return selection;
    }
    switch (m_scope) {
        case Scope::kRun:
            selection.words = tr("the whole run");
            break;
        case Scope::kMeasured:
            selection.filter.measuredOnly = hasMeasuredStep(*snapshot);
            selection.words = selection.filter.measuredOnly ? tr("measured steps") : wordsOfRun();
            break;
        case Scope::kInView:
            selection.filter.ranges = {m_axis.visibleRange()};
            selection.words = tr("view");
            selection.byBegin = true;
            break;
    }
    return selection;
}

/// Of a run that has no measured step.
QString OpTable::wordsOfRun() const {
    if (m_document.isLive())
        return tr("the run so far, in warm-up");
    // A damaged file may have lost its steps, and with them what was measured.
    const Snapshot& snapshot = *m_document.snapshot();
    bool steps = false;
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track))
            steps = steps || lane.rows() > 0;
    }
    return steps ? tr("set-up and warm-up steps") : tr("the whole run");
}

DeferredQuery::Job OpTable::makeJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot) {
        return {[this]() -> DeferredQuery::Apply {
            return [this] {
                m_table->setEmptyText(tr("Open or record a run to see its ops"));
                showRows({}, {});
            };
        }};
    }
    Selection selection = currentSelection();
    const Subject subject = m_subject;
    return {[this, snapshot, selection, subject]() -> DeferredQuery::Apply {
                auto rows = subject == Subject::kKernels  ? kernelStatistics(*snapshot, selection.filter)
                            : subject == Subject::kCopies ? copyStatistics(*snapshot, selection.filter)
                                                          : opStatistics(*snapshot, selection.filter);
                return [this, rows = std::move(rows), selection, subject]() mutable {
                    m_table->setEmptyText((subject == Subject::kKernels  ? tr("No kernel begins in %1")
                                           : subject == Subject::kCopies ? tr("No copy begins in %1")
                                                                         : tr("No op begins in %1"))
                                              .arg(selection.words));
                    showRows(std::move(rows), selection);
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void OpTable::showRows(std::vector<StatisticsRow> rows, const Selection& selection) {
    m_words = selection.words;
    m_chip->setVisible(selection.fromTimeline);
    m_byBegin = selection.byBegin;
    m_chip->setText(selection.chip);
    // The chip takes the place of the choice that it overrules.
    m_scopes->setVisible(!selection.fromTimeline);
    m_model.setRows(std::move(rows));
    updateSummary();
}

void OpTable::updateSummary() {
    std::int64_t instances = 0;
    Nanoseconds self;
    for (int i = 0; i < m_table->shownRows(); ++i) {
        const QModelIndex source = m_table->proxy()->mapToSource(m_table->proxy()->index(i, 0));
        const StatisticsRow& row = m_model.rowAt(source.row());
        instances += row.instances;
        self += row.self;
    }
    const bool any = m_model.rowCount() > 0;
    m_summary->setText(any ? summaryOf(instances, self, true) : QString());
    // Scope and chip say what is counted.
    m_summary->setShortText(any ? summaryOf(instances, self, false) : QString());
    m_summary->setToolTip(tr("%1 ns").arg(toQString(formatGrouped(self.value))));
}

/// "1,055 ops begin in the selected 52.1 ms · 54.3 ms self"; without the words, "1,055 ops · 54.3 ms self".
QString OpTable::summaryOf(std::int64_t instances, Nanoseconds self, bool words) const {
    const bool one = instances == 1;
    const QString what = m_subject == Subject::kKernels  ? (one ? tr("kernel") : tr("kernels"))
                         : m_subject == Subject::kCopies ? (one ? tr("copy") : tr("copies"))
                                                         : (one ? tr("op") : tr("ops"));
    const QString in = !m_byBegin ? tr("in") : one ? tr("begins in") : tr("begin in");
    const QString time = toQString(formatDuration(self));
    return QStringLiteral("%1 %2%3 · %4")
        .arg(toQString(formatGrouped(instances)), what,
             words ? QStringLiteral(" %1 %2").arg(in, m_words) : QString(),
             m_subject == Subject::kOps ? tr("%1 self").arg(time) : time);
}

void OpTable::goToLongest(int row) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || row < 0 || row >= m_model.rowCount())
        return;
    m_wanted = m_model.rowAt(row).name;
    m_longestQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    if (snapshot->spanCount() <= DeferredQuery::kHeavySpans)
        m_longestQuery.runNow();
}

DeferredQuery::Job OpTable::makeLongestJob() {
    const auto snapshot = m_document.snapshot();
    const NameId name = snapshot && !m_wanted.empty() ? snapshot->findName(m_wanted) : NameId();
    if (!name.valid())
        return {[]() -> DeferredQuery::Apply { return [] {}; }};
    const SpanFilter filter = currentSelection().filter;
    const auto warmup = snapshot->info().getInteger("config.warmup").value_or(0);
    const auto fromStep = filter.measuredOnly ? static_cast<std::int32_t>(warmup) : kNoStep;
    return {[this, snapshot, name, ranges = filter.ranges, fromStep,
             kind = trackKind()]() -> DeferredQuery::Apply {
                const auto found = longestSpan(*snapshot, kind, name, ranges, fromStep);
                return [this, found] { goTo(found); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void OpTable::goTo(const std::optional<SpanRef>& found) {
    const auto span = found ? describeSpan(*m_document.snapshot(), *found) : std::nullopt;
    if (!span)
        return;
    m_axis.setSelectedSpan(found);
    m_axis.setPinnedCursor(span->start);
    // The span in the middle third, its neighbours at its sides.
    m_axis.setVisibleRange({span->start - span->duration, span->start + 2 * span->duration});
}

void OpTable::refreshNow() {
    m_query.runNow();
}

void OpTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
    m_longestQuery.setActive(true);
}

void OpTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
    m_longestQuery.setActive(false);
}

}  // namespace warpglass::ui
