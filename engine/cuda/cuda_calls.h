// The calls into CUDA that CUPTI calls back for: those that launch, copy, fill, wait or take device memory,
// and what a wait waits for. Any thread that calls CUDA runs the callback; it only pushes events.
//
// A wait is reported when it is over, with the times of the call that waits. CUPTI's own records of waits
// agree to 0.1 µs, but with them CUPTI follows each of the twenty thousand calls of a step, which took a
// third of a launch-bound step.
#pragma once

#include <cupti.h>

#include <vector>

#include "engine/plan/recorded.h"

namespace warpglass {

class CudaCalls {
public:
    /// Finds the calls by name, before any callback is switched on. Once in a process.
    void registerAll();
    /// Switches on what is needed for these, and all else off; the first refusal, if there is one.
    CUptiResult enable(CUpti_SubscriberHandle subscriber, Recorded recorded) const;

    /// The callback for CUPTI_CB_DOMAIN_DRIVER_API.
    static void onCallback(CUpti_CallbackId id, const CUpti_CallbackData& call);

private:
    std::vector<CUpti_CallbackId> m_driverCalls;
    std::vector<CUpti_CallbackId> m_loadingCalls;
};

}  // namespace warpglass
