#include "engine/query/model/library_work.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/plan/parts.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/kernel_name.h"

namespace warpglass {
namespace {

struct At {
    PlanPhase phase;
    std::string_view module, part = {};
};

/// Writes down what the library's parts of a model launch, phase by phase.
class Passes {
public:
    explicit Passes(const RunConfig& config)
        : m_config(config),
          m_mixed(isMixed(config.precision)),
          m_type(m_mixed ? precisionName(config.precision) : "fp32"),
          m_half(m_mixed ? 2 : 4),
          m_tokens(Saturating(config.batch) * config.context),
          m_stream(m_tokens * config.shape.dModel) {
        if (!config.onGpu() || config.isAttention())
            return;
        if (m_mixed)
            addLinears();
        if (isLibrarys(config.norm))
            addNorms();
        if (isLibrarys(config.feedForward))
            addFeedForward();
        if (isLibrarys(config.rotary))
            addRotary();
        const AttentionPlan& attention = attentionPlan(config);
        if (attention.storesScores && attention.record == AttentionRecord::kRanges &&
            isLibrarys(config.softmax))
            addStoredScores();
        if (isLibrarys(config.loss))
            addLoss();
    }
    std::vector<LibraryPass> take() { return std::move(m_passes); }

private:
    static constexpr PlanPhase kForward = PlanPhase::kForward, kLoss = PlanPhase::kLoss,
                               kBackward = PlanPhase::kBackward;
    static constexpr std::int64_t kWide = 4;

    /// Not by a kernel of ours.
    template <class Variant>
    static bool isLibrarys(Variant variant) {
        return planOf(variant).is.kernels.empty();
    }

    /// Each of `times` launches moves so many bytes for each of so many elements.
    void addKernel(const At& at, std::string_view op, std::string title, Saturating elements,
                   std::int64_t bytesEach, std::int64_t operations, std::int64_t times = 1) {
        const auto found = std::ranges::find_if(m_passes, [&](const LibraryPass& pass) {
            return pass.phase == at.phase && pass.module == at.module && pass.part == at.part &&
                   pass.op == op && pass.title == title;
        });
        const Saturating bytes = elements * bytesEach * times, flops = elements * operations * times;
        if (found == m_passes.end()) {
            m_passes.push_back({at.phase, std::string(at.module), std::string(at.part), std::string(op),
                                std::move(title), times, bytes.value(), flops.value(), true});
            return;
        }
        found->alike = found->alike && Saturating(found->bytes) * times == bytes * found->launches;
        found->launches += times;
        found->bytes = (bytes + found->bytes).value();
        found->flops = (flops + found->flops).value();
    }
    /// One of LibTorch's elementwise kernels, of operands of at most `widest` bytes a number, which are
    /// halved where they are too large for 32-bit offsets.
    void addElementwise(const At& at, std::string_view op, std::string title, Saturating elements,
                        std::int64_t bytesEach, std::int64_t operations, std::int64_t widest,
                        std::int64_t times = 1) {
        std::int64_t pieces = 1;
        while (elements.value() / pieces > std::numeric_limits<std::int32_t>::max() / widest)
            pieces *= 2;
        addKernel(at, op, std::move(title), Saturating(elements.value() / pieces), bytesEach, operations,
                  times * pieces);
    }
    void addCast(const At& at, bool toHalf, Saturating elements, std::int64_t times = 1) {
        addElementwise(at, "aten::copy", toHalf ? "copy fp32 to " + m_type : "copy to fp32", elements,
                       kWide + m_half, 0, kWide, times);
    }
    void addCopy(const At& at, bool wide, std::int64_t times) {
        const std::int64_t size = wide ? kWide : m_half;
        addElementwise(at, "aten::copy", "copy " + (wide ? "fp32" : m_type), m_stream, 2 * size, 0, size,
                       times);
    }

