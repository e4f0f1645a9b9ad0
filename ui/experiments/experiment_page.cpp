#include "ui/experiments/experiment_page.h"

#include <QDir>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/sweep/sweep_chart.h"
#include "engine/tables/chart_table.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/elided_label.h"
#include "ui/experiments/contents_list.h"
#include "ui/experiments/experiment_status.h"
#include "ui/experiments/experiment_text.h"
#include "ui/experiments/report_table_view.h"
#include "ui/experiments/table_export.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The entry while nothing has been shown.
constexpr int kNoEntry = -2;
/// The text's width at first, about sixty letters a line, and the least widths, in logical pixels.
constexpr int kTextWidth = 400, kLeastText = 260, kLeastFront = 320;
/// Often enough to look at once, and rarely enough to cost nothing.
constexpr int kPollMilliseconds = 200;
/// The share of the height that the list takes at most.
constexpr double kMostForContents = 0.45;

QPushButton* makeButton(const QString& text, const char* name, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setFixedHeight(Metrics::kControlHeight);
    return button;
}

/// "run": what a person calls it.
QString kindWord(EvidenceFile::Kind kind) {
    switch (kind) {
        case EvidenceFile::Kind::kSweep:
            return ExperimentPage::tr("sweep");
        case EvidenceFile::Kind::kRun:
            return ExperimentPage::tr("run");
        case EvidenceFile::Kind::kMemorySnapshot:
            return ExperimentPage::tr("memory snapshot");
    }
    return {};
}

}  // namespace

ExperimentPage::ExperimentPage(QString folder, QWidget* parent)
    : QWidget(parent), m_folder(std::move(folder)), m_status(new ExperimentStatus(this)) {
    setObjectName(QStringLiteral("experimentPage"));
    m_columns = new QSplitter(Qt::Horizontal, this);
    m_columns->setChildrenCollapsible(false);
    addAll(m_columns, {buildFront(), buildBeside()});
    m_columns->setStretchFactor(0, 1);
    m_columns->setStretchFactor(1, 0);
    m_columns->setSizes({2 * kTextWidth, kTextWidth});
    m_answer = named(new QLabel(this), "experimentAnswer");
    m_answer->setTextFormat(Qt::RichText);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setContentsMargins(Metrics::kSpace4, Metrics::kSpace3, Metrics::kSpace4, Metrics::kSpace3);
    wrapWords(*m_answer);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    m_status->hide();
    addAll(layout, {m_status, m_answer, hairline(Qt::Horizontal, this)});
    layout->addWidget(m_columns, 1);
    connect(m_contents, &ContentsList::chosen, this, &ExperimentPage::showEntry);
    connect(&Theme::instance(), &Theme::changed, this, &ExperimentPage::fillText);
    connect(m_status, &ExperimentStatus::stopRequested, this, &ExperimentPage::stop);
    connect(m_status, &ExperimentStatus::goOnRequested, this, &ExperimentPage::goOn);
    connect(&m_poll, &QTimer::timeout, this, &ExperimentPage::poll);
    m_poll.setInterval(kPollMilliseconds);
}

ExperimentPage::~ExperimentPage() = default;

