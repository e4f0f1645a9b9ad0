#include "engine/query/graph_captures.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/query/link_index.h"
#include "engine/query/spans_at.h"

namespace warpglass {

namespace {

/// As engine/capture/trace_decoder.cpp names it, among the steps.
constexpr std::string_view kCaptureName = "graph capture";

bool makesNode(std::string_view call) {
    return (call.starts_with("cuLaunch") && !call.starts_with("cuLaunchHostFunc")) ||
           call.starts_with("cuMemcpy") || call.starts_with("cuMemset");
}

/// By the op that they belong to, ascending and each once.
std::map<NameId, std::vector<std::uint64_t>> nodesByOp(const Snapshot& snapshot) {
    std::map<NameId, std::vector<std::uint64_t>> nodes;
    for (std::size_t i = 0; i < snapshot.detailCount(); ++i) {
        if (const auto detail = snapshot.detail(DetailId(i)); detail && detail->graphNode != 0)
            nodes[detail->op].push_back(detail->graphNode);
    }
    for (auto& [op, ids] : nodes) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    return nodes;
}

std::vector<TimeRange> captureRanges(const Snapshot& snapshot) {
    std::vector<TimeRange> ranges;
    const auto steps = snapshot.tracksOfKind(TrackKind::kStep);
    const auto lanes = steps.empty() ? std::vector<SpanLane>() : snapshot.lanesOf(steps.front());
    if (lanes.empty())
        return ranges;
    const SpanLane& lane = lanes.front();
    for (std::uint64_t row = 0; row < lane.rows(); ++row) {
        const auto span = lane.row(row);
        if (span && span->step == kNoStep && snapshot.name(span->name) == kCaptureName)
            ranges.push_back({Nanoseconds(span->start), Nanoseconds(span->end())});
    }
    return ranges;
}

struct CapturedCall {
    std::int64_t time;
    SpanRef ref;
};

/// By the op in which they were made, in order of time.
std::map<NameId, std::vector<CapturedCall>> capturedCalls(const Snapshot& snapshot, const LinkIndex& index) {
    std::map<NameId, std::vector<CapturedCall>> calls;
    const std::vector<TimeRange> captures = captureRanges(snapshot);
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kApiThread)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            for (const TimeRange& capture : captures) {
                const std::uint64_t end = lane.firstStartingAt(capture.end);
                for (std::uint64_t row = lane.firstStartingAt(capture.begin); row < end; ++row) {
                    const auto call = lane.row(row);
                    const SpanRef ref{lane.id(), row};
                    if (!call || !makesNode(snapshot.name(call->name)) ||
                        !index.work(snapshot, call->link, 1).empty())
                        continue;
                    const auto op = opAt(snapshot, ref, call->start);
                    const auto opRow = op ? rowOf(snapshot, *op) : std::nullopt;
                    calls[opRow ? opRow->name : NameId()].push_back({call->start, ref});
                }
            }
        }
    }
    for (auto& [op, of] : calls)
        std::sort(of.begin(), of.end(),
                  [](const CapturedCall& a, const CapturedCall& b) { return a.time < b.time; });
    return calls;
}

/// Of the capture that was going on at t.
std::optional<TimeRange> captureAt(const Snapshot& snapshot, Nanoseconds t) {
    const auto steps = snapshot.tracksOfKind(TrackKind::kStep);
    if (steps.empty())
        return std::nullopt;
    for (const SpanRef ref : spansAt(snapshot, steps.front(), t.value)) {
        const auto span = rowOf(snapshot, ref);
        if (span && span->step == kNoStep && snapshot.name(span->name) == kCaptureName)
            return TimeRange{Nanoseconds(span->start), Nanoseconds(span->end())};
    }
    return std::nullopt;
}

struct Replayed {
    std::int64_t start;
    std::uint64_t launch;  // correlation id
    SpanRef ref;
};

/// Appends what the first replay that has any ran in this lane of nodes whose call passes.
template <class Passes>
void addFirstReplay(const Snapshot& snapshot, const LinkIndex& index, const SpanLane& lane, Nanoseconds after,
                    Passes&& passes, std::vector<Replayed>& found) {
    const std::size_t before = found.size();
    const std::uint64_t begin = lane.firstStartingAt(after);
    const std::uint64_t end = std::min(lane.rows(), begin + kMostReplayed);
    for (std::uint64_t row = begin; row < end; ++row) {
        const auto span = lane.row(row);
        if (!span)
            continue;
        if (found.size() > before && span->link != found.back().launch)
            return;  // the next replay
        const auto detail = snapshot.detail(span->detail);
        const auto call = detail ? index.captured(detail->graphNode) : std::nullopt;
        const auto made = call ? rowOf(snapshot, *call) : std::nullopt;
        if (made && made->place == span->place && passes(*call, *made))
            found.push_back({span->start, span->link, SpanRef{lane.id(), row}});
    }
}

}  // namespace

std::vector<SpanRef> firstReplayOf(const Snapshot& snapshot, const LinkIndex& index, TrackId calls,
                                   TimeRange made, std::size_t most) {
    const auto capture = captureAt(snapshot, made.begin);
    if (!capture)
        return {};
    const auto passes = [&](SpanRef call, const SpanRow& row) {
        return snapshot.lane(call.lane).track() == calls && made.contains(Nanoseconds(row.start));
    };
    std::vector<Replayed> found;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const TrackId track : snapshot.tracksOfKind(kind)) {
            for (const SpanLane& lane : snapshot.lanesOf(track))
                addFirstReplay(snapshot, index, lane, capture->end, passes, found);
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Replayed& a, const Replayed& b) { return a.start < b.start; });
    std::vector<SpanRef> replayed;
    for (const Replayed& work : found) {
        if (work.launch == found.front().launch && replayed.size() < most)
            replayed.push_back(work.ref);
    }
    return replayed;
}

std::unordered_map<std::uint64_t, SpanRef> callsOfGraphNodes(const Snapshot& snapshot,
                                                             const LinkIndex& index) {
    std::unordered_map<std::uint64_t, SpanRef> callOf;
    const auto nodes = nodesByOp(snapshot);
    if (nodes.empty())
        return callOf;
    const auto calls = capturedCalls(snapshot, index);
    for (const auto& [op, ids] : nodes) {
        const auto made = calls.find(op);
        if (made == calls.end() || made->second.size() != ids.size())
            continue;
        for (std::size_t i = 0; i < ids.size(); ++i)
            callOf.emplace(ids[i], made->second[i].ref);
    }
    return callOf;
}

}  // namespace warpglass
