#include "app/window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QStackedWidget>
#include <QToolButton>
#include <QtConcurrent/QtConcurrentRun>
#include <algorithm>

#include "app/window/banner.h"
#include "app/window/calm_strip.h"
#include "app/window/focus_mode.h"
#include "app/window/recent_runs.h"
#include "app/window/run_actions.h"
#include "app/window/run_closing.h"
#include "app/window/run_dialogs.h"
#include "app/window/run_tabs.h"
#include "app/window/run_views.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/start_page.h"
#include "app/window/trial_runs.h"
#include "app/window/window_layout.h"
#include "app/window/workspace.h"
#include "engine/base/gpu_devices.h"
#include "engine/plan/memory_prediction.h"
#include "engine/session/runner_library.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/worker_pool.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/system_theme.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

constexpr int kPageChoiceWidth = 84;  // of one
constexpr int kRunPanelWidth = 284;   // the widest segmented control in Inter 13, and a scroll bar beside it

}  // namespace

MainWindow::MainWindow(SessionController& controller, Remember remember, QWidget* parent)
    : QMainWindow(parent), m_controller(controller), m_remember(remember) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Warpglass"));
    setAcceptDrops(true);
    // Large enough for every column, but never larger, with its frame, than the screen it opens on.
    constexpr QSize kFrame(16, 48);  // as thick as desktops have it; showEvent() knows
    m_openedAs = QSize(1440, 900).boundedTo(screen()->availableSize() - kFrame);
    resize(m_openedAs);
    m_recent = new RecentRuns(this);
    m_systemTheme = new ui::SystemTheme(*this);

    auto* central = new QWidget(this);
    m_runPanel = new ui::RunPanel(central);
    m_runPanel->setDevices({hostDevice()});
    findDevices();
    m_runPanel->setFixedWidth(kRunPanelWidth);

    m_startPage = new StartPage(*m_recent, central);
    m_workspace = new Workspace(controller.document(), controller.axis(), central);
    m_workspace->setMarks(&controller.marks());
    m_pages = new QStackedWidget(central);
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_workspace);
    m_comparison = new ui::ComparisonView(central);
    m_pages->addWidget(m_comparison);
    connect(m_comparison, &ui::ComparisonView::closeRequested, this, &MainWindow::closeComparison);
    connect(m_comparison, &ui::ComparisonView::swapped, this, &MainWindow::nameComparison);
    // As of the shown run: what is damaged is known when it is read.
    constexpr int kDamageMilliseconds = 300;
    m_comparedDamage.setInterval(kDamageMilliseconds);
    connect(&m_comparedDamage, &QTimer::timeout, this, &MainWindow::showWarnings);

    QWidget* runRow = buildRunRow(central);
    m_trials = new TrialRuns(controller, *m_runPanel, central);
    buildBanners(central);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(runRow);
    m_messages = new CalmStrip(*m_pages, central);
    for (QWidget* message :
         std::initializer_list<QWidget*>{&m_trials->outcome(), m_openProblems, m_copyNotice, m_banner})
        m_messages->add(message);
    right->addWidget(m_messages);
    right->addWidget(m_pages, 1);
    auto* layout = new QHBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_runPanel);
    auto* hairline = new QFrame(central);
    hairline->setObjectName(QStringLiteral("hairline"));
    hairline->setFixedWidth(1);
    layout->addWidget(hairline);
    layout->addLayout(right, 1);
    setCentralWidget(central);
    m_runViews = new RunViews(controller, *m_workspace, *m_comparison, this);
    m_closing = new RunClosing(controller, *this, m_remember == Remember::kLayout,
                               [this](int index) { return askAndSave(index); });
    connect(m_closing, &RunClosing::stopRequested, m_runPanel, &ui::RunPanel::requestStop);
    m_runAsAWhole = new RunActions(controller, *m_closing, *m_recent, *this);
    m_layout = std::make_unique<WindowLayout>(*m_workspace, *m_runPanel, m_comparison);
    m_focusMode = std::make_unique<FocusMode>();

    buildMenus();
    buildStatusBar();
    connectController();
    connectPages();
    qApp->installEventFilter(this);
    sayPanelShown();
    if (m_remember == Remember::kLayout)
        restoreLayout();
}

