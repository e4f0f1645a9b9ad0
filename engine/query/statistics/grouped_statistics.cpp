#include "engine/query/statistics/grouped_statistics.h"

#include <cmath>
#include <functional>
#include <map>

#include "engine/base/parallel.h"
#include "engine/query/model/library_work.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/span_work.h"
#include "engine/query/spans/kernel_works.h"
#include "engine/query/spans/op_types.h"
#include "engine/query/spans/text_match.h"
#include "engine/query/statistics/outermost_times.h"
#include "engine/query/statistics/pair_keys.h"
#include "engine/query/statistics/place_groups.h"
#include "engine/query/statistics/roof_shares.h"
#include "engine/query/statistics/row_extras.h"
#include "engine/query/statistics/row_names.h"
#include "engine/query/statistics/shared_rows.h"
#include "engine/query/statistics/span_groups.h"

namespace warpglass {

namespace {

/// Fewer rows than this are not worth a thread.
constexpr std::uint64_t kRowsPerThread = 250'000;

class Grouper {
public:
    Grouper(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind, SpanGrouping grouping,
            std::string_view text)
        : m_snapshot(snapshot),
          m_kind(kind),
          m_grouping(grouping),
          m_groups(snapshot, grouping),
          m_together(snapshot, SpanGrouping::kFlat),
          m_shared(snapshot, filter, kind, grouping),
          m_works(kind == TrackKind::kGpuStream ? KernelWorks(snapshot) : KernelWorks()),
          m_keys(makeKeys()),
          m_work(snapshot, kind),
          m_own(snapshot),
          m_library(kind == TrackKind::kGpuStream ? std::optional<LibraryWork>(snapshot) : std::nullopt),
          m_spans(snapshot, filter, kind),
          m_text(snapshot, kind, text),
          m_types(kind == TrackKind::kCpuThread ? OpTypes(snapshot) : OpTypes()),
          m_statistics(0),
          m_ofGroups(0),
          m_shares(snapshot, kind) {
        m_optimizer.resize(snapshot.placeCount() + 1);
        for (std::size_t i = 0; i + 1 < m_optimizer.size(); ++i)
            m_optimizer[i] = snapshot.place(PlaceId(i)).phase == Phase::kOptimizer ? 1 : 0;
        if (grouping != SpanGrouping::kFlat)
            m_tree.emplace(m_groups, grouping);
        if (kind == TrackKind::kCpuThread && grouping != SpanGrouping::kFlat)
            m_outermost.emplace(snapshot, m_groups, grouping);
        // Where the text leaves nothing out, what is grouped is everything.
        if (kind == TrackKind::kCpuThread && (!m_outermost || !m_text.passesAll()))
            m_everything.emplace(snapshot, m_together, SpanGrouping::kFlat);
    }

    GroupedStatistics run() {
        const auto stretches = m_spans.stretches();
        const std::size_t parts =
            threadsFor(static_cast<std::size_t>(FilteredSpans::rowsOf(stretches) / kRowsPerThread));
        std::vector<Part> all;
        all.reserve(parts);
        std::vector<std::function<void()>> first, second;
        for (std::size_t i = 0; i < parts; ++i) {
            all.push_back({FilteredSpans::part(stretches, i, parts), makeKeys()});
            if (m_everything)
                all.back().everything.emplace(m_snapshot, m_together, SpanGrouping::kFlat);
            if (m_outermost)
                all.back().outermost.emplace(m_snapshot, m_groups, m_grouping);
            first.emplace_back([this, &part = all.back()] { addAll(part); });
            second.emplace_back([this, &part = all.back()] { addAllAgain(part); });
        }
        runTogether(first);
        for (Part& part : all)
            merge(part);
        if (m_tree)
            m_ofGroups.addAllOf(m_statistics,
                                [this](std::size_t key) { return m_tree->around(m_keys.groupOf(key)); });
        m_statistics.startSecondPass();
        m_ofGroups.startSecondPass();
        runTogether(second);
        for (const Part& part : all) {
            m_statistics.take(*part.share);
            m_ofGroups.take(*part.shareOfGroups);
        }
        GroupedStatistics result;
        result.spansOfFilter = m_all.spans;
        result.hasTypes = m_types.any();
        result.totalOfFilter = m_everything  ? m_everything->all()
                               : m_outermost ? m_outermost->all()
                                             : Nanoseconds(static_cast<std::int64_t>(m_all.total));
        if (m_outermost)
            result.groupTimes = m_outermost->times();
        takeRows(result);
        for (const SpanGroups::Row& group : m_ofGroups.takeRows())
            result.groupMedians.emplace(m_tree->path(group.key), group.statistics.median);
        sumWorkOfGroups(result);
        m_shared.moveWork(result);
        return result;
    }

private:
    /// The key of a row that is part of a call of its own name: it is in that call's figures.
    static constexpr std::uint32_t kNoKey = 0xffffffffu;

