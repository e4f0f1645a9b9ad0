#include "engine/plan/parameters.h"

#include <utility>

#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"

namespace warpglass {

namespace {

constexpr std::string_view kEmbeddings = "token_embeddings";

}  // namespace

std::vector<ParameterTensor> parameterTensors(const ModelShape& shape) {
    const std::int64_t d = shape.dModel;
    std::vector<ParameterTensor> tensors;
    tensors.push_back({std::string(kEmbeddings), shape.vocabulary, d});
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        const std::string block = "blocks." + std::to_string(layer);
        tensors.push_back({block + ".norm1", d});
        for (const char* projection : {"q_proj", "k_proj", "v_proj", "output_proj"})
            tensors.push_back({block + ".attn." + projection, d, d});
        tensors.push_back({block + ".norm2", d});
        tensors.push_back({block + ".ffn.w1", shape.dFf, d});
        tensors.push_back({block + ".ffn.w3", shape.dFf, d});
        tensors.push_back({block + ".ffn.w2", d, shape.dFf});
    }
    tensors.push_back({"norm", d});
    tensors.push_back({"lm_head", shape.vocabulary, d});
    return tensors;
}

std::vector<ParameterTensor> multipliedTensors(const RunConfig& config) {
    std::vector<ParameterTensor> tensors;
    for (ParameterTensor& tensor : parameterTensors(config.shape)) {
        if (!isOfProduct(tensor))
            continue;
        if (const JoinedProduct* joined = joinedProduct(config, tensor.module)) {
            const std::string_view first = joined->weights.front();
            if (!tensor.module.ends_with(first))
                continue;
            tensor.module.replace(tensor.module.size() - first.size(), first.size(), joined->name);
            tensor.rows *= static_cast<std::int64_t>(joined->weights.size());
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

/// By the module's name: a weight may have one column, too.
bool isGain(const ParameterTensor& tensor) {
    const std::string_view module = tensor.module;
    return module.substr(module.rfind('.') + 1).starts_with("norm");
}

bool isOfProduct(const ParameterTensor& tensor) {
    return !isGain(tensor) && tensor.module != kEmbeddings;
}

std::int64_t parameterCount(const ModelShape& shape) {
    const Saturating d = shape.dModel;
    const Saturating embeddings = Saturating(2) * shape.vocabulary * d;
    const Saturating block = Saturating(4) * d * d + Saturating(3) * d * shape.dFf + Saturating(2) * d;
    return (embeddings + Saturating(shape.layers) * block + d).value();
}

std::int64_t productParameterCount(const ModelShape& shape) {
    Saturating count;
    for (const ParameterTensor& tensor : parameterTensors(shape))
        count += isOfProduct(tensor) ? tensor.count() : 0;
    return count.value();
}

std::int64_t parameterCount(const ModelShape& shape, std::string_view modulePath) {
    if (modulePath.empty())
        return parameterCount(shape);
    std::int64_t count = 0;
    for (const ParameterTensor& tensor : parameterTensors(shape)) {
        const std::string_view module = tensor.module;
        const bool within = module.starts_with(modulePath) &&
                            (module.size() == modulePath.size() || module[modulePath.size()] == '.');
        if (within)
            count += tensor.count();
    }
    return count;
}

}  // namespace warpglass
