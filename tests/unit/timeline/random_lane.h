// Lanes of random spans for the timeline's tests, and the same spans as plain vectors for oracles.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test {

/// Spans of all lengths from empty to a hundredth of the run, with gaps from none to as long; dense and
/// sparse stretches alternate. Sorted, not overlapping.
std::vector<SpanRow> randomSpans(std::mt19937_64& random, std::size_t count);

/// One track, one lane a vector.
std::shared_ptr<const Snapshot> snapshotOf(const std::vector<std::vector<SpanRow>>& lanes,
                                           TrackKind kind = TrackKind::kCpuThread,
                                           const std::vector<std::string>& names = {
                                               "aten::mm", "aten::add", "aten::copy_", "aten::softmax",
                                               "aten::linear"});

/// A copy of the snapshot's first lane as a run file mounts it, whose chunk `damaged` can't be read; its
/// mip-map is there or not.
std::shared_ptr<const Snapshot> withDamagedChunk(const Snapshot& snapshot, std::size_t damaged, bool keepMip);

/// A mounted lane whose columns and mip-maps hold nonsense, as a hostile file may: times out of order and
/// below zero (within 2⁴⁰ ns), ids of anything.
std::shared_ptr<const Snapshot> scrambledSnapshot(std::mt19937_64& random, std::uint64_t rows);

}  // namespace warpglass::test
