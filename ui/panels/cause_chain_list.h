// Who launched the selected span, or what it launched: the rest of its chain of causes (module, op, launch,
// kernel, next wait), each line of which selects its span. Empty without a selection that has a place in a
// chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/query/links/span_links.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

class CauseChainList : public PropertyList {
    Q_OBJECT
public:
    /// Both outlive the list.
    CauseChainList(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// A line selects its span to be looked at: what counts stays as it is. It outlives the list.
    void setFilter(RunFilter* filter) { m_filter = filter; }
    /// Found again, by what is known of the run now.
    void refresh();
    /// The causes of the selected span.
    const CauseChain& causes() const { return m_causes; }
    /// From the start of the call to the start of the work; nothing where either is not known.
    std::optional<Nanoseconds> queued() const { return m_queued; }
    /// Selects a span to be looked at, as a line does.
    void goTo(SpanRef span);

signals:
    void changed();

private:
    void select(int level);
    std::uint64_t linkOf(const Snapshot& snapshot, CauseLevel level) const;
    bool isFirstReplay(const Snapshot& snapshot, std::size_t level) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter* m_filter = nullptr;
    CauseChain m_causes;
    std::optional<Nanoseconds> m_queued;
};

}  // namespace warpglass::ui
