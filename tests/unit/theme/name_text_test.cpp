#include "ui/theme/name_text.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QSet>
#include <QStringList>

#include "ui/theme/theme.h"

namespace warpglass::ui::name_text_test {

const QString kSignature = QStringLiteral(
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)");

/// GEMMs of the sample runs, of cuBLAS, cuBLASLt and CUTLASS.
const QStringList kProducts = {
    QStringLiteral("cutlass_80_simt_sgemm_256x128_8x4_nn_align1"),
    QStringLiteral("cutlass_80_simt_sgemm_256x128_8x4_nt_align1"),
    QStringLiteral("nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_NNN"),
    QStringLiteral("nvjet_sm90_tst_128x256_64x4_2x4_h_bz_coopA_TNN"),
    QStringLiteral("nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_NNT"),
    QStringLiteral("nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_TNT"),
    QStringLiteral("nvjet_sm90_tst_192x192_64x3_2x1_v_bz_coopB_NNN"),
    QStringLiteral("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_TNN"),
    QStringLiteral("nvjet_sm90_tst_320x128_64x3_1x1_h_bz_coopB_NTT"),
    QStringLiteral("nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NTT"),
    QStringLiteral("nvjet_sm90_tst_320x128_64x3_2x1_v_bz_coopB_NTT"),
    QStringLiteral("nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NNN"),
    QStringLiteral("nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NTN"),
    QStringLiteral(
        "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
        "alignc4_execute_kernel__5x_cublas"),
    QStringLiteral("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_"
                   "alignc4_execute_kernel__5x_cublas"),
    QStringLiteral("sm80_xmma_gemm_f32f32_f32f32_f32_nt_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_"
                   "alignc4_execute_kernel__5x_cublas"),
    QStringLiteral(
        "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
        "alignc4_execute_kernel__5x_cublas"),
    QStringLiteral("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_"
                   "alignc4_execute_kernel__5x_cublas")};

TEST(NameText, ABackwardOpOfOursIsCalledByItsFunction) {
    const QString op =
        QStringLiteral("torch::autograd::CppNode<warpglass::(anonymous namespace)::FlashAttentionFunction>");
    EXPECT_EQ(shortenedName(op), "FlashAttention, backward");
    const QFontMetricsF metrics{QFont()};
    EXPECT_EQ(elidedName(metrics, op, 10'000), "FlashAttention, backward") << "also where there is room";
}

TEST(NameText, OpsAreShownWithoutWhatAllHaveInCommon) {
    const QFontMetricsF metrics(Theme::monoFont());
    EXPECT_EQ(elidedName(metrics, QStringLiteral("aten::mm"), 1e6), QStringLiteral("mm"));
    EXPECT_EQ(elidedName(metrics, QStringLiteral("aten::mm → aten::bmm"), 1e6), QStringLiteral("mm → bmm"));
    EXPECT_EQ(elidedName(metrics, QStringLiteral("baten::mm"), 1e6), QStringLiteral("baten::mm"));
    EXPECT_EQ(elidedName(metrics, QStringLiteral("blocks.0.attn"), 1e6), QStringLiteral("blocks.0.attn"));
}

TEST(NameText, CutsLongTextsAndNoOthers) {
    EXPECT_EQ(cutName(QStringLiteral("aten::mm")), QStringLiteral("aten::mm"));
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
              QStringLiteral("vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3ul> >"));
    EXPECT_EQ(
        shortenedName(QStringLiteral("void (anonymous namespace)::softmax_warp_forward<float, 10>(float*)")),
        QStringLiteral("softmax_warp_forward<float, 10>"));
    EXPECT_EQ(shortenedName(QStringLiteral("aten::mm")), QStringLiteral("mm"));
    EXPECT_EQ(shortenedName(QStringLiteral("autograd::engine::evaluate_function: MmBackward0")),
              QStringLiteral("MmBackward0"));
    EXPECT_EQ(shortenedName(QStringLiteral("flash_fwd_kernel")), QStringLiteral("flash_fwd_kernel"));
    EXPECT_EQ(shortenedName(QStringLiteral("nvjet_sm90_tst_64x256_64x5_1x2_h_bz_NTN")),
              QStringLiteral("nvjet…64x256_64x5_1x2_h_bz_NTN"));
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
              QStringLiteral("cutlass…sgemm_256x128_8x4_nn_align1 and 7 more → "
                             "nvjet…128x256_64x4_2x4_h_bz_coopA_NNN"));
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
