#include "engine/plan/settings.h"

#include <algorithm>
#include <array>

#include "engine/base/collect.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

// Far above anything that runs, and low enough that a mistyped digit is caught here. Token ids and positions
// stay exact in fp32 tables up to 2^24.
constexpr std::int64_t kMaxDModel = 1 << 20;
constexpr std::int64_t kMaxDFf = 1 << 22;
constexpr std::int64_t kMaxLayers = 4096;
constexpr std::int64_t kMaxHeads = 1 << 16;
constexpr std::int64_t kMaxHeadDim = 1 << 16;
constexpr std::int64_t kMaxVocabulary = 1 << 24;
constexpr std::int64_t kMaxContext = 1 << 24;
constexpr std::int64_t kMaxBatch = 1 << 20;
constexpr std::int64_t kMaxSteps = 1'000'000;

/// The attention workload has no optimizer: chosen after a training step, it is forward and backward.
constexpr OneOf kWorkload = {[](const RunConfig& c) { return static_cast<std::size_t>(c.workload); },
                             [](RunConfig& c, std::size_t index) {
                                 c.workload = static_cast<Workload>(index);
                                 if (c.isAttention() && c.mode == Mode::kStep)
                                     c.mode = Mode::kForwardBackward;
                             },
                             &listed<kWorkloads>};

