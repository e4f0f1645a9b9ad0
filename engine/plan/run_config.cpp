#include "engine/plan/run_config.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/execution_words.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/saturating.h"

namespace warpglass {
namespace {

constexpr std::array<ModelPreset, 7> kPresets = {{
    {"tiny", {10000, 256, 1024, 4, 4}},
    {"small", {10000, 768, 3072, 12, 12}},
    {"medium", {10000, 1024, 4096, 24, 16}},
    {"large", {10000, 1280, 5120, 36, 20}},
    {"xl", {10000, 1600, 6400, 48, 25}},
    {"2.7B", {10000, 2560, 10240, 32, 32}},
    {"10B", {10000, 4608, 12288, 50, 36}},
}};

// Far above anything that runs, and low enough that a mistyped digit is caught here. Token ids and positions
// stay exact in fp32 tables up to 2^24.
constexpr std::int64_t kMaxDModel = 1 << 20;
constexpr std::int64_t kMaxDFf = 1 << 22;
constexpr std::int64_t kMaxLayers = 4096;
constexpr std::int64_t kMaxHeads = 1 << 16;
constexpr std::int64_t kMaxVocabulary = 1 << 24;
constexpr std::int64_t kMaxContext = 1 << 24;
constexpr std::int64_t kMaxBatch = 1 << 20;
constexpr std::int64_t kMaxSteps = 1'000'000;

/// "fp32, bf16 or tf32".
template <class Names>
std::string listed(const Names& names) {
    std::string text;
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (i > 0)
            text += i + 1 == std::size(names) ? " or " : ", ";
        text += names[i];
    }
    return text;
}

std::string quoted(std::string_view word) {
    return "\"" + std::string(word) + "\"";
}

template <class Enum, std::size_t N>
Result<Enum> parseWord(std::string_view what, std::string_view word,
                       const std::array<std::string_view, N>& names) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
        return Error{"There is no " + std::string(what) + " " + quoted(word) + ": choose " + listed(names) +
                     "." + didYouMean(word, names)};
    return static_cast<Enum>(found - names.begin());
}

std::array<std::string_view, kPresets.size()> presetNames() {
    std::array<std::string_view, kPresets.size()> names;
    std::transform(kPresets.begin(), kPresets.end(), names.begin(),
                   [](const ModelPreset& p) { return p.name; });
    return names;
}

