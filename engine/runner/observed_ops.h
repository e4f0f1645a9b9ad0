// From a run's settings to what is listened to.
#pragma once

#include "engine/capture/torch_observers.h"
#include "engine/plan/recorded.h"

namespace warpglass {

/// What a recording's settings ask for.
constexpr OpsObserved opsObserved(Recorded recorded) {
    return !recorded.has(Feature::kOps)     ? OpsObserved::kNone
           : recorded.has(Feature::kShapes) ? OpsObserved::kWithTypes
                                            : OpsObserved::kPlain;
}

}  // namespace warpglass
