// How a GPU's time was used, in one sentence: what stands over the timeline's figure. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/activity/host_while_idle.h"

namespace warpglass {

/// "The GPU was busy for 58% of step 1 and waited for the host for 38%.": the share of `times`, and that of
/// the largest cause of idle time, if that is 1% or more. `gpu` begins the sentence, `of` names what the
/// times are of (nothing where that is said before), and `within` (", mostly in backward") follows the cause.
/// Empty where there is no time.
std::string gpuUseSentence(const GpuBusy::Times& times, std::string_view gpu, std::string_view of,
                           std::string_view within = {});

/// The same of the steps that means are taken over, if `visible` holds them all, with the host's phase in
/// which most of that idle time lies and, where it waited for the host, what the host was in meanwhile and
/// whether they are launch-bound ("Launch-bound: the GPU was …"); else of what is visible. After it come
/// shorter wordings for less room: without phase and host, and "Launch-bound: busy 34%, waiting for the host
/// 58%.". None where there is no time.
std::vector<std::string> gpuUseWordings(const Snapshot& snapshot, const GpuBusy& busy, TimeRange visible,
                                        std::string_view gpu = "The GPU", const HostWhileIdle& host = {});

}  // namespace warpglass
