#include "engine/query/memory/unreserved.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpglass {
namespace {

/// More than a screen can show; segments that lie over one another in a damaged file cut each other to
/// pieces.
constexpr std::size_t kMostStays = 20'000, kMostPieces = 200'000;

/// Address space that was reserved, and how long.
struct Stay {
    std::uint64_t address = 0, addressEnd = 0;
    std::int64_t begin = 0, end = 0;
};

class Reserved {
public:
    void take(std::uint64_t address, std::int64_t bytes, std::int64_t time) {
        giveBack(address, bytes, time);  // what is reserved twice in a damaged file counts once
        m_open[address] = {address + static_cast<std::uint64_t>(bytes), time};
    }
    /// Any part of what was taken, as of an expandable segment.
    void giveBack(std::uint64_t address, std::int64_t bytes, std::int64_t time) {
        const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
        auto open = m_open.lower_bound(address);
        if (open != m_open.begin() && std::prev(open)->second.end > address)
            --open;
        while (open != m_open.end() && open->first < end) {
            const std::uint64_t from = open->first;
            const Open of = open->second;
            open = m_open.erase(open);
            if (from < address)
                m_open[from] = {address, of.since};
            if (of.end > end)
                open = m_open.insert({end, {of.end, of.since}}).first;
            m_stays.push_back({std::max(from, address), std::min(of.end, end), of.since, time});
        }
    }
    std::vector<Stay> stays(std::int64_t now) && {
        for (const auto& [address, of] : m_open)
            m_stays.push_back({address, of.end, of.since, now});
        return std::move(m_stays);
    }
    std::size_t count() const { return m_stays.size() + m_open.size(); }

private:
    struct Open {
        std::uint64_t end = 0;
        std::int64_t since = 0;
    };
    std::map<std::uint64_t, Open> m_open;  // by address, none over another
    std::vector<Stay> m_stays;
};

std::vector<Stay> staysOf(const Snapshot& snapshot) {
    Reserved reserved;
    for (std::uint64_t i = 0; i < snapshot.segmentEventCount() && reserved.count() <= kMostStays; ++i) {
        const auto event = snapshot.segmentEvent(i);
        if (!event || event->bytes <= 0 ||
            event->address + static_cast<std::uint64_t>(event->bytes) < event->address)
            continue;
        if (event->action == SegmentAction::kAllocate || event->action == SegmentAction::kMap)
            reserved.take(event->address, event->bytes, event->time);
        else if (event->action == SegmentAction::kFree || event->action == SegmentAction::kUnmap)
            reserved.giveBack(event->address, event->bytes, event->time);
    }
    if (reserved.count() > kMostStays)
        return {};
    return std::move(reserved).stays(snapshot.range().end.value);
}

/// What is left of the run's time between the stays of one stretch of places.
void addGaps(std::vector<UnreservedStretch>& gaps, std::int64_t from, std::int64_t to,
             std::vector<std::pair<std::int64_t, std::int64_t>> stays, TimeRange run) {
    std::ranges::sort(stays);
    std::int64_t at = run.begin.value;
    const auto add = [&](std::int64_t until) {
        if (until > at)
            gaps.push_back({from, to, at, until});
    };
    for (const auto& [begin, end] : stays) {
        add(std::min(begin, run.end.value));
        at = std::max(at, end);
    }
    add(run.end.value);
}

std::vector<UnreservedStretch> joined(std::vector<UnreservedStretch> gaps) {
    const auto byTime = [](const UnreservedStretch& gap) { return std::tuple(gap.begin, gap.end, gap.from); };
    std::ranges::sort(gaps, {}, byTime);
    std::vector<UnreservedStretch> whole;
    for (const UnreservedStretch& gap : gaps) {
        if (!whole.empty() && whole.back().begin == gap.begin && whole.back().end == gap.end &&
            whole.back().to == gap.from)
            whole.back().to = gap.to;
        else
            whole.push_back(gap);
    }
    std::ranges::sort(whole, {},
                      [](const UnreservedStretch& gap) { return std::tuple(gap.from, gap.begin); });
    return whole;
}

}  // namespace

std::vector<UnreservedStretch> unreservedStretches(const Snapshot& snapshot, const AllocationMap& map) {
    std::vector<Stay> stays = staysOf(snapshot);
    if (stays.empty() || !map.hasPlaces())
        return {};
    std::ranges::sort(stays, {}, &Stay::address);
    std::vector<UnreservedStretch> gaps;
    std::size_t pieces = 0;
    for (const AllocationMap::Piece& piece : map.pieces()) {
        const std::uint64_t end = piece.address + static_cast<std::uint64_t>(piece.bytes);
        const auto first = std::ranges::lower_bound(stays, piece.address, {}, &Stay::address);
        const auto last = std::ranges::lower_bound(stays, end, {}, &Stay::address);
        // Pieces are unions of stays and of allocations outside of them: no stay begins before its piece.
        std::vector<std::uint64_t> cuts{piece.address, end};
        for (auto stay = first; stay != last; ++stay) {
            cuts.push_back(stay->address);
            cuts.push_back(std::min(stay->addressEnd, end));
        }
        std::ranges::sort(cuts);
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::map<std::uint64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> lives;  // by cut
        for (auto stay = first; stay != last; ++stay) {
            for (auto cut = std::ranges::lower_bound(cuts, stay->address);
                 cut != cuts.end() && *cut < std::min(stay->addressEnd, end); ++cut) {
                if (++pieces > kMostPieces)
                    return {};
                lives[*cut].emplace_back(stay->begin, stay->end);
            }
        }
        const auto placeOf = [&](std::uint64_t address) {
            return piece.place + static_cast<std::int64_t>(address - piece.address);
        };
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            const auto found = lives.find(cuts[i]);
            if (found != lives.end())  // what is in no segment at any time is unknown
                addGaps(gaps, placeOf(cuts[i]), placeOf(cuts[i + 1]), found->second, snapshot.range());
        }
    }
    return joined(std::move(gaps));
}

}  // namespace warpglass
