#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/appearance_menu.h"
#include "app/window/application_keys.h"
#include "app/window/compare_with.h"
#include "app/window/figure_commands.h"
#include "app/window/focus_mode.h"
#include "app/window/inspector_drawer.h"
#include "app/window/lesson_panel.h"
#include "app/window/lessons.h"
#include "app/window/main_menus.h"
#include "app/window/menu_conditions.h"
#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/presentation_mode.h"
#include "app/window/recording_control.h"
#include "app/window/report_commands.h"
#include "app/window/run_actions.h"
#include "app/window/run_closing.h"
#include "app/window/run_panel_place.h"
#include "app/window/run_row.h"
#include "app/window/run_tabs.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/start_page.h"
#include "app/window/status_place.h"
#include "app/window/trial_runs.h"
#include "app/window/view_menu.h"
#include "app/window/window_closing.h"
#include "app/window/window_files.h"
#include "app/window/window_layout.h"
#include "app/window/window_messages.h"
#include "ui/controls/segmented_control.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kPageChoiceWidth = 84;  // of one

const QString kGeometry = QStringLiteral("window/geometry"), kLayout = QStringLiteral("window/layout"),
              kRunConfig = QStringLiteral("runConfig");

QStringList runFilesOf(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

}  // namespace

MainWindow::MainWindow(SessionController& controller, Remember remember, QWidget* parent)
    : QMainWindow(parent), m_controller(controller), m_remembers(remember == Remember::kLayout) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Warpglass"));
    setAcceptDrops(true);
    // Large enough for every column, but never larger, with its frame, than the screen it opens on.
    constexpr QSize kFrame(16, 48);  // as thick as desktops have it; showEvent() knows
    m_openedAs = QSize(1440, 900).boundedTo(screen()->availableSize() - kFrame);
    resize(m_openedAs);

    auto* central = new QWidget(this);
    m_runPanel = new ui::RunPanel(central);
    m_files = new WindowFiles(controller, m_remembers, *this);
    m_pages = new WindowPages(controller, m_files->recent(), central);
    m_runRow = buildRunRow(central);
    // These are told of the end of a run in this order: the trial's result, the run panel, what is said.
    m_trials = new TrialRuns(controller, *m_runPanel, central);
    const auto save = [this](int index) { return m_files->askAndSave(index); };
    m_closing = new WindowClosing(controller, *m_pages, *this, m_remembers, save);
    new RecordingControl(controller, *m_pages, *m_runPanel, !m_remembers, *this);
    m_focus = new FocusMode(*m_pages, *this);
    m_status = new StatusPlace(*central);
    m_messages = new WindowMessages(controller, *m_pages, *m_trials, *m_runPanel, *m_status, *central);
    m_compareWith = new CompareWith(controller, *m_pages, *m_files, this);
    m_runClosing = new RunClosing(controller, *this, m_remembers, save);
    m_wholeRun = new RunActions(controller, *m_runClosing, m_files->recent(), *this);
    m_lessons = new Lessons(controller, *m_pages, *central);
    m_runPlace = new RunPanelPlace(*m_runPanel, controller, *m_pages, central);
    m_presentation = new PresentationMode(*this, *m_runPlace, *m_focus, m_remembers);
    layOut(central);
    m_layout = std::make_unique<WindowLayout>(workspace(), *m_runPlace, &m_pages->comparison());
    m_figures = new FigureCommands(controller, *m_pages, *m_layout, *this);
    m_reports = new ReportCommands(controller, *m_pages, *this);
    buildMenus();
    connectPages();
    connectTrials();
    connectLessons();
    connectMessages();
    qApp->installEventFilter(this);
    if (m_remembers)
        restoreLayout();
}

MainWindow::~MainWindow() = default;

QStatusBar* MainWindow::statusBar() const {
    return &m_status->bar();
}

