// What a GPU kernel does, in a few words, from the part of its signature that tells: libraries start many
// different works through a few templates, whose short names are alike. And how an op is called that is a
// template by name.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// "copy to bf16" of "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_…LoadWithCast…",
/// "reduce · sum fp32", "gemm 128×256 TNN" of "nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN", "rms norm ·
/// backward fp32" of "void at::native::…::layer_norm_grad_input_kernel_vectorized<float, float, true>". The
/// short name where the signature tells no more. `fullName` may be empty.
std::string kernelTitle(std::string_view shortName, std::string_view fullName);

/// What tells kernels of one title apart, from their names, which all differ: "cluster 1×2" of
/// "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NTT" beside "…_64x3_2x1_v_bz_coopB_NTT", "vectorized" of
/// "vectorized_elementwise_kernel". "(1)", "(2)" where no part of the names does. One
/// is empty where the other names have all of its parts, and more.
std::vector<std::string> whatTellsApart(std::span<const std::string_view> shortNames);

/// What the kernel of an elementwise, a reducing or a multi-tensor template does: it only copies, casts or
/// fills, or it computes; or nothing says what.
enum class TemplateWork : std::uint8_t { kNoTemplate, kMoves, kComputes, kUntold };
TemplateWork templateWork(std::string_view shortName, std::string_view fullName);

/// "FlashAttention, backward" of "torch::autograd::CppNode<warpglass::(anonymous
/// namespace)::FlashAttentionFunction>", which is the backward op of a function of one's own; any other name
/// as it is.
std::string opTitle(std::string_view op);

}  // namespace warpglass
