// Finding spans by name. The caller's matcher (a text, a regular expression) is asked once per name; rows are
// then looked up by the bits of their names, 10 M in some tens of milliseconds.
//
// A kernel matches by its short name or by its whole signature. In a search within a filter, only spans that
// pass the filter match. Damaged chunks are passed over. Pure functions; any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/spans/spans_within.h"
#include "engine/query/statistics/duration_distribution.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class SearchKind : std::uint8_t {
    kKernels,  // and copies and fills
    kOps,
    kModules,  // steps, phases, modules and their parts
    kCalls     // into CUDA, and waits for it
};
inline constexpr std::size_t kSearchKindCount = 4;

/// What a search found, of one name on one kind of track.
struct SearchName {
    TrackKind kind = TrackKind::kStep;
    NameId name{};
    auto operator<=>(const SearchName&) const = default;
};

struct SpanSearch {
    std::array<bool, kSearchKindCount> kinds = {true, true, true, true};
    /// By NameId: not 0 for one that matches. Shorter than the snapshot's names: the rest do not.
    std::vector<std::uint8_t> names;
    /// By DetailId, likewise: a kernel's whole signature matches.
    std::vector<std::uint8_t> details;

    /// Null for everywhere.
    std::shared_ptr<const SpansWithin> within;
    /// If set, what has this name is all that matches.
    std::optional<SearchName> only;

    /// By name.
    bool isNamed(const SpanChunk& chunk, std::uint32_t i) const {
        if (only && chunk.name[i] != only->name.value)
            return false;
        return (chunk.name[i] < names.size() && names[chunk.name[i]] != 0) ||
               (chunk.detail[i] < details.size() && details[chunk.detail[i]] != 0);
    }
    bool matches(TrackKind kind, const SpanChunk& chunk, std::uint32_t i) const {
        return isNamed(chunk, i) && (!within || within->holds(kind, chunk, i));
    }
    bool matchesNothing() const;
};

/// Asks `matches` for every name of the snapshot (and, of kernels, every signature) once. Stops when
/// `goOn` says false: the rest do not match.
SpanSearch searchOf(const Snapshot& snapshot, std::array<bool, kSearchKindCount> kinds,
                    const std::function<bool(std::string_view)>& matches,
                    const std::function<bool()>& goOn = {});

struct SearchMatch {
    SpanPosition at;
    TrackKind kind = TrackKind::kStep;
    std::int64_t start = 0, duration = 0;
    NameId name{};
    PlaceId place{};
    std::int32_t step = kNoStep;
    DetailId detail{};
};
/// The order of matches in time: by start, then by lane and row.
bool comesBefore(const SearchMatch& a, const SearchMatch& b);

/// The matches of one name together.
struct SearchGroup {
    SearchName of;
    std::int64_t count = 0;
    /// The time of all of them: one within another of the same name counts twice.
    Nanoseconds total;
    Nanoseconds min{}, max{};
    /// Their share of what all spans of the track's kind take that the search looks at (kernels, copies), or
    /// of what the steps take (ops, modules, calls); nothing where there are none.
    std::optional<double> share;
    /// Those in which most of their time is.
    PlaceId place{};
    DetailId detail{};
    /// For kernels, which share a template's name: how many others than that one's work (kernelTitle()) they
    /// do.
    int otherWorks = 0;
    /// Where most of their time is, all blocks taken together ("blocks.*.ffn.w1"), and how many others there
    /// are; "" outside the model.
    std::string module;
    int otherModules = 0;
};

struct SearchResult {
    std::int64_t count = 0;
    /// Matches by name everywhere: `count` without the filter.
    std::int64_t everywhere = 0;
    /// Total of the outermost matches: a match within another one (a module in a module, an op in an op, a
    /// module in a phase or a step) is part of that match's time. `nested`: how many there are.
    Nanoseconds total;
    std::int64_t nested = 0;
    /// The part of the total that GPU kernels, copies and fills took; the rest is the CPU's, in which it
    /// launched them.
    Nanoseconds onGpu;
    /// Matches in complete measured steps, as tables count them.
    struct Measured {
        std::int64_t count = 0;
        Nanoseconds total, onGpu;
    } measured;
    /// By name, the ones that take most of their kind of track first; kernels and copies before the rest.
    /// None in a search for one name only.
    std::vector<SearchGroup> groups;
    /// In order of time; where there are more than kMost, the longest.
    std::vector<SearchMatch> matches;
    /// The durations of every match; its total, and the GPU's part of it, are those above.
    DurationDistribution durations;
    /// False: canceled, or stopped at the first page.
    bool complete = true;

    static constexpr std::size_t kMost = 10'000;
};
/// `canceled` may be set by another thread: the search then ends soon, with complete = false.
SearchResult searchSpans(const Snapshot& snapshot, const SpanSearch& search,
                         const std::atomic<bool>* canceled = nullptr);
/// The first matches of each lane, at most `most` in all, at a cost that ends with them or with `rows` looked
/// at: something to show while searchSpans() runs. count and durations are of these.
SearchResult firstMatches(const Snapshot& snapshot, const SpanSearch& search, std::size_t most,
                          std::uint64_t rows);

/// The match after (or before) a moment in time, or after (before) a match; round the run's end when there is
/// none. Nothing when nothing matches.
std::optional<SearchMatch> nextMatch(const Snapshot& snapshot, const SpanSearch& search,
                                     const std::optional<SearchMatch>& from, bool forward);
/// A match of the search as such, for a span picked elsewhere; nothing when it is none, or not readable.
std::optional<SearchMatch> matchAt(const Snapshot& snapshot, const SpanSearch& search, SpanPosition at);

/// Which of `columns` equal parts of a range hold a match (begin or are covered by one).
std::vector<bool> matchColumns(const Snapshot& snapshot, const SpanSearch& search, TimeRange range,
                               std::size_t columns);

}  // namespace warpglass
