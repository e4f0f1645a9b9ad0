#include "engine/query/model/clocked_kernel.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/recorded.h"
#include "engine/plan/saturating.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/spans_at.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {
namespace {

struct ClockedStretch {
    double begin = 0, end = 0;
};

/// From a multiprocessor's cycles to ns.
class ClockScale {
public:
    explicit ClockScale(const std::vector<ClockTile>& tiles) {
        struct Extent {
            std::int64_t beginCycle = 0, endCycle = 0, beginTime = 0, endTime = 0;
        };
        std::map<std::uint32_t, Extent> extents;
        for (const ClockTile& tile : tiles) {
            const auto [at, isNew] = extents.try_emplace(
                tile.processor, Extent{tile.beginCycle, tile.endCycle, tile.beginTime, tile.endTime});
            if (isNew)
                continue;
            at->second.beginCycle = std::min(at->second.beginCycle, tile.beginCycle);
            at->second.endCycle = std::max(at->second.endCycle, tile.endCycle);
            at->second.beginTime = std::min(at->second.beginTime, tile.beginTime);
            at->second.endTime = std::max(at->second.endTime, tile.endTime);
        }
        double cycles = 0, time = 0;
        for (const auto& [processor, extent] : extents) {
            cycles += static_cast<double>(extent.endCycle - extent.beginCycle);
            time += static_cast<double>(extent.endTime - extent.beginTime);
        }
        m_rate = cycles > 0 && time > 0 ? time / cycles : 1;
        std::map<std::uint32_t, std::pair<double, double>> readings;  // sum and number
        for (const ClockTile& tile : tiles) {
            auto& [sum, count] = readings[tile.processor];
            sum += static_cast<double>(tile.beginTime) - m_rate * static_cast<double>(tile.beginCycle);
            sum += static_cast<double>(tile.endTime) - m_rate * static_cast<double>(tile.endCycle);
            count += 2;
        }
        for (const auto& [processor, sum] : readings)
            m_offsets[processor] = sum.first / sum.second;
    }

    double rate() const { return m_rate; }
    double timeOf(std::uint32_t processor, std::int64_t cycle) const {
        return m_offsets.at(processor) + m_rate * static_cast<double>(cycle);
    }

private:
    double m_rate = 1;  // ns a cycle
    std::map<std::uint32_t, double> m_offsets;
};

bool comesFirst(const ClockRound& a, const ClockRound& b) {
    return std::tie(a.tile, a.group, a.round) < std::tie(b.tile, b.group, b.round);
}

/// Bars with their rounds, all in ns from the first one's begin.
void placeBars(const KernelClocks& clocks, ClockedKernel& kernel) {
    const ClockScale scale(clocks.tiles);
    std::vector<ClockRound> rounds = clocks.rounds;
    std::ranges::sort(rounds, comesFirst);
    double first = 0;
    for (const ClockTile& tile : clocks.tiles) {
        ClockedTile& bar = kernel.bars.emplace_back();
        bar.begin = scale.timeOf(tile.processor, tile.beginCycle);
        bar.end = scale.timeOf(tile.processor, tile.endCycle);
        bar.tile = tile.tile;
        bar.processor = tile.processor;
        bar.group = tile.group;
        first = kernel.bars.size() == 1 ? bar.begin : std::min(first, bar.begin);
    }
    std::vector<bool> taken(rounds.size());  // a damaged file may name a tile twice: its rounds are one bar's
    for (ClockedTile& bar : kernel.bars) {
        ClockRound key;
        key.tile = bar.tile;
        key.group = bar.group;
        bar.firstRound = kernel.rounds.size();
        for (auto at = std::lower_bound(rounds.begin(), rounds.end(), key, comesFirst);
             at != rounds.end() && at->tile == bar.tile && at->group == bar.group &&
             !taken[static_cast<std::size_t>(at - rounds.begin())];
             ++at) {
            taken[static_cast<std::size_t>(at - rounds.begin())] = true;
            ClockedRound& round = kernel.rounds.emplace_back();
            round.begin = scale.timeOf(bar.processor, at->beginCycle) - first;
            for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase) {
                const double time = at->cycles[phase] * scale.rate();
                round.phases[phase] = static_cast<float>(time);
                bar.phases[phase] += time;
            }
        }
        bar.roundCount = kernel.rounds.size() - bar.firstRound;
        bar.begin -= first;
        bar.end -= first;
    }
    std::ranges::sort(kernel.bars, [](const ClockedTile& a, const ClockedTile& b) {
        return std::tie(a.processor, a.begin, a.group, a.tile) <
               std::tie(b.processor, b.begin, b.group, b.tile);
    });
}

