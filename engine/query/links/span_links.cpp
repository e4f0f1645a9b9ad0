#include "engine/query/links/span_links.h"

#include <algorithm>

#include "engine/query/links/device_waits.h"
#include "engine/query/links/graph_captures.h"
#include "engine/query/memory/memory_event_search.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/spans_at.h"

namespace warpglass {

namespace {

TrackKind kindOf(const Snapshot& snapshot, SpanRef ref) {
    return snapshot.track(snapshot.lane(ref.lane).track()).kind;
}

class Links {
public:
    Links(const Snapshot& snapshot, const LinkIndex* index) : m_snapshot(snapshot), m_index(index) {}

    SpanLinks of(SpanRef ref) {
        const auto span = rowOf(m_snapshot, ref);
        if (!span)
            return {};
        switch (kindOf(m_snapshot, ref)) {
            case TrackKind::kModule:
                ofModule(ref, *span);
                break;
            case TrackKind::kCpuThread:
                addModules(span->start);
                ofOp(ref, {Nanoseconds(span->start), Nanoseconds(span->end())});
                break;
            case TrackKind::kApiThread:
                ofCall(ref, *span);
                break;
            case TrackKind::kGpuStream:
            case TrackKind::kGpuCopies:
                ofWork(ref, *span);
                break;
            case TrackKind::kGpuSync:
                ofWait(ref, *span);
                break;
            default:
                break;
        }
        return std::move(m_links);
    }

private:
    void addModules(std::int64_t t) {
        for (const TrackId track : m_snapshot.tracksOfKind(TrackKind::kModule)) {
            for (const SpanRef module : spansAt(m_snapshot, track, t))
                m_links.modules.push_back(module);
        }
    }

    /// The innermost op on the launching thread; of that name, where it is known.
    void addOpAt(SpanRef call, std::int64_t t, std::optional<NameId> name) {
        const auto track = sameThread(m_snapshot, m_snapshot.lane(call.lane).track(), TrackKind::kCpuThread);
        if (!track)
            return;
        const std::vector<SpanRef> ops = spansAt(m_snapshot, *track, t);
        for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
            if (name && rowOf(m_snapshot, *op)->name != *name)
                continue;
            m_links.op = *op;
            return;
        }
    }

    void ofWork(SpanRef ref, const SpanRow& span) {
        m_links.work = {ref};
        std::int64_t launched = span.start;
        if (m_index)
            m_links.launch = m_index->call(m_snapshot, span.link);
        if (m_links.launch)
            launched = rowOf(m_snapshot, *m_links.launch)->start;
        const auto detail = m_snapshot.detail(span.detail);
        if (detail && detail->graphNode != 0) {
            addCapture(span, *detail);
        } else if (m_links.launch) {
            addOpAt(*m_links.launch, launched, detail ? std::optional(detail->op) : std::nullopt);
            addModules(launched);
        }
        addWait(launched, span.end());
    }

    /// For a graph's kernel, the op and the modules are those of the capture, long before its launch.
    void addCapture(const SpanRow& span, const SpanDetail& detail) {
        if (!m_index)
            return;
        const auto call = m_index->captured(detail.graphNode);
        const auto made = call ? rowOf(m_snapshot, *call) : std::nullopt;
        if (!made || made->place != span.place)
            return;
        m_links.captured = *call;
        addOpAt(*call, made->start, detail.op);
        addModules(made->start);
    }

    void ofCall(SpanRef ref, const SpanRow& span) {
        addOpAt(ref, span.start, std::nullopt);
        addModules(span.start);
        if (waitsForDevice(m_snapshot.name(span.name))) {
            m_links.wait = ref;
            return addWorkBefore(span);
        }
        m_links.launch = ref;
        if (!m_index)
            return;
        addWork(span.link);
        addWaitForWork(span.start);
        addReplay(m_snapshot.lane(ref.lane).track(), {Nanoseconds(span.start), Nanoseconds(span.start + 1)});
    }

