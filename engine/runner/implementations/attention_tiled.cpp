#include "engine/runner/implementations/attention_tiled.h"

#include <cmath>
#include <limits>

#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();

/// One stretch of rows, the last one shorter where the tile does not divide the length.
struct Tile {
    std::int64_t begin = 0;
    std::int64_t size = 0;

    at::Tensor of(const at::Tensor& x) const { return x.narrow(1, begin, size); }
};

std::vector<Tile> tilesOf(std::int64_t length, std::int64_t tile) {
    std::vector<Tile> tiles;
    for (std::int64_t begin = 0; begin < length; begin += tile)
        tiles.push_back({begin, std::min(tile, length - begin)});
    return tiles;
}

/// Nothing in a tile of keys is seen by a tile of queries that ends before it.
bool whollyHidden(bool causal, const Tile& queries, const Tile& keys) {
    return causal && keys.begin >= queries.begin + queries.size;
}

/// q kᵀ / √d for a pair of tiles, hidden positions at −∞: (N, rows of q, rows of k).
at::Tensor tileScores(const at::Tensor& q, const at::Tensor& k, const Tile& queries, const Tile& keys,
                      bool causal, double scale) {
    at::Tensor scores = at::bmm(q, k.transpose(1, 2)).mul_(scale);
    if (causal && keys.begin + keys.size - 1 > queries.begin) {
        const auto options = scores.options().dtype(at::kBool);
        const at::Tensor hidden =
            at::ones({queries.size, keys.size}, options).triu_(queries.begin - keys.begin + 1);
        scores.masked_fill_(hidden, kHiddenScore);
    }
    return scores;
}

/// (B, H, S, d) of any strides and type → contiguous fp32 (B·H, S, d).
at::Tensor flattened(const at::Tensor& x) {
    return x.to(at::kFloat).reshape({x.size(0) * x.size(1), x.size(2), x.size(3)});
}

/// Autocast would turn the fp32 products inside into bf16.
struct NoAutocast {
    c10::impl::ExcludeDispatchKeyGuard guard{c10::DispatchKeySet(c10::DispatchKey::AutocastCPU)};
};

struct ForwardResult {
    at::Tensor output;     // (N, S, d)
    at::Tensor logSumExp;  // (N, S, 1)
};

ForwardResult tiledForward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                           std::int64_t tile) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(2)));
    const std::vector<Tile> keyTiles = tilesOf(k.size(1), tile);
    ForwardResult result{at::empty_like(q), at::empty({q.size(0), q.size(1), 1}, q.options())};
    for (const Tile& queries : tilesOf(q.size(1), tile)) {
        const at::Tensor qi = queries.of(q);
        at::Tensor output = queries.of(result.output).zero_();
        at::Tensor maximum = at::full({q.size(0), queries.size, 1}, kHiddenScore, q.options());
        at::Tensor sum = at::zeros_like(maximum);
        for (const Tile& keys : keyTiles) {
            if (whollyHidden(causal, queries, keys))
                break;
            at::Tensor p = tileScores(qi, keys.of(k), queries, keys, causal, scale);
            // Every row of a visited tile sees a key, at the latest its first: the maximum is finite.
            const at::Tensor raised = at::maximum(maximum, p.amax({2}, true));
            const at::Tensor rescale = maximum.sub_(raised).exp_();
            p.sub_(raised).exp_();
            sum.mul_(rescale).add_(p.sum({2}, true));
            output.mul_(rescale).baddbmm_(p, keys.of(v));
            maximum = raised;
        }
        output.div_(sum);
        queries.of(result.logSumExp).copy_(sum.log_().add_(maximum));
    }
    return result;
}

struct Gradients {
    at::Tensor q, k, v;  // (N, S, d)
};

Gradients tiledBackward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                        const ForwardResult& forward, const at::Tensor& outputGradient, bool causal,
                        std::int64_t tile) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(2)));
    const std::vector<Tile> queryTiles = tilesOf(q.size(1), tile);
    const at::Tensor delta = (outputGradient * forward.output).sum({2}, true);  // D, (N, S, 1)
    Gradients gradients{at::zeros_like(q), at::zeros_like(k), at::zeros_like(v)};
    for (const Tile& keys : tilesOf(k.size(1), tile)) {
        const at::Tensor kj = keys.of(k);
        const at::Tensor vj = keys.of(v);
        for (const Tile& queries : queryTiles) {
            if (whollyHidden(causal, queries, keys))
                continue;
            const at::Tensor qi = queries.of(q);
            const at::Tensor doi = queries.of(outputGradient);
            at::Tensor p = tileScores(qi, kj, queries, keys, causal, scale);
            p.sub_(queries.of(forward.logSumExp)).exp_();
            keys.of(gradients.v).baddbmm_(p.transpose(1, 2), doi);
            const at::Tensor ds =
                at::bmm(doi, vj.transpose(1, 2)).sub_(queries.of(delta)).mul_(p).mul_(scale);
            queries.of(gradients.q).baddbmm_(ds, kj);
            keys.of(gradients.k).baddbmm_(ds.transpose(1, 2), qi);
        }
    }
    return gradients;
}

struct TiledAttentionFunction : torch::autograd::Function<TiledAttentionFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& v, bool causal, std::int64_t tile) {
        const NoAutocast noAutocast;
        const at::Tensor flatQ = flattened(q), flatK = flattened(k), flatV = flattened(v);
        const ForwardResult result = tiledForward(flatQ, flatK, flatV, causal, tile);
        context->save_for_backward({flatQ, flatK, flatV, result.output, result.logSumExp});
        context->saved_data["causal"] = causal;
        context->saved_data["tile"] = tile;
        // Shares the saved output's memory without being a view to autograd, which could not differentiate
        // one made here; nothing changes it in place.
        return at::_unsafe_view(result.output, q.sizes()).to(q.scalar_type());
    }

    static variable_list backward(AutogradContext* context, variable_list outputGradients) {
        const NoAutocast noAutocast;
        const variable_list saved = context->get_saved_variables();
        const at::Tensor& given = outputGradients[0];
        const Gradients gradients =
            tiledBackward(saved[0], saved[1], saved[2], {saved[3], saved[4]}, flattened(given),
                          context->saved_data["causal"].toBool(), context->saved_data["tile"].toInt());
        const auto shaped = [&](const at::Tensor& g) {
            return g.view(given.sizes()).to(given.scalar_type());
        };
        return {shaped(gradients.q), shaped(gradients.k), shaped(gradients.v), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor tiledAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                          std::int64_t tile) {
    // A C++ autograd function is not an ATen op, so it says itself what it is; its sequence number is what
    // finds this place again from its backward node.
    RECORD_FUNCTION("warpglass::tiled_attention", c10::ArrayRef<const c10::IValue>{},
                    at::GradMode::is_enabled() ? static_cast<std::int64_t>(at::sequence_number::peek()) : -1);
    return TiledAttentionFunction::apply(q, k, v, causal, tile);
}

}  // namespace warpglass
