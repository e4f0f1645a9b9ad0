// The chain of causes of the selected span (module, op, launch, kernel, next wait), each line of which
// selects its span; and how long the work waited to run. Empty without a selection that has a place in a
// chain.
#pragma once

#include <cstddef>
#include <cstdint>

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
};

}  // namespace warpglass::ui