/// The first lane of its multiprocessor that is free.
void assignLanes(ClockedKernel& kernel) {
    std::set<std::pair<double, std::uint32_t>> busy;  // until when, and the lane
    std::set<std::uint32_t> free;
    for (std::size_t i = 0; i < kernel.bars.size(); ++i) {
        ClockedTile& bar = kernel.bars[i];
        if (i == 0 || kernel.bars[i - 1].processor != bar.processor) {
            busy.clear();
            free.clear();
            kernel.processorNumbers.push_back(bar.processor);
        }
        for (; !busy.empty() && busy.begin()->first <= bar.begin; busy.erase(busy.begin()))
            free.insert(busy.begin()->second);
        if (free.empty())
            free.insert(static_cast<std::uint32_t>(busy.size()));
        bar.lane = *free.begin();
        free.erase(free.begin());
        busy.emplace(bar.end, bar.lane);
        kernel.lanes = std::max(kernel.lanes, bar.lane + 1);
    }
    kernel.processors = static_cast<std::int64_t>(kernel.processorNumbers.size());
}

/// A tile of all its warpgroups.
std::vector<std::pair<std::uint32_t, ClockedStretch>> wholeTiles(const ClockedKernel& kernel) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, ClockedStretch> tiles;  // by multiprocessor and tile
    for (const ClockedTile& bar : kernel.bars) {
        const auto [at, isNew] =
            tiles.try_emplace({bar.processor, bar.tile}, ClockedStretch{bar.begin, bar.end});
        if (isNew)
            continue;
        at->second.begin = std::min(at->second.begin, bar.begin);
        at->second.end = std::max(at->second.end, bar.end);
    }
    std::vector<std::pair<std::uint32_t, ClockedStretch>> whole;
    whole.reserve(tiles.size());
    for (const auto& [key, stretch] : tiles)
        whole.emplace_back(key.first, stretch);
    return whole;
}

/// The most tiles at one time; one that begins as another ends comes after it. Counted by warpgroups: where a
/// block takes tile after tile, one of its groups may be in the next tile before the other has left the last.
std::int64_t mostAtOnce(const std::vector<ClockedTile>& bars) {
    std::vector<std::pair<double, int>> changes;
    std::set<std::uint32_t> groups;
    for (const ClockedTile& bar : bars) {
        changes.emplace_back(bar.begin, 1);
        changes.emplace_back(bar.end, -1);
        groups.insert(bar.group);
    }
    std::ranges::sort(changes);
    std::int64_t now = 0, most = 0;
    for (const auto& [time, change] : changes)
        most = std::max(most, now += change);
    if (bars.empty())
        return 0;
    const std::int64_t count = std::ssize(groups);
    // Tiles that take no time are there all the same.
    return std::max<std::int64_t>((most + count - 1) / count, 1);
}

/// What the tiles of a multiprocessor cover together, and when the last one ends.
struct Busy {
    double time = 0, end = 0;
    std::int64_t tiles = 0;
};

std::vector<Busy> busyTimes(std::vector<std::pair<std::uint32_t, ClockedStretch>> tiles) {
    std::ranges::sort(tiles, [](const auto& a, const auto& b) {
        return std::tie(a.first, a.second.begin) < std::tie(b.first, b.second.begin);
    });
    std::vector<Busy> all;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const ClockedStretch& stretch = tiles[i].second;
        if (i == 0 || tiles[i].first != tiles[i - 1].first)
            all.push_back({0, stretch.begin, 0});
        Busy& busy = all.back();
        busy.time += std::max(0.0, stretch.end - std::max(stretch.begin, busy.end));
        busy.end = std::max(busy.end, stretch.end);
        ++busy.tiles;
    }
    return all;
}

