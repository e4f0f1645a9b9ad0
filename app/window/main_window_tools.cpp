// What the window does with its views: figures, the command palette, layouts, one view alone.
#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <algorithm>

#include "app/window/command_palette.h"
#include "app/window/field_keys.h"
#include "app/window/figure_dialog.h"
#include "app/window/focus_corner.h"
#include "app/window/focus_mode.h"
#include "app/window/launch.h"
#include "app/window/main_window.h"
#include "app/window/pointed_keys.h"
#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "app/window/shortcut_sheet.h"
#include "app/window/start_page.h"
#include "app/window/window_layout.h"
#include "ui/compare/comparison_view.h"
#include "ui/panels/run_panel.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

QList<FigureChoice> MainWindow::figureChoices() {
    if (m_pages->currentWidget() == m_comparison)
        return {
            {QStringLiteral("comparison"), tr("Comparison"), m_comparison, &m_comparison->axisOfA(), [] {}}};
    QList<FigureChoice> choices;
    if (m_pages->currentWidget() != m_workspace)
        return choices;
    for (const Workspace::ViewName& view : Workspace::views()) {
        QWidget* widget = m_workspace->viewHere(view.name);
        choices << FigureChoice{view.name, view.title, widget, &m_controller.axis(),
                                [this, widget] { m_workspace->showView(widget); }};
    }
    return choices;
}

ui::TimeAxis& MainWindow::shownAxis() {
    return m_pages->currentWidget() == m_comparison ? m_comparison->axisOfA() : m_controller.axis();
}

ui::TimelineView* MainWindow::shownTimeline() const {
    if (m_pages->currentWidget() == m_workspace)
        return m_workspace->timeline();
    if (m_pages->currentWidget() != m_comparison)
        return nullptr;
    ui::TimelineView* b = m_comparison->timelineOfB();
    return b->hasFocus() ? b : m_comparison->timelineOfA();
}

QString MainWindow::figureCaption() const {
    const auto of = [this](const std::shared_ptr<const Snapshot>& run) {
        const auto& runs = m_controller.runs();
        const bool incomplete = std::any_of(runs.begin(), runs.end(), [&](const OpenedRunEntry& entry) {
            return entry.snapshot == run && entry.incomplete;
        });
        return run ? captionOf(*run, incomplete) : QString();
    };
    if (m_pages->currentWidget() == m_comparison)
        return captionOf(of(m_comparison->sideA().snapshot), of(m_comparison->sideB().snapshot));
    return of(m_controller.document().snapshot());
}

QString MainWindow::viewInFront() const {
    if (m_pages->currentWidget() == m_comparison)
        return QStringLiteral("comparison");
    const QString focused = m_workspace->focusedView();
    if (!focused.isEmpty())
        return focused;
    // A page may hold several views in one place, of which one is in front.
    for (const Workspace::ViewName& view : Workspace::views()) {
        if (view.page == m_workspace->page() && m_workspace->view(view.name)->isVisible())
            return view.name;
    }
    return {};
}

void MainWindow::exportFigure() {
    const QList<FigureChoice> choices = figureChoices();
    if (choices.isEmpty()) {
        showMessage(tr("There is no run to make a figure of: open one, or run one."), true);
        return;
    }
    const QString name =
        QFileInfo(m_controller.suggestedFileName(m_controller.currentRun())).completeBaseName();
    const QVariantMap before = m_layout->state();
    FigureDialog dialog(choices, viewInFront(), figureCaption(), name, this);
    dialog.exec();
    m_layout->apply(before);
}

void MainWindow::copyFigure() {
    const QList<FigureChoice> choices = figureChoices();
    if (choices.isEmpty()) {
        showMessage(tr("There is no run to make a figure of: open one, or run one."), true);
        return;
    }
    FigureDialog dialog(choices, viewInFront(), figureCaption(), {}, this);
    // A figure does not show where the keyboard is.
    const QPointer<QWidget> focused = QApplication::focusWidget();
    if (focused)
        focused->clearFocus();
    const QString problem = dialog.copy();
    if (focused)
        focused->setFocus(Qt::OtherFocusReason);
    showMessage(problem.isEmpty()
                    ? tr("The figure is on the clipboard, as last exported: change that with Export Figure.")
                    : problem,
                !problem.isEmpty());
}

QString MainWindow::whyNot(const QAction& action) const {
    const QActionGroup* group = action.actionGroup();
    if (const QString refusal = refusalOf(action); !refusal.isEmpty())
        return refusal;
    if (&action == m_compareNextAction)
        return tr("needs a second run");
    if (group == m_comparisonActions)
        return tr("in a comparison");
    if (group == m_oneRunActions && m_compared.first)
        return tr("not in a comparison");
    if (group == m_runActions || group == m_oneRunActions || &action == m_saveAction ||
        &action == m_closeRunAction)
        return tr("needs a run");
    if (&action == m_stopAction)
        return tr("nothing is being recorded");
    if (&action == m_followAction)
        return tr("the run in front is not being recorded");
    if (&action == m_runAction)
        return m_controller.isRunning() ? tr("a run is being recorded") : tr("the run panel says why");
    return tr("not available now");
}

