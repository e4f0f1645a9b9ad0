#include "ui/sweep/sweep_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/sweep/grid.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/sweep/sweep_status.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Often enough to look at once, and rarely enough to cost nothing.
constexpr int kPollMilliseconds = 200, kRereadMilliseconds = 1000;
constexpr std::size_t kMostSelected = 2;

QPushButton* makeButton(const QString& text, const char* name, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setFixedHeight(Metrics::kControlHeight);
    return button;
}

}  // namespace

SweepPage::SweepPage(QString path, std::shared_ptr<const Sweep> sweep, QWidget* parent)
    : QWidget(parent),
      m_path(std::move(path)),
      m_sweep(std::move(sweep)),
      m_choices(new SweepChoices(this)),
      m_chart(new DataChart(this)),
      m_status(new SweepStatus(this)),
      m_selection(new ElidedLabel(this)),
      m_open(makeButton(tr("Open Run"), "sweepOpen", this)),
      m_compare(makeButton(tr("Compare Two"), "sweepCompare", this)),
      m_table(new DataTable(this)) {
    setObjectName(QStringLiteral("sweepPage"));
    auto* upper = new QWidget(this);
    auto* layout = spaced(new QVBoxLayout(upper), {}, 0);
    addAll(layout, {m_status, m_choices});
    layout->addWidget(m_chart, 1);
    auto* lower = new QWidget(this);
    auto* below = spaced(new QVBoxLayout(lower), {}, 0);
    buildTable(*below);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    addAll(splitter, {upper, lower});
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(splitter);

    connect(m_status, &SweepStatus::pauseRequested, this, &SweepPage::pauseOrContinue);
    connect(m_status, &SweepStatus::stopRequested, this, &SweepPage::stop);
    connect(m_status, &SweepStatus::goOnRequested, this, &SweepPage::goOn);
    connect(m_status, &SweepStatus::cellChosen, this, [this](int cell) { select(cell, false); });
    connect(m_choices, &SweepChoices::viewChanged, this, &SweepPage::drawChart);
    connect(&m_chart->plot(), &DataPlot::sourceChosen, this, &SweepPage::select);
    connect(&m_chart->plot(), &DataPlot::sourceActivated, this, [this](qint64 cell) {
        select(cell, false);
        openSelected();
    });
    connect(&m_poll, &QTimer::timeout, this, &SweepPage::poll);
    m_poll.setInterval(kPollMilliseconds);
    m_reread.setSingleShot(true);
    m_reread.setInterval(kRereadMilliseconds);
    connect(&m_reread, &QTimer::timeout, this, &SweepPage::rereadWanted);
    m_choices->setView(usualView(*m_sweep));
    showSweep(m_sweep);
}

SweepPage::~SweepPage() = default;

