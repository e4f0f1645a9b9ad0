#include "engine/query/links/graph_captures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "engine/query/completeness/completeness.h"
#include "engine/query/links/link_index.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/spans_at.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {

namespace {

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
        std::ranges::sort(ids);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    return nodes;
}

/// Words of the losses that calls, ops and GPU records are counted as (engine/capture, engine/cuda).
constexpr std::string_view kLossesThatCount[] = {"call into CUDA", "GPU record", "graph",      "kernel",
                                                 "op lost",        "an op",      "event lost", "span"};

bool mayLackCallsOrNodes(const Snapshot& snapshot) {
    for (const LossCount& loss : snapshot.losses()) {
        for (const std::string_view word : kLossesThatCount) {
            if (loss.name.find(word) != std::string::npos)
                return true;
        }
    }
    const MissingRecords missing = Completeness(snapshot).missing();
    return missing.lacks(RecordKind::kCalls) || missing.lacks(RecordKind::kOps) || missing.lacksGpuWork();
}

/// Where the nodes ran, as far as the rows after the first capture tell that are read for it.
std::unordered_map<std::uint64_t, PlaceId> placesOfNodes(const Snapshot& snapshot, Nanoseconds after,
                                                         std::size_t nodes) {
    std::unordered_map<std::uint64_t, PlaceId> places;
    std::uint64_t read = 0;
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
            for (std::uint64_t row = lane.firstStartingAt(after); row < lane.rows(); ++row) {
                if (places.size() == nodes || ++read > kMostRowsForPlaces)
                    return places;
                const auto span = lane.row(row);
                const auto detail = span ? snapshot.detail(span->detail) : std::nullopt;
                if (detail && detail->graphNode != 0)
                    places.emplace(detail->graphNode, span->place);
            }
        }
    }
    return places;
}

struct CapturedCall {
    std::int64_t time;
    PlaceId place;
    SpanRef ref;
};

/// By the op in which they were made, in order of time.
std::map<NameId, std::vector<CapturedCall>> capturedCalls(const Snapshot& snapshot, const LinkIndex& index,
                                                          const std::vector<TimeRange>& captures) {
    std::map<NameId, std::vector<CapturedCall>> calls;
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
                    calls[opRow ? opRow->name : NameId()].push_back({call->start, call->place, ref});
                }
            }
        }
    }
    for (auto& [op, of] : calls)
        std::ranges::sort(of, {}, &CapturedCall::time);
    return calls;
}

struct Replayed {
    std::int64_t start;
    std::int32_t step;
    SpanRef ref;
};

/// Appends what the first replay that has any ran in this lane of nodes whose call passes. A replay may take
/// several launches; a step has one.
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
        if (found.size() > before && span->step != found.back().step)
            return;  // the next replay
        const auto detail = snapshot.detail(span->detail);
        const auto call = detail ? index.captured(detail->graphNode) : std::nullopt;
        const auto made = call ? rowOf(snapshot, *call) : std::nullopt;
        if (made && made->place == span->place && passes(*call, *made))
            found.push_back({span->start, span->step, SpanRef{lane.id(), row}});
    }
}

}  // namespace

std::vector<SpanRef> firstReplayOf(const Snapshot& snapshot, const LinkIndex& index, TrackId calls,
                                   TimeRange made, std::size_t most) {
    if (!index.knowsCaptured())
        return {};
    const std::vector<TimeRange> captures = captureRanges(snapshot);
    const auto capture =
        std::ranges::find_if(captures, [made](const TimeRange& range) { return range.contains(made.begin); });
    if (capture == captures.end())
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
    std::ranges::stable_sort(found, {}, &Replayed::start);
    std::vector<SpanRef> replayed;
    for (const Replayed& work : found) {
        if (work.step == found.front().step && replayed.size() < most)
            replayed.push_back(work.ref);
    }
    return replayed;
}

std::unordered_map<std::uint64_t, SpanRef> callsOfGraphNodes(const Snapshot& snapshot,
                                                             const LinkIndex& index) {
    std::unordered_map<std::uint64_t, SpanRef> callOf;
    const auto nodes = nodesByOp(snapshot);
    const std::vector<TimeRange> captures =
        nodes.empty() ? std::vector<TimeRange>() : captureRanges(snapshot);
    if (captures.empty())
        return callOf;
    std::size_t count = 0;
    for (const auto& [op, ids] : nodes)
        count += ids.size();
    const auto places = placesOfNodes(snapshot, captures.front().end, count);
    const auto calls = capturedCalls(snapshot, index, captures);
    if (mayLackCallsOrNodes(snapshot))  // once the ops of the captures have been read
        return callOf;
    const auto ranElsewhere = [&places](std::uint64_t node, const CapturedCall& call) {
        const auto place = places.find(node);
        return place != places.end() && place->second != call.place;
    };
    for (const auto& [op, ids] : nodes) {
        const auto made = calls.find(op);
        if (made == calls.end() || made->second.size() != ids.size() ||
            !std::equal(ids.begin(), ids.end(), made->second.begin(), std::not_fn(ranElsewhere)))
            continue;
        for (std::size_t i = 0; i < ids.size(); ++i)
            callOf.emplace(ids[i], made->second[i].ref);
    }
    return callOf;
}

}  // namespace warpglass
