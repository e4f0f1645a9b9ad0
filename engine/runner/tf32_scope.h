// GEMMs of fp32 tensors in TensorFloat-32, or not, for the time of a scope. Process-wide while it
// lives.
#pragma once

#include "engine/capture/torch_headers.h"
#include "engine/plan/run_config.h"

namespace warpglass {

class Tf32Scope {
public:
    explicit Tf32Scope(Precision precision) : m_before(at::globalContext().float32MatmulPrecision()) {
        at::globalContext().setFloat32MatmulPrecision(precision == Precision::kTf32 ? "high" : "highest");
    }
    ~Tf32Scope() {
        constexpr const char* kWords[] = {"highest", "high", "medium"};
        at::globalContext().setFloat32MatmulPrecision(kWords[static_cast<int>(m_before)]);
    }
    Tf32Scope(const Tf32Scope&) = delete;
    Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
    at::Float32MatmulPrecision m_before;
};

}  // namespace warpglass