    /// Sums over every row that the filter takes, whatever the text finds.
    struct Whole {
        std::int64_t spans = 0;
        std::uint64_t total = 0, self = 0;                          // sums of a file from outside may wrap
        std::unordered_map<std::uint32_t, std::int64_t> leftOut{};  // products that the text does not find

        void merge(const Whole& other) {
            spans += other.spans;
            total += other.total;
            self += other.self;
            for (const auto& [place, products] : other.leftOut)
                leftOut[place] += products;
        }
    };
    /// Consecutive rows, added up on a thread of their own.
    struct Part {
        std::vector<FilteredSpans::Stretch> stretches;
        PairKeys keys;
        SpanGroups statistics{0};
        std::vector<std::int64_t> optimizerSelf{};  // by key, as below
        std::vector<RowExtras> extras{};
        Whole all{};
        std::vector<std::uint32_t> rowKeys{};  // of every row found, for the second pass
        std::vector<std::uint32_t> keysOfAll{};
        std::optional<SpanGroups::Share> share{}, shareOfGroups{};
        std::optional<OutermostTimes> everything{};  // of ops, where `outermost` is not of all
        std::optional<OutermostTimes> outermost{};   // of ops that are grouped
    };

    std::size_t names() const { return m_snapshot.nameCount() + 1; }
    PairKeys makeKeys() const {
        return PairKeys(m_groups.count(), names() * m_shared.kinds() * m_works.count(), m_works.count() > 1);
    }
    /// A kernel of several update ops has a row for each, of which each is split in its own way; and a
    /// template's one for each of its works.
    NameId nameOf(std::size_t key) const { return NameId(m_keys.nameOf(key) % names()); }

    void addAll(Part& part) const {
        part.rowKeys.reserve(static_cast<std::size_t>(FilteredSpans::rowsOf(part.stretches)));
        Whole all;
        const auto taken = [this](const SpanChunk& chunk, std::uint32_t i) {
            return m_spans.takes(chunk, i);
        };
        const auto counts = [this](const SpanChunk& chunk, std::uint32_t i) {
            return m_spans.takes(chunk, i) && m_text.passes(chunk, i);
        };
        m_spans.forEachOf(part.stretches, [&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i,
                                              std::uint64_t) {
            ++all.spans;
            all.total += static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.duration[i], 0));
            all.self += static_cast<std::uint64_t>(chunk.self[i]);
            bool calledByItself = part.everything && part.everything->add(lane, chunk, i, taken);
            if (m_text.passes(chunk, i)) {
                if (part.outermost)
                    calledByItself = part.outermost->add(lane, chunk, i, counts);
                add(part, chunk, i, calledByItself);
            } else if (isPlanned(chunk, i)) {
                ++all.leftOut[chunk.place[i]];
            }
        });
        part.all = std::move(all);
    }

    bool isOwn(const SpanChunk& chunk, std::uint32_t i) const {
        return m_kind == TrackKind::kGpuStream && m_own.isOwn(NameId(chunk.name[i]));
    }
    /// A product or an update that only the plan of its place tells of: attention's own kernels say what they
    /// did.
    bool isPlanned(const SpanChunk& chunk, std::uint32_t i) const {
        return (m_work.isProduct(chunk, i) || m_work.isUpdate(chunk, i)) && !isOwn(chunk, i);
    }

