#include "engine/query/model/matrix_products.h"

#include <map>
#include <utility>

#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"

namespace warpglass {
namespace {

class Products {
public:
    explicit Products(const RunConfig& config) : m_config(config), m_attention(attentionPlan(config)) {
        if (!config.isAttention()) {
            for (const ParameterTensor& tensor : multipliedTensors(config))
                m_weights[tensor.module] = tensor;
        }
        for (const FlopsEntry& entry : countFlops(config).entries) {
            if (entry.matmul.value > 0)
                add(entry);
        }
    }
    std::vector<MatrixProduct> take() { return std::move(m_products); }

private:
    void add(const FlopsEntry& entry) {
        if (entry.part.empty()) {
            const ParameterTensor& weight = m_weights.at(entry.module);
            return push(entry, linearElements(weight), shapeOf(tokens(), weight.rows, weight.columns));
        }
        const Saturating context(m_config.context), head(m_config.headDimension());
        if (m_attention.storesScores)
            push(entry, scoresElements(),
                 std::to_string((Saturating(m_config.batch) * m_config.shape.heads).value()) + " × " +
                     (entry.part == "scores" ? shapeOf(context, context, head)
                                             : shapeOf(context, head, context)));
        else if (m_attention.record == AttentionRecord::kOneKernel)
            push(entry, Saturating(2) * tokens() * width(), {});
    }

    /// `elements`: of one forward product's operands and result; backward is two such products.
    void push(const FlopsEntry& entry, Saturating elements, std::string shape) {
        const std::int64_t size = isMixed(m_config.precision) ? 2 : 4;
        const std::int64_t products = entry.phase == PlanPhase::kBackward ? 2 : 1;
        m_products.push_back({entry.phase, entry.module, entry.part, entry.matmul,
                              Bytes((elements * size * products).value()), std::move(shape)});
    }

    /// Over all heads.
    Saturating width() const { return Saturating(m_config.shape.heads) * m_config.headDimension(); }
    Saturating tokens() const { return Saturating(m_config.batch) * m_config.context; }
    static std::string shapeOf(Saturating m, Saturating n, Saturating k) {
        return std::to_string(m.value()) + "×" + std::to_string(n.value()) + "×" + std::to_string(k.value());
    }
    Saturating linearElements(const ParameterTensor& weight) const {
        return tokens() * weight.rows + tokens() * weight.columns + Saturating(weight.rows) * weight.columns;
    }
    /// For scores = q·kᵀ, and for values = p·v.
    Saturating scoresElements() const {
        return Saturating(2) * tokens() * width() + tokens() * m_config.context * m_config.shape.heads;
    }

    const RunConfig& m_config;
    const AttentionPlan& m_attention;
    std::map<std::string, ParameterTensor> m_weights;
    std::vector<MatrixProduct> m_products;
};

}  // namespace

std::vector<MatrixProduct> matrixProducts(const RunConfig& config) {
    return Products(config).take();
}

std::string_view recordedPart(const RunConfig& config, const MatrixProduct& product) {
    return attentionPlan(config).record == AttentionRecord::kRanges ? std::string_view(product.part)
                                                                    : std::string_view();
}

}  // namespace warpglass
