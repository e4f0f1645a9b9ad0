#include "app/window/window_layout.h"

#include <QSettings>
#include <QSplitter>
#include <QTabWidget>

#include "app/window/workspace.h"
#include "ui/theme/data_table.h"

namespace warpglass::app {

namespace {

const QString kRunPanel = QStringLiteral("runPanel"), kPage = QStringLiteral("page"),
              kSplitters = QStringLiteral("splitters"), kTabs = QStringLiteral("tabs"),
              kLayouts = QStringLiteral("layouts"), kColumns = QStringLiteral("columns");

/// By their object names, so that a part added later takes part; parts without a name are not arranged.
template <class Widget, class Visit>
void eachNamed(const QWidget& root, const Visit& visit) {
    for (Widget* part : root.findChildren<Widget*>()) {
        if (!part->objectName().isEmpty() && !part->objectName().startsWith(QLatin1String("qt_")))
            visit(part);
    }
}

}  // namespace

WindowLayout::WindowLayout(Workspace& workspace, QWidget& runPanel)
    : m_workspace(workspace), m_runPanel(runPanel), m_initial(state()) {}

QVariantMap WindowLayout::state() const {
    QVariantMap splitters, tabs, columns;
    eachNamed<QSplitter>(m_workspace,
                         [&](QSplitter* part) { splitters[part->objectName()] = part->saveState(); });
    eachNamed<QTabWidget>(m_workspace,
                          [&](QTabWidget* part) { tabs[part->objectName()] = part->currentIndex(); });
    eachNamed<ui::DataTable>(
        m_workspace, [&](ui::DataTable* part) { columns[part->objectName()] = part->chosenColumns(); });
    return {{kColumns, columns},
            {kRunPanel, !m_runPanel.isHidden()},
            {kPage, static_cast<int>(m_workspace.page())},
            {kSplitters, splitters},
            {kTabs, tabs}};
}

void WindowLayout::apply(const QVariantMap& state) {
    if (state.contains(kRunPanel))
        m_runPanel.setVisible(state.value(kRunPanel).toBool());
    const int pages = static_cast<int>(Workspace::pageNames().size());
    if (const int page = state.value(kPage, -1).toInt(); page >= 0 && page < pages)
        m_workspace.setPage(static_cast<Workspace::Page>(page));
    const QVariantMap splitters = state.value(kSplitters).toMap(), tabs = state.value(kTabs).toMap();
    eachNamed<QSplitter>(m_workspace, [&](QSplitter* part) {
        if (splitters.contains(part->objectName()))
            part->restoreState(splitters.value(part->objectName()).toByteArray());
    });
    const QVariantMap columns = state.value(kColumns).toMap();
    eachNamed<ui::DataTable>(m_workspace, [&](ui::DataTable* part) {
        if (columns.contains(part->objectName()))
            part->setChosenColumns(columns.value(part->objectName()).toStringList());
    });
    eachNamed<QTabWidget>(m_workspace, [&](QTabWidget* part) {
        if (tabs.contains(part->objectName()))
            part->setCurrentIndex(tabs.value(part->objectName()).toInt());
    });
}

QStringList WindowLayout::names() {
    QStringList names = QSettings().value(kLayouts).toMap().keys();
    names.sort(Qt::CaseInsensitive);
    return names;
}

void WindowLayout::saveAs(const QString& name) const {
    QVariantMap all = QSettings().value(kLayouts).toMap();
    all[name] = state();
    QSettings().setValue(kLayouts, all);
}

bool WindowLayout::load(const QString& name) {
    const QVariantMap all = QSettings().value(kLayouts).toMap();
    if (!all.contains(name))
        return false;
    apply(all.value(name).toMap());
    return true;
}

void WindowLayout::remove(const QString& name) {
    QVariantMap all = QSettings().value(kLayouts).toMap();
    all.remove(name);
    QSettings().setValue(kLayouts, all);
}

}  // namespace warpglass::app
