// The learnable tensors of the Transformer of a ModelShape, by module path, and how many numbers they hold.
//
//   token_embeddings                     vocabulary × d_model
//   blocks.N.norm1, blocks.N.norm2       d_model
//   blocks.N.attn.{q,k,v,output}_proj    d_model × d_model
//   blocks.N.ffn.{w1,w3}                 d_ff × d_model
//   blocks.N.ffn.w2                      d_model × d_ff
//   norm                                 d_model
//   lm_head                              vocabulary × d_model (untied)
//
// so in all 2·V·d + L·(4·d² + 3·d·d_ff + 2·d) + d. No module has a bias. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_config.h"

namespace warpglass {

struct ParameterTensor {
    /// The module that owns it: "blocks.7.attn.q_proj". Every module with a parameter has one, its weight.
    std::string module;
    std::int64_t rows = 0;
    /// 1 for a vector (the gain of a norm).
    std::int64_t columns = 1;

    std::int64_t count() const { return rows * columns; }
};

/// Every tensor, in the order in which a forward pass meets them. Precondition: validate() finds nothing
/// wrong with the sizes.
std::vector<ParameterTensor> parameterTensors(const ModelShape& shape);

/// It has one dimension, and no columns: the gain of a norm.
bool isGain(const ParameterTensor& tensor);
/// It is multiplied with: neither the gain of a norm nor the table of embeddings.
bool isOfProduct(const ParameterTensor& tensor);

/// What products multiply with, in that order: the tensors of which isOfProduct() is true, those of a joined
/// product (parts.h) as one.
std::vector<ParameterTensor> multipliedTensors(const RunConfig& config);

/// How many numbers they hold together: 128,625,408 for small. Works for any shape: what cannot be counted in
/// 63 bits gives the largest int64, a negative size counts as 0.
std::int64_t parameterCount(const ModelShape& shape);

/// How many of them are multiplied with (isOfProduct()). The precondition of parameterTensors().
std::int64_t productParameterCount(const ModelShape& shape);

/// How many belong to a module and to the modules within it: "blocks.7.attn", "blocks.7", "" for the whole
/// model. 0 for a path that the model does not have. The precondition of parameterTensors().
std::int64_t parameterCount(const ModelShape& shape, std::string_view modulePath);

}  // namespace warpglass
