// The window's menus but View: every action with its shortcut.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>

#include "app/window/about_dialog.h"
#include "app/window/commands.h"
#include "app/window/main_window.h"
#include "app/window/recent_runs.h"
#include "app/window/run_actions.h"
#include "app/window/run_closing.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/data_table.h"
#include "ui/theme/system_theme.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

QMenu* MainWindow::buildFileMenu() {
    auto* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openWithDialog);
    auto* recent = file->addMenu(tr("Open &Recent"));
    recent->setToolTipsVisible(true);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    addSamples(file);
    m_saveAction = file->addAction(tr("&Save As…"), QKeySequence::Save, this, &MainWindow::saveWithDialog);
    m_saveAction->setEnabled(false);
    file->addSeparator();
    ofRun(file->addAction(tr("&Export Figure…"), kFigureKey, this, &MainWindow::exportFigure));
    ofRun(
        file->addAction(tr("Co&py Figure"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, this, &MainWindow::copyFigure));
    file->addSeparator();
    auto* whole = file->addMenu(tr("Run in F&ront"));
    const auto fillWhole = [this, whole] {
        whole->clear();
        if (m_controller.currentRun() < 0)
            addNote(*whole, tr("No run is open"));
        else
            m_runAsAWhole->fillMenu(*whole, m_controller.currentRun());
    };
    connect(whole, &QMenu::aboutToShow, this, fillWhole);
    m_closeRunAction = file->addAction(tr("&Close Run"), QKeySequence::Close, this,
                                       [this] { m_closing->closeAt(m_controller.currentRun()); });
    m_closeRunAction->setEnabled(false);
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    return file;
}

void MainWindow::addSamples(QMenu* file) {
    const std::vector<SampleRun> runs = sampleRunsIn(sampleFolder());
    if (runs.empty())
        return;
    auto* samples = file->addMenu(tr("Sample &Runs"));
    samples->setToolTipsVisible(true);
    for (const SampleRun& run : runs) {
        samples
            ->addAction(QFileInfo(run.path).completeBaseName(), this,
                        [this, path = run.path] { m_controller.openFiles({path}); })
            ->setToolTip(run.lookAt());
    }
}

ui::DataTable* MainWindow::tableInFront() const {
    QWidget* from = QApplication::focusWidget();
    if (!from || !m_pages->isAncestorOf(from))
        from = m_pages;
    // The one that has the focus, else the first beside what has it.
    for (QWidget* around = from;; around = around->parentWidget()) {
        if (auto* table = qobject_cast<ui::DataTable*>(around))
            return table;
        for (auto* table : around->findChildren<ui::DataTable*>()) {
            if (table->isVisible())
                return table;
        }
        if (around == m_pages)
            return nullptr;
    }
}

void MainWindow::fillTableMenu(QMenu* menu) {
    // clear() leaves submenus behind.
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
    if (ui::DataTable* table = tableInFront())
        table->fillMenu(*menu, table->currentIndex());
    else
        addNote(*menu, tr("No table is shown"));
}

