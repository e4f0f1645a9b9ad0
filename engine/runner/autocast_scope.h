// Mixed precision for the time of a scope, as PyTorch's autocast does it: GEMMs in 16 bits, the 16-bit copies
// of the weights kept until the outermost scope ends. Nothing unless mixed. On this thread.
#pragma once

#include "engine/capture/torch_headers.h"
#include "engine/plan/run_config.h"

namespace warpglass {

class AutocastScope {
public:
    AutocastScope(Precision precision, at::DeviceType device)
        : m_device(device), m_enabled(isMixed(precision)) {
        if (!m_enabled)
            return;
        at::autocast::set_autocast_dtype(m_device, precision == Precision::kBf16 ? at::kBFloat16 : at::kHalf);
        at::autocast::set_autocast_enabled(m_device, true);
        at::autocast::increment_nesting();
    }
    ~AutocastScope() {
        if (!m_enabled)
            return;
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(m_device, false);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    at::DeviceType m_device;
    bool m_enabled;
};

}  // namespace warpglass
