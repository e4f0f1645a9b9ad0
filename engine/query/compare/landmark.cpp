#include "engine/query/compare/landmark.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

struct Candidate {
    std::int64_t start = 0, end = 0;
    PlaceId place;
    SpanRef span;
    std::uint64_t link = 0;
    bool copies = false;
    std::size_t call = 0;  // of its op, see countCalls()
};

/// Calls fn(lane, chunk, row in it, row of the lane) for the spans of a step on tracks of a kind. A GPU may
/// still work on a step when the host has ended it, so the step's number decides, not its time.
template <class Fn>
void forEachOfStep(const Snapshot& run, TrackKind kind, const StepSpan& step, Fn&& fn) {
    for (const SpanLane& lane : lanesOfKind(run, kind)) {
        bool passed = false;
        for (std::uint64_t from = lane.firstStartingAt(step.range.begin); from < lane.rows() && !passed;) {
            const std::uint64_t next = std::min((from / kChunkRows + 1) * kChunkRows, lane.rows());
            lane.forEachChunk(
                from, next,
                [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                    for (std::uint32_t i = begin; i < end && !passed; ++i) {
                        if (chunk.step[i] == step.step)
                            fn(lane, chunk, i, first + i);
                        passed = chunk.step[i] > step.step;
                    }
                });
            from = next;
        }
    }
}

/// What a landmark asks of a span's place and name, by the ids of one run.
class Matcher {
public:
    Matcher(const Snapshot& run, const Landmark& landmark) : m_run(run), m_landmark(landmark) {
        const bool within = landmark.kind == Landmark::Kind::kModule && landmark.onGpu;
        m_places.resize(run.placeCount() + 1);
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const Place place = run.place(PlaceId(i));
            const std::string_view module = run.name(place.module);
            m_places[i] = (landmark.phase == Phase::kNone || place.phase == landmark.phase) &&
                          (landmark.module.empty() ||
                           (within ? isWithin(module, landmark.module) : module == landmark.module));
        }
        std::vector<std::string> names;
        if (landmark.kind == Landmark::Kind::kPhase)
            names = {std::string(phaseName(landmark.phase))};
        else if (landmark.kind == Landmark::Kind::kOp)
            names = {landmark.op};
        else if (landmark.kind == Landmark::Kind::kKernel)
            names = landmark.kernels;
        else if (!landmark.onGpu)
            names = {landmark.module};
        m_anyName = names.empty();
        m_names.resize(run.nameCount() + 1);
        for (std::size_t i = 0; i < run.nameCount() && !m_anyName; ++i)
            m_names[i] = std::ranges::find(names, run.name(NameId(i))) != names.end();
    }

    bool takes(const SpanChunk& chunk, std::uint32_t i) const {
        // A phase's range is in no phase's place.
        const bool placed = m_landmark.kind == Landmark::Kind::kPhase ||
                            m_places[std::min<std::size_t>(chunk.place[i], m_places.size() - 1)];
        if (!placed || !(m_anyName || m_names[std::min<std::size_t>(chunk.name[i], m_names.size() - 1)]))
            return false;
        if (m_landmark.kind == Landmark::Kind::kModule && !m_landmark.onGpu)
            return !m_run.place(PlaceId(chunk.place[i])).part.valid();
        if (m_landmark.kind == Landmark::Kind::kKernel && !m_landmark.op.empty()) {
            const auto detail = m_run.detail(DetailId(chunk.detail[i]));
            const std::string_view op = m_run.name(detail ? detail->op : NameId());
            return op.empty() ? m_landmark.op == kOutsideOps : op == m_landmark.op;
        }
        return true;
    }

private:
    const Snapshot& m_run;
    const Landmark& m_landmark;
    std::vector<std::uint8_t> m_places;
    bool m_anyName = true;
    std::vector<std::uint8_t> m_names;
};