constexpr auto kSettings = std::to_array<Setting>({
    // First: what applies depends on it.
    {.key = "workload",
     .kind = kWorkload,
     .noun = "workload",
     .help = "What is run",
     .planned = true,
     .panel = {PanelPart::kModel, "Workload", "", "", ""},
     .property = Shown::kUnlessUsual,
     .title = {Shown::kUnlessUsual, 0},
     .subject = Subject::kValue},
    {.key = "model",
     .kind = ModelName{member<&RunConfig::model>()},
     .noun = "model",
     .help = "Preset of sizes",
     .appliesTo = AppliesTo::kTransformer,
     .required = true,
     .planned = true,
     .panel = {PanelPart::kModel, "Model", "", "", ""},
     .property = Shown::kAlways,
     .title = {Shown::kAlways, 1}},
    {.key = "d-model",
     .kind = WholeNumber{member<&RunConfig::shape, &ModelShape::dModel>(), 1, kMaxDModel, true},
     .noun = "model width (d-model)",
     .help = "Model width, in place of the preset's",
     .appliesTo = AppliesTo::kTransformer,
     .required = true,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "d_model", "", "Width of the residual stream"},
     .title = {.rank = 14, .before = "d-model "}},
    {.key = "d-ff",
     .kind = WholeNumber{member<&RunConfig::shape, &ModelShape::dFf>(), 1, kMaxDFf, true},
     .noun = "feed-forward width (d-ff)",
     .help = "Feed-forward width, in place of the preset's",
     .appliesTo = AppliesTo::kTransformer,
     .required = true,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "d_ff", "", "Width inside the feed-forward part"},
     .title = {.rank = 15, .before = "d-ff "}},
    {.key = "layers",
     .kind = WholeNumber{member<&RunConfig::shape, &ModelShape::layers>(), 1, kMaxLayers},
     .noun = "number of layers",
     .help = "Number of layers, in place of the preset's",
     .appliesTo = AppliesTo::kTransformer,
     .required = true,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "Layers", "", "How many blocks"},
     .title = {.rank = 13, .one = "layer", .many = "layers"}},
    {.key = "heads",
     .kind = WholeNumber{member<&RunConfig::shape, &ModelShape::heads>(), 1, kMaxHeads},
     .noun = "number of heads",
     .help = "Number of attention heads; of a Transformer in place of the preset's",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "Heads", "",
               "Attention heads; of a Transformer's blocks, whose d_model must be a multiple"},
     .title = {.rank = 16, .one = "head", .many = "heads", .dimension = 2}},
    {.key = "vocab",
     .kind = WholeNumber{member<&RunConfig::shape, &ModelShape::vocabulary>(), 1, kMaxVocabulary},
     .noun = "vocabulary",
     .help = "Vocabulary, in place of the preset's",
     .appliesTo = AppliesTo::kTransformer,
     .required = true,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "Vocabulary", "tokens", "How many tokens there are"},
     .title = {.rank = 17, .before = "vocab "}},
    {.key = "head-dim",
     .kind = WholeNumber{member<&RunConfig::headDim>(), 1, kMaxHeadDim, true},
     .noun = "head dimension",
     .help = "Numbers in a head of the attention workload",
     .appliesTo = AppliesTo::kAttention,
     .planned = true,
     .panel = {PanelPart::kSizes, "", "Head dim", "", "Numbers in each head's queries, keys and values"},
     .property = Shown::kAlways,
     .title = {.rank = 17, .dimension = 4}},
    {.key = "context",
     .kind = WholeNumber{member<&RunConfig::context>(), 1, kMaxContext, true},
     .noun = "context length",
     .help = "Context length in tokens",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "", "Context length", "tokens",
               "Tokens in each sequence; Up and Down double and halve"},
     .property = Shown::kAlways,
     .propertyName = "Context",
     .title = {.shown = Shown::kAlways, .rank = 4, .dimension = 3}},
    {.key = "batch",
     .kind = WholeNumber{member<&RunConfig::batch>(), 1, kMaxBatch, true},
     .noun = "batch size",
     .help = "Sequences in a batch",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "", "Batch", "sequences", "Sequences in each step"},
     .property = Shown::kAlways,
     .title = {.rank = 11, .before = "batch ", .dimension = 1}},
    {.key = "precision",
     .kind = oneOf<&RunConfig::precision, listed<kPrecisions>>(),
     .noun = "precision",
     .help = "Precision",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "Precision", "", "", ""},
     .property = Shown::kAlways,
     .title = {Shown::kAlways, 2},
     .subject = Subject::kValue},
    {.key = "attention",
     .kind = oneOf<&RunConfig::attention, choicesOf<AttentionVariant>>(),
     .noun = "attention variant",
     .help = "Attention variant",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "Attention", "Variant", "", "How attention is computed"},
     .property = Shown::kAlways,
     .title = {Shown::kAlways, 3},
     .subject = Subject::kValue},
    {.key = "causal",
     .kind = oneOf<&RunConfig::causal, listed<kCausals>>(),
     .noun = "causality",
     .help = "Whether a position of the attention workload sees only itself and what came before",
     .appliesTo = AppliesTo::kAttention,
     .planned = true,
     .panel = {PanelPart::kWork, "", "Causal", "", "Whether a position sees only what came before it"},
     .property = Shown::kAlways,
     .propertyName = "Mask",
     .title = {Shown::kUnlessUsual, 4},
     .subject = Subject::kValue},
    {.key = "mode",
     .kind = oneOf<&RunConfig::mode, listed<kModes>>(),
     .noun = "mode",
     .help = "What a step does; of attention alone forward-backward unless given",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "Mode", "", "", ""},
     .property = Shown::kAlways,
     .title = {.rank = 10},
     .subject = Subject::kNone},
    {.key = "device",
     .kind = DeviceName{member<&RunConfig::device>()},
     .noun = "device",
     .help = "Device that runs it and whose memory must hold it, as `warpglass-cli devices` names it",
     .required = true,
     .planned = true,
     .panel = {PanelPart::kWork, "", "Device", "", "Where it runs"},
     .property = Shown::kAlways,
     .title = {.rank = 12},
     .subject = Subject::kValue},
    {.key = "execution",
     .kind = oneOf<&RunConfig::execution, listed<kExecutions>>(),
     .noun = "execution",
     .help = "How a step is run, op by op or replayed as one CUDA graph",
     .planned = true,
     .panel = {PanelPart::kWork, "", "Execution", "", "How a step is run"},
     .property = Shown::kUnlessUsual,
     .title = {Shown::kUnlessUsual, 5},
     .subject = Subject::kValue},
    {.key = "warmup",
     .kind = WholeNumber{member<&RunConfig::warmup>(), 0, kMaxSteps},
     .noun = "number of warm-up steps",
     .help = "Warm-up steps: recorded, but not counted as measured",
     .required = true,
     .panel = {PanelPart::kWork, "", "Warm-up", "steps",
               "Steps that run first and are left out of the figures"},
     .title = {.rank = 21, .before = "warm-up "},
     .subject = Subject::kAside},
    {.key = "steps",
     .kind = WholeNumber{member<&RunConfig::steps>(), 0, kMaxSteps},
     .noun = "number of measured steps",
     .help = "Measured steps",
     .required = true,
     .panel = {PanelPart::kWork, "", "Measured", "steps", "Steps that are measured"},
     .title = {.rank = 20, .one = "step", .many = "steps"},
     .subject = Subject::kAside},
    {.key = "kernels",
     .kind = OwnKernels{},
     .noun = "choice of kernels",
     .help = "Whose kernels run a step's parts beside attention: PyTorch's, Warpglass's own fused ones, "
             "or those of some parts alone with + between them",
     .appliesTo = AppliesTo::kTransformer,
     .planned = true,
     .devices = Devices::kGpu,
     .whyNotElsewhere = "Warpglass's kernels are CUDA kernels",
     .panel = {PanelPart::kMore, "Fused kernels", "", "", ""},
     .property = Shown::kUnlessUsual,
     .propertyName = "Kernels",
     .title = {Shown::kUnlessUsual, 6},
     .subject = Subject::kValue},
    {.key = "deterministic",
     .kind = oneOf<&RunConfig::deterministic, listed<kDeterministics>>(),
     .noun = "deterministic backward pass",
     .help = "Whether flash attention's backward pass on a GPU gives the same bits in every run; if so, "
             "cuBLAS also chooses the algorithms of products",
     .panel = {PanelPart::kMore, "", "Deterministic", "",
               "Whether flash attention's backward pass gives the same bits in every run"},
     .property = Shown::kUnlessUsual,
     .title = {Shown::kUnlessUsual, 7},
     .subject = Subject::kValue},
    {.key = "seed",
     .kind = AnyNumber{member<&RunConfig::seed>()},
     .noun = "seed",
     .help = "Seed of the weights and the input; the same seed gives the same losses",
     .required = true,
     .panel = {PanelPart::kMore, "", "Seed", "", "The same seed gives the same weights, tokens and loss"},
     .title = {.rank = 22, .before = "seed "},
     .subject = Subject::kAside},
    {.key = "memory-limit",
     .kind = SizeLimit{member<&RunConfig::memoryLimit>()},
     .noun = "memory limit",
     .help = "What LibTorch may take of the GPU's memory at most, as in 16GiB; 0 for all there is",
     .devices = Devices::kGpu,
     .whyNotElsewhere = "the CPU's memory is not LibTorch's to limit",
     .panel = {PanelPart::kMore, "", "Memory limit", "",
               "What LibTorch may take of a GPU's memory at most, as in 16 GiB; empty for all there is"},
     .title = {.rank = 18, .before = "limit "},
     .subject = Subject::kNone},
    {.key = "record",
     .kind = SomeOf{member<&RunConfig::recorded>()},
     .noun = "record",
     .help = "What is recorded, with commas between",
     .panel = {PanelPart::kMore, "Recorded", "", "", ""},
     .title = {.rank = 19, .before = "record "},
     .subject = Subject::kAside},
});

