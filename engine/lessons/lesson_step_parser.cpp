#include "engine/lessons/lesson_step_parser.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/nearest_word.h"
#include "engine/lessons/lesson_figures.h"

namespace warpglass {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"run",  "against", "view", "range",
                                                   "only", "point",   "show"};
constexpr std::string_view kComparison = "comparison", kSummary = "summary";
constexpr std::string_view kQuestionMark = "**Question:**", kAnswerMark = "**Answer:**";

struct PointWord {
    std::string_view word;
    LessonPoint::Kind kind;
    bool named;
};
constexpr std::array<PointWord, 8> kPoints = {{{"view", LessonPoint::Kind::kView, false},
                                               {"peak", LessonPoint::Kind::kPeak, false},
                                               {"span", LessonPoint::Kind::kSpan, true},
                                               {"row", LessonPoint::Kind::kRow, true},
                                               {"tile", LessonPoint::Kind::kTile, true},
                                               {"card", LessonPoint::Kind::kCard, true},
                                               {"finding", LessonPoint::Kind::kFinding, true},
                                               {"headline", LessonPoint::Kind::kHeadline, false}}};

std::string inQuotes(std::string_view word) {
    return "\"" + std::string(word) + "\"";
}

std::string meant(std::string_view word, const std::vector<std::string>& known) {
    return didYouMean(word, std::vector<std::string_view>(known.begin(), known.end()));
}

/// The words of the runs in a folder: their names without ".wgrun".
std::vector<std::string> runsIn(const std::filesystem::path& folder) {
    std::vector<std::string> words;
    std::error_code error;
    for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
        if (file->path().extension() == ".wgrun")
            words.push_back(file->path().stem().string());
    }
    std::ranges::sort(words);
    return words;
}

/// Adds the line to what is said so far, with the paragraphs between.
void append(std::string& text, std::string_view line) {
    if (!text.empty() || !line.empty())
        text += std::string(line) + "\n";
}

void trimEnd(std::string& text) {
    text.erase(text.find_last_not_of(" \t\n") + 1);
}

/// What a step points at that its view never has; empty where it may have it.
std::string pointElsewhere(const LessonStep& step) {
    using Kind = LessonPoint::Kind;
    switch (step.point.kind) {
        case Kind::kHeadline:
            return step.against ? "" : " points at the headline, which only a comparison has.";
        case Kind::kTile:
        case Kind::kCard:
        case Kind::kFinding:
            return step.view.text == kSummary ? ""
                                              : " points at a part of the summary, which only that view has.";
        default:
            return {};
    }
}

}  // namespace