/// The open runs, and which page of the one shown.
RunRow* MainWindow::buildRunRow(QWidget* parent) {
    auto* row = new RunRow(parent);
    m_runTabs = new RunTabs(m_controller, *m_pages, row);
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    QStringList titles;
    for (const Workspace::PageName& page : pages)
        titles << page.title;
    m_pageChoice = new ui::SegmentedControl(titles, row);
    ui::setNames(m_pageChoice, "pages", tr("What is shown of the run"));
    m_pageChoice->setFixedSize(kPageChoiceWidth * static_cast<int>(pages.size()),
                               ui::Metrics::kControlHeight);
    for (int i = 0; i < m_pageChoice->count(); ++i) {
        m_pageChoice->button(i)->setToolTip(tr("%1 (Ctrl+%2)").arg(pages[i].toolTip).arg(i + 1));
        m_pageChoice->button(i)->setFocusPolicy(Qt::TabFocus);  // after a click it is the page's
    }
    auto* layout = ui::spaced(new QHBoxLayout(row), {0, 0, ui::Metrics::kSpace3, 0}, ui::Metrics::kSpace2);
    layout->addWidget(m_runTabs, 1);
    layout->addWidget(m_pageChoice, 0, Qt::AlignVCenter);
    row->hide();
    const auto showRow = [this, row] {
        m_pageChoice->setVisible(!m_controller.runs().empty());
        row->setVisible(!m_controller.runs().empty() || m_pages->sweeps().count() > 0 ||
                        m_pages->experiments().count() > 0);
    };
    connect(&m_pages->experiments(), &OpenExperiments::changed, row, showRow);
    connect(&m_controller, &SessionController::runsChanged, row, showRow);
    connect(&m_pages->sweeps(), &OpenSweeps::changed, row, showRow);
    return row;
}

void MainWindow::layOut(QWidget* central) {
    auto* right = m_right = new QVBoxLayout;
    right->setSpacing(0);
    ui::addAll(right, {m_runRow, &m_messages->banners()});
    right->addWidget(m_pages, 1);
    auto* all = ui::spaced(new QVBoxLayout(central), {}, 0);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(0);
    all->addLayout(layout, 1);
    all->addWidget(&m_status->room());
    layout->addWidget(m_runPlace);
    auto* hairline = ui::hairline(Qt::Vertical, central);
    ui::addAll(layout, {hairline, &m_lessons->panel()});
    layout->addLayout(right, 1);
    setCentralWidget(central);
}

void MainWindow::buildMenus() {
    auto* conditions = new MenuConditions(m_controller, *m_pages, this);
    m_menus = new MainMenus(*menuBar(), {m_controller, *m_pages, *m_runPanel, *m_files, *m_figures,
                                         *m_reports, *m_wholeRun, *m_runClosing, *conditions, *m_lessons});
    auto* view = new ViewMenu(m_menus->viewMenu(), *conditions, m_controller, *m_pages, *m_compareWith);
    m_appearance = new AppearanceMenu(m_menus->viewMenu(), *conditions, *m_pages, *m_runPlace, *m_layout,
                                      *m_focus, *m_presentation, m_remembers);
    m_menus->explainDisabled();
    connect(view, &ViewMenu::said, m_messages, &WindowMessages::say);
    connect(m_appearance, &AppearanceMenu::said, m_messages, &WindowMessages::say);
}

void MainWindow::connectPages() {
    connect(m_pages, &WindowPages::titleChanged, this, &QWidget::setWindowTitle);
    const auto mark = [this] { m_pageChoice->setCurrent(static_cast<int>(workspace().page())); };
    mark();
    connect(&workspace(), &Workspace::pageChanged, m_pageChoice, mark);
    connect(m_pages, &WindowPages::runShown, m_pageChoice, mark);
    // A comparison is no page of one run.
    connect(m_pages, &WindowPages::comparisonShown, m_pageChoice, [this] { m_pageChoice->setCurrent(-1); });
    connect(m_pageChoice, &ui::SegmentedControl::chosen, m_pages, [this](int index) {
        const auto page = static_cast<Workspace::Page>(index);
        // The keyboard, where it is in the control, goes on to the next page from there.
        if (m_pageChoice->isAncestorOf(QApplication::focusWidget()))
            m_pages->showPage(page);
        else
            m_pages->goToPage(page);
    });
    // Any tab, the shown run's too, leads back from a comparison.
    connect(m_runTabs, &RunTabs::clicked, m_pages, &WindowPages::closeComparison);
    connect(m_pages, &WindowPages::sweepShown, m_pageChoice, [this] { m_pageChoice->setCurrent(-1); });
    connectSweeps();
    connectExperiments();
    connect(m_runTabs, &RunTabs::closeRequested, m_runClosing, &RunClosing::closeAt);
    connect(m_runTabs, &RunTabs::menuRequested, this, &MainWindow::showTabMenu);
    const StartPage* start = &m_pages->startPage();
    connect(start, &StartPage::openRequested, m_files, &WindowFiles::open);
    connect(start, &StartPage::experimentRequested, m_files,
            [this] { m_files->newExperiment(m_runPanel->devices(), m_pages->experiments()); });
    connect(start, &StartPage::openPathRequested, &m_controller,
            [this](const QString& path) { m_controller.openFiles({path}); });
}

