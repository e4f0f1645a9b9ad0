#include "engine/query/spans/op_family.h"

#include <algorithm>
#include <cctype>

#include "engine/plan/parts.h"
#include "engine/query/spans/kernel_title.h"

namespace warpglass {

namespace {

/// "autograd::engine::evaluate_function: MmBackward0" and "aten::_mm_" both become "mm": lower case, no
/// namespace, no underscore, no Backward suffix, so that one rule serves an op, its in-place form and its
/// backward.
std::string squashed(std::string_view opName) {
    if (const auto space = opName.rfind(' '); space != std::string_view::npos)
        opName.remove_prefix(space + 1);
    if (const auto colons = opName.rfind("::"); colons != std::string_view::npos)
        opName.remove_prefix(colons + 2);
    std::string word;
    word.reserve(opName.size());
    for (const char c : opName) {
        if (c != '_')
            word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
    const auto backward = word.find("backward");
    if (backward != std::string::npos && backward > 0)
        word.erase(backward, std::string("backward").size());
    while (!word.empty() && std::isdigit(static_cast<unsigned char>(word.back())))
        word.pop_back();
    return word;
}

struct Rule {
    std::string_view text;
    OpFamily family;
};

// Short names are matched whole, since they occur inside others ("mm" in "summary").
constexpr Rule kWhole[] = {
    {"mm", OpFamily::kMatmul},
    {"bmm", OpFamily::kMatmul},
    {"addmm", OpFamily::kMatmul},
    {"addbmm", OpFamily::kMatmul},
    {"baddbmm", OpFamily::kMatmul},
    {"dot", OpFamily::kMatmul},
    {"mv", OpFamily::kMatmul},
    {"sum", OpFamily::kNormalization},
    {"mean", OpFamily::kNormalization},
    {"var", OpFamily::kNormalization},
    {"std", OpFamily::kNormalization},
    {"max", OpFamily::kNormalization},
    {"min", OpFamily::kNormalization},
    {"norm", OpFamily::kNormalization},
    {"amax", OpFamily::kNormalization},
    {"amin", OpFamily::kNormalization},
    {"add", OpFamily::kElementwise},
    {"sub", OpFamily::kElementwise},
    {"rsub", OpFamily::kElementwise},
    {"mul", OpFamily::kElementwise},
    {"div", OpFamily::kElementwise},
    {"neg", OpFamily::kElementwise},
    {"exp", OpFamily::kElementwise},
    {"log", OpFamily::kElementwise},
    {"pow", OpFamily::kElementwise},
    {"abs", OpFamily::kElementwise},
    {"sin", OpFamily::kElementwise},
    {"cos", OpFamily::kElementwise},
    {"outer", OpFamily::kElementwise},
    {"lerp", OpFamily::kElementwise},
    {"to", OpFamily::kCopy},
    {"t", OpFamily::kCopy},
    {"cat", OpFamily::kCopy},
    {"view", OpFamily::kCopy},
    {"fill", OpFamily::kCopy},
    {"zero", OpFamily::kCopy},
    {"select", OpFamily::kCopy},
    {"slice", OpFamily::kCopy},
    {"split", OpFamily::kCopy},
    {"chunk", OpFamily::kCopy},
    {"stack", OpFamily::kCopy},
    {"gather", OpFamily::kCopy},
    {"index", OpFamily::kCopy},
    {"full", OpFamily::kCopy},
    {"ones", OpFamily::kCopy},
    {"item", OpFamily::kCopy},
};

// Matched anywhere, after the names of implementations; the first that occurs decides, so the more particular
// stand first.
constexpr Rule kPart[] = {
    // Kernels of GPU libraries.
    {"gemm", OpFamily::kMatmul},
    {"nvjet", OpFamily::kMatmul},
    {"cutlass", OpFamily::kMatmul},
    {"xmma", OpFamily::kMatmul},
    {"splitk", OpFamily::kMatmul},
    {"multitensorapply", OpFamily::kOptimizer},
    {"gammabeta", OpFamily::kNormalization},
    {"reducekernel", OpFamily::kNormalization},
    {"catarray", OpFamily::kCopy},
    {"gatherkernel", OpFamily::kCopy},
    {"elementwise", OpFamily::kElementwise},
    // Ops, and kernels named after them.
    {"fusedadam", OpFamily::kOptimizer},
    {"attention", OpFamily::kAttention},
    {"matmul", OpFamily::kMatmul},
    {"linear", OpFamily::kMatmul},
    {"einsum", OpFamily::kMatmul},
    {"convolution", OpFamily::kMatmul},
    {"softmax", OpFamily::kNormalization},
    {"logsumexp", OpFamily::kNormalization},
    {"layernorm", OpFamily::kNormalization},
    {"cumsum", OpFamily::kNormalization},
    {"argmax", OpFamily::kNormalization},
    {"accumulategrad", OpFamily::kElementwise},
    {"embedding", OpFamily::kCopy},
    {"indexselect", OpFamily::kCopy},
    {"indexput", OpFamily::kCopy},
    {"copy", OpFamily::kCopy},
    {"clone", OpFamily::kCopy},
    {"contiguous", OpFamily::kCopy},
    {"empty", OpFamily::kCopy},
    {"zeros", OpFamily::kCopy},
    {"resize", OpFamily::kCopy},
    {"reshape", OpFamily::kCopy},
    {"view", OpFamily::kCopy},
    {"transpose", OpFamily::kCopy},
    {"permute", OpFamily::kCopy},
    {"expand", OpFamily::kCopy},
    {"squeeze", OpFamily::kCopy},
    {"slice", OpFamily::kCopy},
    {"narrow", OpFamily::kCopy},
    {"detach", OpFamily::kCopy},
    {"strided", OpFamily::kCopy},
    {"arange", OpFamily::kCopy},
    {"localscalardense", OpFamily::kCopy},
    {"alias", OpFamily::kCopy},
    {"foreach", OpFamily::kElementwise},
    {"gelu", OpFamily::kElementwise},
    {"relu", OpFamily::kElementwise},
    {"sigmoid", OpFamily::kElementwise},
    {"tanh", OpFamily::kElementwise},
    {"sqrt", OpFamily::kElementwise},
    {"addcmul", OpFamily::kElementwise},
    {"addcdiv", OpFamily::kElementwise},
    {"maskedfill", OpFamily::kElementwise},
    {"where", OpFamily::kElementwise},
    {"threshold", OpFamily::kElementwise},
    {"dropout", OpFamily::kElementwise},
    {"triu", OpFamily::kElementwise},
    {"tril", OpFamily::kElementwise},
    {"clamp", OpFamily::kElementwise},
    {"reciprocal", OpFamily::kElementwise},
    {"maximum", OpFamily::kElementwise},
    {"minimum", OpFamily::kElementwise},
    {"normal", OpFamily::kElementwise},
    {"uniform", OpFamily::kElementwise},
};

/// Those that implementations know themselves by.
std::vector<Rule> ofImplementations() {
    std::vector<Rule> rules;
    const auto add = [&rules](const auto& plans, OpFamily family) {
        for (const auto* plan : plans) {
            for (const std::string_view name : plan->is.names)
                rules.push_back({name, family});
        }
    };
    add(plansOf<AttentionVariant>(), OpFamily::kAttention);
    add(plansOf<NormVariant>(), OpFamily::kNormalization);
    add(plansOf<FeedForwardVariant>(), OpFamily::kElementwise);
    add(plansOf<RotaryVariant>(), OpFamily::kElementwise);
    add(plansOf<SoftmaxVariant>(), OpFamily::kNormalization);
    add(plansOf<LossVariant>(), OpFamily::kNormalization);
    add(plansOf<OptimizerVariant>(), OpFamily::kOptimizer);
    return rules;
}

OpFamily familyByName(std::string_view opName) {
    if (opName.starts_with("copy, "))
        return OpFamily::kCopy;  // a GPU's copy, named by where from and where to
    const std::string word = squashed(opName);
    for (const Rule& rule : kWhole) {
        if (word == rule.text)
            return rule.family;
    }
    static const std::vector<Rule> kImplementations = ofImplementations();
    using Rules = std::span<const Rule>;
    for (const Rules rules : {Rules(kImplementations), Rules(kPart)}) {
        for (const Rule& rule : rules) {
            if (word.find(rule.text) != std::string::npos)
                return rule.family;
        }
    }
    return OpFamily::kOther;
}

constexpr std::uint8_t kNotYetKnown = 0xff;

}  // namespace

bool isNamed(std::string_view opName, std::span<const std::string_view> names) {
    const std::string word = squashed(opName);
    return std::ranges::any_of(
        names, [&word](std::string_view name) { return word.find(name) != std::string::npos; });
}

OpFamily opFamily(std::string_view opName, Phase phase) {
    const OpFamily family = familyByName(opName);
    const bool updates = family == OpFamily::kElementwise && phase == Phase::kOptimizer;
    return updates ? OpFamily::kOptimizer : family;
}

OpFamily kernelFamily(std::string_view name, std::string_view signature, std::string_view op, Phase phase) {
    const TemplateWork work = templateWork(name, signature);
    if (work == TemplateWork::kMoves)
        return OpFamily::kCopy;
    const OpFamily byName = opFamily(name, phase), byOp = opFamily(op, phase);
    // A template says how the work is done, and the op what it is; but GEMMs and attention are never done so.
    const bool asksOp =
        work == TemplateWork::kUntold && byName != OpFamily::kNormalization && !isProductOp(op);
    const auto [first, second] = asksOp ? std::pair(byOp, byName) : std::pair(byName, byOp);
    return first == OpFamily::kOther ? second : first;
}

bool isProductOp(std::string_view name) {
    const OpFamily family = opFamily(name, Phase::kNone);
    return family == OpFamily::kMatmul || family == OpFamily::kAttention;
}

OpFamily OpFamilyCache::familyOf(const Snapshot& snapshot, NameId name, PlaceId place, DetailId detailId) {
    const bool isKernel = detailId.valid() && detailId.index() < snapshot.detailCount();
    if (!isKernel && name.index() >= snapshot.nameCount())
        return OpFamily::kOther;
    const Phase phase = snapshot.place(place).phase;
    std::vector<std::uint8_t>& families = isKernel ? m_ofKernels : m_families;
    // Only "optimizer or not" matters, so two entries each.
    const std::size_t slot =
        (isKernel ? detailId.index() : name.index()) * 2 + (phase == Phase::kOptimizer ? 1 : 0);
    if (slot >= families.size()) {
        families.resize((isKernel ? snapshot.detailCount() : snapshot.nameCount()) * 2, kNotYetKnown);
        m_kernelNames.resize(snapshot.detailCount());
    }
    std::uint8_t* family = &families[slot];
    if (isKernel) {
        NameId& known = m_kernelNames[detailId.index()];
        known = known.valid() ? known : name;
        if (known != name || !name.valid())
            family = &m_ofOtherNames.try_emplace({name.value, slot}, kNotYetKnown).first->second;
    }
    if (*family == kNotYetKnown) {
        const SpanDetail detail = snapshot.detail(detailId).value_or(SpanDetail());
        *family = static_cast<std::uint8_t>(kernelFamily(snapshot.name(name), snapshot.name(detail.fullName),
                                                         snapshot.name(detail.op), phase));
    }
    return static_cast<OpFamily>(*family);
}

}  // namespace warpglass