std::vector<TrackKind> tracksOf(const Landmark& landmark) {
    switch (landmark.kind) {
        case Landmark::Kind::kPhase:
            return {landmark.onGpu ? TrackKind::kGpuPhase : TrackKind::kPhase};
        case Landmark::Kind::kModule:
            if (!landmark.onGpu)
                return {TrackKind::kModule};
            return {TrackKind::kGpuStream, TrackKind::kGpuCopies};
        case Landmark::Kind::kOp:
            return {TrackKind::kCpuThread};
        case Landmark::Kind::kKernel:
            return {TrackKind::kGpuStream, TrackKind::kGpuCopies};
        default:
            return {};
    }
}

/// In order of time; those that begin at once, the outer first.
std::vector<Candidate> candidates(const Snapshot& run, const StepSpan& step, const Landmark& landmark) {
    std::vector<Candidate> found;
    const Matcher matcher(run, landmark);
    for (const TrackKind kind : tracksOf(landmark)) {
        forEachOfStep(run, kind, step,
                      [&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
                          if (matcher.takes(chunk, i))
                              found.push_back({chunk.start[i],
                                               chunk.end(i),
                                               PlaceId(chunk.place[i]),
                                               {lane.id(), row},
                                               chunk.link[i],
                                               kind == TrackKind::kGpuCopies});
                      });
    }
    std::ranges::stable_sort(found, [](const Candidate& x, const Candidate& y) {
        return x.start != y.start ? x.start < y.start : x.end > y.end;
    });
    return found;
}

/// Calls of one op that others nest in or run beside; a crafted file's are more.
constexpr std::ptrdiff_t kMostNested = 64;

/// When the calls of a kernel's op began that are in its place, in order of time.
std::vector<TimeRange> opCalls(const Snapshot& run, const StepSpan& step, const Landmark& kernel) {
    Landmark op = kernel;
    op.kind = Landmark::Kind::kOp;
    std::vector<TimeRange> calls;
    for (const Candidate& call : candidates(run, step, op))
        calls.push_back({Nanoseconds(call.start), Nanoseconds(call.end)});
    return calls;
}

/// When the calls into CUDA began that made these run, by their links; those that were recorded.
std::map<std::uint64_t, std::int64_t> launches(const Snapshot& run, const StepSpan& step,
                                               const std::vector<Candidate>& kernels) {
    std::set<std::uint64_t> links;
    for (const Candidate& kernel : kernels)
        links.insert(kernel.link);
    std::map<std::uint64_t, std::int64_t> starts;
    forEachOfStep(run, TrackKind::kApiThread, step,
                  [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                      if (links.contains(chunk.link[i]))
                          starts.emplace(chunk.link[i], chunk.start[i]);
                  });
    return starts;
}

/// Numbers the calls of the op that launched these, which are all that it launched in its place; false where
/// the calls are not known: a graph's kernels were launched together.
bool countCalls(const Snapshot& run, const StepSpan& step, const Landmark& landmark,
                std::vector<Candidate>& kernels) {
    const std::map<std::uint64_t, std::int64_t> starts = launches(run, step, kernels);
    const std::vector<TimeRange> calls = opCalls(run, step, landmark);
    std::map<std::size_t, std::size_t> numbers;  // of the calls that launched any of them
    for (Candidate& kernel : kernels) {
        const auto launched = starts.find(kernel.link);
        if (launched == starts.end())
            return false;
        // The innermost that was running then: of those that had begun the last that had not ended.
        const Nanoseconds at(launched->second);
        auto call = std::ranges::upper_bound(calls, at, {}, &TimeRange::begin);
        const auto least = call - std::min<std::ptrdiff_t>(call - calls.begin(), kMostNested);
        while (call != least && !std::prev(call)->contains(at))
            --call;
        if (call == least)
            return false;
        kernel.call = static_cast<std::size_t>(std::prev(call) - calls.begin());
        numbers.emplace(kernel.call, 0);
    }
    // One that launched nothing here may not have been called there.
    std::size_t next = 0;
    for (auto& [call, number] : numbers)
        number = next++;
    for (Candidate& kernel : kernels)
        kernel.call = numbers.at(kernel.call);
    return true;
}

