#include "engine/plan/flops.h"

#include "engine/base/collect.h"
#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"

namespace warpglass {
namespace {

class Counter {
public:
    explicit Counter(const RunConfig& config)
        : m_config(config),
          m_shape(config.shape),
          m_tokens(Saturating(config.batch) * config.context),
          m_scores(m_tokens * config.context * config.shape.heads),
          m_norm(planOf(config.norm)),
          m_feedForward(planOf(config.feedForward)),
          m_loss(planOf(config.loss)),
          m_recomputes(!attentionPlan(config).storesScores),
          m_twice(attentionPlan(config).computesScoresTwice &&
                  attentionPlan(config).computesScoresTwice(config)) {}

    /// The attention workload.
    FlopsEstimate runAlone() {
        const Saturating width = Saturating(m_shape.heads) * m_config.headDim;
        attentionOfHeads(PlanPhase::kForward, std::string(kAttentionModule), width);
        if (m_config.mode != Mode::kForward)
            attentionOfHeads(PlanPhase::kBackward, std::string(kAttentionModule), width);
        return std::move(m_estimate);
    }

    FlopsEstimate run() {
        pass(PlanPhase::kForward);
        loss(PlanPhase::kLoss, m_loss.forwardWork);
        if (m_config.mode != Mode::kForward) {
            loss(PlanPhase::kBackward, m_loss.backwardWork);
            pass(PlanPhase::kBackward);
        }
        if (m_config.mode == Mode::kStep)
            for (const ParameterTensor& tensor : parameterTensors(m_shape))
                add(PlanPhase::kOptimizer, tensor.module, "", 0,
                    planOf(m_config.optimizer).work.of(tensor.rows, tensor.columns));
        return std::move(m_estimate);
    }

private:
    void add(PlanPhase phase, std::string module, std::string part, Saturating matmul,
             Saturating elementwise) {
        m_estimate.entries.push_back(
            {phase, std::move(module), std::move(part), Flops(matmul.value()), Flops(elementwise.value())});
    }

    /// y = x·Wᵀ forward; dx = dy·W and dW = dyᵀ·x backward, each as large.
    void linear(PlanPhase phase, const std::string& module, std::int64_t in, std::int64_t out) {
        const Saturating product = Saturating(2) * m_tokens * in * out;
        add(phase, module, "", phase == PlanPhase::kForward ? product : product + product, 0);
    }

    void norm(PlanPhase phase, const std::string& module) {
        add(phase, module, "", 0,
            (phase == PlanPhase::kForward ? m_norm.forwardWork : m_norm.backwardWork)
                .of(m_tokens, m_shape.dModel));
    }

    void loss(PlanPhase phase, const Operations& operations) {
        add(phase, "", "", 0, operations.of(m_tokens, m_shape.vocabulary));
    }

    void attention(PlanPhase phase, const std::string& module) {
        const std::int64_t d = m_shape.dModel;
        if (joinsHeads(m_config)) {
            linear(phase, module + ".qkv_proj", d, 3 * d);
        } else {
            for (const char* projection : {".q_proj", ".k_proj", ".v_proj"})
                linear(phase, module + projection, d, d);
        }
        add(phase, module, "rope", 0, Saturating(2) * m_tokens * d * kRopeOperations);
        attentionOfHeads(phase, module, d);
        linear(phase, module + ".output_proj", d, d);
    }

    /// `width`: heads × head dimension.
    void attentionOfHeads(PlanPhase phase, const std::string& module, Saturating width) {
        const bool forward = phase == PlanPhase::kForward;
        const Saturating product = attentionProduct(m_config).value;
        Saturating scores = forward ? product : product + product;
        Saturating softmax = m_scores * (forward ? kSoftmaxForwardOperations : kSoftmaxBackwardOperations);
        if (!forward && m_recomputes) {
            scores += product;
            softmax += m_scores * kSoftmaxForwardOperations + m_tokens * width * kRowDeltaOperations;
        }
        Saturating values = forward ? product : product + product;
        if (!forward && m_twice) {
            scores += product;
            values += product;  // dO·vᵀ, the gradient of the weights
            softmax += m_scores * (kSoftmaxForwardOperations + kSoftmaxBackwardOperations);
        }
        add(phase, module, "scores", scores, 0);
        add(phase, module, "softmax", 0, softmax);
        add(phase, module, "values", values, 0);
    }

