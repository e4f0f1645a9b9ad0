#include "ui/compare/comparison_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/kernel_match.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/models/table_model.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// Fits "step 10 over step 10".
constexpr int kStepsWidth = 168;

/// Which run a timeline is, in the corner of its ruler that is empty.
void addLetter(TimelineView* timeline, const QString& letter, bool accent) {
    auto* label = new QLabel(letter, timeline);
    label->setFont(Theme::strongFont());
    label->setProperty(accent ? "accentText" : "secondary", true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->move(Metrics::kSpace3, Metrics::kSpace1);
    label->adjustSize();
}

/// "precision fp32 → bf16 · attention naive → sdpa-flash"; what a person did not choose is left out.
QString settingsText(const std::vector<RunComparison::Setting>& settings) {
    QStringList parts;
    for (const RunComparison::Setting& setting : settings) {
        const std::string key = setting.key.substr(std::string_view("config.").size());
        if (key == "record" || key == "memory-limit")
            continue;
        const auto word = [](const std::string& value) {
            return value.empty() ? ComparisonView::tr("not stated") : toQString(value);
        };
        parts << QStringLiteral("%1 %2 → %3").arg(toQString(key), word(setting.a), word(setting.b));
    }
    return parts.isEmpty() ? ComparisonView::tr("The same configuration")
                           : parts.join(QStringLiteral("  ·  "));
}

/// Without what ran outside any phase: no step's.
std::vector<ComparisonRow> phasesOnGpu(const RunComparison& comparison) {
    std::vector<ComparisonRow> rows = comparison.gpuPhases;
    std::erase_if(rows, [](const ComparisonRow& row) {
        return row.name == kPhaseNames[static_cast<std::size_t>(Phase::kNone)];
    });
    return rows.empty() ? comparison.phases : rows;
}

QString colored(const QString& text, const QColor& color) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), text.toHtmlEscaped());
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent) : QWidget(parent), m_link(m_axisA, m_axisB) {
    setObjectName(QStringLiteral("comparison"));
    m_timelineA = new TimelineView(&m_documentA, &m_axisA, this);
    m_timelineA->setObjectName(QStringLiteral("timelineA"));
    m_timelineA->setAccessibleName(tr("Timeline of run A"));
    m_timelineB = new TimelineView(&m_documentB, &m_axisB, this);
    m_timelineB->setObjectName(QStringLiteral("timelineB"));
    m_timelineB->setAccessibleName(tr("Timeline of run B"));
    addLetter(m_timelineA, QStringLiteral("A"), false);
    addLetter(m_timelineB, QStringLiteral("B"), true);
    m_memory = new MemoryDifferencePlot(m_documentA, m_documentB, m_axisA, this);
    m_memory->setLabelWidth(kTrackLabelWidth);

    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_timelineA);
    splitter->addWidget(m_timelineB);
    splitter->addWidget(m_memory);
    splitter->addWidget(buildTables());
    splitter->setSizes({210, 210, 150, 230});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(splitter, 1);

    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        m_answer = m_watcher.result();
        showAnswer();
    });
    connect(&m_axisA, &TimeAxis::cursorChanged, this, &ComparisonView::showReading);
    connect(&m_axisA, &TimeAxis::pinnedCursorChanged, this, &ComparisonView::showReading);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        showTitles();
        showReading();
    });
}

ComparisonView::~ComparisonView() = default;

