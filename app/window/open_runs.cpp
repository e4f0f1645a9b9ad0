#include "app/window/open_runs.h"

#include <algorithm>
#include <utility>

#include "app/window/run_names.h"
#include "app/window/run_titles.h"
#include "app/window/run_words.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/runner/runner_api.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

void OpenedRunEntry::warnOutOfMemory() {
    if (!memory) {
        memory = std::make_shared<MemoryTimeline>();
        memory->update(snapshot);
    }
    const std::optional<OutOfMemory> failure = outOfMemory(*memory);
    if (const std::string alive = failure ? aliveSentence(*failure) : std::string(); !alive.empty())
        warnings << ui::toQString(alive);
}

int OpenRuns::indexOf(const std::shared_ptr<const Snapshot>& snapshot) const {
    const auto run = std::ranges::find(m_runs, snapshot, &OpenedRunEntry::snapshot);
    return !snapshot || run == m_runs.end() ? -1 : static_cast<int>(run - m_runs.begin());
}

int OpenRuns::indexOf(std::uint64_t id) const {
    const auto run = std::ranges::find(m_runs, id, &OpenedRunEntry::id);
    return run == m_runs.end() ? -1 : static_cast<int>(run - m_runs.begin());
}

int OpenRuns::ofFile(const QString& path) const {
    for (std::size_t i = m_runs.size(); i > 0; --i) {
        if (m_runs[i - 1].snapshot && leadToOneFile(m_runs[i - 1].path, path))
            return static_cast<int>(i - 1);
    }
    return -1;
}

bool OpenRuns::isUnsaved(int index) const {
    return at(index).snapshot && (at(index).path.isEmpty() || at(index).marksInWindowOnly);
}

std::vector<int> OpenRuns::unsaved() const {
    std::vector<int> unsaved;
    for (int i = 0; has(i); ++i) {
        if (isUnsaved(i))
            unsaved.push_back(i);
    }
    return unsaved;
}

int OpenRuns::add(OpenedRunEntry entry) {
    entry.id = ++m_lastId;
    m_runs.push_back(std::move(entry));
    giveTitles();
    return static_cast<int>(m_runs.size()) - 1;
}

void OpenRuns::remove(int index) {
    m_runs.erase(m_runs.begin() + index);
    for (int* kept : {&m_shown, &m_recorded})
        *kept = *kept == index ? -1 : *kept - (*kept > index ? 1 : 0);
    giveTitles();
}

void OpenRuns::rename(int index, const QString& name) {
    OpenedRunEntry& renamed = at(index);
    renamed.name = name.trimmed();
    for (OpenedRunEntry& run : m_runs) {
        if (leadToOneFile(run.path, renamed.path))
            run.name = renamed.name;
    }
    if (!renamed.path.isEmpty())
        RunNames::set(renamed.path, renamed.name);
    giveTitles();
}

void OpenRuns::giveTitles() {
    std::vector<TitledRun> titled;
    for (const OpenedRunEntry& run : m_runs)
        titled.push_back({!run.name.isEmpty() ? run.name : titleOf(run.config, run.path), run.config,
                          run.started, run.path});
    const QStringList titles = titlesSideBySide(titled);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        m_runs[i].title = titles[static_cast<qsizetype>(i)];
}

OpenedRunEntry OpenRuns::entryOf(const QString& path, const OpenedRun& opened,
                                 std::shared_ptr<MemoryTimeline> memory, const QString& markedCopy) const {
    OpenedRunEntry entry;
    entry.markedCopy = markedCopy;
    const TitledRun titled = titledRun({}, opened.snapshot->info(), path);
    entry.name = RunNames::of(path);
    entry.config = titled.config;
    entry.started = titled.started;
    entry.path = path;
    entry.snapshot = opened.snapshot;
    entry.memory = std::move(memory);
    entry.marks = opened.marks;
    for (const OpenedRunEntry& other : m_runs) {
        if (!leadToOneFile(other.path, path))
            continue;
        entry.marks = other.marks;
        entry.marksInWindowOnly = other.marksInWindowOnly;
    }
    for (const std::string& warning : opened.warnings)
        entry.warnings << ui::toQString(warning);
    entry.incomplete = opened.isIncomplete;
    // How it ended is told as it was when it was recorded.
    const RunInfo& info = opened.snapshot->info();
    if (info.get("state") == run_state::kFailed && !info.get("state.message").empty())
        entry.warnings << sentence(info.get("state.message"));
    entry.warnOutOfMemory();
    return entry;
}

}  // namespace warpglass::app
