// What a SegmentsView says: the sentence above it, and what a block is.
#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

/// What is reserved and lost to holes, or why nothing is shown.
QString SegmentsView::sentenceOf(Nanoseconds moment, MemoryFocus::At at) const {
    if (!m_list.state().segments.empty()) {
        const std::string when = m_focus.clock().text(moment).toStdString();
        return toQString(segmentsSentence(
            m_sizes.free(), at == MemoryFocus::At::kPeak ? "At the peak (" + when + ")" : "At " + when));
    }
    const auto& run = m_document.snapshot();
    const QString why = run ? toQString(Completeness(*run).why(DataKind::kSegments)) : QString();
    return !run            ? m_document.noRunWords(tr("to see its segments"))
           : why.isEmpty() ? tr("No segment is held at this moment")
                           : why;
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

}  // namespace warpglass::ui