void MainWindow::buildMenus() {
    for (QActionGroup** group : {&m_runActions, &m_oneRunActions, &m_comparisonActions}) {
        *group = new QActionGroup(this);
        (*group)->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    }
    auto* name = new QLabel(tr("Warpglass"), menuBar());
    name->setObjectName(QStringLiteral("appName"));
    name->setContentsMargins(ui::Metrics::kSpace3, 0, ui::Metrics::kSpace2, 0);
    menuBar()->setCornerWidget(name, Qt::TopLeftCorner);

    buildFileMenu();
    buildViewMenu();
    auto* table = menuBar()->addMenu(tr("&Table"));
    connect(table, &QMenu::aboutToShow, this, [this, table] { fillTableMenu(table); });

    auto* run = menuBar()->addMenu(tr("&Run"));
    m_runAction = run->addAction(tr("&Run"), QKeySequence(Qt::CTRL | Qt::Key_R), this,
                                 [this] { m_runPanel->requestRun(); });
    m_stopAction = run->addAction(tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period), m_runPanel,
                                  &ui::RunPanel::requestStop);
    m_stopAction->setEnabled(false);
    run->addSeparator();
    ofRun(run->addAction(tr("Ne&xt Run"), this, [this] {
        stepRun(1);
    }))->setShortcuts({Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown});
    ofRun(run->addAction(tr("Pre&vious Run"), this, [this] {
        stepRun(-1);
    }))->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageUp});

    auto* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                    &MainWindow::openCommandPalette);
    auto* keys = help->addAction(tr("&Keys and Mouse"), this, &MainWindow::openShortcutSheet);
    keys->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(QKeySequence::HelpContents)});
    addSearchWords(*keys, tr("Keyboard Shortcuts Sheet, Help"));
    help->addAction(tr("&About Warpglass"), this, [this] { showAbout(this); });
    m_runActions->setEnabled(false);
    m_oneRunActions->setEnabled(false);
    connect(m_pages, &QStackedWidget::currentChanged, m_oneRunActions,
            [this] { m_oneRunActions->setEnabled(m_pages->currentWidget() == m_workspace); });
    m_comparisonActions->setEnabled(false);
    for (QAction* menu : menuBar()->actions())
        explainDisabled(*menu->menu(), [this](const QAction& action) { return whyNot(action); });
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    const QStringList paths = m_recent->paths();
    const QMap<QString, QString> titles = m_recent->titles();
    for (const QString& path : paths) {
        menu->addAction(titles.value(path).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, path] { m_controller.openFiles({path}); })
            ->setToolTip(path);
    }
    if (paths.isEmpty()) {
        addNote(*menu, tr("No recent runs"));
        return;
    }
    menu->addSeparator();
    menu->addAction(tr("Clear List"), m_recent, &RecentRuns::clear);
}

void MainWindow::fillCompareMenu(QMenu* menu) {
    menu->clear();
    const auto& runs = m_controller.runs();
    const int shown = m_controller.currentRun();
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const OpenedRunEntry& run = runs[static_cast<std::size_t>(i)];
        if (i == shown || shown == m_controller.recordingRun() || !run.snapshot)
            continue;
        menu->addAction(QString(run.title).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, shown, i] { compareRuns(shown, i); });
    }
    const bool ended =
        shown >= 0 && shown != m_controller.recordingRun() && runs[static_cast<std::size_t>(shown)].snapshot;
    if (!ended) {
        addNote(*menu, tr("Open a run first, or drop two files"));
        return;
    }
    menu->addAction(tr("Itself, One Step with Another"), this, [this, shown] { compareRuns(shown, shown); });
    menu->addSeparator();
    const QMap<QString, QString> titles = m_recent->titles();
    for (const QString& path : m_recent->paths()) {
        const bool open = std::any_of(runs.begin(), runs.end(), [&path](const OpenedRunEntry& run) {
            return !run.path.isEmpty() && QFileInfo(run.path) == QFileInfo(path);
        });
        if (open)
            continue;
        QString title = tr("%1, recent, %2")
                            .arg(titles.value(path),
                                 QLocale().toString(QFileInfo(path).lastModified(), QLocale::ShortFormat));
        menu->addAction(title.replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, path] { openToCompare({path}); })
            ->setToolTip(path);
    }
    menu->addAction(tr("A File…"), this, &MainWindow::compareWithDialog);
}

void MainWindow::chooseTheme(const QString& word) {
    if (m_remember == Remember::kLayout)
        QSettings().setValue(QStringLiteral("theme"), word);
    const bool asDesktop = word == QLatin1String("system");
    m_systemTheme->setFollowing(asDesktop);
    auto& theme = ui::Theme::instance();
    theme.setKind(asDesktop ? ui::SystemTheme::kind() : ui::Theme::kindForWord(word));
    theme.apply(*qApp);
}

void MainWindow::followDesktop() {
    m_systemTheme->setFollowing(true);
}

}  // namespace warpglass::app
