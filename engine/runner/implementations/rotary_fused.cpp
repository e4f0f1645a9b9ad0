// The rotary embedding by our own kernel, in place (engine/kernels/step_kernels.h).
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"
#include "engine/runner/thirds.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The strides of a tensor (B, H, S, d).
kernels::HeadStrides stridesOf(const at::Tensor& x) {
    TORCH_CHECK(x.stride(3) == 1, "the numbers of a head that is to be rotated are not neighbors");
    return {x.stride(0), x.stride(2), x.stride(1)};
}

/// x, output: (B, H, S, d) each, all x of the same strides and all outputs too; may be the same. The first
/// `turned` of them are turned, the others copied.
void turn(const std::vector<at::Tensor>& x, const std::vector<at::Tensor>& output, int turned,
          const at::Tensor& rotations, bool back) {
    const at::Tensor& first = x.front();
    kernels::Rotary call;
    call.batch = first.size(0);
    call.heads = first.size(1);
    call.length = first.size(2);
    call.headDimension = first.size(3);
    call.type = numberTypeOf(first);
    call.back = back;
    call.parts = static_cast<int>(x.size());
    call.turned = turned;
    call.strides = stridesOf(first);
    call.outputStrides = stridesOf(output.front());
    for (std::size_t i = 0; i < x.size(); ++i) {
        call.x[i] = x[i].data_ptr();
        call.output[i] = output[i].data_ptr();
    }
    call.rotations = static_cast<const float*>(rotations.data_ptr());  // complex numbers are pairs
    checkLaunch(ownKernels().rotary(call, streamOf(first)), "rotary embedding");
}

/// x: (B, S, D), contiguous.
at::Tensor byHead(const at::Tensor& x, std::int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

struct RotaryFunction : torch::autograd::Function<RotaryFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t heads,
                              const at::Tensor& rotations) {
        TORCH_CHECK(x.is_contiguous(), "a projection that is to be rotated in place is not contiguous");
        turn({byHead(x, heads)}, {byHead(x, heads)}, 1, rotations, false);
        context->mark_dirty({x});
        context->save_for_backward({rotations});
        context->saved_data["heads"] = heads;
        return x;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor gradient = gradients[0].contiguous();
        const at::Tensor result = at::empty_like(gradient);
        const std::int64_t heads = context->saved_data["heads"].toInt();
        turn({byHead(gradient, heads)}, {byHead(result, heads)}, 1, context->get_saved_variables()[0], true);
        return {result, at::Tensor(), at::Tensor()};
    }
};

/// Queries, keys and values as one product made them: one launch turns the first two where they lie, or puts
/// all three by head.
struct JoinedRotaryFunction : torch::autograd::Function<JoinedRotaryFunction> {
    /// projected: (B, S, 3 D). Not marked as written to: nothing else reads it, and it is returned in parts.
    static variable_list forward(AutogradContext* context, const at::Tensor& projected, std::int64_t heads,
                                 const at::Tensor& rotations, bool split) {
        const std::int64_t headDimension = projected.size(2) / heads / 3;
        const auto [q, k, v] =
            thirdsOf(projected.view({projected.size(0), projected.size(1), 3, heads, headDimension}));
        context->save_for_backward({rotations});
        context->saved_data["split"] = split;
        if (!split) {
            turn({q, k}, {q, k}, 2, rotations, false);
            return {q, k, v};
        }
        const variable_list made = {newByHead(q), newByHead(k), newByHead(v)};
        turn({q, k, v}, made, 2, rotations, false);
        return made;
    }

    /// The gradient is one tensor again. Those that come as its parts already are turned in their places.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor rotations = context->get_saved_variables()[0];
        at::Tensor whole;  // (B, S, 3, H, d)
        if (std::optional<at::Tensor> already = wholeOf(gradients[0], gradients[1], gradients[2])) {
            whole = std::move(*already);
            const auto [q, k, v] = thirdsOf(whole);
            turn({q, k}, {q, k}, 2, rotations, true);
        } else {
            whole = emptyWhole(gradients[0]);
            // One launch reads one order: as they lie where all lie alike, else contiguous.
            const bool alike = std::ranges::all_of(gradients, [&](const at::Tensor& each) {
                return each.stride(3) == 1 && each.strides() == gradients[0].strides();
            });
            for (at::Tensor& gradient : gradients)
                gradient = alike ? gradient : gradient.contiguous();
            const auto [q, k, v] = thirdsOf(whole);
            if (context->saved_data["split"].toBool()) {
                turn(gradients, {q, k, v}, 2, rotations, true);
            } else {
                turn({gradients[0], gradients[1]}, {q, k}, 2, rotations, true);
                v.copy_(gradients[2]);
            }
        }
        return {whole.flatten(2), at::Tensor(), at::Tensor(), at::Tensor()};
    }

    static at::Tensor newByHead(const at::Tensor& x) { return at::empty(x.sizes(), x.options()); }
};

std::tuple<at::Tensor, at::Tensor, at::Tensor> rotateJoined(const at::Tensor& projected, std::int64_t heads,
                                                            const at::Tensor& rotations, bool byHead) {
    RECORD_FUNCTION("warpglass::rotary", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    const variable_list made = JoinedRotaryFunction::apply(projected, heads, rotations, byHead);
    return {made[0], made[1], made[2]};
}

at::Tensor rotateInPlace(at::Tensor projected, std::int64_t heads, const at::Tensor& rotations) {
    RECORD_FUNCTION("warpglass::rotary", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    const at::Tensor turned = RotaryFunction::apply(projected, heads, rotations);
    return turned.view({turned.size(0), turned.size(1), heads, turned.size(2) / heads});
}

}  // namespace

template <>
RotaryArithmetic arithmetic<RotaryVariant::kFused>() {
    return {&rotateInPlace, &rotateJoined};
}

}  // namespace warpglass