void SweepPage::buildTable(QVBoxLayout& layout) {
    auto* row = spaced(new QHBoxLayout, Metrics::kBarMargins, Metrics::kSpace2);
    setSecondary(m_selection);
    m_selection->setObjectName(QStringLiteral("sweepSelection"));
    row->addWidget(m_selection, 1);
    addAll(row, {m_open, m_compare});
    layout.addLayout(row);
    setNames(m_table, "sweepTable", tr("Cells of the sweep"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setMinimumHeight(3 * Metrics::kTableRow);
    layout.addWidget(m_table, 1);
    connect(m_open, &QPushButton::clicked, this, &SweepPage::openSelected);
    connect(m_compare, &QPushButton::clicked, this, &SweepPage::compareSelected);
    connect(m_table, &DataTable::rowActivated, this, [this](int at) {
        select(m_model->rowAt(at).index, false);
        openSelected();
    });
}

void SweepPage::setView(const SweepView& view) {
    m_choices->setView(view);
    drawChart();
}

void SweepPage::showSweep(std::shared_ptr<const Sweep> sweep) {
    const bool otherWarnings = sweep->warnings != m_sweep->warnings;
    if (sweep->plan != m_sweep->plan)
        m_selected.clear();  // another sweep's cells
    std::erase_if(m_selected, [&](std::int64_t cell) { return cell >= std::ssize(sweep->cells); });
    m_sweep = std::move(sweep);
    m_choices->setSweep(*m_sweep);
    makeColumns();
    m_selecting = true;
    m_model->show(m_sweep->cells);
    m_selecting = false;
    m_status->setSweep(m_sweep);
    drawChart();
    showSelection();
    showStatus();
    if (isRunningElsewhere())
        m_reread.start();
    if (otherWarnings)
        emit stateChanged();
}

void SweepPage::setSweep(std::shared_ptr<const Sweep> sweep) {
    if (m_run)
        return;  // it knows better
    const bool wasElsewhere = isRunningElsewhere();
    m_resumes = false;
    m_refusal.clear();
    if (sweep->isBeingRun)
        m_brokeOff.clear();
    showSweep(std::move(sweep));
    emit stateChanged();
    if (wasElsewhere && !isRunningElsewhere())
        emit ended(m_status->words());
}

void SweepPage::refuse(const QString& problem) {
    m_resumes = false;
    const bool isNew = std::exchange(m_refusal, problem) != problem;
    // One that is followed may be readable again: a file system that was away for a while.
    if (isRunningElsewhere())
        m_reread.start();
    else
        m_reread.stop();
    showStatus();
    if (isNew)
        emit stateChanged();
}

void SweepPage::makeColumns() {
    const TableDescription<SweepCell> table = sweepColumns(*m_sweep);
    std::vector<std::string> keys;
    for (const auto* column : table.inWindow())
        keys.push_back(column->key);
    if (keys == m_columns)
        return;
    m_columns = std::move(keys);
    auto model = std::make_unique<DescribedTableModel<SweepCell>>(table);
    m_table->setTable(model.get(), -1, Qt::AscendingOrder);
    QList<int> places;
    for (int i = 0; i < static_cast<int>(m_columns.size()); ++i)
        places << i;
    m_table->setColumnPriority(places);
    m_model = std::move(model);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SweepPage::selectionChanged, Qt::UniqueConnection);
}

void SweepPage::drawChart() {
    m_chart->setChart(sweepChart(*m_sweep, m_choices->view()));
    m_chart->plot().setSelected(m_selected);
}

void SweepPage::follow(std::unique_ptr<SweepRun> run) {
    m_run = std::move(run);
    m_reread.stop();
    m_resumes = false;
    m_brokeOff.clear();
    m_refusal.clear();
    m_wasRunning = true;
    m_epoch = 0;
    m_poll.start();
    poll();
    emit stateChanged();
}

void SweepPage::poll() {
    if (!m_run)
        return;
    const bool running = !m_run->finished();
    if (const std::uint64_t epoch = m_run->epoch(); epoch != m_epoch || !running) {
        m_epoch = epoch;
        showSweep(m_run->sweep());
    } else {
        showStatus();
    }
    if (running)
        return;
    m_poll.stop();
    m_brokeOff = toQString(m_run->error());
    m_run.reset();
    showStatus();
    if (std::exchange(m_wasRunning, false)) {
        emit stateChanged();
        emit ended(m_brokeOff.isEmpty() ? m_status->words() : m_brokeOff);
    }
}

QStringList SweepPage::problems() const {
    QStringList sentences;
    for (const QString& problem : {m_refusal, m_brokeOff}) {
        if (!problem.isEmpty())
            sentences << problem;
    }
    for (const std::string& warning : m_sweep->warnings)
        sentences << toQString(warning);
    return sentences;
}

bool SweepPage::canGoOn() const {
    return !isRunning() && !isRunningElsewhere() && !m_resumes &&
           (m_sweep->count(CellState::kWaiting) > 0 || m_sweep->count(CellState::kSkipped) > 0);
}

void SweepPage::showStatus() {
    m_status->show(*m_sweep, {.isRunning = isRunning(),
                              .isPaused = isPaused(),
                              .isElsewhere = isRunningElsewhere(),
                              .isUnreadable = !m_refusal.isEmpty(),
                              .canGoOn = canGoOn(),
                              .left = isRunning() ? m_run->timeLeft() : std::nullopt});
}

void SweepPage::pauseOrContinue() {
    if (!isRunning())
        return;
    if (m_run->paused())
        m_run->resume();
    else
        m_run->pause();
    showStatus();
    emit stateChanged();
}

void SweepPage::stop() {
    if (isRunning())
        m_run->stop();
    poll();
}

void SweepPage::goOn() {
    if (!canGoOn())
        return;
    m_resumes = true;
    showStatus();
    emit goOnRequested();
}

QString SweepPage::runOf(std::int64_t cell) const {
    if (cell < 0 || static_cast<std::size_t>(cell) >= m_sweep->cells.size())
        return {};
    const auto& file = m_sweep->cells[static_cast<std::size_t>(cell)].runFile;
    if (file.empty())
        return {};
    const QString path = QFileInfo(m_path).dir().absoluteFilePath(QString::fromStdString(file.string()));
    return QFileInfo::exists(path) ? path : QString();
}

void SweepPage::select(std::int64_t cell, bool adds) {
    if (!adds)
        m_selected.clear();
    const bool wasSelected = std::erase(m_selected, cell) > 0;
    if (cell >= 0 && !wasSelected)
        m_selected.push_back(cell);
    if (m_selected.size() > kMostSelected)
        m_selected.erase(m_selected.begin());
    // The table shows what is selected, and where it is.
    m_selecting = true;
    auto* rows = m_table->selectionModel();
    rows->clearSelection();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (std::find(m_selected.begin(), m_selected.end(), m_model->rowAt(row).index) == m_selected.end())
            continue;
        const QModelIndex at = m_table->proxy()->mapFromSource(m_model->index(row, 0));
        rows->select(at, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        if (m_model->rowAt(row).index == cell)
            m_table->scrollTo(at);
    }
    m_selecting = false;
    showSelection();
}

void SweepPage::selectionChanged() {
    if (m_selecting)
        return;
    const QList<int> rows = m_table->selectedRows();
    m_selected.clear();
    for (const int row : rows.mid(0, static_cast<int>(kMostSelected)))
        m_selected.push_back(m_model->rowAt(row).index);
    showSelection();
}

void SweepPage::showSelection() {
    m_chart->plot().setSelected(m_selected);
    QStringList words, files;
    for (const std::int64_t cell : m_selected) {
        const SweepCell& of = m_sweep->cells[static_cast<std::size_t>(cell)];
        words << toQString(cellTitle(m_sweep->plan, of)) +
                     (of.message.empty() ? QString() : QStringLiteral(": ") + toQString(of.message));
        if (const QString file = runOf(cell); !file.isEmpty())
            files << file;
    }
    m_selection->setText(words.isEmpty()
                             ? tr("Choose a point or a row; with Ctrl or Shift a second one to compare")
                             : words.join(tr("  and  ")));
    m_open->setEnabled(m_selected.size() == 1 && files.size() == 1);
    m_open->setToolTip(m_open->isEnabled() ? QString() : tr("Needs one selected cell whose run was kept"));
    m_compare->setEnabled(files.size() == 2);
    m_compare->setToolTip(m_compare->isEnabled() ? QString()
                                                 : tr("Needs two selected cells whose runs were kept"));
}

void SweepPage::openSelected() {
    if (m_selected.size() == 1 && !runOf(m_selected.front()).isEmpty())
        emit openRequested(runOf(m_selected.front()));
}

void SweepPage::compareSelected() {
    if (m_selected.size() != 2)
        return;
    const QString a = runOf(m_selected[0]), b = runOf(m_selected[1]);
    if (!a.isEmpty() && !b.isEmpty())
        emit compareRequested(a, b);
}

}  // namespace warpglass::ui
