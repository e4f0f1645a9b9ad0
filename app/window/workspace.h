// Every view of one run, on pages: the summary; timeline over memory over the tables, the inspector at the
// right; memory; the charts. The window shows it, and --render draws it or any one view of it.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "app/window/window_fwd.h"
#include "engine/trace/span_ref.h"

namespace warpglass::app {

class Workspace : public QWidget {
    Q_OBJECT
public:
    Workspace(ui::RunDocument& document, ui::TimeAxis& axis, QWidget* parent = nullptr);

    /// In the order of the window's control and of Ctrl+1…
    enum class Page { kSummary, kViews, kMemory, kCharts };
    /// What the window's control and its menu call the pages, in that order.
    struct PageName {
        QString title, toolTip;
    };
    static QList<PageName> pageNames();
    Page page() const;
    void setPage(Page page);
    ui::SummaryPage& summary() const { return *m_summary; }
    ui::MemoryPage& memoryPage() const { return *m_memoryPage; }
    /// Shows a finding's evidence: zooms, brings its view to the front with exactly what the finding counted,
    /// and names the finding above it. One step in the filter's history: going back restores page and zoom.
    void showFinding(const Finding& finding);

    /// A view, which is the widget with the object name `name`: the word that --render takes, what menus call
    /// it, and the page it is on.
    struct ViewName {
        QString name, title;
        Page page;
    };
    static QList<ViewName> views();
    static QStringList viewNames();
    /// Null for a name that is not one of viewNames().
    QWidget* view(const QString& name) const;
    /// The widget that is the view on the page in front: memory over time has a chart on two pages. Where
    /// that page has none, view().
    QWidget* viewHere(const QString& name) const;
    /// The view that has the focus, or holds what has it; empty when none does.
    QString focusedView() const;
    /// The first view that the page shows.
    QWidget* mainView() const;
    /// Brings a view's page and tab to the front.
    void showView(QWidget* view);
    /// Gives the keyboard to what the view is about: its plot or its table.
    void focusView(QWidget* view);
    /// The view that the window shows without the others, or null: one whose time axis is another view's has
    /// one under it meanwhile.
    void setAlone(const QWidget* view);
    /// The choices that the views offer on themselves, a submenu a view, those of the page in front first.
    /// Where a view is not in front, it comes there as something of it is chosen.
    void addOptions(QMenu& menu);

    ui::TimelineView* timeline() const { return m_timeline; }
    ui::OverviewStrip* overview() const { return m_overview; }
    /// What shares the room of the page with the timeline: from the top that, memory over time and tables.
    FittedPanes& timelinePanes() const { return *m_timelinePanes; }
    ui::OpTable& ops() const { return *m_ops; }
    ui::ChartsPage& charts() const { return *m_charts; }
    EvidenceBar& evidence() const;
    /// Shown by every view with a time axis; they outlive the workspace.
    void setMarks(ui::MarkList* marks);
    /// Adds a mark at the cursor or at the start of the selected range. Its note is edited in the user's
    /// current view if that shows marks, otherwise in the timeline. False, and no mark, if no view in front
    /// shows any.
    bool addMark();
    /// Edits the note of the mark at the fixed cursor; the timeline comes to the front for it.
    void editMark();
    InspectorDrawer& inspectorDrawer() const { return *m_drawer; }
    QTabWidget* tabs() const;
    /// What all tables count.
    ui::RunFilter& filter() const { return *m_filter; }
    ui::FindPanel& findPanel() const { return *m_find; }
    /// What the context menu of a span of the shown run offers: "Only …", "Find All of Them".
    void addSpanActions(QMenu& menu, SpanRef span);
    /// Brings Find to the front, its field ready for typing; with a text, looks for that.
    void openFind(const QString& text = {});

protected:
    /// Esc that no view has taken: RunFilter::letGo().
    void keyPressEvent(QKeyEvent* event) override;

signals:
    void pageChanged(warpglass::app::Workspace::Page page);
    /// Something in a view leads to another, which is about to come to the front.
    void otherViewWanted();

private:
    void showRuler();
    /// The page's widget in m_pages; in the order of Page.
    QWidget* pageWidget(Page page) const;
    void connectFind();
    /// Null where no view in front shows marks.
    ui::MarkSteps* markStepsHere();

    ui::RunDocument& m_document;
    ui::RunFilter* m_filter = nullptr;
    CalmStrip* m_messages = nullptr;  // with the next one's
    ShownFinding* m_finding = nullptr;
    QStackedWidget* m_pages = nullptr;
    ui::SummaryPage* m_summary = nullptr;
    ui::OpTable* m_ops = nullptr;
    ui::FindPanel* m_find = nullptr;
    ui::AllocationsTable* m_allocations = nullptr;
    ui::MemoryChart* m_memoryChart = nullptr;
    ui::MemoryPage* m_memoryPage = nullptr;
    ui::TimelineView* m_timeline = nullptr;
    ui::OverviewStrip* m_overview = nullptr;
    FittedPanes* m_timelinePanes = nullptr;
    ui::ChartsPage* m_charts = nullptr;
    ui::TimeRulerBar* m_ruler = nullptr;  // of the view that is alone
    const QWidget* m_alone = nullptr;
    TableTabs* m_tabs = nullptr;
    InspectorDrawer* m_drawer = nullptr;
};

}  // namespace warpglass::app