MainWindow::~MainWindow() = default;

/// The open runs, and which page of the one shown.
QWidget* MainWindow::buildRunRow(QWidget* parent) {
    auto* row = new QFrame(parent);
    row->setObjectName(QStringLiteral("runTabRow"));
    m_runTabs = new RunTabs(m_controller, row);
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    QStringList titles;
    for (const Workspace::PageName& page : pages)
        titles << page.title;
    m_pageChoice = new ui::SegmentedControl(titles, row);
    m_pageChoice->setObjectName(QStringLiteral("pages"));
    m_pageChoice->setAccessibleName(tr("What is shown of the run"));
    m_pageChoice->setFixedSize(kPageChoiceWidth * static_cast<int>(pages.size()),
                               ui::Metrics::kControlHeight);
    for (int i = 0; i < m_pageChoice->count(); ++i) {
        m_pageChoice->button(i)->setToolTip(tr("%1 (Ctrl+%2)").arg(pages[i].toolTip).arg(i + 1));
        m_pageChoice->button(i)->setFocusPolicy(Qt::TabFocus);  // after a click it is the page's
    }
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, ui::Metrics::kSpace3, 0);
    layout->setSpacing(ui::Metrics::kSpace2);
    layout->addWidget(m_runTabs, 1);
    layout->addWidget(m_pageChoice, 0, Qt::AlignVCenter);
    row->hide();
    return row;
}

void MainWindow::connectPages() {
    const auto mark = [this](Workspace::Page page) { m_pageChoice->setCurrent(static_cast<int>(page)); };
    mark(m_workspace->page());
    connect(m_workspace, &Workspace::pageChanged, this, mark);
    connect(m_workspace, &Workspace::otherViewWanted, this, [this] { setFocusMode(false); });
    connect(m_pageChoice, &ui::SegmentedControl::chosen, this, [this](int index) {
        const auto page = static_cast<Workspace::Page>(index);
        // The keyboard, where it is in the control, goes on to the next page from there.
        if (m_pageChoice->isAncestorOf(QApplication::focusWidget()))
            showPage(page);
        else
            goToPage(page);
    });
    // Any tab, the shown run's too, leads back from a comparison.
    connect(m_runTabs, &RunTabs::clicked, this, &MainWindow::closeComparison);
    connect(&m_workspace->summary(), &ui::SummaryPage::tryRequested, m_trials, &TrialRuns::start);
    ui::SummaryPage& summary = m_workspace->summary();
    summary.setTrialRefusal([this](const Trial& trial) { return m_trials->whyNot(trial); });
    connect(m_runPanel, &ui::RunPanel::refusalChanged, &summary, &ui::SummaryPage::refreshTrials);
    connect(&m_controller.document(), &ui::RunDocument::runChanged, &summary,
            &ui::SummaryPage::refreshTrials);
    connect(m_trials, &TrialRuns::settled, this, &MainWindow::compareRuns);
    connect(m_trials, &TrialRuns::refused, this,
            [this](const QString& sentence) { showMessage(sentence, true); });
    connect(&m_controller, &SessionController::runsChanged, this,
            [this] { m_pageChoice->parentWidget()->setVisible(!m_controller.runs().empty()); });
}

