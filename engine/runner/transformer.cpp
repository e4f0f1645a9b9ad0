#include "engine/runner/transformer.h"

#include <cmath>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "engine/base/collect.h"
#include "engine/plan/parts.h"
#include "engine/runner/arithmetic.h"
#include "engine/runner/seeded_generator.h"

namespace warpglass {
namespace {

/// Zhang & Sennrich; the same in every published model of this family.
constexpr double kNormEpsilon = 1e-5;
constexpr double kEmbeddingDeviation = 0.02;

/// Makes the parameters of the modules, in the order of the forward pass, each under its module's range, so
/// that a weight's memory says whose it is.
class Builder {
public:
    Builder(const RunConfig& config, const Transformer::TensorMade& made, at::Device device)
        : m_config(config),
          m_shape(config.shape),
          m_made(made),
          m_device(device),
          m_generator(seededGenerator(device, config.seed)) {}

    Embedding embedding(const std::string& path) {
        const ModulePath module(path);
        const ModuleScope scope(module);
        return {module, normal(m_shape.vocabulary, m_shape.dModel, kEmbeddingDeviation), m_config.embedding};
    }

    /// Glorot & Bengio: variance 2 / (in + out) keeps activations and gradients of one size over layers.
    Linear linear(const std::string& path, std::int64_t out, std::int64_t in, bool joined = false) {
        const ModulePath module(path);
        const ModuleScope scope(module);
        Linear linear{module,
                      normal(out, in, std::sqrt(2.0 / static_cast<double>(in + out))),
                      m_config.linear,
                      {},
                      productsOf(m_config)};
        if (keepsWeightCopies(m_config) && !joined) {
            linear.copy = linear.weight.detach().to(productType(m_config.precision));
            m_made(linear.copy);
        }
        return linear;
    }

    /// Makes the copies of weights that `linear` left out.
    JoinedLinear joined(const std::string& path, std::initializer_list<Linear*> parts) {
        const ModulePath module(path);
        const ModuleScope scope(module);
        JoinedLinear all{module, {}, {}, m_config.linear, productsOf(m_config)};
        std::int64_t rows = 0;
        for (const Linear* part : parts) {
            all.weights.push_back(part->weight);
            rows += part->weight.size(0);
        }
        const at::Tensor& first = all.weights.front();
        all.copy = at::empty({rows, first.size(1)}, first.options().dtype(productType(m_config.precision)));
        m_made(all.copy);
        rows = 0;
        for (Linear* part : parts) {
            part->copy = all.copy.narrow(0, rows, part->weight.size(0));
            part->copy.copy_(part->weight.detach());
            rows += part->weight.size(0);
        }
        return all;
    }

    RmsNorm norm(const std::string& path) {
        safePoint();
        const ModulePath module(path);
        const ModuleScope scope(module);
        return {module, finished(at::ones({m_shape.dModel}, m_device)), m_config.norm};
    }

    Block block(const std::string& path) {
        Block b;
        b.path = ModulePath(path);
        const ModuleScope scope(b.path);
        b.norm1 = norm(path + ".norm1");
        b.attention = attention(path + ".attn");
        b.norm2 = norm(path + ".norm2");
        b.feedForward = feedForward(path + ".ffn");
        return b;
    }

private:
    SelfAttention attention(const std::string& path) {
        const std::int64_t d = m_shape.dModel;
        SelfAttention a;
        a.path = ModulePath(path);
        const ModuleScope scope(a.path);
        const bool joins = joinsHeads(m_config);
        a.queryProjection = linear(path + ".q_proj", d, d, joins);
        a.keyProjection = linear(path + ".k_proj", d, d, joins);
        a.valueProjection = linear(path + ".v_proj", d, d, joins);
        if (joins)
            a.headProjections =
                joined(path + ".qkv_proj", {&a.queryProjection, &a.keyProjection, &a.valueProjection});
        a.outputProjection = linear(path + ".output_proj", d, d);
        return a;
    }
    FeedForward feedForward(const std::string& path) {
        const std::int64_t d = m_shape.dModel, f = m_shape.dFf;
        FeedForward ffn;
        ffn.variant = m_config.feedForward;
        ffn.path = ModulePath(path);
        const ModuleScope scope(ffn.path);
        const bool joins = joinsGate(m_config);
        ffn.w1 = linear(path + ".w1", f, d, joins);
        ffn.w3 = linear(path + ".w3", f, d, joins);
        if (joins)
            ffn.w13 = joined(path + ".w13", {&ffn.w1, &ffn.w3});
        ffn.w2 = linear(path + ".w2", d, f);
        return ffn;
    }
    at::Tensor normal(std::int64_t rows, std::int64_t columns, double deviation) {
        safePoint();
        return finished(at::empty({rows, columns}, m_device).normal_(0.0, deviation, m_generator));
    }
    at::Tensor finished(at::Tensor parameter) {
        parameter.set_requires_grad(true);
        m_made(parameter);
        return parameter;
    }

    const RunConfig& m_config;
    const ModelShape& m_shape;
    const Transformer::TensorMade& m_made;
    at::Device m_device;
    at::Generator m_generator;
};

/// The backward pass can be stopped when it comes to this tensor's gradient.
void makeBackwardSafePoint(const at::Tensor& x) {
    if (x.requires_grad())
        x.register_hook([stop = SafePointScope::current()](const at::Tensor&) {
            if (SafePointScope::isSet(stop))
                throw StopRequested();
        });
}

/// Enters a module: a range, and a place to stop.
class ModuleEntry {
public:
    explicit ModuleEntry(ModulePath path) : m_scope((safePoint(), path)) {}

private:
    ModuleScope m_scope;
};

}  // namespace

at::Tensor Linear::operator()(const at::Tensor& x) const {
    const ModuleEntry module(path);
    return arithmeticOf(variant).linear(x, *this);
}

at::Tensor JoinedLinear::operator()(const at::Tensor& x) const {
    const ModuleEntry module(path);
    return arithmeticOf(variant).joined(x, *this);
}

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
    const ModuleEntry module(path);
    return arithmeticOf(variant).norm(x, weight, kNormEpsilon);
}

