#include "ui/panels/cause_chain_list.h"

#include <array>

#include "engine/base/format.h"
#include "ui/models/link_indexer.h"
#include "ui/models/span_details.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

namespace {

QString duration(Nanoseconds t) {
    return toQString(formatDuration(t));
}
QString exact(Nanoseconds t) {
    return CauseChainList::tr("%1 ns").arg(toQString(formatGrouped(t.value)));
}

}  // namespace

CauseChainList::CauseChainList(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : PropertyList(parent), m_document(document), m_axis(axis) {
    connect(this, &PropertyList::activated, this, &CauseChainList::select);
    connect(&m_document.links(), &LinkIndexer::changed, this, &CauseChainList::refresh);
    connect(&m_axis, &TimeAxis::selectionChanged, this, &CauseChainList::refresh);
}

void CauseChainList::select(int level) {
    const auto span = m_causes.spans[static_cast<std::size_t>(level)];
    const auto details =
        span && m_document.snapshot() ? describeSpan(*m_document.snapshot(), *span) : std::nullopt;
    if (!details)
        return;
    if (m_filter)
        m_filter->look(span);
    else
        m_axis.setSelectedSpan(span);
    m_axis.setPinnedCursor(details->start);
}

void CauseChainList::refresh() {
    m_causes = {};
    const auto& snapshot = m_document.snapshot();
    const auto selected = m_axis.selectedSpan();
    if (selected && snapshot)
        m_causes = m_document.links().chain(*selected);
    std::vector<Property> rows;
    int others = 0;
    const std::array<QString, kCauseLevels> labels{tr("Module"), tr("Op"), tr("Launch"), tr("Kernel"),
                                                   tr("Next wait")};
    std::array<std::optional<SpanDetails>, kCauseLevels> spans;
    for (std::size_t i = 0; i < kCauseLevels; ++i) {
        const auto& ref = m_causes.spans[i];
        spans[i] = ref ? describeSpan(*snapshot, *ref) : std::nullopt;
        if (!spans[i])
            continue;
        const bool itself = m_causes.at == static_cast<CauseLevel>(i);
        others += !itself;
        const QString name = toQString(spans[i]->name);
        const QString label = spans[i]->kind == TrackKind::kGpuCopies ? tr("Copy") : labels[i];
        rows.push_back(
            {label, itself ? tr("this one") : name,
             tr("%1, from %2 for %3").arg(name, duration(spans[i]->start), duration(spans[i]->duration)),
             itself ? -1 : static_cast<int>(i)});
    }
    const auto& launch = spans[static_cast<std::size_t>(CauseLevel::kLaunch)];
    const auto& work = spans[static_cast<std::size_t>(CauseLevel::kWork)];
    if (launch && work) {
        const Nanoseconds queued = work->start - launch->start;
        rows.push_back({tr("Queued"), duration(queued),
                        tr("%1 from the call's beginning to the work's").arg(exact(queued))});
    }
    if (others == 0)
        rows.clear();
    const QString heading = rows.empty() ? QString() : tr("Chain of causes");
    setContent(heading, {}, std::move(rows));
    emit changed();
}

}  // namespace warpglass::ui