void MainWindow::connectController() {
    auto& c = m_controller;
    connect(m_runPanel, &ui::RunPanel::runRequested, this, &MainWindow::startRun);
    connect(m_runTabs, &RunTabs::closeRequested, m_closing, &RunClosing::closeAt);
    connect(m_runTabs, &RunTabs::menuRequested, this, [this](int index, QPoint at) {
        QMenu menu(this);
        menu.setObjectName(QStringLiteral("runTabMenu"));
        m_runAsAWhole->fillMenu(menu, index);
        menu.exec(at);
    });
    connect(m_runAsAWhole, &RunActions::failed, this,
            [this](const QString& sentence) { showMessage(sentence, true); });
    connect(m_runAsAWhole, &RunActions::removed, this,
            [this](const QString& sentence) { showMessage(sentence, false); });
    connect(m_runPanel, &ui::RunPanel::stopRequested, &c, &SessionController::stopRun);
    connect(m_startPage, &StartPage::runRequested, this, [this] { m_runPanel->requestRun(); });
    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::openWithDialog);
    connect(m_startPage, &StartPage::openPathRequested, &c,
            [&c](const QString& path) { c.openFiles({path}); });

    connectRun();
    connectFiles();
    connect(&c, &SessionController::currentRunChanged, this, &MainWindow::showRun);
    // Without one of its runs a comparison ends; with another tab nothing that is looked at does.
    connect(&c, &SessionController::otherRunClosed, this, [this] {
        if (m_compared.first && (runWith(m_compared.first) < 0 || runWith(m_compared.second) < 0))
            showRun(m_controller.currentRun());
    });
    connect(&c.document(), &ui::RunDocument::warningsChanged, this, &MainWindow::showWarnings);
    connect(&c, &SessionController::runsChanged, this, &MainWindow::showWarnings);
    connect(&c, &SessionController::runsChanged, this, &MainWindow::sayTitles);
    connect(&c.document(), &ui::RunDocument::snapshotChanged, this,
            [this] { m_saveAction->setEnabled(m_controller.document().snapshot() != nullptr); });
    connect(&c.document(), &ui::RunDocument::runChanged, this,
            [this] { m_saveAction->setEnabled(m_controller.document().snapshot() != nullptr); });
}

void MainWindow::showRun(int index) {
    setFocusMode(false);
    if (m_controller.isRunning() && index != m_controller.recordingRun())
        m_beforeRun.reset();
    if (m_compared.first)
        m_runViews->leaveComparison();
    m_compared = {};
    m_comparedDamage.stop();
    m_pages->setCurrentWidget(index >= 0 ? static_cast<QWidget*>(m_workspace) : m_startPage);
    m_closeRunAction->setEnabled(index >= 0);
    m_runActions->setEnabled(index >= 0);
    m_comparisonActions->setEnabled(false);
    // A run is first seen on its summary; one that is being recorded, as it grows.
    const RunViews::Arrival arrival = m_runViews->arriveAt(index);
    const bool isNew = arrival == RunViews::Arrival::kFirst;
    const bool starts = isNew && index == m_controller.recordingRun();
    if (isNew)
        m_workspace->setPage(starts ? Workspace::Page::kViews : Workspace::Page::kSummary);
    if (starts)
        m_workspace->focusView(m_workspace->timeline());
    m_pageChoice->setCurrent(static_cast<int>(m_workspace->page()));  // a comparison, which was none, ends
    // What was said of the run shown before goes; what is being recorded goes on.
    if (m_controller.isRunning() && index == m_controller.recordingRun() &&
        arrival != RunViews::Arrival::kAgain)
        sayOfRun();
    else
        showMessage(m_controller.isRunning() ? m_runMessage : QString(), false);
    if (!m_controller.isRunning())
        m_runPanel->setLastResult({});
    forgetRunProblem();
    showWarnings();
    m_messages->settle();
    sayTitles();
}

