#include "app/window/appearance_menu.h"

#include <QActionGroup>
#include <QApplication>
#include <QInputDialog>
#include <QMenu>
#include <QSettings>
#include <utility>

#include "app/window/commands.h"
#include "app/window/focus_mode.h"
#include "app/window/launch.h"
#include "app/window/menu_conditions.h"
#include "app/window/presentation_mode.h"
#include "app/window/run_panel_place.h"
#include "app/window/start_page.h"
#include "app/window/window_layout.h"
#include "app/window/window_pages.h"
#include "ui/compare/comparison_view.h"
#include "ui/theme/system_theme.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

const QString kTheme = QStringLiteral("theme"), kAsDesktop = QStringLiteral("system");

QString sizeText(double size) {
    return QStringLiteral("%1%").arg(100 * size);
}

}  // namespace

AppearanceMenu::AppearanceMenu(QMenu& view, MenuConditions& conditions, WindowPages& pages,
                               RunPanelPlace& panel, WindowLayout& layout, FocusMode& focus,
                               PresentationMode& presentation, bool remembers)
    : QObject(&view),
      m_pages(pages),
      m_panel(panel),
      m_layout(layout),
      m_focus(focus),
      m_presentation(presentation),
      m_remembers(remembers),
      m_window(panel.window()),
      m_systemTheme(new ui::SystemTheme(*m_window)) {
    addPanel(view);
    addFocus(view, conditions);
    auto* layouts = view.addMenu(tr("&Layout"));
    layouts->setObjectName(QStringLiteral("layoutMenu"));
    fillWhenOpened(layouts, [this](QMenu& menu) { fillLayouts(menu); });
    auto* appearance = view.addMenu(tr("Appear&ance"));
    addPresentation(*appearance);
    addThemes(*appearance->addMenu(tr("&Theme")));
    addSizes(*appearance->addMenu(tr("&Size of Text and Controls")));
    addFrameTimes(*appearance);
}

void AppearanceMenu::addPanel(QMenu& view) {
    m_panelAction = view.addAction(tr("Run &Panel"));
    m_panelAction->setObjectName(QStringLiteral("runPanelShown"));
    m_panelAction->setCheckable(true);
    m_panelAction->setShortcut(Qt::CTRL | Qt::Key_B);
    connect(m_panelAction, &QAction::triggered, this, [this] { m_panel.toggle(); });
    connect(&m_panel, &RunPanelPlace::changed, this, &AppearanceMenu::sayPanelShown);
    sayPanelShown();
}

/// In its action, and where the start page speaks of it.
void AppearanceMenu::sayPanelShown() {
    const bool shown = m_panel.showsPanel();
    m_panelAction->setChecked(shown);
    m_pages.startPage().setRunPanelShown(shown);
}

void AppearanceMenu::addFocus(QMenu& view, MenuConditions& conditions) {
    QAction* alone = conditions.needsRunInFront(view.addAction(tr("This View Al&one")));
    alone->setObjectName(QStringLiteral("focusMode"));
    alone->setCheckable(true);
    alone->setShortcut(Qt::Key_F11);
    connect(alone, &QAction::triggered, &m_focus, &FocusMode::set);
    connect(&m_focus, &FocusMode::changed, alone, &QAction::setChecked);
}

void AppearanceMenu::addPresentation(QMenu& appearance) {
    auto* present = appearance.addAction(tr("&Presentation"));
    present->setObjectName(QStringLiteral("presentationMode"));
    present->setCheckable(true);
    present->setShortcut(Qt::Key_F5);
    present->setToolTip(tr("Everything larger and in high contrast, on the whole screen"));
    addSearchWords(*present, tr("Large Type, High Contrast, Projector, Full Screen"));
    connect(present, &QAction::triggered, &m_presentation, &PresentationMode::set);
    connect(&m_presentation, &PresentationMode::changed, present, &QAction::setChecked);
}