    void add(Part& part, const SpanChunk& chunk, std::uint32_t i, bool calledByItself) const {
        const std::uint32_t key =
            part.keys.of(m_groups.of(chunk.place[i]),
                         std::min<std::size_t>(chunk.name[i], names() - 1) +
                             names() * (m_shared.kindOf(chunk, i) + m_shared.kinds() * m_works.of(chunk, i)));
        part.rowKeys.push_back(calledByItself ? kNoKey : key);
        if (key >= part.extras.size()) {
            part.extras.resize(key + 1);
            part.optimizerSelf.resize(key + 1);
        }
        if (calledByItself)
            part.statistics.addPart(key, chunk.self[i]);
        else
            part.statistics.add(key, chunk.duration[i], chunk.self[i]);
        if (m_optimizer[std::min<std::size_t>(chunk.place[i], m_optimizer.size() - 1)])
            addWrapping(part.optimizerSelf[key], chunk.self[i]);
        if (isPlanned(chunk, i))
            ++part.extras[key].byPlace[chunk.place[i]];
        if (m_types.any())
            addTypes(part.extras[key], chunk, i, calledByItself);
        if (!isGpuTrack(m_kind))
            return;
        RowExtras& extras = part.extras[key];
        extras.place = PlaceId(chunk.place[i]);
        const auto detail = m_snapshot.detail(DetailId(chunk.detail[i]));
        if (isOwn(chunk, i))
            ++extras.ownByPlace[chunk.place[i]];
        addWrapping(extras.byName[detail ? detail->op.value : NameId().value], chunk.duration[i]);
        if (m_kind == TrackKind::kGpuStream) {
            addWrapping(extras.bySignature[detail ? detail->fullName.value : NameId().value],
                        chunk.duration[i]);
            if (const std::uint64_t work = m_library->keyOf(chunk, i)) {
                auto& ran = extras.library[work];
                ran = {ran.first + 1, wrappingAdd(ran.second, chunk.duration[i])};
            }
        }
        if (m_kind == TrackKind::kGpuCopies && detail) {
            addWrapping(extras.copied, detail->bytes);
            if (extras.copy != CopyKind::kNone && extras.copy != detail->copy)
                extras.oneCopyKind = false;
            extras.copy = detail->copy;
        }
    }

    void addTypes(RowExtras& extras, const SpanChunk& chunk, std::uint32_t i, bool calledByItself) const {
        const NameId types = m_types.of(chunk, i);
        if (!types.valid())
            return;
        addWrapping(extras.byName[types.value],
                    calledByItself ? 0 : std::max<std::int64_t>(chunk.duration[i], 0));
    }

    void merge(Part& part) {
        m_all.merge(part.all);
        part.keysOfAll.resize(part.extras.size());
        for (std::size_t key = 0; key < part.extras.size(); ++key) {
            const std::uint32_t ofAll = part.keysOfAll[key] = m_keys.of(part.keys, key);
            if (ofAll >= m_extras.size()) {
                m_extras.resize(ofAll + 1);
                m_optimizerSelf.resize(ofAll + 1);
            }
            m_extras[ofAll].merge(part.extras[key]);
            addWrapping(m_optimizerSelf[ofAll], part.optimizerSelf[key]);
        }
        m_statistics.merge(part.statistics, [&](std::size_t key) { return part.keysOfAll[key]; });
        part.extras = {};
        if (part.everything)
            m_everything->merge(*part.everything);
        part.everything.reset();
        if (part.outermost)
            m_outermost->merge(*part.outermost);
        part.outermost.reset();
    }

    void addAllAgain(Part& part) const {
        part.share.emplace(m_statistics);
        part.shareOfGroups.emplace(m_ofGroups);
        std::size_t row = 0;
        m_spans.forEachOf(part.stretches,
                          [&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
                              if (!m_text.passes(chunk, i))
                                  return;
                              const std::uint32_t rowKey = part.rowKeys[row++];
                              if (rowKey == kNoKey)
                                  return;
                              const std::uint32_t key = part.keysOfAll[rowKey];
                              part.share->add(key, chunk.duration[i]);
                              if (!m_tree)
                                  return;
                              for (const std::uint32_t group : m_tree->around(m_keys.groupOf(key)))
                                  part.shareOfGroups->add(group, chunk.duration[i]);
                          });
    }

    /// What the launches of a row's kernel did, which is ours; known in part is not known.
    std::optional<OwnKernelWork::Known> ownWork(std::size_t key, const RowExtras& extras) const {
        OwnKernelWork::Known sum;
        for (const auto& [place, launches] : extras.ownByPlace) {
            const auto known = m_own.of(nameOf(key), PlaceId(place), launches);
            if (!known)
                return std::nullopt;
            sum += *known;
        }
        return sum;
    }