QWidget* ExperimentPage::buildBeside() {
    auto* beside = new QWidget(this);
    beside->setMinimumWidth(kLeastText);
    m_text = new QTextBrowser(beside);
    setNames(m_text, "experimentText", tr("The rest of the answer"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(Metrics::kSpace4);
    m_text->setOpenLinks(false);
    m_text->setTabChangesFocus(true);
    m_contents = new ContentsList(beside);
    m_contents->setAccessibleName(tr("Figures and tables"));
    auto* layout = spaced(new QVBoxLayout(beside), {}, 0);
    addAll(layout, {m_contents, hairline(Qt::Horizontal, beside)});
    layout->addWidget(m_text, 1);
    return beside;
}

QWidget* ExperimentPage::buildFront() {
    auto* front = new QWidget(this);
    front->setMinimumWidth(kLeastFront);
    m_tableTitle = new ElidedLabel(front);
    m_tableTitle->setFont(Theme::strongFont());
    m_open = makeButton(tr("Open"), "experimentOpen", front);
    m_figure = makeButton(tr("Export Figure…"), "experimentFigure", front);
    m_export = new TableExport(
        m_folder, [this] { return inFront(); }, front);
    auto* bar = spaced(new QHBoxLayout, Metrics::kBarMargins, Metrics::kSpace2);
    bar->addWidget(m_tableTitle, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{m_open, m_figure, m_export})
        bar->addWidget(part);

    m_chart = new DataChart(front);
    m_table = named(new ReportTableView(front), "experimentTable");
    m_empty = new QLabel(front);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("secondary", true);
    wrapWords(*m_empty);
    m_stack = new QStackedWidget(front);
    for (QWidget* part : std::initializer_list<QWidget*>{m_empty, m_chart, m_table})
        m_stack->addWidget(part);
    auto* layout = spaced(new QVBoxLayout(front), {}, 0);
    layout->addLayout(bar);
    layout->addWidget(m_stack, 1);
    connect(m_open, &QPushButton::clicked, this, &ExperimentPage::openSelectedFile);
    connect(m_figure, &QPushButton::clicked, this, &ExperimentPage::exportFigureRequested);
    connect(m_export, &TableExport::said, this, &ExperimentPage::said);
    connect(m_export, &TableExport::failed, this, &ExperimentPage::failed);
    connect(m_table, &DataTable::rowActivated, this, &ExperimentPage::openSelectedFile);
    return front;
}

void ExperimentPage::setExperiment(std::shared_ptr<const OpenedExperiment> experiment) {
    m_experiment = std::move(experiment);
    fillText();
    fillContents();
    m_entry = kNoEntry;
    showEntry(0);
    showState({});
}

void ExperimentPage::follow(std::unique_ptr<RunningExperiment> run, const ExperimentRequest& request) {
    auto begun = std::make_shared<OpenedExperiment>();
    begun->result.name = request.experiment->name;
    begun->result.title = request.experiment->title;
    begun->result.lookFor = request.experiment->lookFor;
    begun->request = request;
    setExperiment(std::move(begun));
    m_run = std::move(run);
    m_stopped = false;
    m_epoch = 0;
    m_poll.start();
    poll();
    emit stateChanged();
}

void ExperimentPage::poll() {
    if (!m_run)
        return;
    if (!m_run->finished()) {
        if (const std::uint64_t epoch = m_run->epoch(); epoch != std::exchange(m_epoch, epoch))
            showRunning();
        return;
    }
    m_poll.stop();
    QString problem = toQString(m_run->error());
    const QString warning = toQString(m_run->warning());
    if (const ExperimentProgress progress = m_run->progress(); m_stopped && !problem.isEmpty())
        problem = tr("Stopped: %1 of %2 cells are done.").arg(progress.done).arg(progress.cells);
    m_run.reset();
    showState(problem);
    emit stateChanged();
    if (!warning.isEmpty())
        emit failed(warning);
    emit ended(problem);
}

void ExperimentPage::showRunning() {
    const ExperimentProgress progress = m_run->progress();
    m_status->show();
    m_status->showProgress(progress);
    // The first look at what it finds.
    if (progress.sweep && progress.sweep->count(CellState::kOk) > 0 && !progress.sweep->plan.axes.empty()) {
        m_chart->setChart(sweepChart(*progress.sweep, usualView(*progress.sweep)));
        m_stack->setCurrentWidget(m_chart);
    }
}

void ExperimentPage::showState(const QString& problem) {
    const bool unfinished = m_experiment && !m_experiment->hasAnswer();
    m_status->setVisible(unfinished || isRunning());
    if (isRunning() || !unfinished)
        return;
    const OpenedExperiment& begun = *m_experiment;
    const QString words = !problem.isEmpty() ? problem
                          : begun.cells > 0
                              ? tr("Not finished: %1 of %2 cells are done.").arg(begun.done).arg(begun.cells)
                              : tr("Not finished.");
    m_status->showEnd(words, canGoOn());
}

bool ExperimentPage::canGoOn() const {
    return !isRunning() && m_experiment && !m_experiment->hasAnswer() && m_experiment->request;
}

void ExperimentPage::stop() {
    if (!isRunning())
        return;
    m_stopped = true;
    m_run->stop();
}

void ExperimentPage::goOn() {
    if (canGoOn())
        emit goOnRequested();
}

void ExperimentPage::fillText() {
    if (!m_experiment)
        return;
    const int top = m_text->verticalScrollBar()->value();
    m_answer->setText(answerHtml(*m_experiment));
    m_text->setHtml(experimentHtml(*m_experiment));
    m_text->verticalScrollBar()->setValue(top);
}

QString ExperimentPage::answerText() const {
    return QTextDocumentFragment::fromHtml(m_answer->text()).toPlainText() + QLatin1Char('\n') +
           m_text->toPlainText();
}

void ExperimentPage::fillContents() {
    QStringList figures, tables, files;
    for (const Chart& chart : m_experiment->result.charts)
        figures << toQString(chart.title);
    for (const ReportTable& table : m_experiment->result.tables)
        tables << toQString(table.title);
    if (!m_experiment->files.empty())
        files << (m_experiment->result.memorySnapshots.empty() ? tr("Sweeps and runs")
                                                               : tr("Sweeps, runs and memory snapshots"));
    m_contents->setSections(
        {{tr("FIGURES"), figures}, {tr("TABLES"), tables}, {tr("WHAT IT RESTS ON"), files}});
    fitContents();
}

void ExperimentPage::fitContents() {
    const int most = static_cast<int>(kMostForContents * std::max(height(), 1));
    m_contents->setVisible(m_contents->count() > 0);
    m_contents->setFixedHeight(
        std::min(m_contents->sizeHint().height(), std::max(most, 3 * Metrics::kTableRow)));
}

void ExperimentPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitContents();
}

int ExperimentPage::chartInFront() const {
    return m_experiment && m_entry >= 0 && m_entry < static_cast<int>(m_experiment->result.charts.size())
               ? m_entry
               : -1;
}

bool ExperimentPage::showsFiles() const {
    return m_experiment &&
           m_entry >=
               static_cast<int>(m_experiment->result.charts.size() + m_experiment->result.tables.size()) &&
           !m_experiment->files.empty();
}

void ExperimentPage::showEntry(int entry) {
    if (!m_experiment || entry == m_entry)
        return;
    const ExperimentResult& result = m_experiment->result;
    const auto at = static_cast<std::size_t>(std::max(0, entry));
    const std::size_t charts = result.charts.size(), tables = result.tables.size();
    m_entry = entry < m_contents->entryCount() ? entry : -1;
    if (m_entry < 0) {
        m_empty->setText(m_experiment->hasAnswer() ? tr("This experiment has no figures and no tables.")
                                                   : tr("Its figures and tables come with the answer."));
        m_stack->setCurrentWidget(m_empty);
    } else if (at < charts) {
        const std::string& sentence = result.charts[at].sentence;
        m_chart->setSentenceAbove(!result.answers.empty() && !sentence.empty() &&
                                  result.answers.front().ends_with(sentence));
        m_chart->setChart(result.charts[at]);
        m_stack->setCurrentWidget(m_chart);
    } else {
        m_table->setReport(at < charts + tables ? result.tables[at - charts] : filesTable());
        m_stack->setCurrentWidget(m_table);
        connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
                &ExperimentPage::showOpenButton, Qt::UniqueConnection);
    }
    m_tableTitle->setText(m_stack->currentWidget() == m_table ? toQString(m_table->report().title)
                                                              : QString());
    m_figure->setVisible(chartInFront() >= 0);
    m_export->setVisible(m_entry >= 0 && !showsFiles());
    m_export->setWhat(chartInFront() >= 0 ? tr("The points of the chart") : tr("The whole table"));
    showOpenButton();
    m_contents->setCurrent(m_entry);
}

