// The marks of the shown run: moments with a note each, in order of time. Views read and change them; who
// keeps the run keeps what was edited.
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/io/run_marks.h"
#include "ui/models/step_clock.h"

namespace warpglass::ui {

class MarkList : public QObject {
    Q_OBJECT
public:
    explicit MarkList(QObject* parent = nullptr) : QObject(parent) {}

    const std::vector<RunMark>& marks() const { return m_marks; }
    /// Another run's: changed(), also where the marks are the same ones, and not edited().
    void setMarks(std::vector<RunMark> marks);
    /// Before another run is shown: a note that is being written is kept now, or it would be that run's.
    void finishEditing() { emit editingToFinish(); }

    /// Adds a mark and returns its index. If there is a mark at exactly that moment, it gets the new text.
    std::size_t add(Nanoseconds time, const QString& text);
    void setText(std::size_t index, const QString& text);
    void remove(std::size_t index);
    /// What was removed last, until another mark is edited or another run's are set; null for none.
    const RunMark* removed() const { return m_hasRemoved ? &m_removed : nullptr; }
    /// Puts that back as it was, where there is any.
    void restore();

    /// What it marks, as its note tells (mark_range.h); of a moment the empty range there.
    warpglass::TimeRange rangeOf(std::size_t index) const { return {m_marks[index].time, m_ends[index]}; }
    /// The note with the words first, as on its flag (noteWordsFirst()).
    const QString& flagNoteOf(std::size_t index) const { return m_flagNotes[index]; }
    /// The marks that lie in the range or overlap it, its end included, in order.
    std::vector<std::size_t> within(warpglass::TimeRange range) const;
    /// A line each, note and moment by the clock; of many, not all.
    QString wordsOf(const std::vector<std::size_t>& marks, const StepClock& clock = {}) const;
    /// At exactly that moment.
    std::optional<std::size_t> at(Nanoseconds time) const;
    /// The first after, the last before; round to the other end past the last. Nothing without marks.
    std::optional<std::size_t> next(Nanoseconds time) const;
    std::optional<std::size_t> previous(Nanoseconds time) const;

signals:
    void changed();
    /// Edited by the user, so to be saved.
    void edited();
    /// The user added a mark; emitted after edited().
    void added(std::size_t index);
    void removedChanged();
    /// Whoever has an editor open keeps what is in it, and closes it.
    void editingToFinish();

private:
    /// After those of the same moment.
    std::size_t insert(RunMark mark);
    void edit();
    void forgetRemoved();
    void readNotes();

    std::vector<RunMark> m_marks;
    // Derived from each note: the end of what it marks, and the text on its flag, which is painted often.
    std::vector<Nanoseconds> m_ends;
    std::vector<QString> m_flagNotes;
    RunMark m_removed;
    bool m_hasRemoved = false;
};

}  // namespace warpglass::ui
