// A GPU's whole time, moment by moment: busy, idle with a cause, or outside the steps, where no cause is
// determined. The timeline's Busy lane shows it.
//
// Within the steps that means are taken over, its sums are those of gpuTimeUse()
// (engine/query/activity/gpu_idle.h) to the nanosecond; the other steps are judged by the same rule, each by
// the work of its like. In a damaged file causes are not known without the calls, and nothing is called idle
// where GPU work is missing.
//
// Immutable; any thread. 24 bytes an idle stretch, and a sum of every 64 of them, so that the time of any
// range by part costs O(log n + 64).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/query/activity/gpu_idle.h"

namespace warpglass {

class GpuBusy {
public:
    /// kGap … kUnknown are IdleCause's, in its order.
    enum class Part : std::uint8_t { kBusy, kGap, kSynchronization, kHostLate, kUnknown, kOutside };
    static constexpr std::size_t kParts = 6;
    using Times = std::array<std::int64_t, kParts>;  // ns, by Part

    struct Stretch {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        /// What ran next; invalid for work, at a step's end and outside the steps.
        NameId next{};
        Part part = Part::kBusy;

        bool operator==(const Stretch&) const = default;
    };

    GpuBusy() = default;
    /// O(n) in the GPU's spans and the calls of each thread. `gpu` as for GpuIdle.
    explicit GpuBusy(const Snapshot& snapshot, std::string_view gpu = {});

    static constexpr Part partOf(IdleCause cause) {
        return static_cast<Part>(1 + static_cast<std::uint8_t>(cause));
    }
    /// Those that are not busy, in order of time, none empty; between them the GPU is busy.
    const std::vector<Stretch>& idle() const { return m_idle; }
    /// Whether any of the run is that.
    bool has(Part part) const { return m_all[static_cast<std::size_t>(part)] > 0; }
    /// Times by part; they add up to the part of [begin, end) that lies in the run.
    Times timesIn(std::int64_t begin, std::int64_t end) const;
    /// The same between each two of `edges`, which do not decrease, in times[0 … edges.size() − 1): O(log n)
    /// for the first, and for each other one O(log m), where m stretches lie between the two.
    void timesBetween(std::span<const std::int64_t> edges, std::span<Times> times) const;
    /// What a moment lies in, busy or not; nothing outside the run.
    std::optional<Stretch> at(std::int64_t moment) const;

    /// The first within the steps that is idle and begins at a moment or later; the last that ends at it or
    /// before.
    std::optional<Stretch> nextIdle(std::int64_t moment) const;
    std::optional<Stretch> previousIdle(std::int64_t moment) const;

private:
    static constexpr std::size_t kBlock = 64;

    /// Time of all stretches before this one.
    Times before(std::size_t stretch) const;
    /// Adds that of stretches [first, last) to `times`.
    void add(Times& times, std::size_t first, std::size_t last) const;
    /// The first stretch from `from` on that ends after a moment.
    std::size_t firstEndingAfter(std::int64_t moment, std::size_t from) const;
    void append(const Stretch& stretch);

    std::int64_t m_end = 0;  // the run's
    std::vector<Stretch> m_idle;
    Times m_all{};                // of the whole run
    std::vector<Times> m_blocks;  // before each kBlock of them
};

/// The same, made once for a snapshot and kept with it; null for a run without work on a GPU. Whoever asks
/// while another thread makes it waits for it.
std::shared_ptr<const GpuBusy> busyOf(const Snapshot& snapshot, std::string_view gpu = {});

}  // namespace warpglass
