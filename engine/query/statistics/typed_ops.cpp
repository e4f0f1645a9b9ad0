#include "engine/query/statistics/typed_ops.h"

#include <algorithm>
#include <tuple>

#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/op_types.h"
#include "engine/query/spans/spans_around.h"
#include "engine/query/statistics/pair_keys.h"
#include "engine/query/statistics/span_groups.h"

namespace warpglass {

namespace {

class TypedOpGroups {
public:
    /// All arguments outlive this.
    TypedOpGroups(const Snapshot& snapshot, const OpTypes& types, const SpanFilter& filter)
        : m_snapshot(snapshot),
          m_types(types),
          m_spans(snapshot, filter, TrackKind::kCpuThread),
          m_around(snapshot),
          m_keys(snapshot.nameCount() + 1, snapshot.nameCount() + 1),
          m_groups(0) {}

    std::vector<TypedOp> run() {
        m_spans.forEach([this](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            add(lane, chunk, i);
        });
        m_groups.startSecondPass();
        std::size_t row = 0;
        m_spans.forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            if (const std::uint32_t key = m_rowKeys[row++]; key != kPart)
                m_groups.addAgain(key, chunk.duration[i]);
        });
        return takeRows();
    }

private:
    /// The key of a call that is part of another one of its row.
    static constexpr std::uint32_t kPart = 0xffffffffu;

    void add(const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i) {
        const NameId types = m_types.of(chunk, i);
        bool outermost = true, part = false;
        m_around.forEach(lane, chunk, i, [&](const SpanChunk& around, std::uint32_t row) {
            if (!m_spans.takes(around, row))
                return true;
            outermost = false;
            part = around.name[row] == chunk.name[i] && m_types.of(around, row) == types;
            return !part;
        });
        const std::uint32_t key =
            m_keys.of(static_cast<std::uint32_t>(inBounds(types.value)), inBounds(chunk.name[i]));
        m_rowKeys.push_back(part ? kPart : key);
        m_self += static_cast<std::uint64_t>(chunk.self[i]);
        if (outermost)
            m_time += static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.duration[i], 0));
        if (part)
            m_groups.addPart(key, chunk.self[i]);
        else
            m_groups.add(key, chunk.duration[i], chunk.self[i]);
    }

    /// One number stands for all names that there are none of.
    std::size_t inBounds(std::uint32_t name) const {
        return std::min<std::size_t>(name, m_snapshot.nameCount());
    }

    std::vector<TypedOp> takeRows() {
        const auto shareOf = [](Nanoseconds part, std::uint64_t whole) {
            const auto all = static_cast<std::int64_t>(whole);
            return all > 0 ? static_cast<double>(part.value) / static_cast<double>(all) : 0;
        };
        std::vector<TypedOp> rows;
        for (SpanGroups::Row& group : m_groups.takeRows()) {
            TypedOp& row = rows.emplace_back();
            row.figures = std::move(group.statistics);
            row.figures.name = m_snapshot.name(NameId(m_keys.nameOf(group.key)));
            row.figures.timeShare = shareOf(row.figures.total, m_time);
            row.figures.selfShare = shareOf(row.figures.self, m_self);
            row.types = typesText(m_snapshot, NameId(m_keys.groupOf(group.key)));
        }
        std::ranges::sort(rows, [](const TypedOp& a, const TypedOp& b) {
            if (a.figures.self != b.figures.self)
                return a.figures.self > b.figures.self;
            return std::tie(a.figures.name, a.types) < std::tie(b.figures.name, b.types);
        });
        return rows;
    }

    const Snapshot& m_snapshot;
    const OpTypes& m_types;
    FilteredSpans m_spans;
    SpansAround m_around;
    PairKeys m_keys;  // of types and names
    SpanGroups m_groups;
    std::vector<std::uint32_t> m_rowKeys;  // of every row, for the second pass
    std::uint64_t m_self = 0, m_time = 0;  // of all; sums of a file from outside may wrap
};

}  // namespace

std::vector<TypedOp> typedOps(const Snapshot& snapshot, const SpanFilter& filter) {
    const OpTypes types(snapshot);
    if (!types.any())
        return {};
    return TypedOpGroups(snapshot, types, filter).run();
}

}  // namespace warpglass
