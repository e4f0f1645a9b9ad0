#include "ui/memory/segment_list.h"

#include "engine/base/format.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
QString grouped(std::int64_t number) {
    return toQString(formatGrouped(number));
}
}  // namespace

void SegmentList::unfoldAs(const SegmentList& before) {
    m_unfolded = before.m_unfolded;
    show();
}

void SegmentList::show() {
    m_shown.clear();
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        const SegmentRow& row = m_rows[r];
        if (row.folded)
            m_shown.push_back({r, std::nullopt});
        if (row.folded && !m_unfolded.contains(row.fold))
            continue;
        for (const std::size_t segment : row.segments)
            m_shown.push_back({r, segment});
    }
}

void SegmentList::setUnfolded(std::size_t shown, bool unfolded) {
    const SegmentFold fold = rowOf(shown).fold;
    if (unfolded)
        m_unfolded.insert(fold);
    else
        m_unfolded.erase(fold);
    show();
}

const MemorySegment* SegmentList::segmentOf(std::size_t shown) const {
    if (shown >= m_shown.size() || !m_shown[shown].segment)
        return nullptr;
    return &m_state.segments[*m_shown[shown].segment];
}

std::size_t SegmentList::segmentsFrom(std::size_t shown) const {
    std::size_t count = 0;
    for (; shown < m_shown.size(); ++shown) {
        if (m_shown[shown].segment)
            ++count;
        else if (!isUnfolded(shown))
            count += rowOf(shown).segments.size();
    }
    return count;
}

QString SegmentList::nameOf(std::size_t shown) const {
    const auto sized = [](std::int64_t bytes) { return toQString(formatBytes(Bytes(bytes))); };
    const SegmentRow& row = rowOf(shown);
    if (const MemorySegment* segment = segmentOf(shown); segment && (row.folded || row.fold == SegmentFold()))
        return sized(segment->bytes);
    const QString number = grouped(static_cast<std::int64_t>(row.segments.size()));
    return row.fold.constant     ? tr("%1 always full").arg(number)
           : row.fold.bytes == 0 ? tr("%1 of other sizes").arg(number)
                                 : tr("%1 × %2").arg(number, sized(row.fold.bytes));
}

QString SegmentList::toolTipOf(std::size_t shown, const StepClock& clock) const {
    const auto exact = [](std::int64_t bytes) { return toQString(formatBytesExact(Bytes(bytes))); };
    if (const MemorySegment* segment = segmentOf(shown)) {
        const QString kind = segment->expandable  ? tr("expandable")
                             : segment->pool != 0 ? tr("of a CUDA graph's pool")
                             : segment->large     ? tr("for allocations above 1 MiB")
                                                  : tr("for allocations up to 1 MiB");
        const QString pieces =
            segment->totals.gaps == 1 ? tr("1 piece") : tr("%1 pieces").arg(grouped(segment->totals.gaps));
        return tr("Segment of %1, %2, since %3: %4 free in %5")
            .arg(exact(segment->bytes), kind, clock.text(segment->since), exact(segment->totals.free.value),
                 pieces);
    }
    const SegmentRow& row = rowOf(shown);
    const QString click = isUnfolded(shown) ? tr("A click folds them") : tr("A click shows them one by one");
    QStringList lines{tr("%1 segments, %2 in all. %3")
                          .arg(grouped(static_cast<std::int64_t>(row.segments.size())),
                               exact(row.totals.reserved.value), click)};
    for (const SegmentPart& part : row.parts)
        lines += QStringLiteral("%1: %2").arg(wordsOf(part), exact(part.bytes));
    return lines.join(QLatin1Char('\n'));
}

QString SegmentList::wordsOf(const SegmentPart& part) {
    switch (part.state) {
        case BlockState::kFree:
            return part.whole ? tr("whole segments that are free") : tr("holes between blocks");
        case BlockState::kEarlier:
            return tr("in use since before the recording");
        case BlockState::kPending:
            return tr("freed %1, still used by another stream").arg(toQString(categoryName(part.category)));
        case BlockState::kAllocated:
            break;
    }
    return toQString(categoryName(part.category));
}

}  // namespace warpglass::ui
