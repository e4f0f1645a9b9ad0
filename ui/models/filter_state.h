// The conditions of a RunFilter, of which all must hold. A value.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/ids.h"
#include "engine/trace/span_ref.h"

namespace warpglass::ui {

struct FilterState {
    enum class Steps { kAll, kMeasured, kInView };
    Steps steps = Steps::kMeasured;
    /// Selected in the timeline.
    std::optional<TimeRange> range;
    /// A step, a phase or a module, picked in the timeline.
    std::optional<SpanRef> span;
    std::optional<Phase> phase;
    std::string module;
    /// Exactly this op or kernel, and what the op launched; several as SpanFilter::name has them.
    std::string name;
    /// Contained in a row's name, in that of the op that launched it, or in the path of its module
    /// (engine/query/spans/text_match.h): one meaning in every view but the table of phases.
    QString text;
    /// The memory category.
    std::optional<Category> category;
    /// Exactly these: what a finding counted. Null for any.
    std::shared_ptr<const std::vector<AllocationId>> allocations;
    bool operator==(const FilterState&) const = default;

    /// A range or a span picked in the timeline restricts what counts.
    bool usesSelection() const { return range || span; }
};

/// One condition of it, which can be removed.
enum class FilterCondition { kSteps, kSelection, kPhase, kModule, kName, kText, kCategory, kAllocations };

}  // namespace warpglass::ui
