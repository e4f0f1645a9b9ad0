#include "engine/lessons/lesson_figures.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "engine/base/collect.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/parameters.h"
#include "engine/query/activity/gpu_idle.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/statistics/statistics.h"
#include "engine/sweep/measures.h"

namespace warpglass {
namespace {

struct Named {
    std::string run, key;
};
struct Figure {
    Named value;
    char sign = 0;  // '/', '%', '-'; 0 for the value alone
    Named other;
};

std::string_view trimmedFigure(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "q, k, v projections" as in a key: "q_k_v_projections".
std::string keyWord(std::string_view name) {
    std::string word;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (letter)
            word += c;
        else if (!word.empty() && word.back() != '_')
            word += '_';
    }
    return word;
}

std::string kernelsKey(OpFamily family) {
    return "gpu_" + std::string(kOpFamilyNames[static_cast<std::size_t>(family)]) + "_ns";
}
std::string peakKey(std::size_t category) {
    return "peak_" + keyWord(kCategoryNames[category]) + "_bytes";
}
std::string attentionKey(PlanPhase phase, AttentionPart part, const char* unit) {
    return std::string("attention_") + (phase == PlanPhase::kForward ? "forward_" : "backward_") +
           keyWord(kAttentionPartNames[static_cast<std::size_t>(part)]) + unit;
}

std::vector<LessonKey> makeKeys() {
    std::vector<LessonKey> keys = {
        {"parameters", Unit::kCount, "How many weights the model has"},
        {"layers", Unit::kCount, "How many blocks the model has"},
        {"heads", Unit::kCount, "How many heads attention has"},
        {"context", Unit::kCount, "How many tokens a sequence has"},
        {"score_matrix_bytes", Unit::kBytes,
         "Size of attention's scores of one block in 32 bits: batch × heads × context² × 4"},
        {"gpu_busy_ns", Unit::kNanoseconds, "Time of a measured step in which the GPU ran something"},
        {"gpu_wall_ns", Unit::kNanoseconds, "The whole time of a measured step, busy and idle"},
        {"gpu_late_ns", Unit::kNanoseconds,
         "Time of a measured step in which the GPU was idle because the host launched its work late"}};
    for (std::size_t family = 0; family < kOpFamilyCount; ++family) {
        keys.push_back({kernelsKey(static_cast<OpFamily>(family)), Unit::kNanoseconds,
                        "Time of the kernels of the family \"" + std::string(kOpFamilyNames[family]) +
                            "\" in a measured step"});
    }
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        keys.push_back(
            {peakKey(category), Unit::kBytes,
             "The peak's part that is of the category \"" + std::string(kCategoryNames[category]) + "\""});
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        for (std::size_t i = 0; i < kAttentionPartCount; ++i) {
            const auto part = static_cast<AttentionPart>(i);
            const std::string what = "of attention's part \"" + std::string(kAttentionPartNames[i]) +
                                     "\" in a measured step's " +
                                     (phase == PlanPhase::kForward ? "forward" : "backward") + " pass";
            keys.push_back({attentionKey(phase, part, "_ns"), Unit::kNanoseconds, "Time " + what});
            keys.push_back({attentionKey(phase, part, "_flops"), Unit::kFlops, "FLOPs " + what});
        }
    }
    return keys;
}

std::optional<Unit> unitOf(std::string_view key) {
    if (const Measure* measure = findMeasure(key))
        return measure->unit;
    for (const LessonKey& known : lessonKeys()) {
        if (known.key == key)
            return known.unit;
    }
    return std::nullopt;
}

Named namedOf(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return {{}, std::string(trimmedFigure(text))};
    return {std::string(trimmedFigure(text.substr(0, colon))),
            std::string(trimmedFigure(text.substr(colon + 1)))};
}

/// Reads what stands between the braces. A sign has a space on either side, as a run's word has hyphens.
Figure figureOf(std::string_view text) {
    for (const char sign : {'/', '%', '-'}) {
        const std::string spaced = {' ', sign, ' '};
        if (const std::size_t at = text.find(spaced); at != std::string_view::npos)
            return {namedOf(text.substr(0, at)), sign, namedOf(text.substr(at + spaced.size()))};
    }
    return {namedOf(text), 0, {}};
}

/// Calls with what stands before the next brace, and between it and its end; nothing at the end.
template <class Visit>
void forEachFigure(std::string_view text, const Visit& visit) {
    while (true) {
        const std::size_t begin = text.find('{');
        const std::size_t end =
            begin == std::string_view::npos ? std::string_view::npos : text.find('}', begin);
        if (end == std::string_view::npos)
            return visit(text, std::optional<std::string_view>());
        visit(text.substr(0, begin), std::optional(text.substr(begin + 1, end - begin - 1)));
        text.remove_prefix(end + 1);
    }
}

std::string didYouMeanKey(const std::string& key) {
    auto known = mapped<std::string_view>(measures(), &Measure::key);
    for (const LessonKey& own : lessonKeys())
        known.push_back(own.key);
    return didYouMean(key, known);
}

std::string problemOf(const Named& named, const std::filesystem::path& samples) {
    if (named.key.empty())
        return "A figure's name is missing between the braces.";
    if (named.key.find_first_of("+-*/%() ") != std::string::npos)
        return "A figure is one name, or two with \" / \", \" % \" or \" - \" between them, and \"" +
               named.key + "\" is neither.";
    if (!unitOf(named.key))
        return "There is no figure \"" + named.key + "\"." + didYouMeanKey(named.key);
    std::error_code error;
    const bool plain = named.run.find('/') == std::string::npos;
    if (!named.run.empty() && (!plain || !std::filesystem::exists(samples / (named.run + ".wgrun"), error)))
        return "There is no sample \"" + named.run + "\", of which a figure is to be shown.";
    return {};
}

std::string problemOf(std::string_view text, const std::filesystem::path& samples) {
    const Figure figure = figureOf(text);
    if (std::string problem = problemOf(figure.value, samples); !problem.empty() || figure.sign == 0)
        return problem;
    if (std::string problem = problemOf(figure.other, samples); !problem.empty())
        return problem;
    return unitOf(figure.value.key) == unitOf(figure.other.key)
               ? ""
               : "The figures " + figure.value.key + " and " + figure.other.key + " are of different units.";
}

std::string textOf(const Figure& figure, const FiguresOfRun& figuresOf) {
    double values[2] = {0, 0};
    const Named* parts[2] = {&figure.value, &figure.other};
    for (int i = 0; i < (figure.sign == 0 ? 1 : 2); ++i) {
        const LessonFigures* figures = figuresOf(parts[i]->run);
        if (!figures)
            return "…";
        const auto found = figures->find(parts[i]->key);
        if (found == figures->end())
            return "–";
        values[i] = found->second;
    }
    const Unit unit = unitOf(figure.value.key).value_or(Unit::kNumber);
    switch (figure.sign) {
        case '/':
            return readableCell(Cell(values[0] / values[1]), Unit::kRatio);
        case '%':
            return readableCell(Cell(values[0] / values[1]), Unit::kFraction);
        case '-':
            return readableCell(wholeIfExact(values[0] - values[1]), unit);
        default:
            return readableCell(wholeIfExact(values[0]), unit);
    }
}

void addModel(LessonFigures& figures, const Snapshot& run) {
    const auto config = configFromPairs(run.info().pairs());
    if (!config || config->isAttention())
        return;
    const auto context = static_cast<double>(config->context),
               heads = static_cast<double>(config->shape.heads);
    figures["parameters"] = static_cast<double>(parameterCount(config->shape));
    figures["layers"] = static_cast<double>(config->shape.layers);
    figures["heads"] = heads;
    figures["context"] = context;
    figures["score_matrix_bytes"] = static_cast<double>(config->batch) * heads * context * context * 4;
}

void addGpuUse(LessonFigures& figures, const Snapshot& run) {
    const GpuTimeUse use = gpuTimeUse(run, 0);
    if (use.steps == 0)
        return;
    const auto perStep = [&use](Nanoseconds time) {
        return static_cast<double>(time.value) / static_cast<double>(use.steps);
    };
    figures["gpu_busy_ns"] = perStep(use.busy);
    figures["gpu_wall_ns"] = perStep(use.wall);
    figures["gpu_late_ns"] = perStep(use.idle[static_cast<std::size_t>(IdleCause::kHostLate)]);
}

void addFamilies(LessonFigures& figures, const Snapshot& run) {
    SpanFilter measured;
    measured.measuredOnly = true;
    const std::vector<StatisticsRow> rows = kernelStatistics(run, measured);
    const std::int64_t steps = stepsToAverage(run).count;
    if (rows.empty() || steps == 0)
        return;
    for (std::size_t family = 0; family < kOpFamilyCount; ++family)
        figures[kernelsKey(static_cast<OpFamily>(family))] = 0;
    for (const StatisticsRow& row : rows)
        figures[kernelsKey(row.family)] += static_cast<double>(row.total.value) / static_cast<double>(steps);
}

void addAttention(LessonFigures& figures, const Snapshot& run) {
    for (const AttentionPartRow& row : attentionParts(run).rows) {
        figures[attentionKey(row.phase, row.part, "_ns")] = row.time;
        if (row.flopsKnown)
            figures[attentionKey(row.phase, row.part, "_flops")] = static_cast<double>(row.flops.value);
    }
}

void addPeak(LessonFigures& figures, const std::shared_ptr<const Snapshot>& run) {
    MemoryTimeline memory;
    memory.update(run);
    if (const auto peak = memory.peak()) {
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            figures[peakKey(category)] = static_cast<double>(peak->bytes[category]);
    }
}

}  // namespace