    /// Autocast narrows a weight without a 16-bit copy, and the input where that is the output of the
    /// library's norm; the gradients of both come back.
    void addLinears() {
        const Saturating width = m_config.shape.dModel, hidden = m_config.shape.dFf;
        const bool castsWeights = !keepsWeightCopies(m_config);
        const bool narrowInput = planOf(m_config.norm).addsAndNarrows;
        struct Linear {
            std::string_view module;
            Saturating weight;
            bool readsNorm;
        };
        // Weights are joined where they have copies (parts.h, joinedProduct()).
        constexpr std::int64_t kJoined = 0;
        const Linear linears[] = {{"blocks.*.attn.q_proj", width * width, true},
                                  {"blocks.*.attn.k_proj", width * width, true},
                                  {"blocks.*.attn.v_proj", width * width, true},
                                  {"blocks.*.attn.output_proj", width * width, false},
                                  {"blocks.*.ffn.w1", width * hidden, true},
                                  {"blocks.*.ffn.w3", width * hidden, true},
                                  {"blocks.*.ffn.w2", width * hidden, false},
                                  {"lm_head", width * m_config.shape.vocabulary, true},
                                  {"blocks.*.attn.qkv_proj", kJoined, true},
                                  {"blocks.*.ffn.w13", kJoined, true}};
        for (const Linear& linear : linears) {
            for (const PlanPhase phase : {kForward, kBackward}) {
                const bool joined = linear.weight.value() == kJoined;
                if (castsWeights && !joined)
                    addCast({phase, linear.module}, phase == kForward, linear.weight);
                if (linear.readsNorm && !narrowInput && !(castsWeights && joined))
                    addCast({phase, linear.module}, phase == kForward, m_stream);
            }
        }
    }

    /// The norms, the residual stream between them, and the gradients that are added up before them.
    void addNorms() {
        constexpr std::string_view kInBlock[] = {"blocks.*.norm1", "blocks.*.norm2"};
        constexpr std::int64_t kOfGain = 2;  // the gain's gradient: a product and a sum
        const NormPlan& plan = planOf(m_config.norm);
        const auto addSum = [&](std::string_view module) {
            addElementwise({kBackward, module}, "aten::add", "elementwise · add fp32", m_stream, 3 * kWide,
                           kResidualOperations, kWide);
        };
        const auto addNorm = [&](std::string_view module) {
            addKernel({kForward, module}, "aten::_fused_rms_norm", "rms norm · forward fp32", m_stream,
                      2 * kWide, plan.forwardWork.anElement);
            addKernel({kBackward, module}, "aten::_fused_rms_norm_backward", "rms norm · backward fp32",
                      m_stream, 3 * kWide, plan.backwardWork.anElement - kOfGain);
            addKernel({kBackward, module}, "aten::_fused_rms_norm_backward",
                      "rms norm · gradient of weights fp32", m_stream, 2 * kWide, kOfGain);
        };
        for (const std::string_view module : kInBlock) {
            addNorm(module);
            addSum(module);
        }
        addNorm("norm");
        for (const std::string_view module :
             {"blocks.*.attn.q_proj", "blocks.*.attn.k_proj", "blocks.*.ffn.w1"})
            addSum(module);
        addElementwise({kForward, "blocks.*"}, "aten::add",
                       m_mixed ? "elementwise · add fp32, casting" : "elementwise · add fp32", m_stream,
                       2 * kWide + m_half, kResidualOperations, kWide, 2);
        if (m_mixed)
            addCast({kBackward, "blocks.*"}, true, m_stream, 2);
    }

    void addFeedForward() {
        const Saturating hidden = m_tokens * m_config.shape.dFf;
        const auto add = [&](PlanPhase phase, std::string_view op, std::string_view work,
                             std::int64_t tensors, std::int64_t operations, std::int64_t times) {
            addElementwise({phase, "blocks.*.ffn"}, op, "elementwise · " + std::string(work) + ' ' + m_type,
                           hidden, tensors * m_half, operations, m_half, times);
        };
        // All but the gate's products.
        const FeedForwardPlan& plan = planOf(m_config.feedForward);
        add(kForward, "aten::silu", "silu", 2, plan.forwardWork.anElement - 1, 1);
        add(kForward, "aten::mul", "mul", 3, 1, 1);
        add(kBackward, "aten::mul", "mul", 3, 1, 2);
        add(kBackward, "aten::silu_backward", "silu backward", 3, plan.backwardWork.anElement - 2, 1);
    }