void MainWindow::openCommandPalette() {
    // What cannot be chosen now is found too, with why.
    QList<Command> commands = commandsOf(*menuBar(), true);
    for (Command& command : commands) {
        if (!command.action->isEnabled())
            command.whyNot = whyNot(*command.action);
    }
    (new CommandPalette(std::move(commands), this))->open();
}

void MainWindow::openShortcutSheet() {
    auto* sheet = new ShortcutSheet(allKeys(commandsOf(*menuBar(), true)), this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->show();
}

void MainWindow::setFocusMode(bool on) {
    m_workspace->setAlone(nullptr);
    if (on && m_pages->currentWidget() != m_startPage) {
        QWidget* view =
            m_pages->currentWidget() == m_comparison ? m_comparison : m_workspace->viewHere(viewInFront());
        if (view) {
            if (m_pages->currentWidget() == m_workspace)
                m_workspace->showView(view);
            m_focusMode->enter(*view, *this);
            m_workspace->setAlone(view);
            if (QApplication::focusWidget() == view && view != m_comparison)
                m_workspace->focusView(view);
            // Without height but not hidden: the keys of its actions and of its menus go on.
            menuBar()->show();
            menuBar()->setMaximumHeight(0);
        }
    } else {
        m_focusMode->leave();
        menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
        showWarnings();
        showStatusBar();
    }
    // These count nothing, or by a filter of their own.
    const QString alone = viewInFront();
    const bool filtered = alone != QLatin1String("comparison") && alone != QLatin1String("summary") &&
                          alone != QLatin1String("inspector");
    m_focusCorner->setShown(m_focusMode->active(), filtered);
    m_focusAction->setChecked(m_focusMode->active());
}

/// Esc that no view has let anything go by.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && m_focusMode->active())
        setFocusMode(false);
    else
        QMainWindow::keyPressEvent(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_runPanel &&
        (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        sayPanelShown();
    if (redoesInField(watched, event) || goesToPointedView(*this, watched, event))
        return true;
    if (event->type() == QEvent::MouseMove && m_focusMode->active())
        m_focusCorner->notice(mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint()));
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && widget->window() == this &&
            static_cast<QKeyEvent*>(event)->keyCombination() == kFigureKey) {
            event->ignore();
            return true;
        }
    }
    // A comparison would be left with its own Esc, and not only being alone.
    if (event->type() == QEvent::KeyPress && watched == m_comparison && m_focusMode->active() &&
        static_cast<QKeyEvent*>(event)->keyCombination() == QKeyCombination(Qt::Key_Escape)) {
        setFocusMode(false);
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::fillLayoutMenu(QMenu* menu) {
    menu->clear();
    const QStringList names = WindowLayout::names();
    for (const QString& name : names) {
        menu->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, name] {
            setFocusMode(false);
            m_layout->load(name);
        });
    }
    if (!names.isEmpty())
        menu->addSeparator();
    menu->addAction(tr("&Save Layout As…"), this, &MainWindow::saveLayoutAs);
    if (!names.isEmpty()) {
        QMenu* forget = menu->addMenu(tr("&Delete"));
        for (const QString& name : names)
            forget->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                              [name] { WindowLayout::remove(name); });
    }
    menu->addAction(tr("&Reset Layout"), this, [this] {
        setFocusMode(false);
        m_layout->reset();
        resetSize();
    });
}

/// The size of text and controls belongs to how the window is arranged: at a wrong one no menu may be in
/// reach of the pointer.
void MainWindow::resetSize() {
    if (m_remember != Remember::kLayout || chosenSize() == kSizes.front())
        return;
    chooseSize(kSizes.front());
    showMessage(tr("Text and controls are at %1 from the next start of Warpglass on.")
                    .arg(QStringLiteral("100\u202F%")),
                false);
}

void MainWindow::saveLayoutAs() {
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Save Layout As"));
    dialog.setLabelText(tr("Name"));
    constexpr int kTitleWidth = 360;  // of the dialog, whose title would be cut in one of Qt's width
    dialog.resize(kTitleWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString name = dialog.textValue().trimmed();
    if (name.isEmpty())
        return;
    setFocusMode(false);  // what it hides is no one's layout
    m_layout->saveAs(name);
    showMessage(tr("The layout %1 is in View › Layout.").arg(name), false);
}

void MainWindow::restoreLayout() {
    const QSettings settings;
    // The screen may be a smaller one than it was left on.
    if (restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
        m_openedAs = size();
    QVariantMap layout = settings.value(QStringLiteral("window/layout")).toMap();
    layout.remove(QStringLiteral("page"));  // a run is first seen on its summary
    m_layout->apply(layout);
    std::vector<std::pair<std::string, std::string>> pairs;
    const QVariantMap stored = settings.value(QStringLiteral("runConfig")).toMap();
    for (auto it = stored.begin(); it != stored.end(); ++it)
        pairs.emplace_back(it.key().toStdString(), it.value().toString().toStdString());
    if (const auto config = configFromPairs(pairs))
        m_runPanel->setConfig(*config);
}

void MainWindow::saveLayout() {
    setFocusMode(false);
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/layout"), m_layout->state());
    QVariantMap stored;
    for (const auto& [key, value] : toPairs(m_runPanel->config()))
        stored.insert(QString::fromStdString(key), QString::fromStdString(value));
    settings.setValue(QStringLiteral("runConfig"), stored);
}

}  // namespace warpglass::app
