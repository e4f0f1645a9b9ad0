#include "app/window/main_menus.h"

#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <utility>

#include "app/window/command_palette.h"
#include "app/window/commands.h"
#include "app/window/figure_commands.h"
#include "app/window/lesson_library.h"
#include "app/window/lessons.h"
#include "app/window/menu_conditions.h"
#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/report_commands.h"
#include "app/window/run_actions.h"
#include "app/window/run_closing.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/shortcut_sheet.h"
#include "app/window/window_files.h"
#include "app/window/window_pages.h"
#include "engine/session/runner_library.h"
#include "ui/controls/data_table.h"
#include "ui/experiments/experiment_page.h"
#include "ui/panels/run_panel.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

/// The lessons in the Help menu, and the ways through the one that is on, which work wherever the keyboard
/// is.
void addLessons(QMenu& help, Lessons& lessons, MenuConditions& conditions) {
    auto* menu = help.addMenu(Lessons::tr("&Lessons"));
    menu->setObjectName(QStringLiteral("lessonMenu"));
    menu->setToolTipsVisible(true);
    for (const Lesson& lesson : bundledLessons()) {
        const QString file = QString::fromStdString(lesson.file);
        menu->addAction(entryText(ui::toQString(lesson.title)), &lessons,
                        [&lessons, file] { lessons.open(file); })
            ->setToolTip(ui::toQString(lesson.summary));
    }
    menu->addSeparator();
    const auto add = [&](const QString& title, Qt::Key key, void (Lessons::*act)()) {
        QAction* action = menu->addAction(title, &lessons, act);
        if (key != Qt::Key_unknown)
            action->setShortcut(key);
        conditions.enableWhile(
            action, [&lessons] { return lessons.isOn(); }, Lessons::tr("no lesson is open"));
    };
    add(Lessons::tr("&Previous Step"), Qt::Key_F7, &Lessons::back);
    add(Lessons::tr("&Next Step"), Qt::Key_F8, &Lessons::next);
    add(Lessons::tr("&Show the Step's Place Again"), Qt::Key_F9, &Lessons::showAgain);
    add(Lessons::tr("Show the &Answer"), Qt::Key_unknown, &Lessons::showAnswer);
    add(Lessons::tr("&Leave the Lesson"), Qt::Key_unknown, &Lessons::leave);
    QObject::connect(&lessons, &Lessons::changed, &conditions, &MenuConditions::refresh);
}

/// What this program is and what it is built from. Returns when the user closes it.
void showAbout(QWidget* parent) {
    const auto torch = expectedTorchVersion();
    QMessageBox::about(
        parent, QMessageBox::tr("About Warpglass"),
        QMessageBox::tr(
            "<b>Warpglass %1</b><p>A profiler and memory visualizer for Transformer runs.</p><p>Qt %2, "
            "QCustomPlot, SQLite, zstd%3. "
            "Fonts: Inter and JetBrains Mono (OFL).</p><p>Free software under the GNU General Public "
            "License, version 3 or later.</p>")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                 torch.empty() ? QMessageBox::tr("; built without the engine that runs models")
                               : QMessageBox::tr(", LibTorch %1").arg(ui::toQString(torch))));
}

}  // namespace

MainMenus::MainMenus(QMenuBar& bar, const Parts& parts) : QObject(&bar), m_bar(bar), m_parts(parts) {
    auto* name = ui::named(new QLabel(tr("Warpglass"), &bar), "appName");
    name->setContentsMargins(ui::Metrics::kSpace3, 0, ui::Metrics::kSpace2, 0);
    bar.setCornerWidget(name, Qt::TopLeftCorner);
    addFile();
    m_view = bar.addMenu(tr("&View"));
    fillWhenOpened(bar.addMenu(tr("&Table")), [this](QMenu& menu) {
        if (ui::DataTable* table = m_parts.pages.tableInFront())
            table->fillMenu(menu, table->currentIndex());
        else
            addNote(menu, tr("No table is shown"));
    });
    addRun();
    addHelp();
}