    /// Queries and keys are turned as complex fp32 numbers.
    void addRotary() {
        constexpr std::string_view kAttention = "blocks.*.attn";
        for (const PlanPhase phase : {kForward, kBackward}) {
            addElementwise({phase, kAttention}, "aten::mul", "elementwise · mul complex64", m_stream,
                           2 * kWide, kRopeOperations, kWide, 2);
            if (m_mixed) {
                addCast({phase, kAttention}, false, m_stream, 2);
                addCast({phase, kAttention}, true, m_stream, 2);
            }
        }
    }

    /// Softmax computes in fp32, which it casts to, or reads fp16 and in the backward pass writes it: then
    /// its kernel's first type depends on the length of a row. Products get their operands contiguous by
    /// head.
    void addStoredScores() {
        const Saturating scores = m_tokens * m_config.context * m_config.shape.heads;
        constexpr std::string_view kAttention = "blocks.*.attn";
        const At before{kForward, kAttention, "scores"}, softmax{kForward, kAttention, "softmax"},
            after{kForward, kAttention, "values"}, beforeBack{kBackward, kAttention, "scores"},
            softmaxBack{kBackward, kAttention, "softmax"}, afterBack{kBackward, kAttention, "values"};
        for (const At& at : {before, beforeBack})
            addElementwise(at, "aten::mul", "elementwise · mul " + m_type, m_stream, 2 * m_half, 1, m_half);
        addCopy(before, false, 2);
        addElementwise(before, "aten::add", "elementwise · add " + m_type, scores, 2 * m_half, 1, m_half);
        const bool narrow = m_config.precision == Precision::kFp16;
        const std::int64_t outside = narrow ? m_half : kWide;
        addKernel(softmax, "aten::_softmax", narrow ? "softmax · forward fp16" : "softmax · forward fp32",
                  scores, outside + kWide, 5);
        addElementwise(softmaxBack, "aten::mul", "elementwise · mul fp32", scores, 3 * kWide, 1, kWide);
        for (const char* title : {"softmax · backward fp32", "softmax · backward fp16"})
            addKernel(softmaxBack, "aten::_softmax_backward_data", title, scores, 2 * kWide + outside, 3);
        if (m_mixed && !narrow) {
            addCast(softmax, false, scores);
            addCast(softmaxBack, true, scores);
        }
        if (m_mixed) {
            addCast(after, true, scores);
            addCast(afterBack, false, scores);
        }
        addCopy(after, false, 1);
        addCopy(afterBack, false, 1);
        for (const PlanPhase phase : {kForward, kBackward})
            addCopy({phase, kAttention}, false, 1);
        addCopy({kBackward, kAttention}, isLibrarys(m_config.rotary), joinsHeads(m_config) ? 1 : 2);
    }

    void addLoss() {
        const Saturating logits = m_tokens * m_config.shape.vocabulary;
        const LossPlan& plan = planOf(m_config.loss);
        if (m_mixed) {
            addCast({kLoss, {}}, false, logits);
            addCast({kBackward, {}}, true, logits);
        }
        addKernel({kLoss, {}}, "aten::_log_softmax", "log softmax · forward fp32", logits, 2 * kWide,
                  plan.forwardWork.anElement);
        addKernel({kBackward, {}}, "aten::_log_softmax_backward_data", "log softmax · backward fp32", logits,
                  3 * kWide, plan.backwardWork.anElement);
    }

