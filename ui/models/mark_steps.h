// Working with marks in one view: going from one to the next, adding one at the cursor, editing the note of
// the current one and deleting it. The same keys in every view that shows marks: M, N, Shift+N, E or F2, Del.
//
// Where the note is written is the view's to decide: editRequested() asks for it, keep() takes what came of
// it. GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "ui/models/mark_list.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class MarkSteps : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    MarkSteps(const RunDocument& document, TimeAxis& axis, QObject* parent = nullptr);

    /// Those of the shown run; they outlive it. Without them nothing happens.
    void setMarks(MarkList* marks) { m_marks = marks; }
    MarkList* marks() const { return m_marks; }
    /// The mark at the fixed cursor.
    std::optional<std::size_t> current() const;
    /// The selected range, unless a span has been selected after it: that is what is meant then.
    std::optional<TimeRange> latestRange() const;
    /// What is written of the mark at that moment, in time: of one that there is, the words of its note.
    void keep(Nanoseconds time, QString text);
    /// Whether the key was one of marks'.
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);

public slots:
    /// At the cursor, or where latestRange() begins.
    void add();
    void addAt(warpglass::Nanoseconds time, const QString& note = {});
    void editCurrent();
    void removeCurrent();
    void next();
    void previous();
    /// Fixes the cursor where it is or begins, and brings all that it marks into view.
    void goTo(std::size_t index);

signals:
    /// A note is to be edited, with its initial text; `exists`: it belongs to an existing mark, and only its
    /// words are edited.
    void editRequested(warpglass::Nanoseconds time, const QString& note, bool exists);

private:
    void show(Nanoseconds time);

    const RunDocument& m_document;
    TimeAxis& m_axis;
    MarkList* m_marks = nullptr;
    std::optional<TimeRange> m_seenRange;
    std::optional<SpanRef> m_seenSpan;
    std::optional<SelectedIdle> m_seenIdle;
    bool m_rangeIsLatest = true;
};

}  // namespace warpglass::ui
