// Calling our own CUDA kernels (engine/kernels) with LibTorch's tensors. The kernels have been checked before
// the run (own_kernels.h). All throw c10::Error.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/capture/torch_headers.h"
#include "engine/runner/own_kernels.h"

namespace warpglass {

inline const kernels::Kernels& ownKernels() {
    const LoadedKernels& loaded = loadKernels();
    TORCH_CHECK(loaded.kernels, loaded.problem);
    return *loaded.kernels;
}

/// The tensor's device's stream of the calling thread.
inline void* streamOf(const at::Tensor& x) {
    return c10::impl::VirtualGuardImpl(x.device().type()).getStream(x.device()).native_handle();
}

/// `what`: "flash attention".
inline void checkLaunch(int error, std::string_view what) {
    TORCH_CHECK(error == 0, "the ", what, " kernel could not be started: ", ownKernels().errorText(error));
}

inline kernels::NumberType numberTypeOf(const at::Tensor& x) {
    TORCH_CHECK(
        x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kHalf,
        "our kernels take fp32, bf16 and fp16, not ", c10::toString(x.scalar_type()));
    return x.scalar_type() == at::kFloat  ? kernels::NumberType::kFp32
           : x.scalar_type() == at::kHalf ? kernels::NumberType::kFp16
                                          : kernels::NumberType::kBf16;
}

/// What products compute in here: autocast's type inside its scope.
inline at::ScalarType typeOfProducts(const at::Tensor& x) {
    return at::autocast::is_autocast_enabled(x.device().type())
               ? at::autocast::get_autocast_dtype(x.device().type())
               : at::kFloat;
}

/// A C++ autograd function is no ATen op, so it says itself what it is; its sequence number is what finds
/// this place again from its backward node.
inline std::int64_t sequenceOfNextNode() {
    return at::GradMode::is_enabled() ? static_cast<std::int64_t>(at::sequence_number::peek()) : -1;
}

}  // namespace warpglass