    void feedForward(PlanPhase phase, const std::string& module) {
        const std::int64_t d = m_shape.dModel;
        if (joinsGate(m_config)) {
            linear(phase, module + ".w13", d, 2 * m_shape.dFf);
        } else {
            linear(phase, module + ".w1", d, m_shape.dFf);
            linear(phase, module + ".w3", d, m_shape.dFf);
        }
        add(phase, module, "", 0,
            (phase == PlanPhase::kForward ? m_feedForward.forwardWork : m_feedForward.backwardWork)
                .of(m_tokens, m_shape.dFf));
        linear(phase, module + ".w2", m_shape.dFf, d);
    }

    void pass(PlanPhase phase) {
        if (phase == PlanPhase::kBackward)
            add(phase, "token_embeddings", "", 0, m_tokens * m_shape.dModel * kEmbeddingBackwardOperations);
        for (std::int64_t layer = 0; layer < m_shape.layers; ++layer) {
            const std::string block = "blocks." + std::to_string(layer);
            norm(phase, block + ".norm1");
            attention(phase, block + ".attn");
            norm(phase, block + ".norm2");
            feedForward(phase, block + ".ffn");
            add(phase, block, "", 0, Saturating(2) * m_tokens * m_shape.dModel * kResidualOperations);
        }
        norm(phase, "norm");
        linear(phase, "lm_head", m_shape.dModel, m_shape.vocabulary);
    }

    const RunConfig& m_config;
    const ModelShape& m_shape;
    Saturating m_tokens;
    Saturating m_scores;
    const NormPlan& m_norm;
    const FeedForwardPlan& m_feedForward;
    const LossPlan& m_loss;
    bool m_recomputes, m_twice;
    FlopsEstimate m_estimate;
};

template <class Select>
Flops sum(const std::vector<FlopsEntry>& entries, Select select) {
    Saturating total = sumOver<Saturating>(entries, select);
    return Flops(total.value());
}

}  // namespace

Flops FlopsEstimate::matmul() const {
    return sum(entries, [](const FlopsEntry& e) { return e.matmul.value; });
}

Flops FlopsEstimate::matmul(PlanPhase phase) const {
    return sum(entries, [phase](const FlopsEntry& e) { return e.phase == phase ? e.matmul.value : 0; });
}

Flops FlopsEstimate::elementwise() const {
    return sum(entries, [](const FlopsEntry& e) { return e.elementwise.value; });
}

Flops FlopsEstimate::elementwise(PlanPhase phase) const {
    return sum(entries, [phase](const FlopsEntry& e) { return e.phase == phase ? e.elementwise.value : 0; });
}

Flops FlopsEstimate::total() const {
    return Flops((Saturating(matmul().value) + Saturating(elementwise().value)).value());
}

Flops FlopsEstimate::total(PlanPhase phase) const {
    return Flops((Saturating(matmul(phase).value) + Saturating(elementwise(phase).value)).value());
}

Flops FlopsEstimate::ofModule(std::string_view modulePath) const {
    return sum(entries, [modulePath](const FlopsEntry& e) {
        const std::string_view module = e.module;
        const bool within =
            modulePath.empty() || (module.starts_with(modulePath) &&
                                   (module.size() == modulePath.size() || module[modulePath.size()] == '.'));
        return within ? (Saturating(e.matmul.value) + Saturating(e.elementwise.value)).value() : 0;
    });
}

Flops attentionProduct(const RunConfig& config) {
    // Heads × S × S × head dimension, multiplied and added.
    const Saturating squares = Saturating(2) * config.batch * config.context * config.context;
    return Flops((squares * config.shape.heads * config.headDimension()).value());
}

FlopsEstimate countFlops(const RunConfig& config) {
    Counter counter(config);
    return config.isAttention() ? counter.runAlone() : counter.run();
}

Flops countAllFlops(const RunConfig& config) {
    RunConfig one = config, two = config;
    one.shape.layers = 1;
    two.shape.layers = 2;
    const Saturating first(countFlops(one).total().value), second(countFlops(two).total().value);
    return Flops((first + (second - first) * Saturating(config.shape.layers - 1)).value());
}

}  // namespace warpglass
