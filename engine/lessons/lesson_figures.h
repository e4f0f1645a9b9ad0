// Figures in a lesson's text. They are worked out from the run as the lesson is shown, so that what a lesson
// says and what the screen shows cannot part where a sample is recorded anew:
//
//     {KEY}                   a figure of the step's run, as people read it: "46.4 ms"
//     {RUN: KEY}              of another run, by the sample's word
//     {A / B}   {A % B}       how many times B it is: "1.32"; the share of B: "29%"
//     {A - B}                 the difference, in the figures' unit
//
// Keys are those of a sweep's measures (engine/sweep/measures.h), and lessonKeys(). A figure stands in one
// line. Pure; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tables/cell.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct LessonKey {
    std::string key;
    Unit unit = Unit::kNumber;
    /// One sentence, without full stop: how it is worked out.
    std::string description;
};
/// Beside the measures: the sizes of the model; of a measured step what the GPU did, by family and by part of
/// attention, and what the peak consists of.
std::span<const LessonKey> lessonKeys();

using LessonFigures = std::map<std::string, double, std::less<>>;
/// Every figure that the run has. As measure(), and three passes over the GPU's spans.
LessonFigures lessonFigures(const std::shared_ptr<const Snapshot>& run);

/// Why the figures of a line cannot be read, in a sentence; "" where they can. `samples`: where runs that
/// they name are looked for.
std::string figuresProblem(std::string_view line, const std::filesystem::path& samples);
/// The words of other runs that the text's figures name.
std::vector<std::string> runsOfFigures(std::string_view text);

/// The figures of a run by its word, "" for the step's own; null while they are not known.
using FiguresOfRun = std::function<const LessonFigures*(const std::string& run)>;
/// The text with its figures: "…" for one of a run whose figures are not known yet, "–" for one that the run
/// does not have. Precondition: figuresProblem() of each line was "".
std::string withFigures(std::string_view text, const FiguresOfRun& figuresOf);

}  // namespace warpglass