QWidget* ComparisonView::buildHead() {
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(Metrics::kSpace4, Metrics::kSpace3, Metrics::kSpace4, Metrics::kSpace3);
    column->setSpacing(Metrics::kSpace1);
    m_titles = new QLabel(head);
    m_titles->setObjectName(QStringLiteral("comparisonTitles"));
    m_titles->setFont(Theme::strongFont());
    m_titles->setTextFormat(Qt::RichText);
    m_settings = new QLabel(head);
    m_settings->setObjectName(QStringLiteral("comparisonSettings"));
    m_settings->setProperty("secondary", true);
    m_settings->setTextFormat(Qt::PlainText);
    m_settings->setWordWrap(true);
    m_headline = new QLabel(head);
    m_headline->setObjectName(QStringLiteral("comparisonHeadline"));
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont headlineFont = Theme::textFont();
    headlineFont.setPixelSize(15);
    headlineFont.setWeight(QFont::DemiBold);
    m_headline->setFont(headlineFont);

    m_steps = new ComboBox(head);
    m_steps->setObjectName(QStringLiteral("alignedStep"));
    m_steps->setAccessibleName(tr("Step at which the runs are aligned"));
    m_steps->setMinimumWidth(kStepsWidth);
    m_steps->setToolTip(tr("Both timelines begin this step at the same place"));
    connect(m_steps, &QComboBox::activated, this, &ComparisonView::alignAtStep);
    auto* swapButton = new QPushButton(tr("Swap"), head);
    swapButton->setObjectName(QStringLiteral("swapRuns"));
    swapButton->setToolTip(tr("A becomes B and B becomes A"));
    connect(swapButton, &QPushButton::clicked, this, &ComparisonView::swap);
    auto* closeButton = new QPushButton(tr("Close"), head);
    closeButton->setObjectName(QStringLiteral("closeComparison"));
    closeButton->setToolTip(tr("Back to one run (Esc)"));
    connect(closeButton, &QPushButton::clicked, this, &ComparisonView::closeRequested);
    auto* first = new QHBoxLayout;
    first->addWidget(m_titles, 1);
    first->addWidget(m_steps);
    first->addWidget(swapButton);
    first->addWidget(closeButton);
    column->addLayout(first);
    column->addWidget(m_headline);
    column->addWidget(m_settings);
    return head;
}

QWidget* ComparisonView::buildTables() {
    auto* box = new QWidget(this);
    m_tables =
        new SegmentedControl({tr("Kernels"), tr("Ops"), tr("Modules"), tr("Phases"), tr("Memory")}, box);
    m_tables->setObjectName(QStringLiteral("comparisonTables"));
    m_tables->setAccessibleName(tr("What is compared"));
    m_tables->button(kKernels)->setToolTip(
        tr("By the op that launched them and by name; where names differ, by the op alone"));
    m_tables->button(kOps)->setToolTip(tr("By op; on a GPU, the time of the kernels that it launched"));
    m_tables->button(kMemory)->setToolTip(tr("Categories at each run's peak"));
    connect(m_tables, &SegmentedControl::chosen, this, &ComparisonView::showTable);
    m_reading = new QLabel(box);
    m_reading->setObjectName(QStringLiteral("comparisonReading"));
    m_reading->setFont(Theme::tableFont());
    m_reading->setTextFormat(Qt::RichText);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->addWidget(m_tables);
    bar->addStretch(1);
    bar->addWidget(m_reading);
    m_table = new DataTable(box);
    m_table->setObjectName(QStringLiteral("comparisonRows"));
    m_table->setAccessibleName(tr("Differences"));
    m_table->setTable(&m_model, ComparisonModel::kDifference, Qt::DescendingOrder);
    m_table->setEmptyText(tr("Neither run has any of these"));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(ComparisonModel::kName, QHeaderView::Stretch);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    return box;
}

void ComparisonView::setRuns(Side a, Side b) {
    m_answer.reset();
    m_a = std::move(a);
    m_b = std::move(b);
    m_documentA.setSnapshot(m_a.snapshot, m_a.memory);
    m_documentB.setSnapshot(m_b.snapshot, m_b.memory);
    m_a.memory = m_documentA.sharedMemory();
    m_b.memory = m_documentB.sharedMemory();
    showTitles();
    m_headline->setText(tr("Comparing…"));
    m_settings->clear();
    m_steps->clear();
    compute();
}

void ComparisonView::showTitles() {
    if (!m_a.snapshot)
        return;
    m_titles->setText(tr("A  %1   ·   B  %2")
                          .arg(colored(m_a.title, Theme::instance().colors().secondaryText),
                               colored(m_b.title, Theme::instance().colors().accent)));
}

void ComparisonView::swap() {
    setRuns(m_b, m_a);
}

/// What is still being computed for other runs is not waited for, and not heard of: the watcher turns to the
/// new question, and the worker reads nothing of this widget.
void ComparisonView::compute() {
    m_watcher.setFuture(QtConcurrent::run([a = m_a.snapshot, b = m_b.snapshot] {
        auto answer = std::make_shared<Answer>();
        answer->comparison = compareRuns(a, b);
        for (const KernelMatch& match : matchKernels(*a, *b))
            answer->kernels.push_back(
                {match.name(), match.a, match.b, !match.namesA.empty(), !match.namesB.empty()});
        answer->headline = headlineOf(answer->comparison, *a, *b);
        answer->stepsA = averagedSteps(*a);
        answer->stepsB = averagedSteps(*b);
        return std::shared_ptr<const Answer>(answer);
    }));
}

