// The process's one CUPTI session: kernels, copies and fills as activity records, CUDA calls by callbacks.
//
// CUPTI's callbacks only move buffers and push capture events: nothing is decoded in them and none of our
// locks is held while CUPTI is called. The session is made at the first capture and lives as long as the
// process, because CUDA 13.0's CUPTI gives wrong correlation ids for graph launches in a second one; captures
// switch its activity kinds and callbacks on and off.
//
// A launch is met in the callback of the driver call that makes it (cuLaunchKernel and its like), which CUPTI
// runs on the launching thread with the correlation id that the kernel's record will carry. Only the calls
// that launch, copy, fill, wait or take device memory are called back for; calls back for every call cost 5%
// of a launch-bound step, these 1%.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/capture/gpu_activity.h"
#include "engine/plan/recorded.h"

namespace warpglass {

class CuptiSession final : public GpuActivity {
public:
    /// Null when CUPTI is held by another tool or missing; `problem` then says so.
    static CuptiSession* instance(std::string& problem);
    /// The instance is never destroyed: CUPTI's own threads may call back to the end.
    ~CuptiSession() override;

    /// begin(): the end of a sentence if CUPTI refuses, otherwise ""; nothing that CUDA finished before is
    /// reported. end(): all records have been handed over, or are dropped.
    std::string begin(Recorded recorded);
    void end();

    void flush(bool last) override;
    bool collect() override;
    void decode(const std::function<void(const GpuRecord&)>& take) override;
    bool tellsOfLaunches() const override;
    bool tellsOfKernels() const override;
    std::vector<LossCount> losses() const override;

private:
    struct State;
    explicit CuptiSession(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace warpglass