    /// With what its calls made in that stretch of it.
    void ofOp(SpanRef ref, TimeRange made) {
        m_links.op = ref;
        const auto calls = sameThread(m_snapshot, m_snapshot.lane(ref.lane).track(), TrackKind::kApiThread);
        if (!calls || !m_index)
            return;
        std::uint64_t read = 0;
        for (const SpanLane& lane : m_snapshot.lanesOf(*calls)) {
            const std::uint64_t end = lane.firstStartingAt(made.end);
            for (std::uint64_t row = lane.firstStartingAt(made.begin); row < end; ++row) {
                if (++read > SpanLinks::kMostCalls || m_links.moreWork) {
                    m_links.moreWork = true;
                    break;
                }
                const auto call = lane.row(row);
                if (!call)
                    continue;
                const std::size_t before = m_links.work.size();
                addWork(call->link);
                if (!m_links.launch && m_links.work.size() > before)
                    m_links.launch = SpanRef{lane.id(), row};
            }
        }
        addWaitForWork(made.begin.value);
        addReplay(*calls, made);
    }

    /// By the first call in it that made work run and the op of that, else by its first op: of a backward one
    /// the first often runs nothing.
    void ofModule(SpanRef ref, const SpanRow& span) {
        addModules(span.start);
        std::erase_if(m_links.modules, [&](SpanRef module) {
            return m_snapshot.lane(module.lane).depth() > m_snapshot.lane(ref.lane).depth();
        });
        std::vector<SpanRef> modules = std::move(m_links.modules);
        const std::optional<Call> launch = firstLaunchIn(span);
        const auto op = launch ? opAt(m_snapshot, launch->ref, launch->row.start) : firstOpIn(span);
        if (op) {
            const auto row = rowOf(m_snapshot, *op);
            ofOp(*op, {Nanoseconds(std::max(row->start, span.start)),
                       Nanoseconds(std::min(row->end(), span.end()))});
        } else if (launch) {
            ofCall(launch->ref, launch->row);
        }
        m_links.modules = std::move(modules);
    }

    struct Call {
        SpanRef ref;
        SpanRow row;
    };

    /// The first of the module's calls that made work run, then or as part of a graph.
    std::optional<Call> firstLaunchIn(const SpanRow& module) const {
        std::optional<Call> first;
        if (!m_index)
            return first;
        const std::vector<TrackId> tracks = m_snapshot.tracksOfKind(TrackKind::kApiThread);
        for (const TrackId track : tracks) {
            for (const SpanLane& lane : m_snapshot.lanesOf(track))
                findLaunch(lane, module, first);
        }
        if (first)
            return first;
        for (const TrackId track : tracks)
            findReplayed(track, module, first);
        return first;
    }

    /// In the lane, where one comes before `first`.
    void findLaunch(const SpanLane& lane, const SpanRow& module, std::optional<Call>& first) const {
        const std::uint64_t begin = lane.firstStartingAt(Nanoseconds(module.start));
        const std::uint64_t end = lane.firstStartingAt(Nanoseconds(first ? first->row.start : module.end()));
        for (std::uint64_t row = begin; row < std::min(end, begin + SpanLinks::kMostCalls); ++row) {
            const auto call = lane.row(row);
            if (!call || !belongs(*call, module) || m_index->work(m_snapshot, call->link, 1).empty())
                continue;
            first = Call{SpanRef{lane.id(), row}, *call};
            return;
        }
    }

    void findReplayed(TrackId calls, const SpanRow& module, std::optional<Call>& first) const {
        const TimeRange made{Nanoseconds(module.start), Nanoseconds(module.end())};
        for (const SpanRef work : firstReplayOf(m_snapshot, *m_index, calls, made, SpanLinks::kMostWork)) {
            const auto detail = m_snapshot.detail(rowOf(m_snapshot, work)->detail);
            const auto call = detail ? m_index->captured(detail->graphNode) : std::nullopt;
            const auto row = call ? rowOf(m_snapshot, *call) : std::nullopt;
            if (row && belongs(*row, module) && (!first || row->start < first->row.start))
                first = Call{*call, *row};
        }
    }

    std::optional<SpanRef> firstOpIn(const SpanRow& module) const {
        std::optional<SpanRef> first;
        std::int64_t begin = module.end();
        for (const TrackId track : m_snapshot.tracksOfKind(TrackKind::kCpuThread)) {
            for (const SpanLane& lane : m_snapshot.lanesOf(track)) {
                // Only what belongs to the module: another thread may be elsewhere.
                std::uint64_t row = lane.firstStartingAt(Nanoseconds(module.start));
                for (int tries = 0; row < lane.rows() && tries < kMostForeignOps; ++row, ++tries) {
                    const auto op = lane.row(row);
                    if (!op || op->start >= begin)
                        break;
                    if (!belongs(*op, module))
                        continue;
                    first = SpanRef{lane.id(), row};
                    begin = op->start;
                    break;
                }
            }
        }
        return first;
    }