    struct LibrarySum {
        LibraryWork::Known known;
        std::int64_t time = 0;
    };
    /// What the library's kernels of a row did, and the time of those of which it is known.
    LibrarySum libraryWork(const RowExtras& extras) const {
        LibrarySum sum;
        for (const auto& [key, ran] : extras.library) {
            const auto known = m_library->of(key, ran.first);
            if (!known)
                continue;
            sum.known.flops += known->flops;
            sum.known.bytes += known->bytes;
            addWrapping(sum.time, ran.second);
        }
        return sum;
    }

    void addWork(GroupedRow& row, std::size_t index, std::size_t key, const RowExtras& extras) {
        if (m_kind == TrackKind::kGpuCopies) {
            row.bytes = Bytes(extras.copied);
            if (extras.oneCopyKind)
                m_shares.add(row, index, static_cast<double>(extras.copied), static_cast<int>(extras.copy));
            return;
        }
        if (!extras.ownByPlace.empty()) {
            if (const auto own = ownWork(key, extras)) {
                row.flops = Flops(std::llround(own->flops));
                row.bytes = Bytes(std::llround(own->bytes));
                row.notMoved = Bytes(std::llround(own->notMoved));
                const bool product = own->products > 0;
                m_shares.add(row, index, product ? own->products : own->bytes,
                             product ? RoofShares::kOwnAttention : RoofShares::kMemory);
            }
            return;
        }
        if (!extras.library.empty())
            return addLibraryWork(row, index, libraryWork(extras));
        SpanWork::Known sum;
        for (const auto& [place, products] : extras.byPlace) {
            const auto known = m_work.of(place, products, products == productsAt(place));
            if (!known)
                return;  // known in part is not known
            sum.flops += known->flops;
            sum.bytes += known->bytes;
            sum.update = sum.update || known->update;
        }
        // Other kernels of an update's name are not of its work.
        if (sum.flops <= 0 || (sum.update && extras.byName.size() > 1))
            return;
        row.flops = Flops(std::llround(sum.flops));
        row.bytes = Bytes(std::llround(sum.bytes));
        const int roof = sum.update ? RoofShares::kMemory : m_shares.roofOfProducts(sum.flops, sum.bytes);
        m_shares.add(row, index, roof == RoofShares::kMemory ? sum.bytes : sum.flops, roof);
    }

    /// Bytes are the least, so that they are also what is known where little is unknown.
    void addLibraryWork(GroupedRow& row, std::size_t index, const LibrarySum& sum) {
        constexpr double kNearlyAll = 0.99;
        if (sum.known.bytes <= 0 ||
            static_cast<double>(sum.time) < kNearlyAll * static_cast<double>(row.figures.total.value))
            return;
        if (sum.known.flops > 0)
            row.flops = Flops(std::llround(sum.known.flops));
        row.bytes = Bytes(std::llround(sum.known.bytes));
        m_shares.add(row, index, sum.known.bytes, RoofShares::kMemory);
    }

    /// All that the filter takes of a place, found or not.
    std::int64_t productsAt(std::uint32_t place) const {
        const auto leftOut = m_all.leftOut.find(place);
        return m_foundAt.at(place) + (leftOut == m_all.leftOut.end() ? 0 : leftOut->second);
    }

    void takeRows(GroupedStatistics& result) {
        for (const RowExtras& extras : m_extras) {
            for (const auto& [place, products] : extras.byPlace)
                m_foundAt[place] += products;
        }
        for (SpanGroups::Row& group : m_statistics.takeRows()) {
            const RowExtras& extras = m_extras[group.key];
            GroupedRow& row = result.rows.emplace_back();
            row.figures = std::move(group.statistics);
            row.figures.name = m_snapshot.name(nameOf(group.key));
            row.group = m_groups.name(m_keys.groupOf(group.key));
            // An op of several phases has the family of the phase that it mostly works in.
            const bool updates = m_optimizerSelf[group.key] > row.figures.self.value / 2;
            nameMost(m_snapshot, isGpuTrack(m_kind), extras.byName, row);
            nameTitle(m_snapshot, m_works, extras.bySignature, row);
            row.figures.family = kernelFamily(row.figures.name, row.signature, row.launchedBy,
                                              updates ? Phase::kOptimizer : Phase::kNone);
            nameShape(m_snapshot, m_work, extras.byPlace, row);
            addWork(row, result.rows.size() - 1, group.key, extras);
            row.kind = m_keys.nameOf(group.key) / names() % m_shared.kinds();
            row.work = m_keys.nameOf(group.key) / names() / m_shared.kinds();
            m_shared.add(row.kind, extras.place, nameOf(group.key));
        }
        m_shares.setIn(result);
        for (GroupedRow& row : result.rows) {
            row.figures.timeShare = shareOf(row.figures.total, result.totalOfFilter);
            row.figures.selfShare =
                shareOf(row.figures.self, Nanoseconds(static_cast<std::int64_t>(m_all.self)));
        }
        m_shared.split(result);
        std::ranges::sort(result.rows, [](const GroupedRow& a, const GroupedRow& b) {
            if (a.figures.self != b.figures.self)
                return a.figures.self > b.figures.self;
            return std::tie(a.figures.name, a.group, a.ranIn, a.kind, a.work) <
                   std::tie(b.figures.name, b.group, b.ranIn, b.kind, b.work);
        });
    }

