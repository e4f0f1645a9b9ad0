// The rectangles of every row of the timeline, kept between frames.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/timeline/column_stacks.h"
#include "ui/timeline/geometry_builder.h"
#include "ui/timeline/timeline_rows.h"

namespace warpglass::ui {

/// Rows are built when first asked for and kept while nothing that they depend on changes: hover, selection
/// and scrolling build nothing, and while a run grows only the rows that did are built again. GUI thread
/// only; build() spreads many large lanes over a few threads and waits.
class TimelineGeometry {
public:
    /// Another run altogether.
    void clear();
    /// Precondition: `rows` was made from this snapshot or an earlier one of the same run.
    /// `width`: pixel columns; `scale`: of them to a logical pixel, the column of stacks.
    void update(std::shared_ptr<const Snapshot> snapshot, const std::vector<TimelineRow>& rows,
                TimeRange visible, int width, double scale = 1);
    /// What is known of the GPUs of this run so far: what their kernels are, and when each was busy, in the
    /// order of gpusOf(). Before it is known the rows of Busy are empty.
    struct GpuTimes {
        ColorTimes kernels;
        std::vector<std::shared_ptr<const GpuBusy>> busy;
        bool lacksWork = false;  // of the GPUs', which the file has lost
    };
    void setGpuTimes(std::shared_ptr<const GpuTimes> times);
    /// The same of ops, calls, modules and phases.
    void setHostTimes(std::shared_ptr<const ColorTimes> times);
    /// Null for another row than a Busy lane, and while it is not known.
    const GpuBusy* busyOf(const TimelineRow& row) const;

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    const ColumnMap& map() const { return m_map; }
    /// Builds what is missing of rows [first, last).
    void build(std::size_t first, std::size_t last);
    const std::vector<TimelineRect>& rects(std::size_t row);
    const std::vector<ColumnStack>& stacks(std::size_t row);
    /// Columns of stacks: logical pixels.
    const ColumnMap& logicalMap() const { return m_logical; }
    /// Rises whenever a row is built: what was drawn from an earlier value may be out of date.
    std::uint64_t builds() const { return m_builds; }

    /// The rectangle at a pixel column of a row (the later one if two share it), or else the nearest one
    /// within `reach` columns; null if there is none. Valid until the next update().
    const TimelineRect* rectAt(std::size_t row, int column, int reach);

private:
    /// More threads would wait for memory, not compute.
    static constexpr std::size_t kWorkers = 4;

    struct RowCache {
        std::vector<TimelineRect> rects;
        std::vector<ColumnStack> stacks;
        std::uint64_t spans = 0;
        bool built = false;
        /// buildLane's answer: appended rows don't matter.
        bool sealed = false;
        bool hadOpenSpans = false;
    };

    void buildRow(std::size_t row, GeometryBuilder& builder);
    /// In how many rows of the trace what a row shows lies, and whether an open span is among it.
    std::uint64_t spansOf(const TimelineRow& row) const;
    bool hasOpenSpan(const TimelineRow& row) const;
    const ColorTimes* timesOf(TrackKind kind) const;
    /// Marks rows as to be built again.
    template <class Which>
    void buildAgain(const Which& which);

    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<TimelineRow> m_rows;
    std::vector<RowCache> m_caches;  // by row
    ColumnMap m_map, m_logical;
    double m_scale = 1;
    std::shared_ptr<const GpuTimes> m_gpuTimes;
    std::shared_ptr<const ColorTimes> m_hostTimes;
    std::array<GeometryBuilder, kWorkers> m_builders;  // one a thread
    std::uint64_t m_builds = 0;
};

}  // namespace warpglass::ui