constexpr std::string_view kFilePrefix = "config.";

}  // namespace

std::span<const Setting> everySetting() {
    return kSettings;
}

std::span<const Setting> settings() {
    static const std::vector<Setting> offered = withSomethingToChoose(kSettings);
    return offered;
}

std::vector<Setting> withSomethingToChoose(std::span<const Setting> all) {
    std::vector<Setting> offered(all.begin(), all.end());
    std::erase_if(offered, [](const Setting& setting) {
        const auto* one = std::get_if<OneOf>(&setting.kind);
        return one && one->choices().size() == 1;
    });
    return offered;
}

const Setting* findSetting(std::string_view key) {
    if (key.starts_with(kFilePrefix))
        key.remove_prefix(kFilePrefix.size());
    const auto all = settings();
    const auto found = std::ranges::find(all, key, &Setting::key);
    return found == all.end() ? nullptr : &*found;
}

Status takeSetting(std::string_view key, std::string_view text, RunConfig& config) {
    if (const Setting* setting = findSetting(key))
        return setting->take(text, config);
    return Error{"There is no setting \"" + std::string(key) + "\"."};
}

std::vector<const Setting*> settingsByTitleRank() {
    auto sorted = mapped<const Setting*>(settings(), [&](const Setting& setting) { return &setting; });
    std::ranges::stable_sort(
        sorted, [](const Setting* a, const Setting* b) { return a->title.rank < b->title.rank; });
    return sorted;
}

std::vector<const Setting*> settingsInTitle(const RunConfig& config) {
    std::vector<const Setting*> said = settingsByTitleRank(), dimensions;
    std::erase_if(said, [&](const Setting* s) { return !s->isInEveryTitle(config); });
    const auto isDimension = [&](const Setting* s) { return s->isDimension(config); };
    std::ranges::copy_if(said, std::back_inserter(dimensions), isDimension);
    std::ranges::stable_sort(dimensions, [](const Setting* a, const Setting* b) {
        return a->title.dimension < b->title.dimension;
    });
    const auto first = std::ranges::find_if(said, isDimension) - said.begin();
    std::erase_if(said, isDimension);
    said.insert(said.begin() + first, dimensions.begin(), dimensions.end());
    return said;
}

RunConfig ofItsWorkload(const RunConfig& config) {
    RunConfig usual;
    for (const Setting& setting : everySetting()) {
        if (setting.applies(config))
            static_cast<void>(setting.take(setting.text(config), usual));
    }
    return usual;
}

std::optional<std::string> Setting::workloadProblem(const RunConfig& config) const {
    if (applies(config))
        return std::nullopt;
    return "The workload " + std::string(kWorkloads[static_cast<std::size_t>(config.workload)].word) +
           " has no " + std::string(noun) + ".";
}

std::string Setting::fileKey() const {
    return std::string(kFilePrefix) + std::string(key);
}

}  // namespace warpglass
