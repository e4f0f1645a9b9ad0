// The runs that are open in the window, in order of opening, with the titles that tell them apart; which of
// them is shown, and which is being recorded.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/io/run_marks.h"
#include "engine/plan/run_config.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass::app {

/// A run in the window: recorded here or opened from a file.
struct OpenedRunEntry {
    std::uint64_t id = 0;             // of this opening, as long as the program runs
    QString title;                    // no other run has it: titlesSideBySide()
    QString name;                     // that the user has given it; empty for none
    QString path;                     // empty while it is in memory only
    std::optional<RunConfig> config;  // nothing for a file that states none
    QDateTime started;                // invalid where the file does not say
    /// Warnings about the recording or the opened file.
    QStringList warnings;
    /// Whether some of the warnings say that part of the run is missing.
    bool incomplete = false;
    /// Why it is in memory only; empty once it is saved.
    QString fileProblem;
    std::shared_ptr<const Snapshot> snapshot;  // null for the run being recorded, until it ends
    std::shared_ptr<MemoryTimeline> memory;    // of the snapshot; null until it has been folded
    std::vector<RunMark> marks;
    /// For a sample: a copy of it that has marks, while the copy is not shown itself.
    QString markedCopy;
    /// The user has been told that they cannot be kept in the file.
    bool marksInWindowOnly = false;

    QStringList allWarnings() const {
        return fileProblem.isEmpty() ? warnings : warnings + QStringList{fileProblem};
    }
    /// What had filled the memory of a run that ran out of it is a warning, too. Folds its memory if need be.
    void warnOutOfMemory();
};

class OpenRuns {
public:
    std::size_t size() const { return m_runs.size(); }
    bool empty() const { return m_runs.empty(); }
    auto begin() const { return m_runs.begin(); }
    auto end() const { return m_runs.end(); }
    auto begin() { return m_runs.begin(); }
    auto end() { return m_runs.end(); }
    const OpenedRunEntry& operator[](std::size_t index) const { return m_runs[index]; }
    OpenedRunEntry& at(int index) { return m_runs[static_cast<std::size_t>(index)]; }
    const OpenedRunEntry& at(int index) const { return m_runs[static_cast<std::size_t>(index)]; }
    bool has(int index) const { return index >= 0 && static_cast<std::size_t>(index) < m_runs.size(); }

    /// −1 for a run that is not open any more, and for null.
    int indexOf(const std::shared_ptr<const Snapshot>& snapshot) const;
    int indexOf(std::uint64_t id) const;
    /// The run of that file, the last of several, which is not the one being recorded; −1 where none is.
    int ofFile(const QString& path) const;
    /// Recorded, but in no file, or with marks that its file could not take.
    bool isUnsaved(int index) const;
    /// Indices, in order.
    std::vector<int> unsaved() const;

    /// The run that the window shows, −1 while none is.
    int shown() const { return m_shown; }
    void setShown(int index) { m_shown = index; }
    /// −1 when none is being recorded.
    int recorded() const { return m_recorded; }
    void setRecorded(int index) { m_recorded = index; }

    /// At the end; its index.
    int add(OpenedRunEntry entry);
    /// No run is shown where it was the one.
    void remove(int index);
    /// The user's name for it, and for whatever else is open of its file; empty for its own title.
    void rename(int index, const QString& name);
    /// Gives each run a title that tells it apart from the others: after a path is another one.
    void giveTitles();

    /// The entry of a file that has been read, with the marks of the same file where that is open already:
    /// they may not have reached it.
    OpenedRunEntry entryOf(const QString& path, const OpenedRun& opened,
                           std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy) const;

private:
    std::vector<OpenedRunEntry> m_runs;
    std::uint64_t m_lastId = 0;
    int m_shown = -1, m_recorded = -1;
};

}  // namespace warpglass::app