    void sumWorkOfGroups(GroupedStatistics& result) const {
        struct Sum {
            SpanWork::Known known;
            OwnKernelWork::Known own;
            std::int64_t copied = 0;
            bool whole = true;
        };
        std::map<std::uint32_t, Sum> sums;
        for (std::size_t key = 0; key < m_extras.size(); ++key) {
            Sum& sum = sums[m_keys.groupOf(key)];
            addWrapping(sum.copied, m_extras[key].copied);
            const auto own = ownWork(key, m_extras[key]);
            sum.whole = sum.whole && own;
            sum.own += own.value_or(OwnKernelWork::Known());
            const LibraryWork::Known library = libraryWork(m_extras[key]).known;
            sum.own += {library.flops, library.bytes};
        }
        for (const auto& [place, products] : m_foundAt) {
            Sum& sum = sums[m_groups.of(place)];
            const auto known = m_work.of(place, products, products == productsAt(place));
            sum.whole = sum.whole && known;
            if (known && known->update) {
                sum.own.flops += known->flops;
                sum.own.bytes += known->bytes;
            } else if (known) {
                sum.known.flops += known->flops;
                sum.known.bytes += known->bytes;
            }
        }
        for (const auto& [group, sum] : sums) {
            GroupedStatistics::Work& work = result.groups.emplace_back();
            work.group = m_groups.name(group);
            if (m_kind == TrackKind::kGpuCopies) {
                work.bytes = Bytes(sum.copied);
                continue;
            }
            if (!sum.whole)
                continue;
            work.flops = Flops(std::llround(sum.known.flops + sum.own.flops));
            work.bytes = Bytes(std::llround(sum.known.bytes + sum.own.bytes));
            work.ofProducts = Flops(std::llround(sum.known.flops + sum.own.products));
            work.notMoved = Bytes(std::llround(sum.own.notMoved));
        }
    }

    const Snapshot& m_snapshot;
    TrackKind m_kind;
    SpanGrouping m_grouping;
    PlaceGroups m_groups;
    PlaceGroups m_together;  // all places are one group
    SharedRows m_shared;
    KernelWorks m_works;
    PairKeys m_keys;
    SpanWork m_work;
    OwnKernelWork m_own;
    std::optional<LibraryWork> m_library;  // of kernels
    FilteredSpans m_spans;
    RowTextMatch m_text;
    OpTypes m_types;
    Whole m_all;
    std::optional<GroupTree> m_tree;  // of what is grouped
    SpanGroups m_statistics;
    SpanGroups m_ofGroups;                                      // by group of the tree
    std::vector<std::uint8_t> m_optimizer;                      // by place
    std::vector<std::int64_t> m_optimizerSelf;                  // by key
    std::vector<RowExtras> m_extras;                            // by key
    std::unordered_map<std::uint32_t, std::int64_t> m_foundAt;  // products of each place
    std::optional<OutermostTimes> m_everything;                 // of ops, where m_outermost is not of all
    std::optional<OutermostTimes> m_outermost;                  // of ops that are grouped
    RoofShares m_shares;
};

}  // namespace

GroupedStatistics groupedStatistics(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind,
                                    SpanGrouping grouping, std::string_view text) {
    return Grouper(snapshot, filter, kind, grouping, text).run();
}

}  // namespace warpglass