/// What a landmark's op launched, by the call and the place within it; of one kind, kernels or copies.
struct Launched {
    std::vector<Candidate> kernels;
    bool byCall = false;
};
Launched launched(const Snapshot& run, const StepSpan& step, const Landmark& landmark) {
    Launched found{candidates(run, step, landmark), false};
    found.byCall = !found.kernels.empty() && countCalls(run, step, landmark, found.kernels);
    return found;
}

/// Those in `all` that are copies, or are none, and belong to that call (nothing: to any).
std::vector<Candidate> only(const std::vector<Candidate>& all, bool copies, std::optional<std::size_t> call) {
    std::vector<Candidate> some;
    std::ranges::copy_if(all, std::back_inserter(some), [&](const Candidate& candidate) {
        return candidate.copies == copies && (!call || candidate.call == *call);
    });
    return some;
}

/// What took the place of a kernel without names.
std::optional<Candidate> kernelOf(const Launched& found, const Landmark& landmark) {
    const bool byCall = found.byCall && landmark.call;
    for (const bool copies : {landmark.copies, !landmark.copies}) {
        const auto of = only(found.kernels, copies, byCall ? landmark.call : std::nullopt);
        if (of.empty())
            continue;
        const std::size_t nth = byCall ? std::min(landmark.within, of.size() - 1) : landmark.nth;
        return nth < of.size() ? std::optional(of[nth]) : std::nullopt;
    }
    return std::nullopt;
}

/// The op that does the same and writes in place, or does not.
std::string twinOf(const std::string& op) {
    return op.ends_with('_') ? op.substr(0, op.size() - 1) : op + "_";
}

/// Finds the landmark as it is named. There is no answer at all where the step has none of it in that place,
/// and nothing where it has too few.
std::optional<std::optional<FoundLandmark>> findNamed(const Snapshot& run, const StepSpan& step,
                                                      const Landmark& landmark) {
    const auto at = [](const Candidate& chosen) {
        return FoundLandmark{{Nanoseconds(chosen.start), Nanoseconds(chosen.end)}, chosen.span};
    };
    if (landmark.kind == Landmark::Kind::kKernel && landmark.kernels.empty()) {
        const Launched found = launched(run, step, landmark);
        if (found.kernels.empty())
            return std::nullopt;
        const auto kernel = kernelOf(found, landmark);
        return kernel ? std::optional(at(*kernel)) : std::optional<FoundLandmark>();
    }
    const std::vector<Candidate> found = candidates(run, step, landmark);
    if (found.empty())
        return std::nullopt;
    if (landmark.nth >= found.size())
        return std::optional<FoundLandmark>();
    FoundLandmark chosen = at(found[landmark.nth]);
    if (landmark.kind == Landmark::Kind::kModule && landmark.onGpu) {
        // A module's work on a GPU is all of it in that phase.
        const Phase phase = run.place(found[landmark.nth].place).phase;
        for (const Candidate& work : found) {
            if (run.place(work.place).phase == phase)
                chosen.range.end = std::max(chosen.range.end, Nanoseconds(work.end));
        }
    }
    return chosen;
}

/// Appends the landmarks of one kind of clock that are not there yet.
class Listing {
public:
    explicit Listing(std::vector<Landmark>& landmarks) : m_landmarks(landmarks) {}

    void add(Landmark::Kind kind, bool onGpu, Phase phase, std::string_view module, std::int64_t start) {
        if (m_seen.emplace(phase, module).second) {
            Landmark landmark;
            landmark.kind = kind;
            landmark.onGpu = onGpu;
            landmark.phase = phase;
            landmark.module = module;
            m_found.push_back({start, std::move(landmark)});
        }
    }
    /// In order of time.
    void finish() {
        std::ranges::stable_sort(m_found, [](const auto& x, const auto& y) { return x.first < y.first; });
        for (auto& [start, landmark] : m_found)
            m_landmarks.push_back(std::move(landmark));
    }

private:
    std::vector<Landmark>& m_landmarks;
    std::set<std::pair<Phase, std::string>> m_seen;
    std::vector<std::pair<std::int64_t, Landmark>> m_found;
};

