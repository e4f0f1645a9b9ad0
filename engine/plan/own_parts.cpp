#include "engine/plan/own_parts.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/kernel_files.h"
#include "engine/base/nearest_word.h"

namespace warpglass {
namespace {

/// One list of implementations, by numbers.
struct Part {
    std::size_t (*chosen)(const RunConfig&);
    void (*choose)(RunConfig&, std::size_t);
    std::size_t count;
    const Implementation& (*implementation)(std::size_t);
};

template <auto path>
Part partOf() {
    using Variant = std::remove_cvref_t<decltype(RunConfig().*path)>;
    return {
        [](const RunConfig& config) { return static_cast<std::size_t>(config.*path); },
        [](RunConfig& config, std::size_t index) { config.*path = static_cast<Variant>(index); },
        kCountOf<Variant>,
        [](std::size_t index) -> const Implementation& { return planOf(static_cast<Variant>(index)).is; }};
}

const std::vector<Part>& parts() {
    static const std::vector<Part> all = {
        partOf<&RunConfig::optimizer>(), partOf<&RunConfig::norm>(),   partOf<&RunConfig::feedForward>(),
        partOf<&RunConfig::embedding>(), partOf<&RunConfig::rotary>(), partOf<&RunConfig::softmax>(),
        partOf<&RunConfig::loss>(),      partOf<&RunConfig::linear>(), partOf<&RunConfig::products>()};
    return all;
}

/// An implementation that is not the first of its part's list.
struct OwnPart {
    const Part* part;
    std::size_t index;
};

const std::vector<OwnPart>& everyOwnPart() {
    static const std::vector<OwnPart> all = [] {
        std::vector<OwnPart> own;
        for (const Part& part : parts()) {
            for (std::size_t i = 1; i < part.count; ++i)
                own.push_back({&part, i});
        }
        return own;
    }();
    return all;
}

bool isFused(const RunConfig& config) {
    return std::ranges::all_of(parts(),
                               [&](const Part& part) { return part.chosen(config) == (part.count > 1); });
}

std::vector<std::string_view> words() {
    return mapped<std::string_view>(ownParts(), &Choice::word);
}

Error unknown(std::string_view word) {
    if (word.empty())
        return Error{"A part is missing beside a + of the kernels: write as in norm+loss."};
    if (word == kLibraryKernels || word == kFusedKernels)
        return Error{"\"" + std::string(word) +
                     "\" stands alone: the kernels are library, fused, or some parts."};
    std::string known;
    for (const std::string_view each : words())
        known.append(known.empty() ? "" : ", ").append(each);
    std::vector<std::string_view> all = words();
    all.insert(all.end(), {kLibraryKernels, kFusedKernels});
    return Error{"There are no kernels called \"" + std::string(word) +
                 "\": choose library, fused, or some of " + known + " with + between them." +
                 didYouMean(word, all)};
}

}  // namespace

std::span<const Choice> ownParts() {
    static const std::vector<Choice> all = [] {
        return mapped<Choice>(everyOwnPart(),
                              [&](const OwnPart& own) { return own.part->implementation(own.index).choice; });
    }();
    return all;
}

bool hasOwnPart(const RunConfig& config, std::size_t index) {
    const OwnPart& own = everyOwnPart().at(index);
    return own.part->chosen(config) == own.index;
}

void setOwnPart(RunConfig& config, std::size_t index, bool on) {
    const OwnPart& own = everyOwnPart().at(index);
    if (on)
        own.part->choose(config, own.index);
    else if (hasOwnPart(config, index))
        own.part->choose(config, 0);
}

bool ownPartHasWork(const RunConfig& config, std::size_t index) {
    const OwnPart& own = everyOwnPart().at(index);
    const Implementation& is = own.part->implementation(own.index);
    RunConfig with = config;
    setOwnPart(with, index, true);
    const auto objects = [&with](const auto& reason) { return reason && reason(with).has_value(); };
    return !config.isAttention() && includes(is.choice.devices, config.onGpu()) && !objects(is.problem) &&
           !objects(is.idle);
}

std::string ownPartsText(const RunConfig& config) {
    if (isFused(config))
        return std::string(kFusedKernels);
    std::string text;
    for (std::size_t i = 0; i < ownParts().size(); ++i) {
        if (hasOwnPart(config, i))
            text.append(text.empty() ? "" : "+").append(ownParts()[i].word);
    }
    return text.empty() ? std::string(kLibraryKernels) : text;
}

Status takeOwnParts(std::string_view text, RunConfig& config) {
    RunConfig chosen = config;
    const bool fused = trimmed(text) == kFusedKernels;
    for (const Part& part : parts())
        part.choose(chosen, fused && part.count > 1 ? 1 : 0);
    if (!fused && trimmed(text) != kLibraryKernels) {
        const std::vector<std::string_view> known = words();
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find_first_of("+,", begin), text.size());
            const std::string_view word = trimmed(text.substr(begin, end - begin));
            const auto found = std::ranges::find(known, word);
            if (found == known.end())
                return unknown(word);
            setOwnPart(chosen, static_cast<std::size_t>(found - known.begin()), true);
            begin = end + 1;
        }
    }
    config = std::move(chosen);
    return {};
}