void addUp(ClockedKernel& kernel) {
    const auto whole = wholeTiles(kernel);
    kernel.tiles = static_cast<std::int64_t>(whole.size());
    kernel.atOnce = mostAtOnce(kernel.bars);
    kernel.waves = kernel.atOnce > 0 ? (kernel.tiles + kernel.atOnce - 1) / kernel.atOnce : 0;
    std::vector<Busy> busy = busyTimes(whole);
    if (busy.empty())
        return;
    double sum = 0, most = 0;
    kernel.fewestTiles = busy.front().tiles;
    for (const Busy& each : busy) {
        kernel.duration = std::max(kernel.duration, each.end);
        kernel.mostTiles = std::max(kernel.mostTiles, each.tiles);
        kernel.fewestTiles = std::min(kernel.fewestTiles, each.tiles);
        sum += each.time;
        most = std::max(most, each.time);
    }
    kernel.imbalance = sum > 0 ? most * static_cast<double>(busy.size()) / sum : 0;
    if (kernel.duration > 0) {
        std::ranges::sort(busy, {}, &Busy::end);
        kernel.tail = (kernel.duration - busy.front().end) / kernel.duration;
        // Once so many have ended, fewer than half are left.
        kernel.halfIdle = (kernel.duration - busy[busy.size() / 2].end) / kernel.duration;
    }
    double all = 0;
    for (const ClockedTile& bar : kernel.bars) {
        for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase) {
            kernel.shares[phase] += bar.phases[phase];
            all += bar.phases[phase];
        }
    }
    for (double& share : kernel.shares)
        share = all > 0 ? share / all : 0;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
    return formatGrouped(count) + " " + (count == 1 ? one : many);
}

}  // namespace

ClockedKernel clockedKernel(const KernelClocks& clocks) {
    ClockedKernel kernel;
    kernel.kernel = clocks.kernel;
    kernel.step = clocks.step;
    kernel.causal = clocks.causal;
    kernel.heads = clocks.heads;
    kernel.tilesOfHead = clocks.tilesOfHead;
    kernel.rowsOfTile = clocks.rowsOfTile;
    kernel.lostTiles = clocks.lostTiles;
    kernel.lostRounds = clocks.lostRounds;
    placeBars(clocks, kernel);
    assignLanes(kernel);
    addUp(kernel);
    return kernel;
}

std::vector<std::array<double, kClockPhaseCount>> clockedLoad(const ClockedKernel& kernel,
                                                              std::size_t parts) {
    std::vector<std::array<double, kClockPhaseCount>> load(parts);
    const double part = parts > 0 ? kernel.duration / static_cast<double>(parts) : 0;
    if (!(part > 0))
        return load;
    const auto partAt = [&](double time) {
        return static_cast<std::size_t>(std::clamp(time / part, 0.0, static_cast<double>(parts - 1)));
    };
    for (const ClockedRound& round : kernel.rounds) {
        const double length = std::accumulate(round.phases.begin(), round.phases.end(), 0.0);
        const double end = round.begin + length;
        if (!(length > 0))
            continue;
        for (std::size_t i = partAt(round.begin), last = partAt(end); i <= last; ++i) {
            const double from = std::max(round.begin, part * static_cast<double>(i));
            const double until = std::min(end, part * static_cast<double>(i + 1));
            // A round may end with the kernel or, in a damaged file, beyond it: no share is below 0.
            const double share = std::max(0.0, until - from) / length / part;
            for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase)
                load[i][phase] += share * static_cast<double>(round.phases[phase]);
        }
    }
    return load;
}

std::vector<ClockedKernel> clockedKernels(const Snapshot& snapshot) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    const double computed = config && config->isCausal() ? 0.5 : 1;
    std::vector<ClockedKernel> kernels;
    for (const KernelClocks& clocks : snapshot.kernelClocks()) {
        ClockedKernel& kernel = kernels.emplace_back(clockedKernel(clocks));
        const auto twin = clockedTwin(snapshot, kernel);
        const auto row = twin ? rowOf(snapshot, *twin) : std::nullopt;
        const auto own =
            row ? ownKernelSpan(snapshot, snapshot.name(row->name),
                                snapshot.name(snapshot.place(row->place).module), Nanoseconds(row->duration))
                : std::nullopt;
        if (own && own->work && kernel.duration > 0)
            kernel.flopsPerSecond =
                computed * static_cast<double>(own->work->flops.value) / (kernel.duration / 1e9);
    }
    return kernels;
}

