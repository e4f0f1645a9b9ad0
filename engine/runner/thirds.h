// Queries, keys and values, (B, H, S, d) each, in one tensor (B, S, 3, H, d): what one product with their
// three weights makes, and their gradients likewise.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/capture/torch_headers.h"

namespace warpglass {

/// The parts of a (B, S, 3, H, d), by head. They know nothing of autograd.
inline std::array<at::Tensor, 3> thirdsOf(const at::Tensor& whole) {
    const at::Tensor plain = whole.detach();
    return {plain.select(2, 0).transpose(1, 2), plain.select(2, 1).transpose(1, 2),
            plain.select(2, 2).transpose(1, 2)};
}

/// An uninitialized tensor for the thirds of q's shape.
inline at::Tensor emptyWhole(const at::Tensor& q) {
    return at::empty({q.size(0), q.size(2), 3, q.size(1), q.size(3)}, q.options());
}

inline bool areThirds(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    const std::int64_t width = q.size(1) * q.size(3);
    const auto follows = [&](const at::Tensor& next, const at::Tensor& before) {
        return next.is_alias_of(before) && next.storage_offset() == before.storage_offset() + width &&
               next.sizes() == before.sizes() && next.strides() == before.strides();
    };
    return q.stride(3) == 1 && q.stride(1) == q.size(3) && q.stride(2) == 3 * width &&
           q.stride(0) == q.size(2) * 3 * width && follows(k, q) && follows(v, k);
}

/// The tensor whose thirds they are; nothing where they are not.
inline std::optional<at::Tensor> wholeOf(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    if (!areThirds(q, k, v))
        return std::nullopt;
    return q.as_strided({q.size(0), q.size(2), 3, q.size(1), q.size(3)},
                        {q.stride(0), q.stride(2), q.size(1) * q.size(3), q.size(3), 1});
}

}  // namespace warpglass
