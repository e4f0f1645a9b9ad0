// What a SegmentsView says: the sentence above it, names of rows and tool tips.
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString sized(Bytes bytes) {
    return toQString(formatBytes(bytes));
}

QString count(std::int64_t number) {
    return toQString(formatGrouped(number));
}

}  // namespace

/// How much is reserved and in use, and of what is free how much can be given back and why the rest cannot.
QString SegmentsView::sentenceOf(Bytes rounding, Nanoseconds moment) const {
    if (m_state.segments.empty()) {
        const auto& run = m_document.snapshot();
        const QString why = run ? toQString(Completeness(*run).why(DataKind::kSegments)) : QString();
        return !run            ? m_document.noRunWords(tr("to see its segments"))
               : why.isEmpty() ? tr("No segment is held at this moment")
                               : why;
    }
    const SegmentTotals& totals = m_all.totals;
    const FreePlaces places = freePlaces(m_state, *m_document.snapshot());
    const auto ofReserved = [&](Bytes bytes) {
        const auto reserved = static_cast<double>(std::max<std::int64_t>(1, totals.reserved.value));
        return toQString(formatPercent(static_cast<double>(bytes.value) / reserved));
    };
    QString sentence = totals.free.value == 0
                           ? tr("At %1, all of the %2 reserved is in use.")
                                 .arg(m_focus.clock().text(moment), sized(totals.reserved))
                           : tr("At %1, %2 is reserved: %3 in use, %4 (%5) free.")
                                 .arg(m_focus.clock().text(moment), sized(totals.reserved),
                                      sized(totals.active()), sized(totals.free), ofReserved(totals.free));
    const auto part = [&](Bytes bytes) {
        return bytes == totals.free ? tr(" All of it") : tr(" %1 (%2)").arg(sized(bytes), ofReserved(bytes));
    };
    if (places.whole > 0)
        sentence += part(places.wholeBytes) +
                    (places.whole == 1
                         ? tr(" is a whole segment, which can be given back.")
                         : tr(" is %1 whole segments, which can be given back.").arg(count(places.whole)));
    if (places.holes > 0)
        sentence +=
            part(places.holeBytes) +
            (places.holes == 1
                 ? tr(" lies in a hole beside blocks in use: nothing larger fits into it.")
                 : tr(" lies in %1 holes between blocks in use%2: nothing larger than %3 fits into one.")
                       .arg(count(places.holes), toQString(besideHoles(places)), sized(places.largestHole)));
    if (totals.pending.value > 0)
        sentence += tr(" %1 is freed but still used by another stream.").arg(sized(totals.pending));
    if (totals.earlier.value > 0)
        sentence += tr(" %1 is in use since before the recording.").arg(sized(totals.earlier));
    return sentence + tr(" Rounding takes %1 of what is in use.").arg(sized(rounding));
}

/// "141 × 40.0 MiB".
QString SegmentsView::nameOf(std::size_t shown) const {
    const SegmentRow& row = m_rows[m_shown[shown].row];
    if (const MemorySegment* segment = segmentOf(shown); segment && (row.folded || row.fold == SegmentFold()))
        return sized(Bytes(segment->bytes));
    const QString number = count(static_cast<std::int64_t>(row.segments.size()));
    return row.fold.constant     ? tr("%1 always full").arg(number)
           : row.fold.bytes == 0 ? tr("%1 of other sizes").arg(number)
                                 : tr("%1 × %2").arg(number, sized(Bytes(row.fold.bytes)));
}

QString SegmentsView::toolTipOf(const MemoryBlock& block) const {
    switch (block.state) {
        case BlockState::kFree:
            return tr("Free: %1").arg(toQString(formatBytesExact(Bytes(block.bytes))));
        case BlockState::kEarlier:
            return tr("In use since before the recording: %1")
                .arg(toQString(formatBytesExact(Bytes(block.bytes))));
        default:
            break;
    }
    QString text = allocationToolTip(m_focus.detailOf(block.allocation), m_focus.clock());
    if (block.state == BlockState::kPending)
        text += tr("Freed, but still used by another stream");
    return text;
}

QString SegmentsView::toolTipOfRow(std::size_t shown) const {
    const auto exact = [](std::int64_t bytes) { return toQString(formatBytesExact(Bytes(bytes))); };
    if (const MemorySegment* segment = segmentOf(shown)) {
        const QString kind = segment->expandable  ? tr("expandable")
                             : segment->pool != 0 ? tr("of a CUDA graph's pool")
                             : segment->large     ? tr("for allocations above 1 MiB")
                                                  : tr("for allocations up to 1 MiB");
        const QString pieces =
            segment->totals.gaps == 1 ? tr("1 piece") : tr("%1 pieces").arg(count(segment->totals.gaps));
        return tr("Segment of %1, %2, since %3: %4 free in %5")
            .arg(exact(segment->bytes), kind, m_focus.clock().text(segment->since),
                 exact(segment->totals.free.value), pieces);
    }
    const SegmentRow& row = m_rows[m_shown[shown].row];
    const QString click = isUnfolded(shown) ? tr("A click folds them") : tr("A click shows them one by one");
    QStringList lines{tr("%1 segments, %2 in all. %3")
                          .arg(count(static_cast<std::int64_t>(row.segments.size())),
                               exact(row.totals.reserved.value), click)};
    for (const SegmentPart& part : row.parts)
        lines += QStringLiteral("%1: %2").arg(wordsOf(part), exact(part.bytes));
    return lines.join(QLatin1Char('\n'));
}

QString SegmentsView::wordsOf(const SegmentPart& part) const {
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
