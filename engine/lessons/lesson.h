// A lesson: a tour over runs, step by step. Each step opens a view of a run, shows a place in it, points at
// something there, says one thing about it, asks a question and answers it.
//
// What the words mean (which views and runs there are) is known to whoever reads a lesson
// (lesson_parser.h) and whoever shows it; here they are words with the line that they stand in, so that a
// sentence about one can name its line.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// A value of a lesson's file; empty where the file gives none.
struct LessonWord {
    std::string text;
    int line = 0;  // from 1

    bool empty() const { return text.empty(); }
};

/// The file of a run that a step shows.
struct LessonRun {
    LessonWord word;
    std::filesystem::path path;
};

/// What a step points at.
struct LessonPoint {
    enum class Kind {
        kView,      // the view as a whole
        kPeak,      // the highest moment of the memory that is in view
        kSpan,      // the longest span with this text in its name: a phase, a module, an op or a kernel
        kRow,       // the first row of the view's table with this text in its name
        kTile,      // a figure of the summary, by its caption
        kCard,      // a card of the summary: "phases", "gpu" or "memory"
        kFinding,   // a finding of the summary, by its rule
        kHeadline,  // what a comparison says first
    };
    Kind kind = Kind::kView;
    LessonWord name;
};

/// What a step can show alone of the page with the timeline: all rows of the timeline, or those of one kind;
/// memory over time; the table.
inline constexpr std::array<std::string_view, 8> kLessonParts = {"timeline", "steps", "phases", "modules",
                                                                 "gpu",      "host",  "memory", "table"};

struct LessonStep {
    std::string heading;
    int line = 0;
    LessonRun run;
    /// What `run` is compared with, as B.
    std::optional<LessonRun> against;
    LessonWord view;
    /// Names of ranges as for --range, each within the one before it; empty for the whole run.
    std::vector<LessonWord> range;
    /// The phase or the module that the tables count alone.
    LessonWord only;
    LessonPoint point;
    /// Some of kLessonParts; empty for everything.
    std::vector<LessonWord> show;
    /// Markdown, with figures in braces (lesson_figures.h). A question has an answer.
    std::string text, question, answer;
};

struct Lesson {
    /// As its sentences name it.
    std::string file;
    std::string title;
    /// What it teaches, in one sentence.
    std::string summary;
    /// At least one.
    std::vector<LessonStep> steps;
};

/// "FILE, line 12: SENTENCE", in which SENTENCE begins with a capital letter and ends with a full stop.
std::string lessonProblem(std::string_view file, int line, std::string_view sentence);

}  // namespace warpglass
