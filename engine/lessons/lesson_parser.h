// Reads a lesson from its text: Markdown with a header, as docs/lessons.md describes it for teachers.
//
//     ---
//     lesson: Why the first step is slow
//     summary: One sentence on what it teaches.
//     ---
//
//     ## Four steps of one run
//     - run: small-no-warmup
//     - view: timeline
//     - range: step 0 > forward
//     - point: span forward
//
//     What there is to see, in a few sentences. The first step took {step_0_ns}.
//
//     **Question:** How much longer is it than the second?
//
//     **Answer:** {step_0_ns / step_1_ns} times.
//
// Nothing is guessed: a key, a word or a figure that is not known is an error, which names the file, the line
// and the cause in one sentence. Any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/lessons/lesson.h"

namespace warpglass {

/// What a lesson can name.
struct LessonWorld {
    /// The words of views.
    std::vector<std::string> views;
    /// Where a run's word is looked for, as WORD.wgrun; any other is a path relative to the lesson's folder.
    std::filesystem::path samples;
};

/// A text of more is no lesson: a page has about 3 kB.
inline constexpr std::size_t kMostLessonBytes = 256 * 1024;
/// More than anyone sits through.
inline constexpr std::size_t kMostLessonSteps = 60;

/// `path` names it in sentences, and its folder is where relative paths begin. The runs are not read, only
/// checked to exist.
Result<Lesson> parseLesson(std::string_view text, const std::filesystem::path& path,
                           const LessonWorld& world);
/// Reads nothing of a file that is too large.
Result<Lesson> readLesson(const std::filesystem::path& path, const LessonWorld& world);

}  // namespace warpglass
