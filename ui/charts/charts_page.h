// The charts of a run on one page, one at a time: flame charts, roofline, attention's parts, phases with
// every step, layers side by side.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QStackedWidget;

namespace warpglass::ui {

class ChartView;
class RunDocument;
class RunFilter;
class SegmentedControl;
class TimeAxis;

class ChartsPage : public QWidget {
    Q_OBJECT
public:
    ChartsPage(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    /// A view, what menus call it, and what it answers, with how it is read: the tool tip of its place in the
    /// page's control. The two flame charts share one place.
    struct Entry {
        QString name, title, question;
    };
    /// "flame", "flame-memory", "roofline", "attention", "phase-dots", "layers", "kernel-clocks": their
    /// object names.
    static QList<Entry> views();
    /// Null for a name that is none of these. Also one that a figure has taken out of the page.
    QWidget* view(const QString& name) const;
    QWidget* current() const;
    /// The filter's controls, over every view, and what does not fit beside them.
    void setFilterBar(QWidget* bar, QWidget* line);
    /// Brings a view to the front; nothing for one that is not the page's.
    void showView(QWidget* view);

signals:
    /// What a view has selected on the time axis is wanted to be seen.
    void timelineRequested();
    /// Another view is in front.
    void viewChanged(const warpglass::ui::ChartView& view);

private:
    void showPlace(int place);

    QHBoxLayout* m_bar;
    SegmentedControl* m_places;
    QStackedWidget* m_stack;
    QList<ChartView*> m_views;  // in the order of views()
    bool m_flameOfMemory = false;
};

}  // namespace warpglass::ui
