// Every view of one run, laid out: timeline over memory over the tables, the inspector at the right. The
// window shows it, and --render draws it or any one view of it.
#pragma once

#include <QStringList>
#include <QWidget>

class QSplitter;
class QTabWidget;

namespace warpglass::ui {
class RunDocument;
class TimeAxis;
class TimelineView;
}  // namespace warpglass::ui

namespace warpglass::app {

class Workspace : public QWidget {
    Q_OBJECT
public:
    Workspace(ui::RunDocument& document, ui::TimeAxis& axis, QWidget* parent = nullptr);

    /// The words that --render takes: timeline, memory, ops, phases, breakdown, allocations, inspector.
    static QStringList viewNames();
    /// Null for a name that is not one of viewNames().
    QWidget* view(const QString& name) const;
    /// Brings a view's tab to the front.
    void showView(QWidget* view);

    ui::TimelineView* timeline() const { return m_timeline; }
    QSplitter* outerSplitter() const { return m_outer; }
    QSplitter* innerSplitter() const { return m_inner; }
    QTabWidget* tabs() const { return m_tabs; }

private:
    ui::TimelineView* m_timeline = nullptr;
    QSplitter* m_outer = nullptr;  // centre | inspector
    QSplitter* m_inner = nullptr;  // timeline / memory / tables
    QTabWidget* m_tabs = nullptr;
};

}  // namespace warpglass::app