std::string_view trimmedOfLesson(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<LessonEntry> lessonEntryOf(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    return LessonEntry{std::string(trimmedOfLesson(line.substr(0, colon))),
                       std::string(trimmedOfLesson(line.substr(colon + 1)))};
}

LessonStepParser::LessonStepParser(const LessonWorld& world, const std::filesystem::path& folder,
                                   std::string_view heading, int line, const LessonStep* before)
    : m_world(world), m_folder(folder) {
    m_step.heading = heading;
    m_step.line = line;
    if (before)
        m_step.run = before->run;
}

std::string LessonStepParser::take(std::string_view line, int number) {
    const std::string_view bare = trimmedOfLesson(line);
    if (m_part == Part::kKeys) {
        if (bare.empty())
            return {};
        if (bare.starts_with("- ")) {
            const auto entry = lessonEntryOf(bare.substr(2));
            if (!entry)
                return "A line that begins with a hyphen under a step's heading is \"- KEY: VALUE\".";
            return takeKey(entry->key, entry->value, number);
        }
        m_part = Part::kText;
    }
    return takeText(line);
}

std::string LessonStepParser::takeKey(std::string_view key, std::string_view value, int number) {
    if (std::ranges::find(kKeys, key) == kKeys.end())
        return "A step has no key " + inQuotes(key) +
               "; it has run, against, view, range, only, point and show." + didYouMean(key, kKeys);
    if (std::ranges::find(m_keys, key) != m_keys.end())
        return "The step has " + inQuotes(key) + " twice.";
    m_keys.emplace_back(key);
    if (value.empty())
        return inQuotes(key) + " has no value.";
    if (key == "run")
        return findRun(value, number, m_step.run);
    if (key == "against")
        return findRun(value, number, m_step.against.emplace());
    if (key == "view")
        return takeView(value, number);
    if (key == "range")
        return takeRange(value, number);
    if (key == "point")
        return takePoint(value, number);
    if (key == "show")
        return takeShow(value, number);
    m_step.only = {std::string(value), number};
    return {};
}

std::string LessonStepParser::takeView(std::string_view value, int number) {
    if (std::ranges::find(m_world.views, value) == m_world.views.end())
        return "There is no view " + inQuotes(value) + "." + meant(value, m_world.views);
    m_step.view = {std::string(value), number};
    return {};
}

std::string LessonStepParser::takeRange(std::string_view value, int number) {
    while (true) {
        const std::size_t end = std::min(value.find('>'), value.size());
        const std::string_view name = trimmedOfLesson(value.substr(0, end));
        if (name.empty())
            return "A range is a name, as --range of the command line takes it, or several with > between "
                   "them, as in \"step 1 > backward\".";
        m_step.range.push_back({std::string(name), number});
        if (end == value.size())
            return {};
        value.remove_prefix(end + 1);
    }
}

std::string LessonStepParser::takePoint(std::string_view value, int number) {
    const std::size_t end = std::min(value.find(' '), value.size());
    const std::string_view word = value.substr(0, end), name = trimmedOfLesson(value.substr(end));
    const auto known = std::ranges::find(kPoints, word, &PointWord::word);
    if (known == kPoints.end()) {
        auto words = mapped<std::string>(kPoints, &PointWord::word);
        return "A step points at view, peak, span NAME, row NAME, tile CAPTION, card NAME, finding RULE or "
               "headline, and not at " +
               inQuotes(word) + "." + meant(word, words);
    }
    if (known->named == name.empty())
        return known->named
                   ? "What is to be pointed at has no name: write \"" + std::string(word) + " NAME\"."
                   : inQuotes(word) + " takes no name.";
    if (known->kind == LessonPoint::Kind::kCard && name != "phases" && name != "gpu" && name != "memory")
        return "The summary's cards are phases, gpu and memory, and there is no " + inQuotes(name) + ".";
    m_step.point = {known->kind, {std::string(name), number}};
    return {};
}

std::string LessonStepParser::takeShow(std::string_view value, int number) {
    while (true) {
        const std::size_t end = std::min(value.find(','), value.size());
        const std::string_view part = trimmedOfLesson(value.substr(0, end));
        if (std::ranges::find(kLessonParts, part) == kLessonParts.end())
            return "A step shows timeline, steps, phases, modules, gpu, host, memory or table, or several "
                   "with commas between them, and not " +
                   inQuotes(part) + "." + didYouMean(part, kLessonParts);
        m_step.show.push_back({std::string(part), number});
        if (end == value.size())
            return {};
        value.remove_prefix(end + 1);
    }
}

std::string LessonStepParser::takeText(std::string_view line) {
    std::string_view said = line;
    const std::string_view bare = trimmedOfLesson(line);
    for (const auto& [mark, part] :
         {std::pair{kQuestionMark, Part::kQuestion}, std::pair{kAnswerMark, Part::kAnswer}}) {
        if (!bare.starts_with(mark))
            continue;
        if (m_part >= part)
            return "The step has a second " + inQuotes(mark.substr(2, mark.size() - 5)) + ".";
        if (part == Part::kAnswer && m_part != Part::kQuestion)
            return "There is an answer without a question above it.";
        m_part = part;
        said = trimmedOfLesson(bare.substr(mark.size()));
    }
    if (std::string problem = figuresProblem(said, m_world.samples); !problem.empty())
        return problem;
    append(m_part == Part::kText       ? m_step.text
           : m_part == Part::kQuestion ? m_step.question
                                       : m_step.answer,
           said);
    return {};
}

std::string LessonStepParser::findRun(std::string_view value, int number, LessonRun& run) const {
    run.word = {std::string(value), number};
    const bool isPath = value.ends_with(".wgrun");
    run.path = isPath ? m_folder / value : m_world.samples / (run.word.text + ".wgrun");
    std::error_code error;
    if (value.find('/') != std::string_view::npos && !isPath)
        return "A run is a sample's name or the path of a .wgrun file, and " + inQuotes(value) +
               " is neither.";
    if (std::filesystem::is_regular_file(run.path, error))
        return {};
    return isPath ? "There is no run file " + run.path.string() + "."
                  : "There is no sample " + inQuotes(value) + "." + meant(value, runsIn(m_world.samples));
}

std::string LessonStepParser::finish() {
    for (std::string* said : {&m_step.text, &m_step.question, &m_step.answer})
        trimEnd(*said);
    const std::string step = "The step " + inQuotes(m_step.heading);
    if (m_step.run.word.empty())
        return step + " names no run, and there is none before it.";
    if (m_step.against && m_step.view.empty())
        m_step.view = {std::string(kComparison), m_step.against->word.line};
    if (m_step.view.empty())
        return step + " names no view.";
    if (m_step.against.has_value() != (m_step.view.text == kComparison))
        return m_step.against ? step + " compares two runs, which only the view comparison does."
                              : step + " shows a comparison and has no \"against\".";
    if (m_step.against && !m_step.only.empty())
        return step + " compares two runs, of which all is counted: \"only\" is for one.";
    if (m_step.against && !m_step.show.empty())
        return step + " compares two runs, of which all is shown: \"show\" is for one.";
    if (const std::string elsewhere = pointElsewhere(m_step); !elsewhere.empty())
        return step + elsewhere;
    if (m_step.text.empty())
        return step + " says nothing: text is missing under its keys.";
    if (m_part == Part::kQuestion)
        return step + " asks and does not answer.";
    if (m_part == Part::kAnswer && (m_step.question.empty() || m_step.answer.empty()))
        return step + " has an empty question or answer.";
    return {};
}

}  // namespace warpglass
