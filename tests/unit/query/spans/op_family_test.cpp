#include "engine/query/spans/op_family.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/trace/trace_writer.h"

namespace warpglass::test::op_family_test {

TEST(OpFamily, knowsTheOpsOfATrainingStep) {
    const std::pair<OpFamily, std::vector<std::string_view>> expected[] = {
        {OpFamily::kMatmul,
         {"aten::mm", "aten::bmm", "aten::linear", "aten::matmul", "MmBackward0",
          "autograd::engine::evaluate_function: MmBackward0"}},
        {OpFamily::kAttention,
         {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
          "warpglass::tiled_attention"}},
        {OpFamily::kNormalization,
         {"aten::_softmax", "aten::_log_softmax_backward_data", "aten::mean", "aten::sum",
          "aten::nll_loss_forward"}},
        {OpFamily::kElementwise,
         {"aten::add_", "MulBackward0", "aten::silu_backward", "aten::rsqrt", "aten::rsub"}},
        {OpFamily::kOptimizer, {"aten::_fused_adamw_"}},
        {OpFamily::kCopy,
         {"aten::copy_", "aten::_to_copy", "aten::to", "aten::transpose", "aten::t", "aten::empty_strided",
          "aten::embedding", "copy, device to host", "copy, host to device", "copy, device to device",
          "fill"}},
        {OpFamily::kOther, {"something::nobody_knows", ""}}};
    for (const auto& [family, names] : expected) {
        for (const std::string_view name : names)
            EXPECT_EQ(opFamily(name, Phase::kForward), family) << name;
    }
}

TEST(OpFamily, elementwiseWorkOfTheOptimizerIsTheOptimizers) {
    EXPECT_EQ(opFamily("aten::addcdiv_", Phase::kOptimizer), OpFamily::kOptimizer);
    EXPECT_EQ(opFamily("aten::mul_", Phase::kOptimizer), OpFamily::kOptimizer);
    EXPECT_EQ(opFamily("aten::mul_", Phase::kBackward), OpFamily::kElementwise);
    EXPECT_EQ(opFamily("aten::copy_", Phase::kOptimizer), OpFamily::kCopy);
}

TEST(OpFamilyCache, agreesWithTheFunctionAsNamesArrive) {
    TraceWriter writer;
    const PlaceId forward = writer.internPlace({.phase = Phase::kForward});
    const PlaceId optimizer = writer.internPlace({.phase = Phase::kOptimizer});
    OpFamilyCache cache;
    for (const std::string_view name : {"aten::mul", "aten::mm", "aten::copy_", "other"}) {
        const NameId id = writer.internName(name);
        writer.commit(Nanoseconds(0));
        const auto snapshot = writer.feed()->latest();
        for (int again = 0; again < 2; ++again) {
            EXPECT_EQ(cache.familyOf(*snapshot, id, forward), opFamily(name, Phase::kForward));
            EXPECT_EQ(cache.familyOf(*snapshot, id, optimizer), opFamily(name, Phase::kOptimizer));
        }
        EXPECT_EQ(cache.familyOf(*snapshot, NameId(), forward), OpFamily::kOther);
    }
}

TEST(KernelFamilies, OfTheLibrariesOnAGpu) {
    EXPECT_EQ(opFamily("nvjet_sm90_tst_96x128_64x7_2x1_v_bz_TNN", Phase::kForward), OpFamily::kMatmul);
    EXPECT_EQ(opFamily("cutlass_80_simt_sgemm_128x256_8x4_nn_align1", Phase::kForward), OpFamily::kMatmul);
    EXPECT_EQ(opFamily("flash_fwd_kernel", Phase::kForward), OpFamily::kAttention);
    EXPECT_EQ(opFamily("fmha_cutlassF_f32_aligned_64x64_rf_sm80", Phase::kForward), OpFamily::kAttention);
    EXPECT_EQ(opFamily("softmax_warp_forward", Phase::kForward), OpFamily::kNormalization);
    EXPECT_EQ(opFamily("reduce_kernel", Phase::kForward), OpFamily::kNormalization);
    EXPECT_EQ(opFamily("vectorized_elementwise_kernel", Phase::kForward), OpFamily::kElementwise);
    EXPECT_EQ(opFamily("multi_tensor_apply_kernel", Phase::kOptimizer), OpFamily::kOptimizer);
    EXPECT_EQ(opFamily("vectorized_gather_kernel", Phase::kForward), OpFamily::kCopy);
}

TEST(KernelFamilies, AreOfWhatATemplateDoesAndElseOfTheOp) {
    const std::string cast =
        "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::"
        "TensorIteratorBase&)::{lambda(float)#1}, int>(int)";
    const std::string add =
        "void at::native::unrolled_elementwise_kernel<at::native::CUDAFunctor_add<float>>()";
    const char* const name = "unrolled_elementwise_kernel";
    EXPECT_EQ(kernelFamily(name, cast, "aten::copy_", Phase::kForward), OpFamily::kCopy);
    EXPECT_EQ(kernelFamily(name, cast, "", Phase::kOptimizer), OpFamily::kCopy);
    EXPECT_EQ(kernelFamily(name, add, "aten::add", Phase::kForward), OpFamily::kElementwise);
    EXPECT_EQ(kernelFamily(name, add, "aten::add_", Phase::kOptimizer), OpFamily::kOptimizer);
    EXPECT_EQ(kernelFamily("DeviceScanKernel", "", "aten::embedding_dense_backward", Phase::kBackward),
              OpFamily::kCopy);
    EXPECT_EQ(kernelFamily("DeviceScanKernel", "", "", Phase::kBackward), OpFamily::kOther);
    // Where a template's signature does not tell, the op does, but never that it is a GEMM.
    constexpr Phase kForward = Phase::kForward;
    EXPECT_EQ(kernelFamily(name, "", "aten::copy_", kForward), OpFamily::kCopy);
    EXPECT_EQ(kernelFamily("index_elementwise_kernel", "", "aten::index", kForward), OpFamily::kCopy);
    EXPECT_EQ(kernelFamily("multi_tensor_apply_kernel", "", "aten::_foreach_copy_", Phase::kOptimizer),
              OpFamily::kCopy);
    EXPECT_EQ(kernelFamily(name, "", "aten::addmm", kForward), OpFamily::kElementwise);
    EXPECT_EQ(kernelFamily(name, "", "nobody_knows", kForward), OpFamily::kElementwise);
    EXPECT_EQ(kernelFamily("reduce_kernel", "", "aten::copy_", kForward), OpFamily::kNormalization);
    // A detail is asked for once, and of each phase apart.
    TraceWriter writer;
    const NameId kernel = writer.internName(name), gemm = writer.internName("nvjet_tst_TNN");
    const PlaceId forward = writer.internPlace({.phase = Phase::kForward});
    const PlaceId optimizer = writer.internPlace({.phase = Phase::kOptimizer});
    const DetailId casts = writer.internDetail({.fullName = writer.internName(cast)});
    const DetailId bare = writer.internDetail({.grid = {1, 1, 1}});
    const DetailId adds = writer.internDetail({.fullName = writer.internName(add)});
    writer.commit(Nanoseconds(0));
    const auto snapshot = writer.feed()->latest();
    OpFamilyCache cache;
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, forward, casts), OpFamily::kCopy);
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, forward, adds), OpFamily::kElementwise);
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, optimizer, adds), OpFamily::kOptimizer);
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, forward), OpFamily::kElementwise) << "by its name alone";
        // Without signatures kernels of several names have one detail.
        EXPECT_EQ(cache.familyOf(*snapshot, gemm, forward, bare), OpFamily::kMatmul);
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, forward, bare), OpFamily::kElementwise);
        EXPECT_EQ(cache.familyOf(*snapshot, kernel, optimizer, bare), OpFamily::kOptimizer);
    }
}

}  // namespace warpglass::test::op_family_test