/// In the window's title, and in a comparison: other runs beside them make for other titles.
void MainWindow::sayTitles() {
    const auto& runs = m_controller.runs();
    const int shown = m_controller.currentRun();
    m_workspace->summary().setName(shown >= 0 ? runs[static_cast<std::size_t>(shown)].name : QString());
    if (m_compared.first) {
        const int a = runWith(m_compared.first), b = runWith(m_compared.second);
        if (a >= 0 && b >= 0)
            m_comparison->setTitles(runs[static_cast<std::size_t>(a)].title,
                                    runs[static_cast<std::size_t>(b)].title);
        return setWindowTitle(
            tr("%1 against %2 — Warpglass").arg(m_comparison->sideA().title, m_comparison->sideB().title));
    }
    setWindowTitle(shown >= 0 ? tr("%1 — Warpglass").arg(runs[static_cast<std::size_t>(shown)].title)
                              : tr("Warpglass"));
}

void MainWindow::connectRun() {
    auto& c = m_controller;
    connect(&c, &SessionController::runStarted, this, [this] {
        m_beforeRun = {m_workspace->page(), m_compared};
        m_runPanel->setRunning(true);
        m_stopAction->setEnabled(true);
        forgetRunProblem();
        m_runMessage = tr("Loading LibTorch and building the model…");
        showMessage(m_runMessage, false);
    });
    connect(&c, &SessionController::runProgress, this, [this](int step, int total) {
        m_runPanel->setProgress(step, total);
        if (total <= 0 || m_closeWhenStopped)
            return;
        m_runMessage = tr("Recording: %1 of %2 steps done").arg(qMin(step, total)).arg(total);
        sayOfRun();
    });
    connect(&c, &SessionController::runEnded, this, [this](bool ok, const QString& sentence) {
        m_runPanel->setRunning(false);
        findDevices();  // for what is free of their memory now
        m_stopAction->setEnabled(false);
        if (m_stopQuestion)
            m_stopQuestion->close();  // it has answered itself
        if (m_controller.endedRun() < 0)
            goBackFromRun();
        m_beforeRun.reset();
        showRunResult(ok, sentence);
        if (m_closeWhenStopped)
            close();
    });
    connect(m_runPanel, &ui::RunPanel::canRunChanged, this, &MainWindow::offerRun);
    connect(m_runPanel, &ui::RunPanel::configEdited, this, [this] {
        // How a run of the former settings ended says nothing of these.
        forgetRunProblem();
        if (!m_controller.isRunning() && m_message->text() == m_runMessage)
            showMessage({}, false);
    });
    const QString why = SessionController::whyNothingRuns();
    // Where only a library is missing, it can be put right while the window is open.
    m_runPanel->setCannotRun(why, expectedTorchVersion().empty());
    m_startPage->setCannotRun(!why.isEmpty());
    offerRun();
}

void MainWindow::startRun(const ValidConfig& config) {
    const Bytes available = hostDevice().available;
    const MemoryPrediction memory = predictMemory(config);
    const bool overcommit = needsOvercommit(memory, available);
    if (!overcommit || askToRunAnyway(this, ui::toQString(fitSentence(memory, available))))
        m_controller.startRun(config, overcommit);
}

void MainWindow::goBackFromRun() {
    if (!m_beforeRun || m_controller.currentRun() < 0)
        return;
    const Before before = *m_beforeRun;
    m_workspace->setPage(before.page);
    const int a = runWith(before.compared.first), b = runWith(before.compared.second);
    if (before.compared.first && a >= 0 && b >= 0)
        compareRuns(a, b);
}

void MainWindow::offerRun() {
    m_runAction->setEnabled(m_runPanel->canRun());
    m_startPage->setRunEnabled(m_runPanel->canRun());
}

/// The driver takes its time to wake a GPU, which the first paint does not wait for; a figure does.
void MainWindow::findDevices() {
    if (m_remember != Remember::kLayout) {
        m_runPanel->setDevices(allDevices());
        return;
    }
    auto* watcher = new QFutureWatcher<std::vector<DeviceInfo>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        m_runPanel->setDevices(watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), allDevices));
}

