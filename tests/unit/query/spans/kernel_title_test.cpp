#include "engine/query/spans/kernel_title.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace kernel_title_test {

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
              "elementwise · copy bf16");
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
        "elementwise · copy bf16");
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

TEST(KernelTitle, OthersKeepTheirNames) {
    EXPECT_EQ(kernelTitle("flash_fwd_kernel", "void pytorch_flash::flash_fwd_kernel<Traits<64, 128> >(int)"),
              "flash_fwd_kernel");
    EXPECT_EQ(kernelTitle("vectorized_elementwise_kernel", ""), "vectorized_elementwise_kernel");
    EXPECT_EQ(kernelTitle("elementwise_kernel", "elementwise_kernel<1, 2>(int)"), "elementwise_kernel");
    EXPECT_EQ(kernelTitle("", ""), "");
    for (const char* odd : {"<", "elementwise<", "a<b<c<(", "reduce_kernel<Ops<", "gemm_x_1x_x1_tn"})
        EXPECT_NO_FATAL_FAILURE(kernelTitle(odd, odd)) << odd;
}

}  // namespace kernel_title_test
}  // namespace warpglass
