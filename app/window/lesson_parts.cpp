#include "app/window/lesson_parts.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "app/window/fitted_panes.h"
#include "app/window/workspace.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

/// The first words of kLessonParts are the timeline's.
constexpr std::size_t kTimelineWords = 6;
/// The panes of the timeline's page, from the top: that of the timeline, then these.
constexpr std::array<std::string_view, 2> kOtherPanes = {"memory", "table"};

bool names(const std::vector<LessonWord>& words, std::string_view part) {
    return std::any_of(words.begin(), words.end(), [part](const LessonWord& w) { return w.text == part; });
}

/// The word for a track by what the arrangement of rows knows it by: its kind, and after a colon its name. A
/// GPU's Busy lane has a kind of its own there.
std::string_view wordOf(std::string_view key) {
    const std::string_view kind = key.substr(0, key.find(':'));
    if (kind == "step")
        return "steps";
    if (kind == "phase")
        return "phases";
    if (kind == "module")
        return "modules";
    // The host's waits for the GPU are what the host does.
    return kind.starts_with("gpu-") && kind != "gpu-sync" ? "gpu" : "host";
}

}  // namespace

LessonParts::LessonParts(Workspace& workspace, QObject* parent) : QObject(parent), m_workspace(workspace) {}

void LessonParts::show(const std::vector<LessonWord>& words, const QWidget& view) {
    restore();
    if (words.empty())
        return;
    m_folds = true;
    FittedPanes& panes = m_workspace.timelinePanes();
    m_sizes = panes.choice();
    const bool timeline = std::any_of(kLessonParts.begin(), kLessonParts.begin() + kTimelineWords,
                                      [&words](std::string_view part) { return names(words, part); });
    for (int i = 0; i < panes.count(); ++i) {
        QWidget& pane = *panes.widget(i);
        const bool named = i == 0 ? timeline : names(words, kOtherPanes[static_cast<std::size_t>(i - 1)]);
        pane.setVisible(named || &pane == &view || pane.isAncestorOf(&view));
    }
    if (timeline && !names(words, "timeline"))
        leaveOutRows(words);
}

void LessonParts::leaveOutRows(const std::vector<LessonWord>& words) {
    ui::TimelineView& timeline = *m_workspace.timeline();
    std::set<std::string> others;
    for (const std::string& key : timeline.rows().keys()) {
        if (!names(words, wordOf(key)))
            others.insert(key);
    }
    ui::RowArrangement rows = timeline.arrangement();
    rows.setLeftOut(std::move(others));
    timeline.setArrangement(rows);
}

void LessonParts::restore() {
    if (!std::exchange(m_folds, false))
        return;
    ui::TimelineView& timeline = *m_workspace.timeline();
    ui::RowArrangement rows = timeline.arrangement();
    rows.setLeftOut({});
    timeline.setArrangement(rows);
    FittedPanes& panes = m_workspace.timelinePanes();
    for (int i = 0; i < panes.count(); ++i)
        panes.widget(i)->show();
    panes.applyChoice(m_sizes);
}

}  // namespace warpglass::app