std::span<const LessonKey> lessonKeys() {
    static const std::vector<LessonKey> kKeys = makeKeys();
    return kKeys;
}

LessonFigures lessonFigures(const std::shared_ptr<const Snapshot>& run) {
    LessonFigures figures = measure(run);
    if (!run)
        return figures;
    addModel(figures, *run);
    addGpuUse(figures, *run);
    addFamilies(figures, *run);
    addAttention(figures, *run);
    addPeak(figures, run);
    return figures;
}

std::string figuresProblem(std::string_view line, const std::filesystem::path& samples) {
    std::string problem;
    forEachFigure(line, [&](std::string_view before, std::optional<std::string_view> figure) {
        if (!problem.empty())
            return;
        if (figure)
            problem = problemOf(*figure, samples);
        else if (before.find('{') != std::string_view::npos)
            problem = "A brace opens a figure that has no closing brace in its line.";
    });
    return problem;
}

std::vector<std::string> runsOfFigures(std::string_view text) {
    std::vector<std::string> runs;
    forEachFigure(text, [&runs](std::string_view, std::optional<std::string_view> inBraces) {
        if (!inBraces)
            return;
        const Figure figure = figureOf(*inBraces);
        for (const Named* named : {&figure.value, &figure.other}) {
            if (!named->run.empty() && std::ranges::find(runs, named->run) == runs.end())
                runs.push_back(named->run);
        }
    });
    return runs;
}

std::string withFigures(std::string_view text, const FiguresOfRun& figuresOf) {
    std::string filled;
    bool isCount = false;  // the figure before is one, and begins a line
    forEachFigure(text, [&](std::string_view before, std::optional<std::string_view> inBraces) {
        // "12." at a line's beginning would be an item of a list.
        if (isCount && (before.starts_with('.') || before.starts_with(')')))
            filled += '\\';
        filled += before;
        isCount = false;
        if (!inBraces)
            return;
        const bool begins = filled.empty() || filled.back() == '\n';
        const std::string figure = textOf(figureOf(*inBraces), figuresOf);
        isCount = begins && figure.find_first_not_of("0123456789") == figure.npos;
        filled += figure;
    });
    return filled;
}

}  // namespace warpglass