void MainMenus::addFile() {
    WindowFiles& files = m_parts.files;
    FigureCommands& figures = m_parts.figures;
    MenuConditions& conditions = m_parts.conditions;
    auto* file = m_bar.addMenu(tr("&File"));
    file->addAction(tr("&Open…"), QKeySequence::Open, &files, &WindowFiles::open);
    file->addAction(tr("New S&weep…"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, this,
                    [this] { m_parts.files.newSweep(m_parts.panel.config(), m_parts.pages.sweeps()); });
    file->addAction(tr("Open E&xperiment…"), Qt::CTRL | Qt::ALT | Qt::Key_O, &files,
                    &WindowFiles::openExperiment);
    fillWhenOpened(file->addMenu(tr("Open &Recent")),
                   [this](QMenu& menu) { m_parts.files.fillRecentMenu(menu); });
    addSamples(*file);
    file->addAction(tr("Open &Lesson…"), &files, [this] {
        if (const QString path = m_parts.files.askForLesson(); !path.isEmpty())
            m_parts.lessons.open(path);
    });
    const auto hasRunInFront = [this] {
        return m_parts.controller.currentRun() >= 0 && !m_parts.pages.hasSweepOrExperiment();
    };
    conditions.enableWhile(
        file->addAction(tr("&Save As…"), QKeySequence::Save, &files, &WindowFiles::save),
        [this, hasRunInFront] { return hasRunInFront() && m_parts.controller.document().snapshot(); },
        [this] {
            return m_parts.pages.hasSweepOrExperiment() ? tr("a sweep or an experiment is its own file")
                                                        : tr("needs a run");
        });
    file->addSeparator();
    const auto hasFigure = [this] {
        const ui::ExperimentPage* experiment = m_parts.pages.experimentInFront();
        return experiment ? experiment->experiment() && !experiment->experiment()->result.charts.empty()
                          : m_parts.controller.currentRun() >= 0 || m_parts.pages.sweepInFront();
    };
    const auto hasTab = [this] {
        return m_parts.controller.currentRun() >= 0 || m_parts.pages.hasSweepOrExperiment();
    };
    conditions.enableWhile(file->addAction(tr("&Export Figure…"), FigureCommands::kExportKey, &figures,
                                           &FigureCommands::exportFigure),
                           hasFigure, tr("needs a run"));
    conditions.enableWhile(file->addAction(tr("Co&py Figure"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, &figures,
                                           &FigureCommands::copyFigure),
                           hasFigure, tr("needs a run"));
    conditions.enableWhile(
        file->addAction(tr("Export &Report…"), Qt::CTRL | Qt::ALT | Qt::Key_E, &m_parts.reports,
                        &ReportCommands::exportReport),
        [this] { return m_parts.reports.hasChoices(); }, tr("needs a run, a sweep or an experiment"));
    file->addSeparator();
    fillWhenOpened(file->addMenu(tr("Run in F&ront")), [this, hasRunInFront](QMenu& menu) {
        if (!hasRunInFront())
            addNote(menu, tr("No run is in front"));
        else
            m_parts.wholeRun.fillMenu(menu, m_parts.controller.currentRun());
    });
    conditions.enableWhile(file->addAction(tr("&Close Tab"), QKeySequence::Close, this,
                                           [this] {
                                               OpenSweeps& sweeps = m_parts.pages.sweeps();
                                               OpenExperiments& experiments = m_parts.pages.experiments();
                                               const int sweep = sweeps.indexOf(m_parts.pages.sweepInFront());
                                               const int experiment =
                                                   experiments.indexOf(m_parts.pages.experimentInFront());
                                               if (sweep >= 0)
                                                   sweeps.close(sweep);
                                               else if (experiment >= 0)
                                                   experiments.close(experiment);
                                               else
                                                   m_parts.closing.closeAt(m_parts.controller.currentRun());
                                           }),
                           hasTab, tr("needs a run"));
    file->addAction(tr("&Quit"), QKeySequence::Quit, m_bar.window(), &QWidget::close);
}

void MainMenus::addSamples(QMenu& file) {
    const std::vector<SampleRun> runs = sampleRunsIn(sampleFolder());
    if (runs.empty())
        return;
    auto* samples = file.addMenu(tr("&Samples"));
    samples->setToolTipsVisible(true);
    for (const SampleRun& run : runs) {
        samples
            ->addAction(QFileInfo(run.path).completeBaseName(), this,
                        [this, path = run.path] { m_parts.controller.openFiles({path}); })
            ->setToolTip(run.lookAt());
    }
}

void MainMenus::addRun() {
    ui::RunPanel& panel = m_parts.panel;
    MenuConditions& conditions = m_parts.conditions;
    auto* run = m_bar.addMenu(tr("&Run"));
    conditions.enableWhile(
        run->addAction(tr("&Run"), Qt::CTRL | Qt::Key_R, &panel, &ui::RunPanel::requestRun),
        [this] { return m_parts.panel.canRun(); },
        [this] {
            return m_parts.controller.isRunning() ? tr("a run is being recorded")
                                                  : tr("the run panel says why");
        });
    connect(&panel, &ui::RunPanel::canRunChanged, &conditions, &MenuConditions::refresh);
    conditions.enableWhile(
        run->addAction(tr("&Stop"), Qt::CTRL | Qt::Key_Period, &panel, &ui::RunPanel::requestStop),
        [this] { return m_parts.controller.isRunning(); }, tr("nothing is being recorded"));
    run->addSeparator();
    addSweep(*run);
    run->addSeparator();
    addExperiment(*run);
    run->addSeparator();
    const auto step = [&](const QString& title, int by, const QList<QKeySequence>& keys) {
        conditions
            .enableWhile(
                run->addAction(title, this, [this, by] { m_parts.pages.stepRun(by); }),
                [this] { return m_parts.pages.tabCount() > 0; }, tr("needs a run"))
            ->setShortcuts(keys);
    };
    step(tr("Ne&xt Run"), 1, {Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown});
    step(tr("Pre&vious Run"), -1, {Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageUp});
}

void MainMenus::addSweep(QMenu& run) {
    MenuConditions& conditions = m_parts.conditions;
    using Page = ui::SweepPage;
    const auto add = [&](const QString& title, void (Page::*act)(), auto can, const QString& whyNot) {
        const auto shown = [this] { return m_parts.pages.sweepInFront(); };
        conditions.enableWhile(
            run.addAction(title, this,
                          [shown, act] {
                              if (Page* page = shown())
                                  (page->*act)();
                          }),
            [shown, can] { return shown() && can(*shown()); },
            [shown, whyNot] {
                const Page* page = shown();
                return !page                        ? tr("needs a sweep in front")
                       : page->isRunningElsewhere() ? tr("it is running elsewhere")
                                                    : whyNot;
            });
    };
    const auto runs = [](const Page& page) { return page.isRunning(); };
    add(tr("&Pause or Continue Sweep"), &Page::pauseOrContinue, runs, tr("the sweep is not running"));
    add(tr("S&top Sweep"), &Page::stop, runs, tr("the sweep is not running"));
    add(
        tr("R&esume Sweep"), &Page::goOn, [](const Page& page) { return page.canGoOn(); },
        tr("no cell is waiting or was skipped"));
    connect(&m_parts.pages.sweeps(), &OpenSweeps::changed, &conditions, &MenuConditions::refresh);
}

void MainMenus::addExperiment(QMenu& run) {
    MenuConditions& conditions = m_parts.conditions;
    OpenExperiments& experiments = m_parts.pages.experiments();
    run.addAction(tr("New E&xperiment…"), Qt::CTRL | Qt::SHIFT | Qt::Key_X, this, [this, &experiments] {
        m_parts.files.newExperiment(m_parts.panel.devices(), experiments);
    });
    using Page = ui::ExperimentPage;
    const auto shown = [this] { return m_parts.pages.experimentInFront(); };
    const auto add = [&](const QString& title, void (Page::*act)(), bool (Page::*can)() const,
                         const QString& whyNot) {
        conditions.enableWhile(
            run.addAction(title, this,
                          [shown, act] {
                              if (Page* page = shown())
                                  (page->*act)();
                          }),
            [shown, can] { return shown() && (shown()->*can)(); },
            [shown, whyNot] { return shown() ? whyNot : tr("needs an experiment in front"); });
    };
    add(tr("Stop Ex&periment"), &Page::stop, &Page::isRunning, tr("the experiment is not running"));
    add(tr("Resume Experi&ment"), &Page::goOn, &Page::canGoOn, tr("it is finished, or is running"));
    connect(&experiments, &OpenExperiments::changed, &conditions, &MenuConditions::refresh);
}

void MainMenus::addHelp() {
    auto* help = m_bar.addMenu(tr("&Help"));
    help->addAction(tr("&Commands…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, this, &MainMenus::openCommandPalette);
    auto* keys = help->addAction(tr("&Keys and Mouse"), this, &MainMenus::openShortcutSheet);
    keys->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(QKeySequence::HelpContents)});
    addSearchWords(*keys, tr("Keyboard Shortcuts Sheet, Help"));
    help->addSeparator();
    addLessons(*help, m_parts.lessons, m_parts.conditions);
    help->addSeparator();
    help->addAction(tr("&About Warpglass"), this, [this] { showAbout(m_bar.window()); });
}

void MainMenus::explainDisabled() {
    for (QAction* menu : m_bar.actions())
        app::explainDisabled(*menu->menu(), [&conditions = m_parts.conditions](const QAction& action) {
            return conditions.whyNot(action);
        });
}

void MainMenus::openCommandPalette() {
    // What cannot be chosen now is found too, with why.
    QList<Command> commands = commandsOf(m_bar, true);
    for (Command& command : commands) {
        if (!command.action->isEnabled())
            command.whyNot = m_parts.conditions.whyNot(*command.action);
    }
    (new CommandPalette(std::move(commands), m_bar.window()))->open();
}

void MainMenus::openShortcutSheet() {
    auto* sheet = new ShortcutSheet(allKeys(commandsOf(m_bar, true)), m_bar.window());
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->show();
}

}  // namespace warpglass::app
