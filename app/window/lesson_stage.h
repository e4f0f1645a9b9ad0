// Opens the place of a lesson's step in the window: its run or the comparison of two, the view, the stretch
// of time, what is counted, and what is pointed at. By the ways that a person has: the open runs, the pages,
// the filter and the time axis; from there everything can be moved and looked at as always.
//
// GUI thread only; runs are opened on the controller's worker, and the place follows when they are there.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "app/window/lesson_pointer.h"
#include "app/window/window_fwd.h"
#include "engine/base/units.h"
#include "engine/lessons/lesson.h"
#include "engine/trace/span_ref.h"

namespace warpglass::app {

class LessonStage : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    LessonStage(SessionController& controller, WindowPages& pages, QObject* parent);

    /// `file`: the lesson's, for sentences.
    void open(const std::string& file, const LessonStep& step);
    /// Points at nothing any more, and what the step has put out of the way is back; else the views stay as
    /// they are.
    void leave();
    LessonPointer& pointer() const { return *m_pointer; }
    /// Until the step's place is there, or it has been said what of it cannot be.
    bool isOpening() const { return m_waits || m_pointer->isLooking(); }

signals:
    /// The run, the view and the stretch of time of the step are there. What is pointed at may follow.
    void opened();
    /// The step's place cannot be shown, or not completely: a sentence.
    void failed(const QString& sentence);
    /// What could not be found a moment ago is there.
    void mended();

private:
    /// All is back, also where one view alone has the window.
    void restoreParts();
    void openRuns();
    void onRunsOpened();
    void showPlace();
    void showRun();
    void showComparison();
    void showStretch(const Snapshot& run);
    void showView();
    void showParts();
    void showPoint(const Snapshot& run);
    /// Only while what the step is of is in front.
    void point(LessonPointer::Find find);
    bool isInFront() const;
    LessonPointer::Place peak() const;
    LessonPointer::Place span() const;
    LessonPointer::Place row();
    LessonPointer::Place onSummary();
    /// Reports a problem in the step that is shown, at `line`.
    void fail(int line, const QString& sentence);
    QWidget* viewWidget() const;

    SessionController& m_controller;
    WindowPages& m_pages;
    LessonPointer* m_pointer;
    LessonParts* m_parts;
    std::string m_file;
    std::optional<LessonStep> m_step;
    std::optional<SpanRef> m_span;  // that is pointed at
    bool m_waits = false;           // for runs to be opened
    bool m_lacksPoint = false;      // it has been said that what is pointed at is not there
    bool m_brought = false;         // what is pointed at has been brought into view
};

}  // namespace warpglass::app