at::Tensor RmsNorm::afterAdding(const at::Tensor& branch, at::Tensor& x) const {
    const ModuleEntry module(path);
    AddedAndNormed both = arithmeticOf(variant).addAndNorm(x, branch, weight, kNormEpsilon);
    x = std::move(both.sum);
    return std::move(both.normed);
}

at::Tensor Embedding::operator()(const at::Tensor& tokens) const {
    const ModuleEntry module(path);
    return arithmeticOf(variant).embed(weight, tokens);
}

at::Tensor SelfAttention::operator()(at::Tensor x, std::int64_t heads,
                                     const AttentionSetting& setting) const {
    const ModuleEntry module(path);
    const std::int64_t batch = x.size(0), context = x.size(1), width = x.size(2);
    const RotaryArithmetic& rotary = arithmeticOf(setting.rotary);
    at::Tensor q, k, v;  // (B, H, S, d)
    if (headProjections.defined()) {
        std::tie(q, k, v) = rotary.rotateJoined(headProjections(x), heads, setting.rotations, setting.byHead);
    } else {
        q = rotary.rotate(queryProjection(x), heads, setting.rotations).transpose(1, 2);
        k = rotary.rotate(keyProjection(x), heads, setting.rotations).transpose(1, 2);
        v = valueProjection(x).view({batch, context, heads, width / heads}).transpose(1, 2);
    }
    x = attend(std::move(q), std::move(k), std::move(v), setting);
    x = x.transpose(1, 2).reshape({batch, context, width});
    return outputProjection(x);
}

at::Tensor FeedForward::operator()(at::Tensor x) const {
    const ModuleEntry module(path);
    return arithmeticOf(variant).feedForward(std::move(x), *this);
}

Transformer::Transformer(const RunConfig& config, const TensorMade& parameterMade,
                         const TensorMade& tableMade, at::Device device)
    : m_config(config) {
    Builder builder(m_config, parameterMade, device);
    m_embeddings = builder.embedding("token_embeddings");
    for (std::int64_t i = 0; i < config.shape.layers; ++i)
        m_blocks.push_back(builder.block("blocks." + std::to_string(i)));
    m_norm = builder.norm("norm");
    m_head = builder.linear("lm_head", config.shape.vocabulary, config.shape.dModel);

    m_attention.variant = config.attention;
    m_attention.deterministic = config.deterministic == Deterministic::kYes;
    m_attention.rotary = config.rotary;
    m_attention.byHead = splitsByHead(config);
    m_attention.softmax = config.softmax;
    m_attention.rotations = makeRotations(config.context, config.shape.headDimension(), device);
    tableMade(m_attention.rotations);
    if (makesMaskTable(config)) {
        m_attention.mask = makeCausalMask(config.context, config.precision, device);
        tableMade(m_attention.mask);
    }
}

at::Tensor Transformer::forward(const at::Tensor& tokens) const {
    Stream stream{m_embeddings(tokens), {}};  // (B, S, D)
    for (const Block& block : m_blocks)
        forwardBlock(block, stream);
    const at::Tensor x = normed(m_norm, stream);
    stream = {};
    return m_head(x);
}

void Transformer::forwardBlock(const Block& block, Stream& stream) const {
    const ModuleEntry module(block.path);
    join(stream, block.attention(normed(block.norm1, stream), m_config.shape.heads, m_attention));
    join(stream, block.feedForward(normed(block.norm2, stream)));
}

void Transformer::join(Stream& stream, at::Tensor branch) const {
    if (arithmeticOf(m_config.norm).addAndNorm) {
        stream.branch = std::move(branch);
        return;
    }
    stream.x = stream.x + branch;
    makeBackwardSafePoint(stream.x);
}

at::Tensor Transformer::normed(const RmsNorm& norm, Stream& stream) {
    if (!stream.branch.defined())
        return norm(stream.x);
    const at::Tensor branch = std::exchange(stream.branch, {});
    at::Tensor y = norm.afterAdding(branch, stream.x);
    makeBackwardSafePoint(stream.x);
    return y;
}

std::vector<Transformer::Parameter> Transformer::parameters() const {
    std::vector<Parameter> all;
    all.push_back({{m_embeddings.path}, m_embeddings.weight});
    for (const Block& block : m_blocks) {
        const SelfAttention& attention = block.attention;
        const FeedForward& feedForward = block.feedForward;
        all.push_back({{block.path, block.norm1.path}, block.norm1.weight});
        for (const Linear* linear : {&attention.queryProjection, &attention.keyProjection,
                                     &attention.valueProjection, &attention.outputProjection})
            all.push_back({{block.path, attention.path, linear->path}, linear->weight, linear->copy});
        all.push_back({{block.path, block.norm2.path}, block.norm2.weight});
        for (const Linear* linear : {&feedForward.w1, &feedForward.w3, &feedForward.w2})
            all.push_back({{block.path, feedForward.path, linear->path}, linear->weight, linear->copy});
    }
    all.push_back({{m_norm.path}, m_norm.weight});
    all.push_back({{m_head.path}, m_head.weight, m_head.copy});
    return all;
}

std::int64_t Transformer::parameterCount() const {
    return sumOver<std::int64_t>(parameters(),
                                 [&](const Parameter& parameter) { return parameter.tensor.numel(); });
}

}  // namespace warpglass
