// Statistics of ops, kernels or copies by name within each module, within each phase, or all together: what a
// table shows flat or as a tree with sums; with what launched them and what is known of their work.
//
// Pure functions; any thread. Linear in the spans that the filter's ranges reach, twice; meanwhile 4 bytes of
// memory for each of these. Of what is grouped, once more for each level of the tree; of ops, a look
// at those around each.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/query/statistics/statistics.h"

namespace warpglass {

enum class SpanGrouping : std::uint8_t { kFlat, kModule, kPhase };

struct GroupedRow {
    /// Name, shares of all that the filter takes, family. The median of a sum over several names is not
    /// theirs to add up: a group's is that of groupMedians, NaN where it is not among these.
    StatisticsRow figures;
    /// kModule: the dotted path, with "/part" in a named piece of work; "" outside the model. kPhase: the
    /// phase's word. kFlat: "".
    std::string group;
    /// Kernels and copies: the op that launched most of their time, and how many ops launched some; "" where
    /// none was running. A sum over several names has none.
    std::string launchedBy;
    int launchers = 0;
    /// Nothing where it is not known (span_work.h says when it is): never a guess. A group's are those of its
    /// matrix products, of copies all that they copied.
    std::optional<Flops> flops;
    std::optional<Bytes> bytes;
    /// FLOPs over time of the device's measured peak rate in the run's precision (else its data sheet's); of
    /// copies within the device and to and from it, bytes over time of the measured rate. Kernels and copies
    /// only, and CPU ops on the CPU.
    std::optional<double> shareOfPeak;
};

struct GroupedStatistics {
    /// By name within its group, most self time first.
    std::vector<GroupedRow> rows;
    /// Work of whole groups by their name, where it is known: what several kernels of one place did together
    /// is known where no single one's is. With every group that has none. Of the spans that the text finds.
    struct Work {
        std::string group;
        std::optional<Flops> flops;
        std::optional<Bytes> bytes;
    };
    std::vector<Work> groups;
    /// Of ops that are grouped: how long each group of the tree took, by its path. An op within another of
    /// the group is part of the other's time. Kernels and copies of a stream follow each other.
    std::unordered_map<std::string, Nanoseconds> groupTimes;
    /// Of kinds that are grouped: the median of each group of the tree, by its path; ns.
    std::unordered_map<std::string, double> groupMedians;
    /// What shares of time are of, whatever the text finds (StatisticsRow::timeShare).
    Nanoseconds totalOfFilter;
    /// What shares of peak are of, for sums over groups; 0 where it is not known.
    double peakFlopsPerSecond = 0;
    /// All that the filter takes, whatever the text finds of it.
    std::int64_t spansOfFilter = 0;
};

/// `kind`: kCpuThread (ops), kGpuStream (kernels), kGpuCopies. `text`: only spans that it finds
/// (text_match.h), "" for any; shares stay shares of all that the filter takes.
GroupedStatistics groupedStatistics(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind,
                                    SpanGrouping grouping, std::string_view text = {});

/// A module's path makes this many levels of a tree at most, of its first so many bytes; what is left is one
/// last component. A run file may state a name of any number of dots, and trees are walked by recursion.
inline constexpr std::size_t kMostPathLevels = 64, kMostPathBytes = 4096;
/// Whether the component that begins at this byte, on this level (from 0), is the last one.
constexpr bool isLastPathLevel(std::size_t level, std::size_t begin) {
    return level + 1 >= kMostPathLevels || begin >= kMostPathBytes;
}

/// Where the component of `path` that begins at `begin` ends.
inline std::size_t endOfPathLevel(std::string_view path, std::size_t level, std::size_t begin) {
    return isLastPathLevel(level, begin) ? path.size()
                                         : std::min(path.find_first_of("./", begin), path.size());
}

/// A row of the table as a tree: a group with what is in it, or a name.
struct StatisticsNode {
    GroupedRow row;  // of a group, figures.name is the last part of its path
    bool isGroup = false;
    std::vector<StatisticsNode> children;
};
/// Flat: the rows. By module: "blocks" holds "blocks.3" holds its names and "blocks.3.attn"; a group's
/// figures are of all within it, its total that of groupTimes where these are known, its median that of
/// groupMedians. By phase: in the order of a step.
std::vector<StatisticsNode> statisticsTree(const GroupedStatistics& statistics, SpanGrouping grouping);

}  // namespace warpglass