void addPhases(const Snapshot& run, const StepSpan& step, bool onGpu, std::vector<Landmark>& landmarks) {
    Listing listing(landmarks);
    forEachOfStep(run, onGpu ? TrackKind::kGpuPhase : TrackKind::kPhase, step,
                  [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                      const std::string_view name = run.name(NameId(chunk.name[i]));
                      const auto phase = std::find(kPhaseNames.begin() + 1, kPhaseNames.end(), name);
                      if (phase != kPhaseNames.end())
                          listing.add(Landmark::Kind::kPhase, onGpu,
                                      static_cast<Phase>(phase - kPhaseNames.begin()), {}, chunk.start[i]);
                  });
    listing.finish();
}

void addModules(const Snapshot& run, const StepSpan& step, std::vector<Landmark>& landmarks) {
    Listing listing(landmarks);
    forEachOfStep(run, TrackKind::kModule, step,
                  [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                      const Place place = run.place(PlaceId(chunk.place[i]));
                      const std::string_view path = run.name(place.module);
                      if (!place.part.valid() && !path.empty() && path.size() <= kLongestModulePath &&
                          path == run.name(NameId(chunk.name[i])))
                          listing.add(Landmark::Kind::kModule, false, place.phase, path, chunk.start[i]);
                  });
    listing.finish();
}

/// By the place of what ran there: the modules around it too.
void addModulesOnGpu(const Snapshot& run, const StepSpan& step, std::vector<Landmark>& landmarks) {
    std::vector<std::int64_t> firsts(run.placeCount(), -1);
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        forEachOfStep(run, kind, step,
                      [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                          if (chunk.place[i] >= firsts.size())
                              return;
                          std::int64_t& first = firsts[chunk.place[i]];
                          first = first < 0 ? chunk.start[i] : std::min(first, chunk.start[i]);
                      });
    }
    std::vector<std::pair<std::int64_t, PlaceId>> places;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        if (firsts[i] >= 0)
            places.emplace_back(firsts[i], PlaceId(i));
    }
    std::ranges::stable_sort(places, [](const auto& x, const auto& y) { return x.first < y.first; });
    Listing listing(landmarks);
    for (const auto& [first, id] : places) {
        const Place place = run.place(id);
        for (const std::string_view module : modulesAround(run.name(place.module)))
            listing.add(Landmark::Kind::kModule, true, place.phase, module, first);
    }
    listing.finish();
}

/// All of a landmark but which of its like it is.
std::optional<Landmark> likeOf(const Snapshot& run, TrackKind kind, const SpanRow& row) {
    const Place place = run.place(row.place);
    Landmark landmark;
    switch (kind) {
        case TrackKind::kStep:
            return landmark;
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase: {
            const auto phase = std::find(kPhaseNames.begin() + 1, kPhaseNames.end(), run.name(row.name));
            if (phase == kPhaseNames.end())
                return std::nullopt;
            landmark.kind = Landmark::Kind::kPhase;
            landmark.onGpu = kind == TrackKind::kGpuPhase;
            landmark.phase = static_cast<Phase>(phase - kPhaseNames.begin());
            return landmark;
        }
        case TrackKind::kModule:
            landmark.kind = Landmark::Kind::kModule;
            break;
        case TrackKind::kCpuThread:
            landmark.kind = Landmark::Kind::kOp;
            landmark.op = run.name(row.name);
            break;
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies: {
            landmark.kind = Landmark::Kind::kKernel;
            const auto detail = run.detail(row.detail);
            const std::string_view op = run.name(detail ? detail->op : NameId());
            landmark.op = op.empty() ? kOutsideOps : op;
            landmark.copies = kind == TrackKind::kGpuCopies;
            break;
        }
        default:
            return std::nullopt;
    }
    landmark.phase = place.phase;
    landmark.module = run.name(place.module);
    return landmark;
}

}  // namespace