void MainWindow::connectSweeps() {
    OpenSweeps* sweeps = &m_pages->sweeps();
    connect(m_runTabs, &RunTabs::closeSweepRequested, sweeps, &OpenSweeps::close);
    connect(sweeps, &OpenSweeps::openRunRequested, &m_controller,
            [this](const QString& path) { m_controller.openFiles({path}); });
    // As two runs that are dropped on the window.
    connect(sweeps, &OpenSweeps::compareRequested, m_compareWith, [this](const QString& a, const QString& b) {
        m_compareWith->openDropped({a, b});
    });
    connect(sweeps, &OpenSweeps::opened, m_files,
            [this](int, const QString& path) { m_files->rememberSweep(path); });
    connect(sweeps, &OpenSweeps::notStarted, m_files,
            [this, sweeps](const SweepPlan& plan, const QString& path, const QString& problem,
                           const std::shared_ptr<const Sweep>& there) {
                m_files->askAboutTaken(*sweeps, plan, path, problem, there);
            });
    connect(sweeps, &OpenSweeps::failed, m_messages, &WindowMessages::complain);
    connect(sweeps, &OpenSweeps::ended, m_messages, &WindowMessages::say);
}

void MainWindow::connectExperiments() {
    OpenExperiments* experiments = &m_pages->experiments();
    connect(m_pages, &WindowPages::experimentShown, m_pageChoice, [this] { m_pageChoice->setCurrent(-1); });
    connect(m_runTabs, &RunTabs::closeExperimentRequested, experiments, &OpenExperiments::close);
    connect(experiments, &OpenExperiments::openRequested, &m_controller,
            [this](const QString& path) { m_controller.openFiles({path}); });
    connect(experiments, &OpenExperiments::exportFigureRequested, m_figures, &FigureCommands::exportFigure);
    connect(experiments, &OpenExperiments::opened, m_files,
            [this, experiments](int index, const QString& folder) {
                m_files->rememberExperiment(folder, experiments->titleOf(index));
            });
    connect(experiments, &OpenExperiments::failed, m_messages, &WindowMessages::complain);
    connect(experiments, &OpenExperiments::said, m_messages, &WindowMessages::say);
}

void MainWindow::showTabMenu(int index, QPoint at) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("runTabMenu"));
    m_wholeRun->fillMenu(menu, index);
    menu.exec(at);
}

void MainWindow::connectTrials() {
    ui::SummaryPage& summary = workspace().summary();
    connect(&summary, &ui::SummaryPage::tryRequested, m_trials, &TrialRuns::start);
    summary.setTrialRefusal([this](const Trial& trial) { return m_trials->whyNot(trial); });
    connect(m_runPanel, &ui::RunPanel::refusalChanged, &summary, &ui::SummaryPage::refreshTrials);
    connect(&m_controller.document(), &ui::RunDocument::runChanged, &summary,
            &ui::SummaryPage::refreshTrials);
    connect(m_trials, &TrialRuns::settled, m_pages, [this](int proposedFor, int tried) {
        if (!m_pages->hasSweepOrExperiment())
            m_pages->compare(proposedFor, tried);
    });
}

void MainWindow::connectLessons() {
    connect(&m_pages->startPage(), &StartPage::lessonRequested, m_lessons, &Lessons::open);
    connect(m_lessons, &Lessons::failed, m_messages, &WindowMessages::complain);
}

