// The settings of a run in one table: what each is called, may be, and does, and how the run file, the
// command line, the run panel, titles, comparisons and the documentation show it. All of these read the
// table, so a new setting is a member of RunConfig, an entry here, and its use. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/plan/choice.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// A member of RunConfig, or of one of its members.
template <class T>
struct Member {
    const T& (*of)(const RunConfig&);
    T& (*in)(RunConfig&);
};
template <auto... path>
constexpr auto member() {
    using T = std::remove_cvref_t<decltype((std::declval<RunConfig&>().*....*path))>;
    return Member<T>{[](const RunConfig& c) -> const T& { return (c.*....*path); },
                     [](RunConfig& c) -> T& { return (c.*....*path); }};
}

// What a setting may be.

struct WholeNumber {
    Member<std::int64_t> value;
    std::int64_t least = 1, most = 1;
    /// On the panel Up and Down double and halve it; otherwise they go by one.
    bool doubles = false;
};
/// Any of 64 bits.
struct AnyNumber {
    Member<std::uint64_t> value;
};
/// An amount of memory; 0 for no limit.
struct SizeLimit {
    Member<Bytes> value;
};
/// One of a list: of an enumeration, or of implementations (parts.h). `index` counts in it.
struct OneOf {
    std::size_t (*index)(const RunConfig&);
    void (*choose)(RunConfig&, std::size_t);
    std::span<const Choice> (*choices)();
};
template <const auto& choices>
std::span<const Choice> listed() {
    return choices;
}
/// The enumerators are the choices, in order.
template <auto path, std::span<const Choice> (*choices)()>
constexpr OneOf oneOf() {
    using Enum = std::remove_cvref_t<decltype(std::declval<RunConfig&>().*path)>;
    return {[](const RunConfig& c) { return static_cast<std::size_t>(c.*path); },
            [](RunConfig& c, std::size_t index) { c.*path = static_cast<Enum>(index); }, choices};
}
/// Several of kFeatures.
struct SomeOf {
    Member<Recorded> value;
};
/// The library's kernels, or others part by part (own_parts.h).
struct OwnKernels {};
/// A preset, whose sizes it brings, or kCustomModel.
struct ModelName {
    Member<std::string> value;
};
/// "cpu", or "cuda:" and a number.
struct DeviceName {
    Member<std::string> value;
};
using SettingKind =
    std::variant<WholeNumber, AnyNumber, SizeLimit, OneOf, SomeOf, OwnKernels, ModelName, DeviceName>;

/// Where on the run panel, from the top. kSizes is seen with a custom model only, kMore where it is unfolded.
enum class PanelPart : std::uint8_t { kModel, kSizes, kWork, kMore };

struct PanelField {
    PanelPart part = PanelPart::kMore;
    /// Over it; empty for none.
    std::string_view head = {};
    /// Beside it. Choices without one are segments, side by side; with one, a list that drops down.
    std::string_view label = {};
    std::string_view unit = {};
    std::string_view toolTip = {};
};

enum class Shown : std::uint8_t { kNever, kUnlessUsual, kAlways };

/// How two runs are called that differ in this alone.
enum class Subject : std::uint8_t {
    kNamed,  // "batch 8"
    kValue,  // "bf16"
    kAside,  // it makes no other run of it: as if it were the same
    kNone    // their difference is not this setting's doing
};

/// Which workloads a setting is of.
enum class AppliesTo : std::uint8_t { kAll, kTransformer, kAttention };

/// What a run's title says of it.
struct TitleWords {
    /// In the title of every run; a setting that is not is said where it tells runs of one title apart.
    Shown shown = Shown::kNever;
    /// The least comes first, and of the same the first of the table.
    int rank = 100;
    std::string_view before = {};          // the value: "batch "
    std::string_view one = {}, many = {};  // behind it: "layer", "layers"
    /// Its place among the sizes "8 × 1 × 1024 × 64" that every title of the attention workload has; 0: none.
    int dimension = 0;
};

