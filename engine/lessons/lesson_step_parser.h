// One step of a lesson, line by line. Internal to engine/lessons.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lessons/lesson.h"
#include "engine/lessons/lesson_parser.h"

namespace warpglass {

/// Without spaces and tabs at its ends.
std::string_view trimmedOfLesson(std::string_view text);
/// "key: value" of a line; nothing where it has no colon.
struct LessonEntry {
    std::string key, value;
};
std::optional<LessonEntry> lessonEntryOf(std::string_view line);

class LessonStepParser {
public:
    /// `before`: the step before, whose run holds until another is named; null for the first.
    LessonStepParser(const LessonWorld& world, const std::filesystem::path& folder, std::string_view heading,
                     int line, const LessonStep* before);

    // Each gives a problem as a sentence, "" for none.
    std::string take(std::string_view line, int number);
    std::string finish();
    /// Precondition: finish() had no problem.
    const LessonStep& step() const { return m_step; }

private:
    enum class Part { kKeys, kText, kQuestion, kAnswer };

    std::string takeKey(std::string_view key, std::string_view value, int number);
    std::string takeView(std::string_view value, int number);
    std::string takeRange(std::string_view value, int number);
    std::string takePoint(std::string_view value, int number);
    std::string takeShow(std::string_view value, int number);
    std::string takeText(std::string_view line);
    std::string findRun(std::string_view value, int number, LessonRun& run) const;

    const LessonWorld& m_world;
    const std::filesystem::path& m_folder;
    LessonStep m_step;
    Part m_part = Part::kKeys;
    std::vector<std::string> m_keys;  // that it has given
};

}  // namespace warpglass
