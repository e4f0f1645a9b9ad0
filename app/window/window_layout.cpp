#include "app/window/window_layout.h"

#include <QSettings>
#include <QSplitter>
#include <QTabWidget>

#include "app/window/fitted_panes.h"
#include "app/window/run_panel_place.h"
#include "app/window/workspace.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/models/step_clock.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

const QString kRunPanel = QStringLiteral("runPanel"), kPage = QStringLiteral("page"),
              kSplitters = QStringLiteral("splitters"), kTabs = QStringLiteral("tabs"),
              kLayouts = QStringLiteral("layouts"), kColumns = QStringLiteral("columns"),
              kRowsKey = QStringLiteral("rows"), kFolded = QStringLiteral("folded"),
              kHiddenKey = QStringLiteral("hidden"), kPinned = QStringLiteral("pinned"),
              kOrder = QStringLiteral("order"), kUnfolded = QStringLiteral("unfolded"),
              kTimesFromRun = QStringLiteral("timesFromRun"), kComparisonKey = QStringLiteral("comparison");

QStringList toList(const std::vector<std::string>& keys) {
    QStringList list;
    for (const std::string& key : keys)
        list << QString::fromStdString(key);
    return list;
}

std::vector<std::string> toKeys(const QVariant& list) {
    std::vector<std::string> keys;
    for (const QString& key : list.toStringList())
        keys.push_back(key.toStdString());
    return keys;
}

/// By kind and name, as the arrangement knows them.
QVariantMap stateOf(const ui::RowArrangement& rows) {
    const ui::RowArrangement::Lists lists = rows.lists();
    return {{kFolded, toList(lists.folded)},
            {kHiddenKey, toList(lists.hidden)},
            {kPinned, toList(lists.pinned)},
            {kOrder, toList(lists.order)},
            {kUnfolded, toList(lists.unfolded)}};
}

ui::RowArrangement rowsOf(const QVariantMap& state) {
    return ui::RowArrangement({toKeys(state.value(kFolded)), toKeys(state.value(kHiddenKey)),
                               toKeys(state.value(kPinned)), toKeys(state.value(kOrder)),
                               toKeys(state.value(kUnfolded))});
}

/// By their object names, so that a part added later takes part; parts without a name are not arranged.
template <class Widget, class Visit>
void eachNamed(const QWidget& root, const Visit& visit) {
    for (Widget* part : root.findChildren<Widget*>()) {
        if (!part->objectName().isEmpty() && !part->objectName().startsWith(QLatin1String("qt_")))
            visit(part);
    }
}

}  // namespace

WindowLayout::WindowLayout(Workspace& workspace, RunPanelPlace& runPanel, ui::ComparisonView* comparison)
    : m_workspace(workspace), m_runPanel(runPanel), m_comparison(comparison), m_initial(state()) {}

QVariantMap WindowLayout::state() const {
    QVariantMap splitters, tabs, columns;
    eachNamed<QSplitter>(m_workspace, [&](QSplitter* part) {
        const auto* panes = qobject_cast<const FittedPanes*>(part);
        splitters[part->objectName()] = panes ? panes->choice() : part->saveState();
    });
    eachNamed<QTabWidget>(m_workspace,
                          [&](QTabWidget* part) { tabs[part->objectName()] = part->currentIndex(); });
    eachNamed<ui::DataTable>(
        m_workspace, [&](ui::DataTable* part) { columns[part->objectName()] = part->chosenColumns(); });
    return {{kColumns, columns},
            {kComparisonKey, m_comparison ? m_comparison->layoutState() : QVariantMap()},
            {kRunPanel, m_runPanel.choice()},
            {kRowsKey, stateOf(m_workspace.timeline()->arrangement())},
            {kTimesFromRun, ui::ClockChoice::instance().countsFromRun()},
            {kPage, static_cast<int>(m_workspace.page())},
            {kSplitters, splitters},
            {kTabs, tabs}};
}

void WindowLayout::apply(const QVariantMap& state) {
    if (state.contains(kRunPanel))
        m_runPanel.setChoice(state.value(kRunPanel));
    if (state.contains(kRowsKey)) {
        ui::RowArrangement rows = rowsOf(state.value(kRowsKey).toMap());
        rows.setLeftOut(m_workspace.timeline()->arrangement().leftOut());
        m_workspace.timeline()->setArrangement(rows);
    }
    if (state.contains(kTimesFromRun))
        ui::ClockChoice::instance().setCountsFromRun(state.value(kTimesFromRun).toBool());
    if (m_comparison && state.contains(kComparisonKey))
        m_comparison->applyLayout(state.value(kComparisonKey).toMap());
    const int pages = static_cast<int>(Workspace::pageNames().size());
    if (const int page = state.value(kPage, -1).toInt(); page >= 0 && page < pages)
        m_workspace.setPage(static_cast<Workspace::Page>(page));
    const QVariantMap splitters = state.value(kSplitters).toMap(), tabs = state.value(kTabs).toMap();
    eachNamed<QSplitter>(m_workspace, [&](QSplitter* part) {
        if (!splitters.contains(part->objectName()))
            return;
        const QByteArray sizes = splitters.value(part->objectName()).toByteArray();
        if (auto* panes = qobject_cast<FittedPanes*>(part))
            panes->applyChoice(sizes);
        else
            part->restoreState(sizes);
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

void WindowLayout::reset() {
    emit m_workspace.otherViewWanted();  // what a step of a lesson has put out of the way is no one's layout
    QVariantMap initial = m_initial;
    initial.remove(kPage);
    apply(initial);
}

QStringList WindowLayout::names() {
    QStringList names = QSettings().value(kLayouts).toMap().keys();
    names.sort(Qt::CaseInsensitive);
    return names;
}

void WindowLayout::saveAs(const QString& name) const {
    emit m_workspace.otherViewWanted();
    QVariantMap all = QSettings().value(kLayouts).toMap();
    all[name] = state();
    QSettings().setValue(kLayouts, all);
}

bool WindowLayout::load(const QString& name) {
    const QVariantMap all = QSettings().value(kLayouts).toMap();
    if (!all.contains(name))
        return false;
    emit m_workspace.otherViewWanted();
    apply(all.value(name).toMap());
    return true;
}

void WindowLayout::remove(const QString& name) {
    QVariantMap all = QSettings().value(kLayouts).toMap();
    all.remove(name);
    QSettings().setValue(kLayouts, all);
}

}  // namespace warpglass::app