template <class Integer>
std::optional<Integer> parseInteger(std::string_view text) {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// "cpu", or "cuda:" and a number without leading zeros. Whether it exists is the runner's to say.
bool wellFormedDevice(std::string_view word) {
    constexpr std::string_view kCuda = "cuda:";
    if (word == "cpu")
        return true;
    if (!word.starts_with(kCuda))
        return false;
    const std::string_view digits = word.substr(kCuda.size());
    const std::optional<unsigned> number = parseInteger<unsigned>(digits);
    // More than 1024 devices in one machine is a typing error.
    return number && *number < 1024 && std::to_string(*number) == digits;
}

/// The problems of one configuration, collected in field order.
class Validator {
public:
    explicit Validator(const RunConfig& config) : m_config(config) {}

    std::vector<ConfigProblem> run() {
        checkModel();
        checkShape();
        checkInput();
        checkWords();
        if (m_problems.empty())
            checkDevice();
        checkSteps();
        if (m_problems.empty())
            checkTotals();
        return std::move(m_problems);
    }

private:
    void report(std::string_view field, std::string sentence) {
        m_problems.push_back({std::string(field), std::move(sentence)});
    }

    bool inRange(std::string_view field, std::string_view what, std::int64_t value, std::int64_t least,
                 std::int64_t most) {
        if (value < least) {
            report(field, "The " + std::string(what) + " must be at least " + std::to_string(least) +
                              ", not " + std::to_string(value) + ".");
            return false;
        }
        if (value > most) {
            report(field, "The " + std::string(what) + " must be at most " + formatGrouped(most) + ", not " +
                              formatGrouped(value) + ".");
            return false;
        }
        return true;
    }

    void checkModel() {
        if (m_config.model == "custom")
            return;
        const Result<ModelShape> shape = presetShape(m_config.model);
        if (!shape)
            report("model", shape.message());
        else if (*shape != m_config.shape)
            report("model", "The sizes are not those of the preset " + quoted(m_config.model) +
                                ": call the model \"custom\" or use the preset's sizes.");
    }

    void checkShape() {
        const ModelShape& s = m_config.shape;
        const bool width = inRange("d-model", "model width (d-model)", s.dModel, 1, kMaxDModel);
        inRange("d-ff", "feed-forward width (d-ff)", s.dFf, 1, kMaxDFf);
        inRange("layers", "number of layers", s.layers, 1, kMaxLayers);
        if (inRange("heads", "number of heads", s.heads, 1, kMaxHeads) && width) {
            if (s.dModel % s.heads != 0)
                report("heads", "The model width " + std::to_string(s.dModel) + " cannot be divided into " +
                                    std::to_string(s.heads) +
                                    " heads: choose a number of heads that divides it.");
            else if (s.headDimension() % 2 != 0)
                report("heads", "The head dimension " + std::to_string(s.headDimension()) + " (d-model " +
                                    std::to_string(s.dModel) + " over " + std::to_string(s.heads) +
                                    " heads) is odd, but rotary embeddings turn pairs of numbers.");
        }
        inRange("vocab", "vocabulary", s.vocabulary, 1, kMaxVocabulary);
    }

    void checkInput() {
        inRange("context", "context length", m_config.context, 1, kMaxContext);
        inRange("batch", "batch size", m_config.batch, 1, kMaxBatch);
    }

    void checkWords() {
        // Only a broken caller gets these wrong (words from a person go through parse…()), but names are
        // looked up by them.
        if (static_cast<std::size_t>(m_config.precision) >= kPrecisionNames.size())
            report("precision", "The precision is none of " + listed(kPrecisionNames) + ".");
        if (static_cast<std::size_t>(m_config.attention) >= kAttentionNames.size())
            report("attention", "The attention variant is none of " + listed(kAttentionNames) + ".");
        if (static_cast<std::size_t>(m_config.mode) >= kModeNames.size())
            report("mode", "The mode is none of " + listed(kModeNames) + ".");
        if (static_cast<std::size_t>(m_config.execution) >= kExecutionNames.size())
            report("execution", "The execution is none of " + listed(kExecutionNames) + ".");
        if (!wellFormedDevice(m_config.device))
            report("device",
                   "The device " + quoted(m_config.device) +
                       " is not one that can be named: write cpu, or cuda: and a number, as in cuda:0.");
    }

    /// What needs the other kind of device.
    void checkDevice() {
        const bool gpu = m_config.onGpu();
        const auto needs = [this](std::string_view field, std::string_view what, std::string_view word,
                                  std::string_view device, std::string_view instead) {
            report(field, "The " + std::string(what) + " " + quoted(word) + " needs " + std::string(device) +
                              ": choose " + std::string(instead) + ", or another device.");
        };
        const Precision precision = m_config.precision;
        if (!gpu && (precision == Precision::kTf32 || precision == Precision::kFp16))
            needs("precision", "precision", precisionName(precision), "a GPU", "fp32 or bf16");
        const AttentionVariant attention = m_config.attention;
        if (!gpu &&
            (attention == AttentionVariant::kSdpaEfficient || attention == AttentionVariant::kSdpaCudnn))
            needs("attention", "attention variant", attentionName(attention), "a GPU",
                  "naive, sdpa-math, sdpa-flash or tiled");
        if (gpu && attention == AttentionVariant::kTiled)
            needs("attention", "attention variant", attentionName(attention), "the CPU", "sdpa-flash");
        if (gpu && !isMixed(precision) &&
            (attention == AttentionVariant::kSdpaFlash || attention == AttentionVariant::kSdpaCudnn))
            report("attention", "On a GPU the attention variant " + quoted(attentionName(attention)) +
                                    " computes in 16 bits only: choose bf16 or fp16, or sdpa-efficient.");
        if (!gpu && m_config.execution == Execution::kGraph)
            needs("execution", "execution", executionName(m_config.execution), "a GPU", "eager");
        if (m_config.memoryLimit.value < 0)
            report("memory-limit", "The memory limit must be a size, as in 16 GiB, or 0 for none.");
        if (m_config.memoryLimit.value > 0 && !gpu)
            report("memory-limit",
                   "A memory limit needs a GPU: the CPU's memory is not LibTorch's to limit.");
    }

    void checkSteps() {
        const bool warmup = inRange("warmup", "number of warm-up steps", m_config.warmup, 0, kMaxSteps);
        const bool steps = inRange("steps", "number of measured steps", m_config.steps, 0, kMaxSteps);
        if (warmup && steps && m_config.warmup == 0 && m_config.steps == 0)
            report("steps", "There is nothing to run: the warm-up steps and the measured steps are both 0.");
        else if (warmup && steps && m_config.execution == Execution::kGraph &&
                 m_config.warmup + m_config.steps < 2)
            report("steps",
                   "The execution \"graph\" replays from the second step on: ask for at least 2 steps, "
                   "warm-up and measured together.");
    }

    /// Each size is plausible alone; together they may still be more than 63 bits can count.
    void checkTotals() {
        RunConfig one = m_config;
        one.shape.layers = 1;
        RunConfig two = m_config;
        two.shape.layers = 2;
        const Saturating first(countFlops(one).total().value);
        const Saturating second(countFlops(two).total().value);
        const Saturating flops = first + (second - first) * Saturating(m_config.shape.layers - 1);
        const Saturating bytes(predictAsked(m_config).value);
        if (first.saturated() || second.saturated() || flops.saturated() || bytes.saturated())
            report(
                "context",
                "One step would take more work or memory than can be counted (over 9.2 × 10^18 operations or "
                "bytes): choose a smaller context, batch or model.");
    }

    const RunConfig& m_config;
    std::vector<ConfigProblem> m_problems;
};

using Pairs = std::span<const std::pair<std::string, std::string>>;

/// Reads the pairs of a configuration and keeps the first thing that is wrong.
class PairReader {
public:
    explicit PairReader(Pairs pairs) : m_pairs(pairs) {}

    bool has(std::string_view key) const {
        return std::any_of(m_pairs.begin(), m_pairs.end(),
                           [&](const auto& pair) { return pair.first == key; });
    }

    void read(std::string_view key, std::string& to) {
        if (const std::string* text = find(key))
            to = *text;
    }
    template <class Integer>
    void read(std::string_view key, Integer& to) {
        const std::string* text = find(key);
        if (!text)
            return;
        if (const std::optional<Integer> value = parseInteger<Integer>(*text))
            to = *value;
        else
            fail("The run's information gives " + quoted(*text) + " for " + std::string(key) +
                 ", which is not a whole number that fits.");
    }
    template <class Value>
    void read(std::string_view key, Value& to, Result<Value> (*parse)(std::string_view)) {
        const std::string* text = find(key);
        if (!text)
            return;
        const Result<Value> value = parse(*text);
        if (value)
            to = *value;
        else
            fail("The run's information gives an unknown word for " + std::string(key) + ": " +
                 value.message());
    }

    const std::optional<Error>& error() const { return m_error; }

private:
    const std::string* find(std::string_view key) {
        for (const auto& [name, text] : m_pairs)
            if (name == key)
                return &text;
        fail("The run's information lacks " + std::string(key) + ".");
        return nullptr;
    }
    void fail(std::string sentence) {
        if (!m_error)
            m_error = Error{std::move(sentence)};
    }

    Pairs m_pairs;
    std::optional<Error> m_error;
};

}  // namespace

