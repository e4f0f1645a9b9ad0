// Products by cuBLASLt's algorithms against fp64, beside LibTorch's own: each direction of a product with a
// weight, in sizes of all alignments.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "engine/capture/torch_headers.h"
#include "engine/runner/arithmetic.h"
#include "engine/runner/gpu.h"

namespace warpglass::test::products_test {

using Sizes = std::array<std::int64_t, 3>;

at::Tensor random(std::int64_t rows, std::int64_t columns, at::ScalarType type) {
    return at::randn({rows, columns}, at::TensorOptions(type).device(at::Device(at::kCUDA, 0)));
}

/// The product by both, in `type`, and its exact value.
struct Products {
    at::Tensor chosen, library, exact;
};

Products productsOf(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    return {arithmeticOf(ProductsVariant::kFused).multiply(a, b, type),
            arithmeticOf(ProductsVariant::kEager).multiply(a, b, type),
            at::mm(a.to(at::kDouble), b.to(at::kDouble))};
}

/// Half a unit in the last place of the result, and what sums in fp32 may be off.
void expectExact(const Products& products, at::ScalarType type, const std::string& which) {
    const double unit = type == at::kFloat ? 0 : type == at::kHalf ? 0x1p-11 : 0x1p-8;
    const at::Tensor wrong = (products.chosen.to(at::kDouble) - products.exact).abs();
    const at::Tensor allowed = products.exact.abs() * (unit * 1.01) + 1e-5 * products.exact.abs().max();
    EXPECT_TRUE((wrong <= allowed).all().item<bool>()) << which << ", off by " << wrong.max().item<double>();
    const double distance = (products.chosen.to(at::kDouble) - products.exact).norm().item<double>(),
                 usual = (products.library.to(at::kDouble) - products.exact).norm().item<double>();
    EXPECT_LE(distance, 1.1 * usual + 1e-6 * products.exact.norm().item<double>()) << which;
}

struct ChosenProducts : ::testing::Test {
    void SetUp() override {
        if (!at::globalContext().hasCUDA())
            GTEST_SKIP() << "there is no NVIDIA GPU on this machine";
        m_gpu = loadGpu().gpu;
        ASSERT_TRUE(m_gpu) << loadGpu().problem;
        at::manual_seed(11);
    }
    void TearDown() override {
        if (m_gpu)
            m_gpu->tryOutProducts(false);
    }

    Gpu* m_gpu = nullptr;
};

TEST_F(ChosenProducts, AreAsExactAsTheLibrarysInEveryDirection) {
    m_gpu->tryOutProducts(true);
    for (const auto& [tokens, in, out] :
         {Sizes{512, 256, 768}, Sizes{2048, 768, 3072}, Sizes{1024, 1280, 1000}, Sizes{96, 104, 40},
          Sizes{77, 33, 129}, Sizes{1, 64, 64}, Sizes{130, 1, 7}, Sizes{250, 250, 1}}) {
        for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
            const at::Tensor x = random(tokens, in, type), weight = random(out, in, type),
                             dy = random(tokens, out, type);
            const std::string of = std::to_string(tokens) + " × " + std::to_string(in) + " × " +
                                   std::to_string(out) + (type == at::kHalf ? ", fp16" : ", bf16");
            for (int round = 0; round < 2; ++round) {  // tried out, and kept
                expectExact(productsOf(x, weight.t(), type), type, "y, " + of);
                expectExact(productsOf(dy, weight, type), type, "dx, " + of);
                expectExact(productsOf(dy.t(), x, at::kFloat), at::kFloat, "dW, " + of);
            }
        }
    }
}

TEST_F(ChosenProducts, OfPartsOfATensorAreRightTooWhereverTheyBegin) {
    m_gpu->tryOutProducts(true);
    const at::Tensor whole = random(300, 520, at::kBFloat16), weight = random(128, 256, at::kBFloat16);
    for (const std::int64_t from : {0, 1, 2, 8}) {
        const at::Tensor part = whole.narrow(1, from, 256).narrow(0, from, 256);
        expectExact(productsOf(part, weight.t(), at::kBFloat16), at::kBFloat16,
                    "part " + std::to_string(from));
    }
    const at::Tensor strided = whole.slice(1, 0, 512, 2);  // cuBLASLt takes no such
    expectExact(productsOf(strided, weight.t(), at::kBFloat16), at::kBFloat16, "every second column");
}

TEST_F(ChosenProducts, AreTheLibrarysToTheBitUntilTheyAreTriedOutAndThenStayTheSame) {
    const at::Tensor a = random(640, 384, at::kBFloat16), b = random(384, 1536, at::kBFloat16);
    const Products before = productsOf(a, b, at::kBFloat16);
    EXPECT_TRUE(at::equal(before.chosen, before.library));
    m_gpu->tryOutProducts(true);
    const at::Tensor tried = productsOf(a, b, at::kBFloat16).chosen;
    m_gpu->tryOutProducts(false);
    for (int round = 0; round < 3; ++round)
        EXPECT_TRUE(at::equal(productsOf(a, b, at::kBFloat16).chosen, tried)) << round;
}

TEST_F(ChosenProducts, TakeNoMemoryToBeTriedOut) {
    const at::Tensor a = random(1024, 512, at::kBFloat16), b = random(512, 2048, at::kBFloat16);
    const at::Tensor warm = productsOf(a, b, at::kBFloat16).chosen;  // cuBLAS has its scratch memory
    const auto asked = [&] { return m_gpu->memory(); };
    const Bytes allocated = asked().allocated, reserved = asked().reserved;
    m_gpu->tryOutProducts(true);
    {
        const at::Tensor out = arithmeticOf(ProductsVariant::kFused).multiply(a, b, at::kBFloat16);
        EXPECT_EQ(asked().allocated - allocated, Bytes(1024 * 2048 * 2));
    }
    EXPECT_EQ(asked().allocated, allocated);
    EXPECT_EQ(asked().reserved, reserved);
}

}  // namespace warpglass::test::products_test