void MainWindow::compareRuns(int a, int b) {
    const auto& runs = m_controller.runs();
    const auto side = [&runs](int index) {
        const OpenedRunEntry& run = runs[static_cast<std::size_t>(index)];
        return ui::ComparisonView::Side{run.title, run.snapshot, run.memory};
    };
    if (!side(a).snapshot || !side(b).snapshot)
        return;
    setFocusMode(false);
    if (m_pages->currentWidget() == m_workspace)
        m_beforeComparison = QApplication::focusWidget();
    if (m_compared.first)
        m_runViews->leaveComparison();
    m_comparison->setRuns(side(a), side(b));
    m_runViews->arriveAtComparison();
    m_comparisonActions->setEnabled(true);
    m_comparedDamage.start();
    m_pages->setCurrentWidget(m_comparison);
    m_comparison->setFocus(Qt::OtherFocusReason);  // so that Esc leaves it
    m_pageChoice->setCurrent(-1);                  // it is no page of one run
    nameComparison();
    // Everything moves anyway; again once the messages know how high they are in this width.
    m_messages->settle();
    QTimer::singleShot(0, m_messages, &CalmStrip::settle);
}

void MainWindow::nameComparison() {
    m_compared = {m_comparison->sideA().snapshot, m_comparison->sideB().snapshot};
    sayTitles();
    showWarnings();
}

int MainWindow::runWith(const std::shared_ptr<const Snapshot>& snapshot) const {
    const auto& runs = m_controller.runs();
    const auto run = std::find_if(runs.begin(), runs.end(), [&snapshot](const OpenedRunEntry& entry) {
        return entry.snapshot && entry.snapshot == snapshot;
    });
    return run == runs.end() ? -1 : static_cast<int>(run - runs.begin());
}

void MainWindow::showPage(Workspace::Page page) {
    setFocusMode(false);
    closeComparison();
    m_workspace->setPage(page);
}

void MainWindow::goToPage(Workspace::Page page) {
    const bool otherPage = page != m_workspace->page();
    showPage(page);
    if (otherPage || m_workspace->focusedView().isEmpty())
        m_workspace->focusView(m_workspace->mainView());
}

void MainWindow::closeComparison() {
    if (m_pages->currentWidget() != m_comparison)
        return;
    setFocusMode(false);
    showRun(m_controller.currentRun());
    // Left to Qt, it would be at the first button of the page.
    const bool back = m_beforeComparison && m_beforeComparison->isVisible();
    if (back)
        m_beforeComparison->setFocus(Qt::OtherFocusReason);
    else
        m_workspace->focusView(m_workspace->mainView());
}

void MainWindow::rememberFile(const QString& path) {
    if (m_remember != Remember::kLayout)
        return;
    for (const OpenedRunEntry& run : m_controller.runs()) {
        if (run.path == path && run.snapshot)
            return m_recent->add(path, titleOf(*run.snapshot, path), run.snapshot->info());
    }
    m_recent->add(path, {});
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    activateWindow();
    // Its frame is known when the desktop has shown it.
    constexpr int kShownMilliseconds = 200;
    if (!event->spontaneous())
        QTimer::singleShot(kShownMilliseconds, this, &MainWindow::fitOnScreen);
}

void MainWindow::fitOnScreen() {
    const QRect room = screen()->availableGeometry();
    const QRect frame = frameGeometry();
    // Whoever has sized it since, a person or a picture of it, has it as they want it.
    if (size() != m_openedAs || isMaximized() || isFullScreen() || room.contains(frame))
        return;
    const QSize around = frame.size() - size();
    resize(size().boundedTo(room.size() - around));
    const QSize all = size() + around;
    move(std::clamp(frame.left(), room.left(), std::max(room.left(), room.right() + 1 - all.width())),
         std::clamp(frame.top(), room.top(), std::max(room.top(), room.bottom() + 1 - all.height())));
}

}  // namespace warpglass::app
