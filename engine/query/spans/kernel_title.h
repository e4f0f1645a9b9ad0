// What a GPU kernel does, in a few words, from the part of its signature that tells: libraries start many
// different works through a few templates, whose short names are alike. And how an op is called that is a
// template by name.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpglass {

/// "copy bf16" of "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_…",
/// "reduce · sum fp32", "gemm 128×256 TNN" of "nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN", "rms norm ·
/// backward fp32" of "void at::native::…::layer_norm_grad_input_kernel_vectorized<float, float, true>". The
/// short name where the signature tells no more. `fullName` may be empty.
std::string kernelTitle(std::string_view shortName, std::string_view fullName);

/// What the kernel of an elementwise, a reducing or a multi-tensor template does: it only copies, casts or
/// fills, or it computes; or nothing says what.
enum class TemplateWork : std::uint8_t { kNoTemplate, kMoves, kComputes, kUntold };
TemplateWork templateWork(std::string_view shortName, std::string_view fullName);

/// "FlashAttention, backward" of "torch::autograd::CppNode<warpglass::(anonymous
/// namespace)::FlashAttentionFunction>", which is the backward op of a function of one's own; any other name
/// as it is.
std::string opTitle(std::string_view op);

}  // namespace warpglass