ReportTable ExperimentPage::filesTable() const {
    ReportTable table{(m_experiment->result.memorySnapshots.empty()
                           ? tr("Sweeps and runs that the answer rests on")
                           : tr("Sweeps and runs that the answer rests on, and memory snapshots"))
                          .toStdString(),
                      {{tr("Kind").toStdString(), "kind", Unit::kText},
                       {tr("Name").toStdString(), "name", Unit::kText},
                       {tr("What It Holds").toStdString(), "holds", Unit::kText},
                       {tr("File").toStdString(), "file", Unit::kText}},
                      {},
                      "files"};
    const QDir folder(m_folder);
    for (const EvidenceFile& file : m_experiment->files)
        table.rows.push_back({kindWord(file.kind).toStdString(), file.title.toStdString(),
                              file.holds.toStdString(), folder.relativeFilePath(file.path).toStdString()});
    return table;
}

void ExperimentPage::showOpenButton() {
    m_open->setVisible(showsFiles());
    const QList<int> rows = m_table->selectionModel() ? m_table->selectedRows() : QList<int>();
    const bool some = showsFiles() && !rows.isEmpty();
    m_open->setEnabled(some);
    m_open->setToolTip(some ? QString() : tr("Select a row"));
}

void ExperimentPage::openSelectedFile() {
    if (!showsFiles())
        return;
    for (const int row : m_table->selectedRows()) {
        const EvidenceFile& file = m_experiment->files[static_cast<std::size_t>(row)];
        if (!file.isThere)
            emit failed(
                tr("The %1 %2 is not there any more: %3").arg(kindWord(file.kind), file.title, file.path));
        else if (file.kind == EvidenceFile::Kind::kMemorySnapshot)
            emit said(
                tr("PyTorch's viewer opens it: drag %1 onto https://pytorch.org/memory_viz.").arg(file.path));
        else
            emit openRequested(file.path);
    }
}

ReportTable ExperimentPage::inFront() const {
    const int chart = chartInFront();
    return chart >= 0 ? chartTable(m_experiment->result.charts[static_cast<std::size_t>(chart)])
                      : m_table->report();
}

void ExperimentPage::takeFocus() {
    m_contents->setFocus(Qt::OtherFocusReason);
}

}  // namespace warpglass::ui