std::optional<SpanRef> clockedTwin(const Snapshot& snapshot, const ClockedKernel& kernel) {
    const auto steps = stepSpans(snapshot, {kernel.step, kernel.step, 1, true});
    // A file may have lost the step, and not what ran in it.
    const TimeRange step = steps.empty() ? snapshot.range() : steps.front().range;
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuStream)) {
        for (std::uint64_t i = lane.firstEndingAfter(step.begin); i < lane.rows(); ++i) {
            const auto row = lane.row(i);
            if (row && Nanoseconds(row->start) >= step.end)
                break;
            if (row && row->step == kernel.step && isClockedTwin(snapshot, *row, kernel.kernel))
                return SpanRef{lane.id(), i};
        }
    }
    return std::nullopt;
}

bool isClockedName(std::string_view fullName) {
    // The twin is the template's instance that takes a clock (engine/kernels/tile_clock.cuh).
    return fullName.find("KernelClock") != std::string_view::npos;
}

bool isClockedTwin(const Snapshot& snapshot, const SpanRow& row, std::string_view kernel) {
    const auto detail = snapshot.detail(row.detail);
    std::string_view name = detail ? snapshot.name(detail->fullName) : std::string_view();
    if (name.empty())
        name = snapshot.name(row.name);
    const std::string_view part = kernel == "backward" ? "flashBackward" : "flashForward";
    return isClockedName(name) && (kernel.empty() || name.find(part) != std::string_view::npos);
}

std::string whyNoKernelClocks(const Snapshot& snapshot) {
    if (!snapshot.kernelClocks().empty())
        return {};
    const RunInfo& info = snapshot.info();
    if (info.has("kernel_clocks.problem")) {
        std::string problem = info.get("kernel_clocks.problem");
        if (problem.ends_with('.'))
            problem.pop_back();
        return problem;
    }
    const auto recorded = parseRecorded(info.get("config.record"));
    if (!recorded || !recorded->has(Feature::kKernelClocks))
        return "The run was recorded without kernel clocks; --record all,kernel-clocks records them for "
               "flash attention on a GPU";
    const std::string state = info.get("state");
    if (run_state::isOpenEnded(state) && state != run_state::kCutOff)
        return "The kernel clocks are read when the run has ended";
    return "No clock of a kernel came: the run ended before the step that has them, or the file has lost "
           "them";
}

namespace {

/// "Softmax takes 47% of the tiles' time and products 24%; "; empty where no phase was recorded.
std::string longestPhases(const std::array<double, kClockPhaseCount>& shares) {
    std::array<std::size_t, kClockPhaseCount> order{};
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    if (shares[order[0]] <= 0)
        return {};
    const bool several = kClockPhaseNames[order[0]].ends_with('s');  // products
    std::string text = capitalized(std::string(kClockPhaseNames[order[0]])) +
                       (several ? " take " : " takes ") + formatPercent(shares[order[0]]) +
                       " of the tiles' time";
    if (shares[order[1]] > 0)
        text += " and " + std::string(kClockPhaseNames[order[1]]) + " " + formatPercent(shares[order[1]]);
    return text + "; ";
}

}  // namespace

std::string ClockedKernel::sentence() const {
    if (tiles == 0)
        return "No tile was recorded.";
    std::string text =
        longestPhases(shares) + counted(processors, "SM", "SMs") + " ran " + counted(tiles, "tile", "tiles");
    if (processors < 2)
        text += ".";
    else if (halfIdle < 0.005)
        text += ", and half of the SMs or more are busy to the end.";
    else
        text += ", and in the last " + formatPercent(halfIdle) +
                " of the time fewer than half of the SMs are busy.";
    if (lostTiles > 0)
        text += " For " + counted(static_cast<std::int64_t>(lostTiles), "more record", "more records") +
                " of a warpgroup's tile there was no room: all figures are of those that are there.";
    else if (lostRounds > 0)
        text += " For the phases of " +
                counted(static_cast<std::int64_t>(lostRounds), "more round", "more rounds") +
                " there was no room.";
    return text;
}

std::string ClockedKernel::rowsOf(std::uint32_t tile) const {
    const std::uint32_t perHead = std::max(tilesOfHead, 1u), ofHeads = std::max(heads, 1u);
    // A damaged file may state any number of either.
    const std::int64_t first = (Saturating(tile % perHead) * std::int64_t{rowsOfTile}).value(),
                       head = tile / perHead;
    return std::string(kernel == "backward" ? "keys " : "queries ") + formatGrouped(first) + "–" +
           formatGrouped((Saturating(first) + std::max<std::int64_t>(rowsOfTile, 1) - 1).value()) +
           " of head " + std::to_string(head % ofHeads) + ", sequence " + std::to_string(head / ofHeads);
}

}  // namespace warpglass