    /// To a part of a module by the place, as the name of a part is no path.
    bool belongs(const SpanRow& made, const SpanRow& module) const {
        const Place place = m_snapshot.place(made.place), of = m_snapshot.place(module.place);
        if (of.part.valid() && of.part == module.name)
            return place.part == of.part && place.module == of.module;
        return isWithin(m_snapshot.name(place.module), m_snapshot.name(module.name));
    }

    void ofWait(SpanRef ref, const SpanRow& span) {
        if (m_index)
            m_links.wait = m_index->call(m_snapshot, span.link);
        if (m_links.wait) {
            addOpAt(*m_links.wait, span.start, std::nullopt);
            addModules(span.start);
        } else {
            m_links.wait = ref;
        }
        addWorkBefore(span);
    }

    void addWork(std::uint64_t correlation) {
        const std::size_t room = SpanLinks::kMostWork - m_links.work.size();
        // One more than there is room for tells whether there is more.
        std::vector<SpanRef> found = m_index->work(m_snapshot, correlation, room + 1);
        if (found.size() > room) {
            found.resize(room);
            m_links.moreWork = true;
        }
        m_links.work.insert(m_links.work.end(), found.begin(), found.end());
    }

    /// For what only became part of a graph, adds what its first replay ran of it.
    void addReplay(TrackId calls, TimeRange made) {
        if (!m_links.work.empty())
            return;
        m_links.work = firstReplayOf(m_snapshot, *m_index, calls, made, SpanLinks::kMostWork + 1);
        if (m_links.work.empty())
            return;
        if (m_links.work.size() > SpanLinks::kMostWork) {
            m_links.work.pop_back();
            m_links.moreWork = true;
        }
        const auto work = rowOf(m_snapshot, m_links.work.front());
        const auto launch = m_index->call(m_snapshot, work->link);
        if (!m_links.launch)
            m_links.launch = launch;
        const auto launched = launch ? rowOf(m_snapshot, *launch) : std::nullopt;
        addWait(launched ? launched->start : work->start, work->end());
    }

    void addWaitForWork(std::int64_t launched) {
        if (m_links.work.empty())
            return;
        addWait(launched, rowOf(m_snapshot, m_links.work.front())->end());
    }

    /// The first synchronization that began after the launch and ended after the work.
    void addWait(std::int64_t launched, std::int64_t workEnd) {
        std::optional<SpanRow> first;
        for (const TrackId track : m_snapshot.tracksOfKind(TrackKind::kGpuSync)) {
            for (const SpanLane& lane : m_snapshot.lanesOf(track)) {
                std::uint64_t row = lane.firstEndingAfter(Nanoseconds(workEnd - kClockTolerance - 1));
                row = std::max(row, lane.firstStartingAt(Nanoseconds(launched)));
                const auto wait = row < lane.rows() ? lane.row(row) : std::nullopt;
                if (!wait || (first && wait->end() >= first->end()))
                    continue;
                first = wait;
                m_links.wait = SpanRef{lane.id(), row};
            }
        }
        if (!first || !m_index)
            return;
        // The host's own call is where one would look for it.
        if (const auto call = m_index->call(m_snapshot, first->link))
            m_links.wait = call;
    }

    /// What a wait waited for: of what ended by then, the last.
    void addWorkBefore(const SpanRow& wait) {
        std::int64_t latest = 0;
        for (std::size_t i = 0; i < m_snapshot.laneCount(); ++i) {
            const SpanLane lane = m_snapshot.lane(LaneId(i));
            if (!isGpuTrack(m_snapshot.track(lane.track()).kind))
                continue;
            const std::uint64_t after = lane.firstEndingAfter(Nanoseconds(wait.end() + kClockTolerance));
            const auto work = after > 0 ? lane.row(after - 1) : std::nullopt;
            if (!work || (!m_links.work.empty() && work->end() <= latest))
                continue;
            m_links.work = {SpanRef{lane.id(), after - 1}};
            latest = work->end();
        }
        if (m_links.work.empty() || !m_index)
            return;
        m_links.launch = m_index->call(m_snapshot, rowOf(m_snapshot, m_links.work.front())->link);
    }

    /// Ops of another place that are passed over in search of a module's first.
    static constexpr int kMostForeignOps = 64;

