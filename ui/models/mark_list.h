// The marks of the shown run: moments with a note each, in order of time. Views read and change them; who
// keeps the run keeps what was edited.
//
// GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "engine/io/run_marks.h"

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

    /// Its index. One with a mark at that very moment already is that one, with the new text.
    std::size_t add(Nanoseconds time, const QString& text);
    void setText(std::size_t index, const QString& text);
    void remove(std::size_t index);

    /// Those in the range, its end included: [first, second).
    std::pair<std::size_t, std::size_t> within(warpglass::TimeRange range) const;
    /// A line each, note and moment, of marks [first, first + count); of many, not all.
    QString wordsOf(std::size_t first, std::size_t count) const;
    /// At exactly that moment.
    std::optional<std::size_t> at(Nanoseconds time) const;
    /// The first after, the last before; round to the other end past the last. Nothing without marks.
    std::optional<std::size_t> next(Nanoseconds time) const;
    std::optional<std::size_t> previous(Nanoseconds time) const;

signals:
    void changed();
    /// By a person: to be kept.
    void edited();
    /// Whoever has an editor open keeps what is in it, and closes it.
    void editingToFinish();

private:
    void edit();

    std::vector<RunMark> m_marks;
};

}  // namespace warpglass::ui
