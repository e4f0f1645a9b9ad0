#include "engine/tables/clock_columns.h"

namespace warpglass {
namespace {

using Clocked = Column<ClockedKernel>;

Clocked phaseShare(std::string key, std::string title, std::string description, ClockPhase phase) {
    return Clocked(std::move(key), std::move(title), Unit::kFraction, std::move(description),
                   [phase](const ClockedKernel& row) { return row.shares[static_cast<std::size_t>(phase)]; },
                   {.width = 76});
}

std::vector<Clocked> clockColumns() {
    return {
        Clocked("kernel", "Kernel", Unit::kText, "Flash attention's forward or backward kernel",
                &ClockedKernel::kernel, {.width = 84}),
        Clocked("step", "Step", Unit::kOrdinal, "The step in which it ran; of a CUDA graph the last replay",
                &ClockedKernel::step, {.width = 56}),
        Clocked("sms", "SMs", Unit::kCount, "Multiprocessors that ran a tile; the figures are of these",
                &ClockedKernel::processors, {.width = 56}),
        Clocked(
            "tiles", "Tiles", Unit::kCount,
            "What a thread block takes at a time: 128 queries of a head, or 128 keys in the backward pass",
            &ClockedKernel::tiles, {.width = 72}),
        Clocked("most_tiles", "Most tiles", Unit::kCount, "Tiles of the multiprocessor that ran most",
                &ClockedKernel::mostTiles, {.width = 84}),
        Clocked("fewest_tiles", "Fewest tiles", Unit::kCount, "Tiles of the one that ran fewest",
                &ClockedKernel::fewestTiles, {.width = 92}),
        Clocked("at_once", "Tiles at once", Unit::kCount, "Tiles that ran at one time, at most",
                &ClockedKernel::atOnce, {.name = "At once", .width = 100}),
        Clocked("waves", "Waves", Unit::kCount, "Tiles divided by how many ran at once, rounded up",
                &ClockedKernel::waves, {.width = 68}),
        Clocked("duration_ns", "Duration", Unit::kNanoseconds,
                "From the first tile's begin to the last one's end, with the clock, which slows it down",
                [](const ClockedKernel& row) { return wholeCell(row.duration); }, {.width = 88}),
        Clocked("flops_per_second", "FLOP/s (unmasked)", Unit::kFlopsPerSecond,
                "FLOPs of the call over the duration: of causal attention those of half of the S × S scores "
                "(Dao 2023, FlashAttention-2, section 4.1), else of all",
                [](const ClockedKernel& row) { return wholeOrAbsent(row.flopsPerSecond); },
                {.formerTitle = "FLOP/s (S × S)", .width = 132}),
        phaseShare("load_share", "Load",
                   "Share of a warpgroup's time in which it waited for tiles of tensors to arrive",
                   ClockPhase::kLoad),
        phaseShare("products_share", "Products",
                   "Share of a warpgroup's time in products, and waiting for the tensor cores that the other "
                   "warpgroup has",
                   ClockPhase::kProducts),
        phaseShare("softmax_share", "Softmax",
                   "Share of a warpgroup's time in the softmax, and in the backward pass its gradient",
                   ClockPhase::kSoftmax),
        phaseShare("store_share", "Store",
                   "Share of a warpgroup's time in which it handed sums and results to memory",
                   ClockPhase::kStore),
        Clocked("tail_share", "Any SM idle", Unit::kFraction,
                "Share of the duration, at its end, from when the first multiprocessor has run its last tile",
                &ClockedKernel::tail, {.name = "Tail", .width = 96}),
        Clocked("half_idle_share", "Half the SMs idle", Unit::kFraction,
                "Share of the duration, at its end, from when fewer than half of the multiprocessors have a "
                "tile left to end",
                &ClockedKernel::halfIdle, {.name = "Half idle", .width = 128}),
        Clocked("imbalance_ratio", "Busiest / mean SM", Unit::kRatio,
                "The busiest multiprocessor's time within tiles divided by the mean",
                &ClockedKernel::imbalance,
                {.name = "Busiest / mean", .formerTitle = "Imbalance", .width = 136}),
        Clocked("lost", "Lost", Unit::kCount,
                "Records of a warpgroup's tile or round that found no room on the GPU; the figures lack them",
                [](const ClockedKernel& row) { return row.lostTiles + row.lostRounds; }, {.width = 60})};
}

}  // namespace

const TableDescription<ClockedKernel>& kernelClocksTable() {
    static const TableDescription<ClockedKernel> table{
        "kernel-clocks",
        clockColumns(),
        {"kernel", "tiles", "waves", "duration_ns", "flops_per_second", "load_share", "products_share",
         "softmax_share", "store_share", "half_idle_share", "tail_share", "imbalance_ratio"}};
    return table;
}

}  // namespace warpglass