void MainWindow::connectMessages() {
    connect(m_messages, &WindowMessages::saveRequested, m_files, &WindowFiles::save);
    connect(m_focus, &FocusMode::changed, m_messages, &WindowMessages::setAlone);
    connect(m_presentation, &PresentationMode::changed, m_messages, &WindowMessages::setAlone);
    connect(m_presentation, &PresentationMode::changed, this, &MainWindow::fitParts);
    connect(m_wholeRun, &RunActions::failed, m_messages, &WindowMessages::complain);
    connect(m_wholeRun, &RunActions::removed, m_messages, &WindowMessages::say);
    connect(m_figures, &FigureCommands::failed, m_messages, &WindowMessages::complain);
    connect(m_figures, &FigureCommands::done, m_messages, &WindowMessages::say);
    connect(m_runClosing, &RunClosing::stopRequested, m_runPanel, &ui::RunPanel::requestStop);
    connect(m_closing, &WindowClosing::recordingStopRequested, m_runPanel, &ui::RunPanel::requestStop);
    connect(m_closing, &WindowClosing::recordingStopRequested, m_messages, &WindowMessages::sayStopping);
    connect(m_closing, &WindowClosing::waitsForWork, m_messages, &WindowMessages::sayWaiting);
    connect(&m_controller, &SessionController::runEnded, m_closing, &WindowClosing::closeOnceStopped);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool closes = m_closing->mayClose();
    if (closes && m_remembers) {
        m_lessons->leave();  // which may have put parts out of the way
        saveLayout();
    }
    event->setAccepted(closes);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!runFilesOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList runs, others;
    for (const QString& path : runFilesOf(event->mimeData())) {
        if (path.endsWith(QLatin1String(".md"), Qt::CaseInsensitive)) {
            m_lessons->open(path);
            continue;
        }
        (kindOfFile(path) == FileKind::kRun ? runs : others) << path;
    }
    m_controller.openFiles(others);
    if (!runs.isEmpty())
        m_compareWith->openDropped(runs);
    event->acceptProposedAction();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (redoesInField(watched, event) || goesToPointedView(*this, watched, event))
        return true;
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (event->type() == QEvent::ShortcutOverride && widget && widget->window() == this &&
        static_cast<QKeyEvent*>(event)->keyCombination() == FigureCommands::kExportKey) {
        event->ignore();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    activateWindow();
    // Its frame is known when the desktop has shown it.
    constexpr int kShownMilliseconds = 200;
    if (!event->spontaneous())
        QTimer::singleShot(kShownMilliseconds, this, &MainWindow::fitOnScreen);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitParts();
}

void MainWindow::fitParts() {
    // The presentation has no menus to stand beside.
    m_runRow->fit(m_presentation->active() ? 0 : width(), *menuBar(), *m_right);
    workspace().inspectorDrawer().setSpare(m_presentation->active() || width() < RunPanelPlace::kRoomForBoth);
    // Also where a lesson holds it, which it was before.
    if (m_presentation->active())
        workspace().view(QStringLiteral("inspector"))->hide();
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

void MainWindow::restoreLayout() {
    const QSettings settings;
    // The screen may be a smaller one than it was left on.
    if (restoreGeometry(settings.value(kGeometry).toByteArray()))
        m_openedAs = size();
    QVariantMap layout = settings.value(kLayout).toMap();
    layout.remove(QStringLiteral("page"));  // a run is first seen on its summary
    m_layout->apply(layout);
    std::vector<std::pair<std::string, std::string>> pairs;
    const QVariantMap stored = settings.value(kRunConfig).toMap();
    for (auto it = stored.begin(); it != stored.end(); ++it)
        pairs.emplace_back(it.key().toStdString(), it.value().toString().toStdString());
    if (const auto config = configFromPairs(pairs))
        m_runPanel->setConfig(*config);
}

void MainWindow::saveLayout() {
    m_focus->leave();
    m_presentation->leave();
    QSettings settings;
    settings.setValue(kGeometry, saveGeometry());
    settings.setValue(kLayout, m_layout->state());
    QVariantMap stored;
    for (const auto& [key, value] : toPairs(m_runPanel->config()))
        stored.insert(QString::fromStdString(key), QString::fromStdString(value));
    settings.setValue(kRunConfig, stored);
}

}  // namespace warpglass::app