    const RunConfig& m_config;
    bool m_mixed;
    std::string m_type;   // of what products compute with
    std::int64_t m_half;  // bytes of that
    Saturating m_tokens, m_stream;
    std::vector<LibraryPass> m_passes;
};

std::string_view outOfPlace(std::string_view op) {
    return op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
}

}  // namespace

std::vector<LibraryPass> libraryPasses(const RunConfig& config) {
    return Passes(config).take();
}

LibraryWork::LibraryWork(const Snapshot& snapshot)
    : m_plan(snapshot.derived<Plan>({}, [&] { return Plan(snapshot); })) {}

LibraryWork::Plan::Plan(const Snapshot& snapshot) : works(snapshot.detailCount()) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    const std::vector<LibraryPass> passes = config ? libraryPasses(*config) : std::vector<LibraryPass>();
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> numbers;  // of an op and a title
    std::map<std::tuple<Phase, std::string_view, std::string_view, std::uint32_t>, const LibraryPass*>
        planned;
    for (const LibraryPass& pass : passes) {
        const auto next = static_cast<std::uint32_t>(numbers.size()) + 1;
        const std::uint32_t work = numbers.try_emplace({pass.op, pass.title}, next).first->second;
        planned[{tracePhase(pass.phase), pass.module, pass.part, work}] = &pass;
    }
    std::map<std::pair<NameId, NameId>, std::uint32_t> ofSignature;  // by op and signature
    const auto workOf = [&](NameId op, NameId signature) {
        const auto [found, fresh] = ofSignature.try_emplace({op, signature}, 0);
        if (fresh && signature.valid()) {
            const std::string_view whole = snapshot.name(signature);
            const std::string title = kernelTitle(shortKernelName(whole), whole);
            const auto number = numbers.find({outOfPlace(snapshot.name(op)), title});
            found->second = number == numbers.end() ? 0 : number->second;
        }
        return found->second;
    };
    for (std::size_t i = 0; i < works.size() && !passes.empty(); ++i) {
        const SpanDetail detail = snapshot.detail(DetailId(i)).value_or(SpanDetail());
        if (detail.kind == DetailKind::kKernel)
            works[i] = workOf(detail.op, detail.fullName);
    }
    const WorkTimes ran = passes.empty() ? WorkTimes() : workTimes(snapshot);
    struct Launches {
        std::int64_t count = 0;
        NameId kernel;
        bool ofOneKernel = true;
    };
    std::map<std::pair<PlaceId, std::uint32_t>, Launches> launches;
    for (const WorkRow& row : ran.rows) {
        const std::uint32_t work = row.copy ? 0 : workOf(row.op, row.signature);
        if (work == 0)
            continue;
        Launches& at = launches[{row.place, work}];
        at.ofOneKernel = at.ofOneKernel && (at.count == 0 || at.kernel == row.kernel);
        at.kernel = row.kernel;
        at.count += row.instances;
    }
    for (const auto& [at, done] : launches) {
        const Place place = snapshot.place(at.first);
        const std::string module = moduleGroup(snapshot.name(place.module));
        const auto found = planned.find({place.phase, module, snapshot.name(place.part), at.second});
        if (found == planned.end() || found->second->launches * ran.steps != done.count)
            continue;
        const LibraryPass& pass = *found->second;
        // Tables have a row for each kernel, which may then have all the large ones and none of the small.
        if (!pass.alike && !done.ofOneKernel)
            continue;
        known[(std::uint64_t{at.first.value} << 32) | at.second] = {
            static_cast<double>(pass.flops), static_cast<double>(pass.bytes), pass.launches, pass.alike};
    }
}

std::optional<LibraryWork::Known> LibraryWork::of(std::uint64_t key, std::int64_t launches) const {
    const auto found = m_plan->known.find(key);
    if (found == m_plan->known.end())
        return std::nullopt;
    const AtPlace& at = found->second;
    if (!at.alike && launches % at.launches != 0)
        return std::nullopt;
    const double steps = static_cast<double>(launches) / static_cast<double>(at.launches);
    return Known{at.flops * steps, at.bytes * steps};
}

}  // namespace warpglass
