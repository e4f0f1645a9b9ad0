// Every view of one run, on two pages: the summary; and timeline over memory over the tables, the inspector
// at the right. The window shows it, and --render draws it or any one view of it.
#pragma once

#include <QStringList>
#include <QWidget>

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace warpglass {
struct Evidence;
namespace ui {
class AllocationsTable;
class OpTable;
class RunDocument;
class SummaryPage;
class TimeAxis;
class TimelineView;
}  // namespace ui
}  // namespace warpglass

namespace warpglass::app {

class Workspace : public QWidget {
    Q_OBJECT
public:
    Workspace(ui::RunDocument& document, ui::TimeAxis& axis, QWidget* parent = nullptr);

    /// In the order of the window's control.
    enum class Page { kSummary, kViews };
    Page page() const;
    void setPage(Page page);
    ui::SummaryPage& summary() const { return *m_summary; }
    /// Shows what a finding rests on: zooms, highlights, brings its table to the front and filters it.
    void showEvidence(const Evidence& evidence);

    /// The words that --render takes: summary, timeline, memory, ops, phases, breakdown, allocations,
    /// inspector.
    static QStringList viewNames();
    /// Null for a name that is not one of viewNames().
    QWidget* view(const QString& name) const;
    /// Brings a view's page and tab to the front.
    void showView(QWidget* view);

    ui::TimelineView* timeline() const { return m_timeline; }
    QSplitter* outerSplitter() const { return m_outer; }
    QSplitter* innerSplitter() const { return m_inner; }
    QTabWidget* tabs() const { return m_tabs; }

signals:
    void pageChanged(warpglass::app::Workspace::Page page);

private:
    ui::TimeAxis& m_axis;
    QStackedWidget* m_pages = nullptr;
    ui::SummaryPage* m_summary = nullptr;
    ui::OpTable* m_ops = nullptr;
    ui::AllocationsTable* m_allocations = nullptr;
    ui::TimelineView* m_timeline = nullptr;
    QSplitter* m_outer = nullptr;  // centre | inspector
    QSplitter* m_inner = nullptr;  // timeline / memory / tables
    QTabWidget* m_tabs = nullptr;
};

}  // namespace warpglass::app