std::string Landmark::text() const {
    const std::string gpu = onGpu ? " on the GPU" : "";
    const std::string in = module.empty() ? "" : " in " + module;
    const std::string during = phase == Phase::kNone ? "" : ", " + std::string(phaseName(phase));
    switch (kind) {
        case Kind::kPhase:
            return std::string(phaseName(phase)) + gpu;
        case Kind::kModule:
            return module + during + gpu;
        case Kind::kOp:
            return op + in + during;
        case Kind::kKernel:
            return (kernels.empty() ? "work of " + op : kernels.front()) + in + during;
        default:
            return "step start";
    }
}

std::optional<FoundLandmark> findLandmark(const Snapshot& run, const StepSpan& step,
                                          const Landmark& landmark) {
    if (landmark.kind == Landmark::Kind::kStep)
        return FoundLandmark{step.range, std::nullopt};
    if (const auto found = findNamed(run, step, landmark))
        return *found;
    if (landmark.op.empty() || landmark.op.starts_with('(') || !landmark.kernels.empty())
        return std::nullopt;
    Landmark twin = landmark;
    twin.op = twinOf(landmark.op);
    return findNamed(run, step, twin).value_or(std::nullopt);
}

std::vector<Landmark> landmarksOf(const Snapshot& run, const StepSpan& step) {
    std::vector<Landmark> landmarks = {Landmark()};
    addPhases(run, step, false, landmarks);
    addPhases(run, step, true, landmarks);
    addModules(run, step, landmarks);
    addModulesOnGpu(run, step, landmarks);
    return landmarks;
}

std::uint64_t spansToSearch(const Snapshot& run, const StepSpan& step) {
    std::uint64_t spans = 0;
    // A GPU may be behind by about a step.
    const Nanoseconds end(wrappingAdd(step.range.end.value, step.range.duration().value));
    for (const TrackKind kind : {TrackKind::kModule, TrackKind::kCpuThread, TrackKind::kApiThread,
                                 TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        for (const SpanLane& lane : lanesOfKind(run, kind)) {
            const std::uint64_t first = lane.firstStartingAt(step.range.begin);
            spans += std::max(lane.firstStartingAt(end), first) - first;
        }
    }
    return spans;
}

std::optional<Landmark> landmarkAt(const Snapshot& run, SpanRef span) {
    if (span.lane.index() >= run.laneCount())
        return std::nullopt;
    const SpanLane lane = run.lane(span.lane);
    const auto row = span.row < lane.rows() ? lane.row(span.row) : std::nullopt;
    if (!row || row->step < 0 || lane.track().index() >= run.trackCount())
        return std::nullopt;
    const TrackKind kind = run.track(lane.track()).kind;
    // A part of a module is the module's.
    if (kind == TrackKind::kModule && run.place(row->place).part.valid())
        return std::nullopt;
    std::optional<Landmark> landmark = likeOf(run, kind, *row);
    if (!landmark || landmark->kind == Landmark::Kind::kStep)
        return landmark;
    const std::vector<StepSpan> steps = stepSpans(run, {row->step, row->step, 1, false});
    if (steps.empty())
        return std::nullopt;
    const Launched like = landmark->kind == Landmark::Kind::kKernel
                              ? launched(run, steps.front(), *landmark)
                              : Launched{candidates(run, steps.front(), *landmark), false};
    const auto isSpan = [span](const Candidate& candidate) { return candidate.span == span; };
    const auto place = std::ranges::find_if(like.kernels, isSpan);
    if (place == like.kernels.end())
        return std::nullopt;
    const auto before = [&](std::optional<std::size_t> call) {
        const auto of = only(like.kernels, place->copies, call);
        return static_cast<std::size_t>(std::ranges::find_if(of, isSpan) - of.begin());
    };
    landmark->nth = before(std::nullopt);
    if (like.byCall) {
        landmark->call = place->call;
        landmark->within = before(place->call);
    }
    return landmark;
}

}  // namespace warpglass
