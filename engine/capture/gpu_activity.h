// What a GPU did, as reported afterwards: the recorder's side of a source of kernel and copy records
// (engine/cuda/cupti_session.h is the real one, tests have their own).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/trace/run_info.h"
#include "engine/trace/span_detail.h"

namespace warpglass {

/// One kernel, copy, fill or wait that has ended, or a stretch of the profiler's own work. The fields that
/// SpanDetail has too mean the same.
struct GpuRecord {
    DetailKind kind = DetailKind::kKernel;
    CopyKind copy = CopyKind::kNone;
    /// A kernel's symbol, mangled or not; what was waited for; what took the time. Valid during the call that
    /// hands the record over.
    const char* symbol = "";
    /// ns on the run's clock.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// The call into CUDA that launched it.
    std::uint32_t correlation = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::uint32_t registers = 0;
    std::int64_t staticShared = 0;
    std::int64_t dynamicShared = 0;
    std::int64_t bytes = 0;
    std::uint64_t graphNode = 0;
    float occupancy = 0;
};

/// All members are called from the recorder's thread.
class GpuActivity {
public:
    virtual ~GpuActivity() = default;

    /// Asks for what has ended by now, so that collect() soon finds it; with `last`, for everything, also
    /// what has not ended.
    virtual void flush(bool last) = 0;
    /// Takes over what has arrived; whether there is any. Their launches were pushed before.
    virtual bool collect() = 0;
    /// Hands over what collect() took, once.
    virtual void decode(const std::function<void(const GpuRecord&)>& take) = 0;
    /// Whether the calls that launch are pushed into the capture stream. Without, what ran belongs nowhere.
    virtual bool tellsOfLaunches() const { return true; }
    virtual bool tellsOfKernels() const { return true; }
    /// What the source itself lost since the recording began, by name.
    virtual std::vector<LossCount> losses() const = 0;
};

}  // namespace warpglass