void ComparisonView::refreshNow() {
    if (m_answer || !m_a.snapshot)
        return;
    m_watcher.waitForFinished();
    m_answer = m_watcher.result();
    showAnswer();
}

void ComparisonView::showAnswer() {
    const QString headline = toQString(m_answer->headline.text());
    m_headline->setText(headline.isEmpty() ? tr("The runs have no step in common") : headline);
    m_settings->setText(settingsText(m_answer->comparison.settings));
    m_steps->clear();
    const std::size_t common = std::min(m_answer->stepsA.size(), m_answer->stepsB.size());
    for (std::size_t i = 0; i < common; ++i)
        m_steps->addItem(
            tr("step %1 over step %2").arg(m_answer->stepsA[i].step).arg(m_answer->stepsB[i].step));
    m_steps->setVisible(common > 0);
    alignAtStep(0);
    const bool gpu = !m_answer->comparison.kernels.empty();
    m_tables->button(kKernels)->setEnabled(gpu);
    m_tables->setCurrent(gpu ? kKernels : kOps);
    showTable(m_tables->current());
}

void ComparisonView::alignAtStep(int index) {
    const auto i = static_cast<std::size_t>(std::max(0, index));
    const bool has = m_answer && i < m_answer->stepsA.size() && i < m_answer->stepsB.size();
    const TimeRange a = has ? m_answer->stepsA[i].range : TimeRange{};
    const TimeRange b = has ? m_answer->stepsB[i].range : TimeRange{};
    m_axisA.setFollowing(false);
    m_axisB.setFollowing(false);
    m_link.align(a.begin, b.begin, m_a.snapshot->range().end, m_b.snapshot->range().end);
    m_memory->setOffset(m_link.offset());
    if (!has)
        return m_axisA.fitAll();
    // The longer of the two steps, with a little around it.
    const Nanoseconds width = std::max(a.duration(), b.duration());
    const Nanoseconds margin(width.value / 40);
    m_axisA.setVisibleRange({a.begin - margin, a.begin + width + margin}, false);
}

void ComparisonView::showTable(int table) {
    if (!m_answer)
        return;
    const RunComparison& c = m_answer->comparison;
    const bool gpu = !c.kernels.empty();
    for (const Table timed : {kOps, kModules, kPhases})
        m_tables->button(timed)->setToolTip(gpu ? tr("The GPU's time in a measured step")
                                                : tr("The CPU's time in a measured step"));
    using Unit = ComparisonModel::Unit;
    switch (table) {
        case kKernels:
            return m_model.setRows(m_answer->kernels, Unit::kNanoseconds, true, -1);
        case kOps:
            return m_model.setRows(gpu ? c.gpuOps : c.ops, Unit::kNanoseconds, true, -1);
        case kModules:
            return m_model.setRows(gpu ? c.gpuModules : c.modules, Unit::kNanoseconds, true, -1);
        case kPhases:
            return m_model.setRows(gpu ? phasesOnGpu(c) : c.phases, Unit::kNanoseconds, false,
                                   Swatch::kPhase);
        default:
            return m_model.setRows(c.categories, Unit::kBytes, false, Swatch::kCategory);
    }
}

void ComparisonView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

void ComparisonView::showReading() {
    const auto time = m_axisA.effectiveCursor();
    if (!time)
        return m_reading->clear();
    const auto bytes = [](std::optional<std::int64_t> sum) {
        return sum ? toQString(formatBytes(Bytes(*sum))) : QStringLiteral("–");
    };
    const auto a = m_memory->ofA(*time), b = m_memory->ofB(*time);
    const ThemeColors& colors = Theme::instance().colors();
    QString text = tr("Memory at the cursor: A %1, B %2")
                       .arg(colored(bytes(a), colors.secondaryText), colored(bytes(b), colors.accent));
    if (a && b && *a != *b)
        text += QStringLiteral("  ") +
                colored((*b < *a ? QStringLiteral("−") : QStringLiteral("+")) +
                            toQString(formatBytes(Bytes(std::abs(*b - *a)))),
                        Theme::readableOn(*b < *a ? colors.less : colors.more, colors.panel));
    m_reading->setText(text);
}

}  // namespace warpglass::ui
