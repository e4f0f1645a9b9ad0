#include "engine/capture/gpu_tracks.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>

#include "engine/trace/kernel_name.h"

namespace warpglass {
namespace {

/// Kernels that run side by side on one stream; more than that many lanes show nothing that fewer do not.
constexpr std::uint32_t kMaxDepth = 16;
/// A launch whose records have not come by then (a call that makes nothing run) is forgotten. A stream's
/// queue holds 1,024 launches.
constexpr std::uint64_t kRememberedLaunches = 1 << 18;
/// Longer than a GPU runs behind its launches. What gave nothing is mostly known sooner
/// (settleEarlierLaunches).
constexpr std::int64_t kPatience = 60'000'000'000;  // ns

TrackKind kindOf(const GpuRecord& record) {
    switch (record.kind) {
        case DetailKind::kKernel:
            return TrackKind::kGpuStream;
        case DetailKind::kCopy:
        case DetailKind::kFill:
            return TrackKind::kGpuCopies;
        case DetailKind::kSynchronization:
            return TrackKind::kGpuSync;
        case DetailKind::kOp:  // never a GPU's
        case DetailKind::kOverhead:
            break;
    }
    return TrackKind::kProfiler;
}

std::string copyName(const GpuRecord& record) {
    if (record.kind == DetailKind::kFill)
        return "fill";
    return "copy, " + std::string(kCopyKindNames[static_cast<std::size_t>(record.copy)]);
}

}  // namespace

std::string demangle(const char* symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string(symbol);
}

void GpuTracks::launched(std::uint32_t correlation, const Launch& launch, std::int64_t time,
                         std::uint16_t thread, bool makesWork) {
    m_launches[correlation] = {launch, m_launchCount++};
    m_outstanding.push_back({time, thread, !makesWork, false});
    m_latest = std::max(m_latest, time);
}

GpuTracks::Outstanding* GpuTracks::outstandingOf(std::uint32_t correlation) {
    const std::uint64_t first = m_launchCount - m_outstanding.size();
    const auto call = m_launches.find(correlation);
    if (call == m_launches.end() || call->second.order < first)
        return nullptr;
    return &m_outstanding[static_cast<std::size_t>(call->second.order - first)];
}

void GpuTracks::gaveNothing(std::uint32_t correlation) {
    if (Outstanding* launch = outstandingOf(correlation))
        launch->done = true;
}

void GpuTracks::nodeCloned(std::uint64_t clone, std::uint64_t original) {
    if (const auto found = m_nodes.find(original); found != m_nodes.end()) {
        const Node node = found->second;
        m_nodes[clone] = node;
    }
}

TrackId GpuTracks::trackOf(const GpuRecord& record) {
    const TrackKind kind = kindOf(record);
    const auto key = std::tuple(record.device, record.stream, kind);
    if (const auto found = m_tracks.find(key); found != m_tracks.end())
        return found->second;
    const std::string gpu = "GPU " + std::to_string(record.device);
    const std::string stream = " · stream " + std::to_string(record.stream);
    const std::string name = kind == TrackKind::kGpuStream   ? gpu + stream
                             : kind == TrackKind::kGpuCopies ? gpu + " copies" + stream
                             : kind == TrackKind::kGpuSync   ? std::string("Waits · CUPTI")
                                                             : std::string("CUPTI and driver");
    const TrackId track = m_writer.addTrack(kind, name);
    m_tracks.emplace(key, track);
    return track;
}

GpuTracks::KernelName GpuTracks::nameOf(const GpuRecord& record) {
    if (record.kind == DetailKind::kSynchronization || record.kind == DetailKind::kOverhead)
        return {m_writer.internName(record.symbol), NameId()};
    if (record.kind != DetailKind::kKernel)
        return {m_writer.internName(copyName(record)), NameId()};
    const auto [found, isNew] = m_kernelNames.try_emplace(record.symbol);
    if (isNew) {
        const std::string full = demangle(record.symbol);
        found->second = {m_writer.internName(shortKernelName(full)), m_writer.internName(full)};
    }
    return found->second;
}

const GpuTracks::Node* GpuTracks::nodeOf(const GpuRecord& record) const {
    const auto node = record.graphNode == 0 ? m_nodes.end() : m_nodes.find(record.graphNode);
    return node == m_nodes.end() ? nullptr : &node->second;
}

GpuTracks::Launch GpuTracks::launchOf(const GpuRecord& record, const Node* node) {
    const auto call = m_launches.find(record.correlation);
    Launch launch = call == m_launches.end() ? Launch() : call->second.launch;
    if (node)
        return {node->launch.place, launch.step, node->launch.op};
    if (record.graphNode != 0) {
        m_writer.countLoss("kernel of a graph whose capture was not seen");
        return launch;
    }
    // A wait or the profiler's own work may be in no call that is told of.
    if (call == m_launches.end() && m_expectsLaunches && record.kind != DetailKind::kOverhead &&
        record.kind != DetailKind::kSynchronization)
        m_writer.countLoss("kernel whose launch was not seen");
    return launch;
}

void GpuTracks::add(const GpuRecord& record) {
    const bool ran = isGpuTrack(kindOf(record));
    if (Outstanding* launch = ran ? outstandingOf(record.correlation) : nullptr)
        launch->done = launch->hasRecord = true;
    m_latest = std::max(m_latest, record.end);
    if (record.end < record.begin || record.end == 0) {
        m_writer.countLoss("GPU record without times");  // CUPTI gives none when it could not take them
        return;
    }
    const Node* node = nodeOf(record);
    const Launch launch = launchOf(record, node);
    const KernelName name = nameOf(record);
    SpanDetail detail;
    detail.kind = record.kind;
    detail.copy = record.copy;
    detail.fullName = name.fullName;
    detail.op = launch.op;
    detail.grid = record.grid;
    detail.block = record.block;
    detail.registers = record.registers;
    detail.staticShared = record.staticShared;
    detail.dynamicShared = record.dynamicShared;
    detail.bytes = record.bytes;
    detail.graphNode = record.graphNode;
    detail.occupancy = record.occupancy;

    Row row;
    row.track = trackOf(record);
    row.span.start = record.begin;
    row.span.duration = row.span.self = record.end - record.begin;
    row.span.name = name.shortName;
    row.span.place = launch.place;
    row.span.step = launch.step;
    row.span.link = record.correlation;
    row.span.detail = m_writer.internDetail(detail);
    if (node)
        row.node = node->order;
    m_batch.push_back(row);
}

void GpuTracks::append(const Row& row) {
    if (row.node && m_nodeRan)
        m_nodeRan({row.span.step, *row.node, row.span.start, row.span.start + row.span.duration});
    for (std::uint32_t depth = 0; depth < kMaxDepth; ++depth) {
        const auto lastEnd = m_writer.lastEnd(row.track, depth);
        if (lastEnd && *lastEnd > row.span.start)
            continue;
        m_writer.appendSpan(row.track, depth, row.span);
        return;
    }
    m_writer.countLoss("GPU record that came too late");
}

/// A thread's records are handed over in the order of its launches: one that has none by the end of a batch
/// in which a later one has will never have one.
void GpuTracks::settleEarlierLaunches() {
    std::map<std::uint16_t, bool> laterHasRecord;
    for (auto launch = m_outstanding.rbegin(); launch != m_outstanding.rend(); ++launch) {
        bool& later = laterHasRecord[launch->thread];
        launch->done = launch->done || later;
        later = later || launch->hasRecord;
    }
}

void GpuTracks::forgetSettledLaunches() {
    while (!m_outstanding.empty() &&
           (m_outstanding.front().done || m_latest - m_outstanding.front().time > kPatience))
        m_outstanding.pop_front();
}

void GpuTracks::endBatch(bool last) {
    std::ranges::stable_sort(m_batch, [](const Row& a, const Row& b) { return a.span.start < b.span.start; });
    settleEarlierLaunches();
    forgetSettledLaunches();
    auto end = m_batch.end();
    if (!last && !m_outstanding.empty()) {
        const std::int64_t earliest = m_outstanding.front().time;
        end = std::ranges::partition_point(m_batch,
                                           [earliest](const Row& row) { return row.span.start < earliest; });
    }
    const std::vector<Row> ready(m_batch.begin(), end);
    m_batch.erase(m_batch.begin(), end);
    for (const Row& row : ready)
        append(row);
    forgetOldLaunches();
}

void GpuTracks::forgetOldLaunches() {
    if (m_launches.size() < 2 * kRememberedLaunches)
        return;
    const std::uint64_t oldest = m_launchCount - kRememberedLaunches;
    std::erase_if(m_launches, [oldest](const auto& entry) { return entry.second.order < oldest; });
}

}  // namespace warpglass