void AppearanceMenu::fillLayouts(QMenu& menu) {
    const QStringList names = WindowLayout::names();
    for (const QString& name : names) {
        menu.addAction(entryText(name), this, [this, name] {
            m_focus.leave();
            m_layout.load(name);
        });
    }
    if (!names.isEmpty())
        menu.addSeparator();
    menu.addAction(tr("&Save Layout As…"), this, &AppearanceMenu::saveLayoutAs);
    if (!names.isEmpty()) {
        QMenu* forget = menu.addMenu(tr("&Delete"));
        for (const QString& name : names)
            forget->addAction(entryText(name), this, [name] { WindowLayout::remove(name); });
    }
    menu.addAction(tr("&Reset Layout"), this, [this] {
        m_focus.leave();
        m_layout.reset();
        // The size belongs to it: at a wrong one no menu may be in reach of the pointer.
        if (m_remembers && chosenSize() != kSizes.front())
            takeSize(kSizes.front());
    });
}

void AppearanceMenu::saveLayoutAs() {
    QInputDialog dialog(m_window);
    dialog.setWindowTitle(tr("Save Layout As"));
    dialog.setLabelText(tr("Name"));
    constexpr int kTitleWidth = 360;  // of the dialog, whose title would be cut in one of Qt's width
    dialog.resize(kTitleWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString name = dialog.textValue().trimmed();
    if (name.isEmpty())
        return;
    m_focus.leave();  // what it hides is no one's layout
    m_layout.saveAs(name);
    emit said(tr("The layout %1 is in View › Layout.").arg(name));
}

void AppearanceMenu::addThemes(QMenu& themes) {
    auto* group = new QActionGroup(this);
    const QString chosen = QSettings().value(kTheme, kAsDesktop).toString();
    for (const auto& [word, title] :
         {std::pair{kAsDesktop, tr("As the &Desktop")}, std::pair{QStringLiteral("dark"), tr("&Dark")},
          std::pair{QStringLiteral("light"), tr("&Light")}}) {
        auto* action = themes.addAction(title, this, [this, word = word] { chooseTheme(word); });
        ui::makeCheckable(action, word == chosen);
        group->addAction(action);
    }
}

void AppearanceMenu::chooseTheme(const QString& word) {
    if (m_remembers)
        QSettings().setValue(kTheme, word);
    const bool asDesktop = word == kAsDesktop;
    m_systemTheme->setFollowing(asDesktop);
    auto& theme = ui::Theme::instance();
    theme.setKind(asDesktop ? ui::SystemTheme::kind() : ui::Theme::kindForWord(word));
    theme.apply(*qApp);
}

void AppearanceMenu::followDesktop() {
    m_systemTheme->setFollowing(true);
}

/// For everything: what is measured in pixels, as the rows of tables and of the timeline, is measured for its
/// text, so that larger letters alone would be cut.
void AppearanceMenu::addSizes(QMenu& sizes) {
    auto* group = new QActionGroup(this);
    for (const double size : kSizes) {
        auto* action = sizes.addAction(sizeText(size), this, [this, size] { takeSize(size); });
        ui::makeCheckable(action, size == chosenSize());
        group->addAction(action);
        // Reset Layout takes the choice back.
        connect(&sizes, &QMenu::aboutToShow, action,
                [action, size] { action->setChecked(size == chosenSize()); });
    }
}

void AppearanceMenu::takeSize(double size) {
    if (m_remembers)
        chooseSize(size);
    emit said(tr("Text and controls are at %1 from the next start of Warpglass on.").arg(sizeText(size)));
}

void AppearanceMenu::addFrameTimes(QMenu& appearance) {
    auto* frameTimes = appearance.addAction(tr("&Frame Times"));
    frameTimes->setObjectName(QStringLiteral("frameTimes"));
    frameTimes->setShortcut(Qt::Key_F12);
    frameTimes->setCheckable(true);
    frameTimes->setToolTip(tr("What drawing the timeline costs, in its corner"));
    connect(frameTimes, &QAction::toggled, m_pages.workspace().timeline(),
            &ui::TimelineView::setShowsFrameTimes);
    connect(frameTimes, &QAction::toggled, &m_pages.comparison(), &ui::ComparisonView::setShowsFrameTimes);
}

}  // namespace warpglass::app