    const Snapshot& m_snapshot;
    const LinkIndex* m_index;
    SpanLinks m_links;
};

std::optional<CauseLevel> levelOf(const Snapshot& snapshot, SpanRef ref, const SpanRow& span) {
    switch (kindOf(snapshot, ref)) {
        case TrackKind::kModule:
            return CauseLevel::kModule;
        case TrackKind::kCpuThread:
            return CauseLevel::kOp;
        case TrackKind::kApiThread:
            return waitsForDevice(snapshot.name(span.name)) ? CauseLevel::kWait : CauseLevel::kLaunch;
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return CauseLevel::kWork;
        case TrackKind::kGpuSync:
            return CauseLevel::kWait;
        default:
            return std::nullopt;
    }
}

}  // namespace

SpanLinks spanLinks(const Snapshot& snapshot, const LinkIndex* index, SpanRef span) {
    return Links(snapshot, index).of(span);
}

std::optional<CauseLevel> CauseChain::levelOf(SpanRef span) const {
    const auto found = std::ranges::find(spans, std::optional(span));
    return found == spans.end() ? std::nullopt
                                : std::optional(static_cast<CauseLevel>(found - spans.begin()));
}

std::optional<SpanRef> CauseChain::beside(int by) const {
    if (!at)
        return std::nullopt;
    for (int level = static_cast<int>(*at) + by; level >= 0 && level < static_cast<int>(kCauseLevels);
         level += by) {
        if (const auto& span = spans[static_cast<std::size_t>(level)])
            return span;
    }
    return std::nullopt;
}

CauseChain causeChain(const Snapshot& snapshot, const LinkIndex* index, SpanRef ref) {
    CauseChain chain;
    const auto span = rowOf(snapshot, ref);
    if (!span)
        return chain;
    chain.at = levelOf(snapshot, ref, *span);
    if (!chain.at)
        return chain;
    SpanLinks links = spanLinks(snapshot, index, ref);
    if (*chain.at == CauseLevel::kWait && !links.work.empty()) {
        // Above a wait stands what it waited for, with what caused that.
        const auto wait = links.wait;
        links = spanLinks(snapshot, index, links.work.front());
        links.wait = wait;
    }
    const auto at = [&](CauseLevel level) -> std::optional<SpanRef>& {
        return chain.spans[static_cast<std::size_t>(level)];
    };
    if (!links.modules.empty())
        at(CauseLevel::kModule) = links.modules.back();
    at(CauseLevel::kOp) = links.op;
    at(CauseLevel::kLaunch) = links.launch;
    if (!links.work.empty())
        at(CauseLevel::kWork) = links.work.front();
    at(CauseLevel::kWait) = links.wait;
    at(*chain.at) = ref;
    chain.captured = links.captured.has_value();
    return chain;
}

namespace {

/// Those that were made from then to then in the span's place and step.
std::vector<CausedAllocation> allocationsOf(const Snapshot& snapshot, const SpanRow& span, std::int64_t begin,
                                            std::int64_t end, std::size_t most) {
    std::vector<CausedAllocation> found;
    for (std::uint64_t i = firstMemoryEventAt(snapshot, Nanoseconds(begin));
         i < snapshot.memoryEventCount() && found.size() < most; ++i) {
        const auto event = snapshot.memoryEvent(i);
        if (!event)
            continue;
        if (event->time > end)
            break;
        if (event->action != MemoryAction::kAllocate ||
            event->allocation.index() >= snapshot.allocationCount())
            continue;
        const auto row = snapshot.allocation(event->allocation);
        if (row && row->place == span.place && row->step == span.step)
            found.push_back({event->time, event->allocation, row->bytes});
    }
    return found;
}

}  // namespace

std::vector<CausedAllocation> allocationsDuring(const Snapshot& snapshot, SpanRef ref, std::size_t most) {
    const auto op = rowOf(snapshot, ref);
    return op ? allocationsOf(snapshot, *op, op->start, op->end(), most) : std::vector<CausedAllocation>();
}

std::vector<CausedAllocation> allocationsCausedBy(const Snapshot& snapshot, const SpanLinks& links,
                                                  std::size_t most) {
    if (links.captured && !links.work.empty()) {
        const auto kernel = rowOf(snapshot, links.work.front());
        return kernel ? allocationsOf(snapshot, *kernel, kernel->start, kernel->start, most)
                      : std::vector<CausedAllocation>();
    }
    return links.op ? allocationsDuring(snapshot, *links.op, most) : std::vector<CausedAllocation>();
}

}  // namespace warpglass