Result<Precision> parsePrecision(std::string_view word) {
    return parseWord<Precision>("precision", word, kPrecisionNames);
}

Result<AttentionVariant> parseAttention(std::string_view word) {
    return parseWord<AttentionVariant>("attention variant", word, kAttentionNames);
}

Result<Mode> parseMode(std::string_view word) {
    return parseWord<Mode>("mode", word, kModeNames);
}

Result<Execution> parseExecution(std::string_view word) {
    return parseWord<Execution>("execution", word, kExecutionNames);
}

std::span<const ModelPreset> modelPresets() {
    return kPresets;
}

Result<ModelShape> presetShape(std::string_view name) {
    for (const ModelPreset& preset : kPresets)
        if (preset.name == name)
            return preset.shape;
    return Error{"There is no model " + quoted(name) + ": choose " + listed(presetNames()) +
                 ", or give custom sizes." + didYouMean(name, presetNames())};
}

std::string shortTitle(const RunConfig& config) {
    constexpr std::string_view kDot = " · ";
    std::string title = config.model;
    for (const std::string_view part : {precisionName(config.precision), attentionName(config.attention)})
        title.append(kDot).append(part);
    title.append(kDot).append(std::to_string(config.context));
    if (config.execution != Execution::kEager)
        title.append(kDot).append(executionWords(config.execution));
    return title;
}

