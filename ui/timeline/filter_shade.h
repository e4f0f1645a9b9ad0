// What the run's filter excludes from the timeline, determined only for what is drawn: time before and after
// what counts, and spans of other phases, modules and names. Both are drawn in muted colors. A text is
// searched for in the names of ops and kernels and in the path of their module
// (engine/query/spans/text_match.h).
//
// A merged block of ops, calls, kernels or copies is muted where none of its spans counts (engine/query/
// passing_rows.h); while that is being found out, and on other rows, it goes by its longest span, as its name
// and color do, and kernels by no name. A strip is muted in the columns in which none of its spans counts,
// and stands as it is meanwhile. Steps, waits and the profiler's rows are of no module and stand as
// they are, and so does a module around the one that counts. If a single module was picked, GPU kernels count
// by their place, within the time of its phase there.
//
// GUI thread only. As of the snapshot it was made of.
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/spans/filter_extent.h"
#include "engine/query/spans/passing_rows.h"
#include "engine/trace/snapshot.h"
#include "ui/controls/kept_x.h"
#include "ui/timeline/geometry_builder.h"
#include "ui/timeline/timeline_rows.h"

namespace warpglass::ui {

class RunFilter;

class FilterShade {
public:
    /// Leaves nothing out.
    FilterShade() = default;
    FilterShade(const RunFilter& filter, std::shared_ptr<const Snapshot> snapshot);

    /// The time that rows of that kind keep; nothing for all of it.
    const std::optional<TimeRange>& rangeOf(TrackKind kind) const;
    /// The same in columns of the map.
    KeptX kept(TrackKind kind, const ColumnMap& map) const;
    /// Whether it is left out because of its place or name.
    bool fades(const TimelineRow& row, const TimelineRect& rect) {
        return m_conditions.any() && judge(row, rect);
    }
    /// Whether it is left out because of its place, name or time.
    bool leavesOut(const TimelineRow& row, const TimelineRect& rect);
    /// What is asked of rows.
    const RowConditions& conditions() const { return m_conditions; }
    /// The answers to it, when they are there.
    void setPassing(std::shared_ptr<const PassingRows> passing) { m_passing = std::move(passing); }
    /// How many of a merged block's spans count, by place and name; nothing where that is not known.
    std::optional<std::uint64_t> passing(const TimelineRow& row, const TimelineRect& rect) const;
    /// The columns of the map in which some span of a strip's lanes counts by place and name; all while that
    /// is not known.
    std::vector<bool> countingColumns(const TimelineRow& strip, const ColumnMap& map) const;
    /// Whether a merged block may hold other spans than its longest would have one think: some that count, or
    /// some that do not.
    bool isUnsure(const TimelineRow& row, const TimelineRect& rect) const;
    /// RunFilter::allWords().
    const QString& words() const { return m_words; }
    /// Draws alike.
    bool isLike(const FilterShade& other) const {
        return m_extent == other.m_extent && m_conditions == other.m_conditions &&
               m_passing == other.m_passing;
    }

private:
    enum class Verdict : std::uint8_t { kUnknown, kCounts, kLeftOut };

    bool judge(const TimelineRow& row, const TimelineRect& rect);
    bool placeFails(PlaceId place);
    bool pickedFails(PlaceId place) const;
    bool moduleRowFails(PlaceId place) const;
    bool nameFails(const TimelineRow& row, const TimelineRect& rect);
    bool isNamed(NameId name) const;
    bool hasText(NameId name);
    bool hasText(PlaceId place);

    std::shared_ptr<const Snapshot> m_snapshot;
    FilterExtent m_extent;
    RowConditions m_conditions;  // gpuModule, gpuPart: of a picked module
    std::shared_ptr<const PassingRows> m_passing;
    QString m_words;
    std::vector<std::uint8_t> m_names;  // by NameId: of the condition
    std::vector<Verdict> m_places;      // by id, as they are needed, and likewise for the text:
    std::vector<Verdict> m_texts, m_textPlaces;
};

}  // namespace warpglass::ui
