// The element-wise and row-wise parts of a training step as one kernel each, where the library takes several:
// what stands between a Transformer's matrix products. All of them are bound by memory, so each comment says
// how many bytes a call must move at the least; R rows of D (or F, V) numbers, "half" bytes a number of
// `type`.
//
// Tensors are contiguous unless a stride is given, and aligned to 16 bytes. The arithmetic is fp32 whatever
// the type. Nothing here allocates, synchronizes or throws; a call puts its kernels on the stream and returns
// CUDA's error of the launch (0 is success). All sums are made in an order that depends on the shape alone:
// the same input gives the same bits on the same kind of GPU.
#pragma once

#include <cstdint>
#include <span>

namespace warpglass::kernels {

/// The type of activations: what autocast computes products in, or fp32 without it.
enum class NumberType { kFp32, kBf16, kFp16 };

/// RMSNorm (Zhang & Sennrich 2019, arXiv 1910.07467) of the residual stream, with the addition to it that
/// comes before: s = x + branch, y = s ∘ weight / sqrt(mean(s²) + ε).
struct NormForward {
    std::int64_t rows = 0, width = 0;
    NumberType type = NumberType::kFp32;
    float epsilon = 0;
    const float* x = nullptr;
    /// In `type`; null: nothing is added, s is x.
    const void* branch = nullptr;
    const float* weight = nullptr;
    /// Written where there is a branch.
    float* sum = nullptr;
    /// In `type`.
    void* output = nullptr;
    /// 1 / sqrt(mean(s²) + ε) of each row.
    float* reciprocal = nullptr;
};
/// With a branch R·D·(8 + 2·half) bytes, 8 + half of them for the addition; without R·D·(4 + half).
int normForward(const NormForward& call, void* stream);

struct NormBackward {
    std::int64_t rows = 0, width = 0;
    NumberType type = NumberType::kFp32;
    /// dy, of `type`.
    const void* outputGradient = nullptr;
    /// The gradient of s that comes from elsewhere than y; null for none.
    const float* through = nullptr;
    const float* sum = nullptr;
    const float* weight = nullptr;
    const float* reciprocal = nullptr;
    /// ds = through + the norm's; may be `through` itself.
    float* sumGradient = nullptr;
    /// ds once more in `type`, for the branch; null where nobody wants it.
    void* branchGradient = nullptr;
    float* weightGradient = nullptr;
    /// P × D: sums of the weight's gradient over rows, which are then added up. P from 1 to R; a block for
    /// each.
    std::int64_t partialRows = 0;
    float* partials = nullptr;
};
/// Two kernels: R·D·(12 + 2·half) bytes with `through` and a branch, 8 of them for the sum of both gradients
/// and half for the branch's; and 8·P·D for the sum over rows.
int normBackward(const NormBackward& call, void* stream);

/// SwiGLU (Shazeer 2020, arXiv 2002.05202): hidden = silu(gate) ∘ value, silu(x) = x / (1 + e⁻ˣ). Rows of
/// gate and value, and of their gradients, are `stride` numbers apart: both may lie in one tensor.
struct SwigluForward {
    std::int64_t rows = 0, width = 0, stride = 0;
    NumberType type = NumberType::kFp32;
    const void* gate = nullptr;
    const void* value = nullptr;
    void* hidden = nullptr;
};
/// 3·R·F·half bytes.
int swigluForward(const SwigluForward& call, void* stream);

struct SwigluBackward {
    std::int64_t rows = 0, width = 0, stride = 0;
    NumberType type = NumberType::kFp32;
    const void* gate = nullptr;
    const void* value = nullptr;
    const void* hiddenGradient = nullptr;
    /// Each may be what it is the gradient of.
    void* gateGradient = nullptr;
    void* valueGradient = nullptr;
};
/// 5·R·F·half bytes.
int swigluBackward(const SwigluBackward& call, void* stream);

/// The gradient of the table of embeddings: to each row the gradients of its tokens, 0 to a row of none.
struct EmbeddingBackward {
    std::int64_t count = 0, vocabulary = 0, width = 0;
    /// In [0, vocabulary).
    const std::int64_t* tokens = nullptr;
    /// (count, D), fp32.
    const float* outputGradient = nullptr;
    /// (V, D).
    float* weightGradient = nullptr;
    /// Scratch memory: (count) for the tokens in the order of their rows, and (V + 1) for where each row's
    /// begin.
    int* order = nullptr;
    int* begins = nullptr;
};
/// 4·(count + V)·D bytes, in two kernels; the first has every block read the tokens, from the caches. At most
/// 2³¹ − 16,385 tokens and 2³³ numbers in the table (2³⁵ where the width is a multiple of 4).
int embeddingBackward(const EmbeddingBackward& call, void* stream);

/// How many numbers lie between one and the next.
struct HeadStrides {
    std::int64_t batch = 0, position = 0, head = 0;
};

/// Rotary embedding (Su et al. 2021, arXiv 2104.09864): neighboring numbers of a head are a complex one,
/// which is turned by its position's angle. Up to three tensors (queries, keys, values) in one launch, from
/// one order in memory to another.
struct Rotary {
    std::int64_t batch = 0, length = 0, heads = 0, headDimension = 0;
    NumberType type = NumberType::kFp32;
    /// The other way round: the gradient.
    bool back = false;
    /// How many tensors there are, and how many of them are turned, the first ones; the rest is copied.
    int parts = 1, turned = 1;
    /// (B, H, S, d) each; the numbers of a head are neighbors, and heads begin at multiples of 16 bytes
    /// where the head dimension allows it.
    const void* x[3] = {};
    HeadStrides strides;
    /// (S, d / 2) of cosine and sine.
    const float* rotations = nullptr;
    /// Each may be its x where the strides are the same.
    void* output[3] = {};
    HeadStrides outputStrides;
};
/// 2·parts·B·S·H·d·half bytes, and the table from the caches.
int rotary(const Rotary& call, void* stream);

/// Attention's weights where scores are stored: softmax(scale · scores) of each row, which they become. Row r
/// is the query r mod S; where causal it sees the columns up to its own. The scores come without their scale,
/// so in fp16 a product of a query and a key has to stay below 65,504.
struct SoftmaxForward {
    /// B·H·S rows of S columns.
    std::int64_t rows = 0, length = 0;
    NumberType type = NumberType::kFp32;
    bool causal = false;
    float scale = 0;
    void* scores = nullptr;
};
/// 2·R·S·half bytes; where causal half of what is read.
int softmaxForward(const SoftmaxForward& call, void* stream);

struct SoftmaxBackward {
    std::int64_t rows = 0, length = 0;
    NumberType type = NumberType::kFp32;
    bool causal = false;
    float scale = 0;
    const void* weights = nullptr;
    /// The weights' gradient, which becomes that of the scores: scale · p ∘ (dp − Σ p·dp).
    void* gradient = nullptr;
};
/// 3·R·S·half bytes; where causal half of what is read.
int softmaxBackward(const SoftmaxBackward& call, void* stream);

/// The mean of −log softmax(logits) at the target.
struct CrossEntropyForward {
    std::int64_t rows = 0, vocabulary = 0;
    NumberType type = NumberType::kFp32;
    const void* logits = nullptr;
    /// In [0, vocabulary).
    const std::int64_t* targets = nullptr;
    /// R × 2: a row's largest logit m, and log Σ exp(logit − m). Their sum would be rounded to the size of m.
    float* rowSums = nullptr;
    float* rowLosses = nullptr;
    float* loss = nullptr;
};
/// Two kernels: R·V·half bytes, and 4·R.
int crossEntropyForward(const CrossEntropyForward& call, void* stream);

struct CrossEntropyBackward {
    std::int64_t rows = 0, vocabulary = 0;
    NumberType type = NumberType::kFp32;
    /// Become their gradient.
    void* logits = nullptr;
    const std::int64_t* targets = nullptr;
    const float* rowSums = nullptr;
    /// One number.
    const float* lossGradient = nullptr;
};
/// 2·R·V·half bytes.
int crossEntropyBackward(const CrossEntropyBackward& call, void* stream);

/// A parameter of AdamW, all fp32.
struct AdamwTensor {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    float* firstMoment = nullptr;
    float* secondMoment = nullptr;
    /// The parameter once more in 16 bits, for products; null for none.
    void* copy = nullptr;
    std::int64_t count = 0;
};

/// AdamW (Loshchilov & Hutter 2017, arXiv 1711.05101) over all tensors.
struct Adamw {
    std::span<const AdamwTensor> tensors;
    double learningRate = 0, beta1 = 0, beta2 = 0, epsilon = 0, weightDecay = 0;
    /// The copies' type.
    NumberType type = NumberType::kBf16;
    /// One number: 1 in the first step.
    const float* step = nullptr;
    /// For fp16: gradients are divided by the scale, and nothing happens where a gradient is infinite (1).
    /// Null: neither.
    const float* scale = nullptr;
    const float* foundInfinity = nullptr;
};
/// One kernel for every 512 tensors: 28 bytes a number, and 2 for a copy.
int adamw(const Adamw& call, void* stream);

}  // namespace warpglass::kernels