std::vector<ConfigProblem> validate(const RunConfig& config) {
    return Validator(config).run();
}

std::vector<std::pair<std::string, std::string>> toPairs(const RunConfig& config) {
    const auto number = [](auto value) { return std::to_string(value); };
    return {
        {"config.model", config.model},
        {"config.d-model", number(config.shape.dModel)},
        {"config.d-ff", number(config.shape.dFf)},
        {"config.layers", number(config.shape.layers)},
        {"config.heads", number(config.shape.heads)},
        {"config.vocab", number(config.shape.vocabulary)},
        {"config.context", number(config.context)},
        {"config.batch", number(config.batch)},
        {"config.precision", std::string(precisionName(config.precision))},
        {"config.attention", std::string(attentionName(config.attention))},
        {"config.mode", std::string(modeName(config.mode))},
        {"config.execution", std::string(executionName(config.execution))},
        {"config.device", config.device},
        {"config.warmup", number(config.warmup)},
        {"config.steps", number(config.steps)},
        {"config.seed", number(config.seed)},
        {"config.record", recordedText(config.recorded)},
        {"config.memory-limit", number(config.memoryLimit.value)},
    };
}

Result<RunConfig> configFromPairs(Pairs pairs) {
    RunConfig config;
    PairReader reader(pairs);
    reader.read("config.model", config.model);
    reader.read("config.d-model", config.shape.dModel);
    reader.read("config.d-ff", config.shape.dFf);
    reader.read("config.layers", config.shape.layers);
    reader.read("config.heads", config.shape.heads);
    reader.read("config.vocab", config.shape.vocabulary);
    reader.read("config.context", config.context);
    reader.read("config.batch", config.batch);
    reader.read("config.precision", config.precision, &parsePrecision);
    reader.read("config.attention", config.attention, &parseAttention);
    reader.read("config.mode", config.mode, &parseMode);
    reader.read("config.device", config.device);
    reader.read("config.warmup", config.warmup);
    reader.read("config.steps", config.steps);
    reader.read("config.seed", config.seed);
    // What older versions did not write.
    if (reader.has("config.execution"))
        reader.read("config.execution", config.execution, &parseExecution);
    if (reader.has("config.record"))
        reader.read("config.record", config.recorded, &parseRecorded);
    if (reader.has("config.memory-limit"))
        reader.read("config.memory-limit", config.memoryLimit.value);
    if (reader.error())
        return *reader.error();
    return config;
}

}  // namespace warpglass
