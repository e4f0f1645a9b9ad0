// Statistics of ops, kernels or copies by name, within each module, within each phase, or overall: the rows
// of a flat table or of a tree with sums, with what launched them and what is known of their work.
//
// Pure functions; any thread. Each span that the filter's ranges reach is read twice, and takes 4 bytes of
// memory meanwhile. Grouping adds one pass for each level of the tree and, for ops, a look at the enclosing
// ops.
#pragma once

#include <algorithm>
#include <cstddef>
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
    /// Ops of a run that was recorded with them: the types and shapes that took most of their time, in which
    /// a call within another one of its row has no part, and how many there are; "" where none are known. A
    /// sum over several names has none.
    std::string types;
    int distinctTypes = 0;
    /// Kernels: what they do (KernelWorks::titleOf()), and the signature of most of their time; "" for the
    /// rest. A sum over several names has none.
    std::string title, signature;
    /// Nothing if unknown (span_work.h says when it is known): never a guess. A row of the library's casts
    /// and elementwise kernels (library_work.h) has figures if at most a hundredth of its time is of unknown
    /// work. A group's are those of its GEMMs, of kernels of ours (own_kernel_work.h) and of as many of the
    /// library's as are known; for copies, everything that they copied.
    std::optional<Flops> flops;
    std::optional<Bytes> bytes;
    /// FLOPs over time of the device's measured peak rate in the run's precision (else its data sheet's), of
    /// a group those of its GEMMs; of what memory bounds (GEMMs of few operations a byte, kernels of ours,
    /// the library's casts and elementwise kernels, its update of all parameters) and of copies, bytes over
    /// time of the measured rate. Kernels and copies only, and CPU ops on the CPU.
    std::optional<double> shareOfPeak;
    /// That rate a second, and what it is of: "compute", "memory" or "copies"; 0 and "" for groups.
    double roof = 0;
    std::string_view roofOf = {};
    /// RunCeilings::origin(), and "reached" where a row of the table was faster than that.
    std::string_view roofFrom = {};
    /// M×N×K of the forward product of the place where most of its GEMMs ran (MatrixProduct::shape), whether
    /// these were in the backward pass, and how many others there are; "" where it is not known.
    std::string shape;
    bool isGradient = false;
    int shapes = 0;
    /// Rows of one name and group differ in these: in the op of an update (SharedRows::kindOf()), and in what
    /// a template's kernels do (KernelWorks).
    std::size_t kind = 0, work = 0;
    /// Where this row is one module's share of a kernel that works for several: which row of those it was
    /// split from (from 1), and the group that it ran in. The row's durations are shares, too.
    int splitOf = 0;
    std::string ranIn;
    /// Kernels of ours: what the library's ops would have moved beyond `bytes`.
    std::optional<Bytes> notMoved;
};

struct GroupedStatistics {
    /// By name within its group, and kernels by what they do, most self time first.
    std::vector<GroupedRow> rows;
    /// Work of whole groups by name, where known: what several kernels of one place did together may be known
    /// when no single kernel's work is. Groups without work are included. Only spans that match the text
    /// count.
    struct Work {
        std::string group;
        std::optional<Flops> flops;
        std::optional<Bytes> bytes;
        /// Those of its GEMMs among them.
        Flops ofProducts{};
        Bytes notMoved{};
    };
    std::vector<Work> groups;
    /// For grouped ops: how long each group of the tree took, by its path. An op within another op of the
    /// group is part of that op's time. Kernels and copies of a stream do not overlap.
    std::unordered_map<std::string, Nanoseconds> groupTimes;
    /// For grouped kinds: the median of each group of the tree, by its path; ns.
    std::unordered_map<std::string, double> groupMedians;
    /// The total that shares of time relate to, independent of the text (StatisticsRow::timeShare).
    Nanoseconds totalOfFilter;
    /// What shares of peak are of, for sums over groups; 0 where it is not known.
    double peakFlopsPerSecond = 0;
    /// All spans that the filter includes, independent of the text.
    std::int64_t spansOfFilter = 0;
    /// Ops only: the run was recorded with types, whatever the filter includes.
    bool hasTypes = false;
    /// Where the rows' roofs are from: "measured 2026-11-23", "NVIDIA H200 data sheet"; "" without any.
    std::string roofs;
    /// How rows were split by module, a sentence for each kind (shared_rows.h).
    std::vector<std::string> splits;
    /// All spans of the rows; a kernel that is split over several counts once.
    std::int64_t instances() const;
};

/// By module, kernels that work for several modules are split over them as everywhere (shared_work.h), unless
/// the filter takes only some modules. `kind`: kCpuThread (ops), kGpuStream (kernels), kGpuCopies. `text`:
/// only spans that it finds (text_match.h), "" for any; shares stay shares of all that the filter takes.
GroupedStatistics groupedStatistics(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind,
                                    SpanGrouping grouping, std::string_view text = {});

/// A module's path makes at most this many levels of a tree, from at most its first kMostPathBytes bytes; the
/// rest is one last component. A run file may contain a name with any number of dots, and trees are walked by
/// recursion.
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

/// A row of the table as a tree: a group with its contents, or a name.
struct StatisticsNode {
    GroupedRow row;  // of a group, figures.name is the last part of its path
    bool isGroup = false;
    std::vector<StatisticsNode> children;
};
/// Flat: the rows. By module: "blocks" holds "blocks.3" holds its names and "blocks.3.attn"; a group's
/// figures are of all within it, its total that of groupTimes where these are known, its median that of
/// groupMedians. In a group, the shares of one kernel are one span. By phase: in the order of a step.
std::vector<StatisticsNode> statisticsTree(const GroupedStatistics& statistics, SpanGrouping grouping);

}  // namespace warpglass