std::optional<std::string> ownPartsProblem(const RunConfig& config) {
    for (const Part& part : parts()) {
        if (part.chosen(config) >= part.count)
            return "A part of the model is none of its implementations.";
    }
    return std::nullopt;
}

std::optional<std::string> whyOwnPartsDoNotRun(const RunConfig& config) {
    for (const Part& part : parts()) {
        const Implementation& chosen = part.implementation(part.chosen(config));
        // "fused" is whatever can be; a part that is named has something to do.
        for (const auto problem : {chosen.problem, isFused(config) ? nullptr : chosen.idle}) {
            if (const std::optional<std::string> sentence = problem ? problem(config) : std::nullopt)
                return sentence;
        }
    }
    return std::nullopt;
}

std::optional<OwnKernelOfRun> ownKernel(const RunConfig& config, std::string_view name) {
    const auto among = [name](const Implementation& chosen) -> std::optional<OwnKernelOfRun> {
        const auto found = std::ranges::find(chosen.kernels, name, &OwnKernel::name);
        return found != chosen.kernels.end() ? std::optional(OwnKernelOfRun{&chosen, &*found}) : std::nullopt;
    };
    if (const auto ofAttention = among(attentionPlan(config).is))
        return ofAttention;
    for (const Part& part : parts()) {
        if (const auto found = among(part.implementation(part.chosen(config))))
            return found;
    }
    return std::nullopt;
}

std::optional<KernelWork> ownKernelWork(const RunConfig& config, std::string_view name,
                                        std::string_view module) {
    const std::optional<OwnKernelOfRun> found = ownKernel(config, name);
    return found ? found->kernel->work(config, module) : std::nullopt;
}

const Implementation* ownImplementationOf(PlanPhase phase, std::string_view modules, std::string_view op,
                                          std::string_view kernel) {
    const auto contains = [](std::span<const std::string_view> names, std::string_view name) {
        return std::ranges::find(names, name) != names.end();
    };
    for (const OwnPart& own : everyOwnPart()) {
        const Implementation& is = own.part->implementation(own.index);
        if (is.work.empty())
            continue;
        if (std::ranges::find(is.kernels, kernel, &OwnKernel::name) != is.kernels.end())
            return &is;
        for (const LibraryOps& library : is.standsFor) {
            if (library.phase == phase && contains(library.modules, modules) && contains(library.ops, op))
                return &is;
        }
    }
    return nullptr;
}

const Implementation* ownImplementationFor(std::string_view work) {
    for (const OwnPart& own : everyOwnPart()) {
        const Implementation& is = own.part->implementation(own.index);
        if (is.work == work && !work.empty())
            return &is;
    }
    return nullptr;
}

bool runsOwn(const RunConfig& config, const Implementation& implementation) {
    const std::vector<OwnPart>& all = everyOwnPart();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (&all[i].part->implementation(all[i].index) == &implementation)
            return hasOwnPart(config, i) && ownPartHasWork(config, i);
    }
    return false;
}

}  // namespace warpglass
