#include "ui/theme/name_text.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QSet>
#include <QStringList>

#include "ui/theme/theme.h"

namespace warpglass::ui::name_text_test {

const QString kSignature =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

/// GEMMs of the sample runs, of cuBLAS, cuBLASLt and CUTLASS.
const QStringList kProducts = {
    "cutlass_80_simt_sgemm_256x128_8x4_nn_align1",
    "cutlass_80_simt_sgemm_256x128_8x4_nt_align1",
    "nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_NNN",
    "nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN",
    "nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_NNT",
    "nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_TNT",
    "nvjet_sm90_tst_192x192_64x3_2x1_v_bz_coopB_NNN",
    "nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_TNN",
    "nvjet_sm90_tst_320x128_64x3_1x1_h_bz_coopB_NTT",
    "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NTT",
    "nvjet_sm90_tst_320x128_64x3_2x1_v_bz_coopB_NTT",
    "nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NNN",
    "nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NTN",
    "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas",
    "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas",
    "sm80_xmma_gemm_f32f32_f32f32_f32_nt_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas",
    "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas",
    "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas"};

TEST(NameText, ABackwardOpOfOursIsCalledByItsFunction) {
    const QString op = "torch::autograd::CppNode<warpglass::(anonymous namespace)::FlashAttentionFunction>";
    EXPECT_EQ(shortenedName(op), "FlashAttention, backward");
    const QFontMetricsF metrics{QFont()};
    EXPECT_EQ(elidedName(metrics, op, 10'000), "FlashAttention, backward") << "also where there is room";
}

TEST(NameText, OpsAreShownWithoutWhatAllHaveInCommon) {
    const QFontMetricsF metrics(Theme::monoFont());
    EXPECT_EQ(elidedName(metrics, "aten::mm", 1e6), "mm");
    EXPECT_EQ(elidedName(metrics, "aten::mm → aten::bmm", 1e6), "mm → bmm");
    EXPECT_EQ(elidedName(metrics, "baten::mm", 1e6), "baten::mm");
    EXPECT_EQ(elidedName(metrics, "blocks.0.attn", 1e6), "blocks.0.attn");
}

TEST(NameText, CutsLongTextsAndNoOthers) {
    EXPECT_EQ(cutName("aten::mm"), "aten::mm");
    const QString most(kMostLetters, QLatin1Char('a'));
    EXPECT_EQ(cutName(most), most);
    const QString cut =
        cutName(QStringLiteral("begin") + QString(300'000, QLatin1Char('x')) + QStringLiteral("the end"));
    EXPECT_EQ(cut.size(), kMostLetters);
    EXPECT_TRUE(cut.startsWith(QLatin1String("beginxx")));
    EXPECT_TRUE(cut.endsWith(QLatin1String("xxthe end")));
    EXPECT_EQ(cut.count(QChar(0x2026)), 1);
}

TEST(NameText, CutsThroughNoLetterOfTwoHalves) {
    // One letter before, so that pairs stand at odd and at even places.
    for (const QString& before : {QString(), QStringLiteral("a")}) {
        const QString cut = cutName(before + QStringLiteral("\U0001F600").repeated(50), 20);
        EXPECT_LE(cut.size(), 20);
        EXPECT_TRUE(cut.isValidUtf16()) << cut.toStdString();
    }
}

TEST(NameText, ShortensSignaturesAndLeavesOtherNames) {
    EXPECT_EQ(shortenedName(kSignature),
              "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3ul> >");
    EXPECT_EQ(shortenedName("void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)"),
              "softmax_warp_forward<float, 10>");
    EXPECT_EQ(shortenedName("aten::mm"), "mm");
    EXPECT_EQ(shortenedName("autograd::engine::evaluate_function: MmBackward0"), "MmBackward0");
    EXPECT_EQ(shortenedName("flash_fwd_kernel"), "flash_fwd_kernel");
    EXPECT_EQ(shortenedName("nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NTN"), "nvjet…64x256_64x5_1x2_h_bz_NTN");
    // What is no signature, however much it looks like the end of one.
    for (const QString& odd : {QStringLiteral("("), QStringLiteral(")"), QStringLiteral("::"),
                               QStringLiteral("a::"), QStringLiteral("f(("), QString()})
        EXPECT_EQ(shortenedName(odd), odd);
}

TEST(NameText, KeepsMatrixProductsApartInLittleRoom) {
    const QFontMetricsF metrics(Theme::monoFont());
    const double letter = metrics.horizontalAdvance(QLatin1Char('x'));
    for (const int letters : {27, 32, 40}) {
        QSet<QString> shown;
        for (const QString& name : kProducts) {
            const QString text = elidedName(metrics, name, (letters + 0.5) * letter);
            EXPECT_LE(metrics.horizontalAdvance(text), (letters + 0.5) * letter) << text.toStdString();
            EXPECT_FALSE(shown.contains(text)) << letters << ": " << text.toStdString();
            shown.insert(text);
        }
    }
}

TEST(NameText, OfSeveralNamesInASentenceEachIsShortened) {
    const QFontMetricsF metrics(Theme::monoFont());
    const QString sentence = kProducts.front() + QStringLiteral(" and 7 more → ") + kProducts[2];
    EXPECT_EQ(elidedName(metrics, sentence, metrics.horizontalAdvance(sentence) - 20),
              "cutlass…sgemm_256x128_8x4_nn_align1 and 7 more → "
              "nvjet…128x256_64x4_2x4_h_bz_coopA_NNN");
}

TEST(NameText, FitsWhateverTheRoom) {
    const QFontMetricsF metrics(Theme::tableFont());
    QStringList names = kProducts;
    names << kSignature << QStringLiteral("blocks.11.attn.output_proj") << QString();
    for (const QString& name : names) {
        for (int room = 20; room < 900; room += 7)
            EXPECT_LE(metrics.horizontalAdvance(elidedName(metrics, name, room)), room + 0.5)
                << name.toStdString() << " in " << room;
        EXPECT_EQ(elidedName(metrics, name, metrics.horizontalAdvance(name) + 1), name);
    }
}

TEST(NameText, OfAnyLengthIsCutBeforeItIsMeasured) {
    const QFontMetricsF metrics(Theme::monoFont());
    for (const QString& piece : {QStringLiteral("x"), QStringLiteral("a_"), QStringLiteral("16x8_"),
                                 QStringLiteral("a::"), QStringLiteral("<("), QStringLiteral(")")}) {
        const QString name = piece.repeated(300'000);
        const QString text = elidedName(metrics, name, 1e9);
        EXPECT_LE(text.size(), kMostLetters);
        EXPECT_LE(elidedName(metrics, name, 200).size(), kMostLetters);
    }
}

}  // namespace warpglass::ui::name_text_test
