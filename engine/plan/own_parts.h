// What runs in place of the library's kernels: every implementation of a part beyond the first of its list
// (variants.h) but attention's, which is a setting of its own. Together they are the setting `kernels`:
// "library" for none, "fused" for the second of every list, or their words with + between them.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/plan/choice.h"
#include "engine/plan/parts.h"
#include "engine/plan/run_config.h"

namespace warpglass {

inline constexpr std::string_view kLibraryKernels = "library", kFusedKernels = "fused";

/// In the order in which text names them; their words are all different.
std::span<const Choice> ownParts();
/// `index` counts in ownParts().
bool hasOwnPart(const RunConfig& config, std::size_t index);
/// Off is the first of its part's list, unless another one of it runs.
void setOwnPart(RunConfig& config, std::size_t index, bool on);

/// Whether it runs this configuration and has work there; whatever is chosen. `index` counts in ownParts().
bool ownPartHasWork(const RunConfig& config, std::size_t index);

std::string ownPartsText(const RunConfig& config);
/// What ownPartsText() gave, or a person wrote, with commas for + if they like. In any order.
Status takeOwnParts(std::string_view text, RunConfig& config);
/// Why what a part is cannot be: none of its list; or it does not run this configuration.
std::optional<std::string> ownPartsProblem(const RunConfig& config);
std::optional<std::string> whyOwnPartsDoNotRun(const RunConfig& config);

/// A kernel of ours among those that a configuration runs, attention's too.
struct OwnKernelOfRun {
    /// Whose it is.
    const Implementation* implementation = nullptr;
    const OwnKernel* kernel = nullptr;
};
/// By its name in a trace; nothing for any other kernel.
std::optional<OwnKernelOfRun> ownKernel(const RunConfig& config, std::string_view name);
/// What a launch of it does in a module; nothing for any other kernel. Precondition: validate() is empty.
std::optional<KernelWork> ownKernelWork(const RunConfig& config, std::string_view name,
                                        std::string_view module);

/// The implementation of ours, of any run, whose work a launch does, be it ours or the library's in its place
/// (Implementation::standsFor); null for what no implementation of ours does. `modules`: all blocks taken
/// together, "blocks.*.norm1".
const Implementation* ownImplementationOf(PlanPhase phase, std::string_view modules, std::string_view op,
                                          std::string_view kernel);
/// The one that does this work; null for none.
const Implementation* ownImplementationFor(std::string_view work);
/// Whether a run has it, and it has something to do there.
bool runsOwn(const RunConfig& config, const Implementation& implementation);

}  // namespace warpglass
