#include "ui/panels/cause_chain_list.h"

#include <array>

#include "engine/query/spans/spans_at.h"
#include "ui/models/link_indexer.h"
#include "ui/models/span_details.h"
#include "ui/panels/property_text.h"
#include "ui/panels/span_properties.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

CauseChainList::CauseChainList(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : PropertyList(parent), m_document(document), m_axis(axis) {
    connect(this, &PropertyList::activated, this, &CauseChainList::select);
    connect(&m_document.links(), &LinkIndexer::changed, this, &CauseChainList::refresh);
    connect(&m_axis, &TimeAxis::selectionChanged, this, &CauseChainList::refresh);
}

void CauseChainList::select(int level) {
    if (const auto span = m_causes.spans[static_cast<std::size_t>(level)])
        goTo(*span);
}

void CauseChainList::goTo(SpanRef span) {
    const auto details = m_document.snapshot() ? describeSpan(*m_document.snapshot(), span) : std::nullopt;
    if (!details)
        return;
    if (const auto selected = m_axis.selectedSpan())
        m_document.links().follow(*selected, span);
    if (m_filter)
        m_filter->look(span);
    else
        m_axis.setSelectedSpan(span);
    m_axis.setPinnedCursor(details->start);
}

/// The correlation id of what stands there; 0 for nothing.
std::uint64_t CauseChainList::linkOf(const Snapshot& snapshot, CauseLevel level) const {
    const auto& ref = m_causes.spans[static_cast<std::size_t>(level)];
    const auto span = ref ? rowOf(snapshot, *ref) : std::nullopt;
    return span ? span->link : 0;
}

/// Below what belongs to the capture of a graph stands what its first replay ran of it.
bool CauseChainList::isFirstReplay(const Snapshot& snapshot, std::size_t level) const {
    const auto& work = m_causes.spans[static_cast<std::size_t>(CauseLevel::kWork)];
    const auto kernel = work ? rowOf(snapshot, *work) : std::nullopt;
    const auto detail = kernel ? snapshot.detail(kernel->detail) : std::nullopt;
    if (m_causes.captured || !detail || detail->graphNode == 0 || !m_causes.at)
        return false;
    const bool fromCapture = *m_causes.at < CauseLevel::kLaunch ||
                             (*m_causes.at == CauseLevel::kLaunch &&
                              linkOf(snapshot, CauseLevel::kLaunch) != linkOf(snapshot, CauseLevel::kWork));
    return fromCapture && level >= static_cast<std::size_t>(CauseLevel::kLaunch);
}

void CauseChainList::refresh() {
    m_causes = {};
    m_queued.reset();
    const auto& snapshot = m_document.snapshot();
    const auto selected = m_axis.selectedSpan();
    if (selected && snapshot)
        m_causes = m_document.links().chain(*selected);
    std::vector<Property> rows;
    const std::array<QString, kCauseLevels> labels{tr("Module"), tr("Op"), tr("Launch"), tr("Kernel"),
                                                   tr("Next wait")};
    std::array<std::optional<SpanDetails>, kCauseLevels> spans;
    for (std::size_t i = 0; i < kCauseLevels; ++i) {
        const auto& ref = m_causes.spans[i];
        spans[i] = ref ? describeSpan(*snapshot, *ref) : std::nullopt;
        if (!spans[i] || m_causes.at == static_cast<CauseLevel>(i))
            continue;
        const SpanDetails& span = *spans[i];
        const bool captured = m_causes.captured && i < static_cast<std::size_t>(CauseLevel::kLaunch);
        const QString label = span.kind == TrackKind::kModule && span.part == span.name    ? tr("Part")
                              : span.kind == TrackKind::kGpuCopies                         ? tr("Copy")
                              : captured && i == static_cast<std::size_t>(CauseLevel::kOp) ? tr("Captured in")
                                                                                           : labels[i];
        const QString when =
            tr("%1, from %2 for %3")
                .arg(toQString(span.name), shortDuration(span.start), shortDuration(span.duration));
        rows.push_back({label, titleOf(span),
                        captured                      ? tr("%1, as the graph was captured").arg(when)
                        : isFirstReplay(*snapshot, i) ? tr("%1, in the first replay of the graph").arg(when)
                                                      : when,
                        static_cast<int>(i)});
    }
    const auto& launch = spans[static_cast<std::size_t>(CauseLevel::kLaunch)];
    const auto& work = spans[static_cast<std::size_t>(CauseLevel::kWork)];
    // A call of a graph's capture did not launch what the replay ran.
    if (launch && work && linkOf(*snapshot, CauseLevel::kLaunch) == linkOf(*snapshot, CauseLevel::kWork))
        m_queued = work->start - launch->start;
    const CauseLevel at = m_causes.at.value_or(CauseLevel::kWork);
    const QString heading = rows.empty()                ? QString()
                            : at == CauseLevel::kWork   ? tr("Who launched it?")
                            : at == CauseLevel::kWait   ? tr("What it waited for")
                            : at == CauseLevel::kModule ? tr("What it launched first")
                                                        : tr("What it launched");
    setContent(heading, {}, std::move(rows));
    emit changed();
}

}  // namespace warpglass::ui
