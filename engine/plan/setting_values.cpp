// What each kind of setting does with its values.
#include <algorithm>
#include <charconv>

#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/settings.h"

namespace warpglass {
namespace {

std::string inQuotes(std::string_view word) {
    return "\"" + std::string(word) + "\"";
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
bool isWellFormedDevice(std::string_view word) {
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

std::vector<std::string_view> wordsOn(std::span<const Choice> choices, std::optional<bool> gpu) {
    std::vector<std::string_view> words;
    for (const Choice& choice : choices) {
        if (!gpu || includes(choice.devices, *gpu))
            words.push_back(choice.word);
    }
    return words;
}

// Each kind's text, as the run file and the command line write it.

std::string written(const Setting&, const WholeNumber& kind, const RunConfig& config) {
    return std::to_string(kind.value.of(config));
}
std::string written(const Setting&, const AnyNumber& kind, const RunConfig& config) {
    return std::to_string(kind.value.of(config));
}
std::string written(const Setting&, const SizeLimit& kind, const RunConfig& config) {
    return std::to_string(kind.value.of(config).value);
}
std::string written(const Setting&, const OneOf& kind, const RunConfig& config) {
    const std::size_t index = kind.index(config);
    return index < kind.choices().size() ? std::string(kind.choices()[index].word) : std::to_string(index);
}
std::string written(const Setting&, const SomeOf& kind, const RunConfig& config) {
    return recordedText(kind.value.of(config));
}
std::string written(const Setting&, const OwnKernels&, const RunConfig& config) {
    return ownPartsText(config);
}
std::string written(const Setting&, const ModelName& kind, const RunConfig& config) {
    return kind.value.of(config);
}
std::string written(const Setting&, const DeviceName& kind, const RunConfig& config) {
    return kind.value.of(config);
}

template <class Integer>
Status takeInteger(std::string_view text, Integer& to) {
    const std::optional<Integer> value = parseInteger<Integer>(text);
    if (!value)
        return Error{inQuotes(text) + " is not a whole number that fits."};
    to = *value;
    return {};
}

Status taken(const Setting&, const WholeNumber& kind, std::string_view text, RunConfig& config) {
    return takeInteger(text, kind.value.in(config));
}
Status taken(const Setting&, const AnyNumber& kind, std::string_view text, RunConfig& config) {
    return takeInteger(text, kind.value.in(config));
}
Status taken(const Setting&, const SizeLimit& kind, std::string_view text, RunConfig& config) {
    return takeInteger(text, kind.value.in(config).value);
}
Status taken(const Setting& setting, const OneOf& kind, std::string_view text, RunConfig& config) {
    const std::span<const Choice> choices = kind.choices();
    const auto found = std::ranges::find_if(choices, [text](const Choice& choice) {
        return choice.word == text || (!choice.formerly.empty() && choice.formerly == text);
    });
    const std::vector<std::string_view> words = wordsOn(choices, std::nullopt);
    if (found == choices.end())
        return Error{"There is no " + std::string(setting.noun) + " " + inQuotes(text) + ": choose " +
                     listedWords(words) + "." + didYouMean(text, words)};
    kind.choose(config, static_cast<std::size_t>(found - choices.begin()));
    return {};
}
Status taken(const Setting&, const SomeOf& kind, std::string_view text, RunConfig& config) {
    const Result<Recorded> recorded = parseRecorded(text);
    if (!recorded)
        return recorded.error();
    kind.value.in(config) = *recorded;
    return {};
}
Status taken(const Setting&, const OwnKernels&, std::string_view text, RunConfig& config) {
    return takeOwnParts(text, config);
}
Status taken(const Setting&, const ModelName& kind, std::string_view text, RunConfig& config) {
    kind.value.in(config) = text;
    if (const Result<ModelShape> shape = presetShape(text))
        config.shape = *shape;
    return {};
}
Status taken(const Setting&, const DeviceName& kind, std::string_view text, RunConfig& config) {
    kind.value.in(config) = text;
    return {};
}

using Problem = std::optional<std::string>;

Problem problemOf(const Setting& setting, const WholeNumber& kind, const RunConfig& config) {
    const std::int64_t value = kind.value.of(config);
    const std::string what = "The " + std::string(setting.noun) + " must be at ";
    if (value < kind.least)
        return what + "least " + std::to_string(kind.least) + ", not " + std::to_string(value) + ".";
    if (value > kind.most)
        return what + "most " + formatGrouped(kind.most) + ", not " + formatGrouped(value) + ".";
    return std::nullopt;
}
Problem problemOf(const Setting&, const AnyNumber&, const RunConfig&) {
    return std::nullopt;
}
Problem problemOf(const Setting& setting, const SizeLimit& kind, const RunConfig& config) {
    if (kind.value.of(config).value >= 0)
        return std::nullopt;
    return "The " + std::string(setting.noun) + " must be a size, as in 16 GiB, or 0 for none.";
}
/// Only a broken caller gets this wrong (a person's words go through take()), but names are looked up by it.
Problem problemOf(const Setting& setting, const OneOf& kind, const RunConfig& config) {
    if (kind.index(config) < kind.choices().size())
        return std::nullopt;
    return "The " + std::string(setting.noun) + " is none of " +
           listedWords(wordsOn(kind.choices(), std::nullopt)) + ".";
}
Problem problemOf(const Setting&, const SomeOf&, const RunConfig&) {
    return std::nullopt;
}
Problem problemOf(const Setting&, const OwnKernels&, const RunConfig& config) {
    return ownPartsProblem(config);
}
Problem problemOf(const Setting&, const ModelName& kind, const RunConfig& config) {
    const std::string& name = kind.value.of(config);
    if (name == kCustomModel)
        return std::nullopt;
    const Result<ModelShape> shape = presetShape(name);
    return shape ? std::nullopt : Problem(shape.message());
}
Problem problemOf(const Setting&, const DeviceName& kind, const RunConfig& config) {
    const std::string& device = kind.value.of(config);
    if (isWellFormedDevice(device))
        return std::nullopt;
    return "The device " + inQuotes(device) +
           " is not one that can be named: write cpu, or cuda: and a number, as in cuda:0.";
}

}  // namespace

std::string listedWords(std::span<const std::string_view> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0)
            text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

std::string Setting::text(const RunConfig& config) const {
    return std::visit([&](const auto& is) { return written(*this, is, config); }, kind);
}

Status Setting::take(std::string_view text, RunConfig& config) const {
    return std::visit([&](const auto& is) { return taken(*this, is, text, config); }, kind);
}

std::optional<std::string> Setting::problem(const RunConfig& config) const {
    return std::visit([&](const auto& is) { return problemOf(*this, is, config); }, kind);
}

std::string Setting::words(const RunConfig& config) const {
    if (const auto* size = std::get_if<SizeLimit>(&kind); size && size->value.of(config).value >= 0) {
        const Bytes bytes = size->value.of(config);
        return bytes.value == 0 ? "no limit" : formatBytes(bytes);
    }
    if (const auto* one = std::get_if<OneOf>(&kind); one && one->index(config) < one->choices().size())
        return std::string(one->choices()[one->index(config)].title);
    return text(config);
}

std::string Setting::wordsWithUnit(const RunConfig& config) const {
    const auto* number = std::get_if<WholeNumber>(&kind);
    if (!number)
        return words(config);
    std::string_view unit = panel.unit;
    if (number->value.of(config) == 1 && unit.ends_with('s'))
        unit.remove_suffix(1);
    return formatGrouped(number->value.of(config)) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::string Setting::columnTitle() const {
    const std::string title(name().empty() ? noun : name());
    return title.find('_') == std::string::npos ? capitalized(title) : title;
}

std::string Setting::titleWords(const RunConfig& config) const {
    if (isDimension(config))
        return text(config);
    const auto* size = std::get_if<SizeLimit>(&kind);
    if (size && size->value.of(config).value <= 0)
        return words(config);
    std::string text = std::string(title.before) + words(config);
    if (!title.many.empty())
        text.append(" ").append(this->text(config) == "1" ? title.one : title.many);
    return text;
}

bool Setting::isUsual(const RunConfig& config) const {
    return text(config) == text(RunConfig());
}

std::span<const Choice> Setting::choices() const {
    if (const auto* one = std::get_if<OneOf>(&kind))
        return one->choices();
    if (std::holds_alternative<OwnKernels>(kind))
        return ownParts();
    return std::holds_alternative<SomeOf>(kind) ? kFeatures : std::span<const Choice>();
}

std::optional<std::string> Setting::deviceProblem(const RunConfig& config) const {
    const bool gpu = config.onGpu();
    const std::string what = "The " + std::string(noun) + " ", needs = gpu ? "needs the CPU" : "needs a GPU";
    if (!includes(devices, gpu) && !isUsual(config))
        return what + needs + ", since " + std::string(whyNotElsewhere) + ": choose " + text(RunConfig()) +
               ", or " + (gpu ? "the CPU with --device cpu." : "a GPU with --device cuda:0.");
    const auto* one = std::get_if<OneOf>(&kind);
    if (!one || includes(one->choices()[one->index(config)].devices, gpu))
        return std::nullopt;
    return what + inQuotes(text(config)) + " " + needs + ": choose " +
           listedWords(wordsOn(one->choices(), gpu)) + ", or another device.";
}

}  // namespace warpglass
