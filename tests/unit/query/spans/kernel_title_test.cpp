#include "engine/query/spans/kernel_title.h"
#include "tests/support/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <map>
#include <regex>

namespace warpglass::test::kernel_title_test {

TEST(KernelTitle, ElementwiseKernelsAreCalledByTheirFunctorAndType) {
    const auto vectorized = [](const std::string& arguments) {
        return kernelTitle("vectorized_elementwise_kernel",
                           "void at::native::vectorized_elementwise_kernel<8, " + arguments +
                               ", std::array<char*, 2ul> >(int, " + arguments + ")");
    };
    EXPECT_EQ(vectorized("at::native::CUDAFunctor_add<float>"), "elementwise · add fp32");
    EXPECT_EQ(vectorized("at::native::CUDAFunctorOnSelf_add<float>"), "elementwise · add fp32");
    EXPECT_EQ(vectorized("at::native::FillFunctor<c10::BFloat16>"), "elementwise · fill bf16");
    EXPECT_EQ(vectorized("at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}"),
              "copy fp32 to bf16");
    EXPECT_EQ(vectorized("at::native::AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
                         "at::native::binary_internal::MulFunctor<float> >"),
              "elementwise · mul bf16");
    EXPECT_EQ(vectorized("at::native::(anonymous namespace)::silu_backward_kernel(at::TensorIteratorBase&)::"
                         "{lambda()#1}::operator()() const::{lambda(float, float)#1}"),
              "elementwise · silu backward fp32");
    EXPECT_EQ(
        kernelTitle("elementwise_kernel",
                    "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
                    "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
                    "operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>"),
        "copy bf16");
}

/// Only a kernel that loads with a cast converts types: the template is the same.
TEST(KernelTitle, ACastSaysThatItIsOne) {
    const auto unrolled = [](const std::string& work, const std::string& cast) {
        return kernelTitle("unrolled_elementwise_kernel",
                           "void at::native::unrolled_elementwise_kernel<at::native::" + work +
                               ", std::array<char*, 2ul>, 4, at::native::memory::Load" + cast +
                               "<1>, at::native::memory::Store" + cast + "<1> >(int)");
    };
    const std::string copy = "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}";
    EXPECT_EQ(unrolled(copy, "WithCast"), "copy to fp32");
    EXPECT_EQ(unrolled(copy, "WithoutCast"), "copy fp32");
    EXPECT_EQ(unrolled("CUDAFunctor_add<float>", "WithCast"), "elementwise · add fp32, casting");
    EXPECT_EQ(unrolled("CUDAFunctor_add<float>", "WithoutCast"), "elementwise · add fp32");
}

TEST(KernelTitle, KernelsOfOneTitleAreToldApartByTheirNames) {
    using Words = std::vector<std::string>;
    const auto apart = [](const std::vector<std::string_view>& names) { return whatTellsApart(names); };
    EXPECT_EQ(apart({"nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NTT",
                     "nvjet_sm90_tst_320x128_64x3_2x1_v_bz_coopB_NTT",
                     "nvjet_sm90_tst_320x128_64x3_1x1_h_bz_coopB_NTT"}),
              (Words{"cluster 1×2", "cluster 2×1", "cluster 1×1"}));
    // As few parts as tell all of them apart.
    EXPECT_EQ(apart({"nvjet_sm90_tst_128x160_64x5_2x1_h_bz_NTT", "nvjet_sm90_tst_128x160_64x4_2x1_h_bz_NTT",
                     "nvjet_sm90_tst_128x160_64x4_2x1_v_bz_NTT"}),
              (Words{"64×5 h", "64×4 h", "64×4 v"}));
    EXPECT_EQ(apart({"elementwise_kernel", "vectorized_elementwise_kernel", "unrolled_elementwise_kernel"}),
              (Words{"strided", "vectorized", "unrolled"}));
    EXPECT_EQ(apart({"sm80_xmma_gemm_tilesize256x128x8_nn", "cutlass_80_simt_sgemm_256x128_8x4_nn"}),
              (Words{"sm80", "cutlass"}));
    EXPECT_EQ(apart({"a_b", "a_b_c"}), (Words{"", "c"})) << "what has nothing of its own needs nothing";
    EXPECT_EQ(apart({"a_b", "b_a"}), (Words{"(1)", "(2)"})) << "the same parts in another order";
}

/// Both are of the rotary embedding: LibTorch conjugates as it copies a tensor that is marked so.
TEST(KernelTitle, ComplexNumbersHaveTheirWidthAndTheirConjugatesAreCopies) {
    const auto conjugated = [](const std::string& type) {
        return kernelTitle("vectorized_elementwise_kernel",
                           "void at::native::vectorized_elementwise_kernel<2, at::native::conj_kernel_cuda("
                           "at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda()#12}::"
                           "operator()() const::{lambda(c10::complex<" +
                               type + ">)#1}, std::array<char*, 2ul> >(int)");
    };
    EXPECT_EQ(conjugated("float"), "copy conjugated complex64");
    EXPECT_EQ(conjugated("double"), "copy conjugated complex128");
    EXPECT_EQ(conjugated("c10::Half"), "copy conjugated complex32");
    EXPECT_EQ(kernelTitle("elementwise_kernel",
                          "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<"
                          "at::native::BinaryFunctor<c10::complex<float>, c10::complex<float>, "
                          "c10::complex<float>, at::native::binary_internal::MulFunctor<c10::complex<float> "
                          "> > > >"),
              "elementwise · mul complex64");
}

TEST(KernelTitle, ReductionsAndOptimizersToo) {
    EXPECT_EQ(
        kernelTitle("reduce_kernel",
                    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                    "at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>::"
                    "operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4> >"),
        "reduce · sum fp32");
    EXPECT_EQ(kernelTitle("reduce_kernel",
                          "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                          "at::native::MeanOps<float, float, float, float>, unsigned int, float, 4> >"),
              "reduce · mean fp32");
    EXPECT_EQ(kernelTitle("multi_tensor_apply_kernel",
                          "void at::native::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
                          "FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::"
                          "FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false> >"),
              "multi-tensor · fused adam fp32");
}

TEST(KernelTitle, GemmsHaveTheirTileAndLayout) {
    const auto title = [](const char* name) { return kernelTitle(name, name); };
    EXPECT_EQ(title("nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN"), "gemm 128×256 TNN");
    EXPECT_EQ(
        title("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_"
              "alignc4_execute_kernel__5x_cublas"),
        "gemm 128×64 TN");
    EXPECT_EQ(title("cutlass_80_simt_sgemm_256x128_8x4_nt_align1"), "gemm 256×128 NT");
    EXPECT_EQ(title("gemm_of_mine"), "gemm_of_mine");
}

/// Signatures as the sample runs have them.
TEST(KernelTitle, KernelsOfAttentionNormsAndLossesSayWhatTheyDo) {
    const auto title = [](const std::string& name, const std::string& arguments,
                          const std::string& space = "at::native::(anonymous namespace)::") {
        return kernelTitle(name, "void " + space + name + "<" + arguments + ">(float*, float const*, int)");
    };
    const std::string kTraits =
        "Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, "
        "cutlass::bfloat16_t, Flash_kernel_traits<64, 128, 128, 8> >";
    EXPECT_EQ(title("flash_fwd_kernel", kTraits + ", false, true", "pytorch_flash::"),
              "flash attention · forward");
    EXPECT_EQ(title("flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", kTraits + ", false", "pytorch_flash::"),
              "flash attention · backward");
    EXPECT_EQ(title("flash_bwd_dot_do_o_kernel", "true, " + kTraits, "pytorch_flash::"),
              "flash attention · backward, do·o");
    EXPECT_EQ(title("flash_bwd_convert_dq_kernel", kTraits, "pytorch_flash::"),
              "flash attention · backward, convert dq");
    EXPECT_EQ(title("vectorized_layer_norm_kernel", "float, float, true"), "rms norm · forward fp32");
    EXPECT_EQ(title("vectorized_layer_norm_kernel", "c10::BFloat16, float, false"),
              "layer norm · forward bf16");
    EXPECT_EQ(title("layer_norm_grad_input_kernel_vectorized", "float, float"), "layer norm · backward fp32")
        << "before LibTorch had an RMSNorm";
    EXPECT_EQ(title("GammaBetaBackwardCUDAKernelTemplate", "float, float, 32u, 32u, 256u, false, true, true"),
              "rms norm · gradient of weights fp32");
    EXPECT_EQ(title("softmax_warp_forward", "c10::BFloat16, c10::BFloat16, float, 10, false, false"),
              "softmax · forward bf16");
    EXPECT_EQ(title("softmax_warp_backward", "float, float, float, 9, true, false"),
              "log softmax · backward fp32");
    EXPECT_EQ(title("cunn_SoftMaxBackwardSmem",
                    "4, float, float, float, at::native::(anonymous namespace)::SoftMaxBackwardEpilogue"),
              "softmax · backward fp32");
    EXPECT_EQ(
        title("cunn_SoftMaxForwardSmem",
              "4, float, float, float, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue, long"),
        "log softmax · forward fp32");
    EXPECT_EQ(
        title("cunn_SoftMaxForwardReg",
              "float, float, float, at::native::(anonymous namespace)::SoftMaxForwardEpilogue, long, 8"),
        "softmax · forward fp32");
    EXPECT_EQ(title("nll_loss_forward_reduce_cuda_kernel_2d", "float, float, long"),
              "nll loss · forward fp32");
    EXPECT_EQ(title("nll_loss_backward_reduce_cuda_kernel_2d", "float, long"), "nll loss · backward fp32");
    EXPECT_EQ(title("embedding_backward_feature_kernel", "float, float, long"), "embedding · backward fp32");
    EXPECT_EQ(title("splitKreduce_kernel", "32, 16, int, float, float", "cublasLt::"),
              "gemm · sum of split k fp32");
}

/// Signatures as recorded; those of the sample runs where they have the kernel.
TEST(KernelTitle, OurOwnKernelsSayWhatTheyDo) {
    const auto title = [](const std::string& name, const std::string& arguments) {
        return kernelTitle(name, "void warpglass::kernels::(anonymous namespace)::" + name + "<" + arguments +
                                     ">(warpglass::kernels::BackwardArguments)");
    };
    EXPECT_EQ(title("adamwKernel", "__nv_bfloat16"), "fused adamw fp32") << "the type is of the copies";
    EXPECT_EQ(title("flashForwardHopperKernel", "__nv_bfloat16, 64, true"),
              "flash attention · forward, Hopper bf16");
    EXPECT_EQ(title("flashPrepareHopperKernel", "__half, 64"),
              "flash attention · backward, do·o, Hopper fp16");
    EXPECT_EQ(title("flashBackwardKernel",
                    "__nv_bfloat16, warpglass::kernels::BackwardTiling<64, 8, 64, 2>, true, false"),
              "flash attention · backward bf16");
    EXPECT_EQ(title("flashForwardFp32Kernel",
                    "warpglass::kernels::Fp32ForwardTiling<warpglass::kernels::Fp32Products, 64, 8, 4, 64>"),
              "flash attention · forward fp32");
    EXPECT_EQ(title("fusedNormKernel", "float, 4"), "fused rms norm · forward fp32");
    EXPECT_EQ(title("fusedNormGradientKernel", "__nv_bfloat16, 4, 6"), "fused rms norm · backward bf16");
    EXPECT_EQ(title("maskedSoftmaxGradientOfLongRowKernel", "__nv_bfloat16, 8"),
              "masked softmax · backward, long rows bf16");
    EXPECT_EQ(title("rotaryKernel", "__nv_bfloat16, 8"), "rotary embedding bf16");
    EXPECT_EQ(title("embeddingGradientKernel", "4"), "embedding · backward");
    EXPECT_EQ(kernelTitle("crossEntropyMeanKernel",
                          "warpglass::kernels::(anonymous namespace)::"
                          "crossEntropyMeanKernel(float const*, long, float*)"),
              "cross entropy · mean");
}

/// One without a title would stand among those that have one.
TEST(KernelTitle, EveryKernelOfOursHasATitleOfItsOwn) {
    std::map<std::string, std::string> ofTitle;
    const std::regex declared(R"(\b([a-z]\w*Kernel)\()");
    for (const auto& file :
         std::filesystem::directory_iterator(WARPGLASS_SAMPLE_RUNS "/../../engine/kernels")) {
        const std::string text = contentOf(file.path());
        for (std::size_t at = text.find("__global__"); at != std::string::npos;
             at = text.find("__global__", at + 1)) {
            std::smatch found;
            const std::string head = text.substr(at, text.find('{', at) - at);
            if (!std::regex_search(head, found, declared))
                continue;
            const std::string name = found[1], title = kernelTitle(name, "");
            EXPECT_NE(title, name);
            EXPECT_EQ(ofTitle.try_emplace(title, name).first->second, name) << title;
        }
    }
    EXPECT_GT(ofTitle.size(), 25u);
}

TEST(KernelTitle, WhatDrawsAndCountsSaysSo) {
    EXPECT_EQ(kernelTitle("distribution_elementwise_grid_stride_kernel",
                          "void at::native::(anonymous namespace)::distribution_elementwise_grid_stride_"
                          "kernel<float, 4, at::native::templates::cuda::normal_and_transform<c10::BFloat16, "
                          "float, at::CUDAGeneratorImpl*, at::native::templates::cuda::normal_kernel<"
                          "at::CUDAGeneratorImpl*>(at::TensorBase const&, double)> >(int)"),
              "random · normal bf16");
    EXPECT_EQ(kernelTitle("elementwise_kernel_with_index",
                          "void (anonymous namespace)::elementwise_kernel_with_index<int, at::native::"
                          "arange_cuda_out(c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() "
                          "const::{lambda()#4}::operator()() const::{lambda(long)#1}>(int)"),
              "elementwise · arange int64");
}

TEST(KernelTitle, ABackwardOpOfOnesOwnIsCalledByItsFunction) {
    EXPECT_EQ(opTitle("torch::autograd::CppNode<warpglass::(anonymous namespace)::FlashAttentionFunction>"),
              "FlashAttention, backward");
    EXPECT_EQ(opTitle("torch::autograd::CppNode<Scale>"), "Scale, backward");
    for (const char* other : {"aten::mm", "MmBackward0", "", "torch::autograd::CppNode<>",
                              "torch::autograd::CppNode<a::B<c::D> >", "torch::autograd::CppNode<x"})
        EXPECT_EQ(opTitle(other), other);
}

TEST(KernelTitle, OthersKeepTheirNames) {
    EXPECT_EQ(kernelTitle("DeviceScanKernel", "void cub::DeviceScanKernel<long, 128>(int)"),
              "DeviceScanKernel");
    EXPECT_EQ(kernelTitle("cunn_SoftMaxForwardSmem", ""), "cunn_SoftMaxForwardSmem")
        << "softmax or its logarithm";
    EXPECT_EQ(kernelTitle("vectorized_elementwise_kernel", ""), "vectorized_elementwise_kernel");
    EXPECT_EQ(kernelTitle("elementwise_kernel", "elementwise_kernel<1, 2>(int)"), "elementwise_kernel");
    EXPECT_EQ(kernelTitle("", ""), "");
    for (const char* odd : {"<", "elementwise<", "a<b<c<(", "reduce_kernel<Ops<", "gemm_x_1x_x1_tn"})
        EXPECT_NO_FATAL_FAILURE(kernelTitle(odd, odd)) << odd;
}

TEST(KernelTitle, ACopyIsNoCopysignAndAMultiTensorCopySaysSo) {
    EXPECT_EQ(
        kernelTitle("vectorized_elementwise_kernel",
                    "void at::native::vectorized_elementwise_kernel<4, at::native::copysign_kernel_cuda("
                    "at::TensorIteratorBase&)::{lambda(float, float)#1}>(int)"),
        "elementwise · copysign fp32");
    EXPECT_EQ(kernelTitle("multi_tensor_apply_kernel",
                          "void at::native::multi_tensor_apply_kernel<at::native::TensorListMetadata<2>, "
                          "at::native::CopyFunctor<float, c10::BFloat16, 2, 1, 1>>()"),
              "multi-tensor · copy fp32");
}

TEST(TemplateWork, MovesWhereItCopiesCastsOrFills) {
    const auto workOf = [](const std::string& functor,
                           const std::string& name = "vectorized_elementwise_kernel") {
        return templateWork(name, "void at::native::" + name + "<4, at::native::" + functor + ", int>(int)");
    };
    for (const char* functor :
         {"direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}",
          "bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}", "FillFunctor<float>"})
        EXPECT_EQ(workOf(functor), TemplateWork::kMoves) << functor;
    EXPECT_EQ(workOf("CopyFunctor<float>", "multi_tensor_apply_kernel"), TemplateWork::kMoves);
    EXPECT_EQ(workOf("CUDAFunctor_add<float>"), TemplateWork::kComputes);
    EXPECT_EQ(workOf("copysign_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}"),
              TemplateWork::kComputes);
    EXPECT_EQ(workOf("OpaqueType<4>"), TemplateWork::kUntold);
    EXPECT_EQ(workOf("FillFunctor<float>", "some_kernel"), TemplateWork::kNoTemplate);
    EXPECT_EQ(templateWork("vectorized_elementwise_kernel", ""), TemplateWork::kUntold);
    EXPECT_EQ(templateWork("", ""), TemplateWork::kNoTemplate);
}

}  // namespace warpglass::test::kernel_title_test