struct Setting {
    /// "d-model": `--d-model` on the command line, `config.d-model` in a run file, the field of a problem,
    /// the name of the panel's control. A promise: scripts and files rely on it.
    std::string_view key;
    SettingKind kind;
    /// Within a sentence, after an article: "number of layers".
    std::string_view noun;
    /// What it says, without full stop, for the command line and the documentation.
    std::string_view help;
    /// Where it does not apply it is not asked for, written, checked or shown, and has its usual value.
    AppliesTo appliesTo = AppliesTo::kAll;
    /// Files of the first version have it already: one that lacks it is damaged. What lacks another has the
    /// usual value.
    bool required = false;
    /// It makes a difference to what a run needs, and so `estimate` has it.
    bool planned = false;
    /// Where it may be anything but usual, and why nowhere else.
    Devices devices = Devices::kAll;
    std::string_view whyNotElsewhere = {};
    PanelField panel = {};
    /// Among a run's properties; named as on the panel unless it has another name there.
    Shown property = Shown::kNever;
    std::string_view propertyName = {};
    TitleWords title = {};
    Subject subject = Subject::kNamed;

    /// As the run file and the command line write it.
    std::string text(const RunConfig& config) const;
    /// Takes what text() wrote, or a person; an error says what is wrong with it. Whether the value makes
    /// sense is for validate() to say.
    Status take(std::string_view text, RunConfig& config) const;
    /// As people read it: "CUDA graph", "16.0 GiB", "no limit".
    std::string words(const RunConfig& config) const;
    /// With its unit: "1,024 tokens".
    std::string wordsWithUnit(const RunConfig& config) const;
    /// In a title: "batch 8", "4 layers".
    std::string titleWords(const RunConfig& config) const;
    /// To the configuration's workload.
    bool applies(const RunConfig& config) const {
        return appliesTo == AppliesTo::kAll || (appliesTo == AppliesTo::kAttention) == config.isAttention();
    }
    /// One of the sizes that a title of the attention workload says as numbers.
    bool isDimension(const RunConfig& config) const { return config.isAttention() && title.dimension > 0; }
    bool isInEveryTitle(const RunConfig& config) const {
        return applies(config) && (isDimension(config) || isShown(title.shown, config));
    }
    bool isShown(Shown when, const RunConfig& config) const {
        return applies(config) &&
               (when == Shown::kAlways || (when == Shown::kUnlessUsual && !isUsual(config)));
    }
    /// As in RunConfig().
    bool isUsual(const RunConfig& config) const;
    /// What is wrong with it by itself, in one sentence.
    std::optional<std::string> problem(const RunConfig& config) const;
    /// Where it does not apply to the configuration's workload: that, in one sentence.
    std::optional<std::string> workloadProblem(const RunConfig& config) const;
    /// Where what it is needs a device of another kind: that, and what to choose instead.
    std::optional<std::string> deviceProblem(const RunConfig& config) const;
    /// "config.d-model".
    std::string fileKey() const;
    /// The choices of a OneOf, SomeOf or OwnKernels; none of the others.
    std::span<const Choice> choices() const;
    /// Among properties.
    std::string_view name() const {
        return !propertyName.empty() ? propertyName : panel.head.empty() ? panel.label : panel.head;
    }
    /// Over a column of its values: "Batch"; "d_model", which is a symbol, stays as it is.
    std::string columnTitle() const;
};

/// In the order of the run panel, the run file and every list. Without those that have but one choice: nobody
/// is asked, told or files them.
std::span<const Setting> settings();
/// Those too: a file of another version may have a word for one.
std::span<const Setting> everySetting();
/// Those of `all` that are anything but one choice.
std::vector<Setting> withSomethingToChoose(std::span<const Setting> all);
/// Null for no such key among settings() ("d-model" or "config.d-model").
const Setting* findSetting(std::string_view key);
/// Setting::take() by key; an error for a key that there is none of.
Status takeSetting(std::string_view key, std::string_view text, RunConfig& config);
/// In the order in which titles say them.
std::vector<const Setting*> settingsByTitleRank();
/// Those that every title of such a run says, in order: the sizes of attention together.
std::vector<const Setting*> settingsInTitle(const RunConfig& config);
/// With the usual values wherever a setting does not apply to its workload.
RunConfig ofItsWorkload(const RunConfig& config);

/// "fp32, bf16 or tf32".
std::string listedWords(std::span<const std::string_view> words);

}  // namespace warpglass
