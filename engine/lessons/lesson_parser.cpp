#include "engine/lessons/lesson_parser.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/io/utf8.h"
#include "engine/lessons/lesson_step_parser.h"

namespace warpglass {
namespace {

constexpr std::string_view kFence = "---";
constexpr std::string_view kStepMark = "## ";

std::string tooLarge(const std::string& file, std::uintmax_t bytes) {
    return file + ": It has " + formatBytes(Bytes(static_cast<std::int64_t>(bytes))) +
           ", and a lesson has at most " + formatBytes(Bytes(kMostLessonBytes)) + ".";
}

/// Lines without their ends, also of files from Windows.
std::vector<std::string_view> linesOf(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

class Parser {
public:
    Parser(std::string_view text, const std::filesystem::path& path, const LessonWorld& world)
        : m_lines(linesOf(text)), m_world(world), m_folder(path.parent_path()) {
        m_lesson.file = path.string();
    }

    Result<Lesson> parse() {
        std::string problem = takeHeader();
        if (problem.empty())
            problem = checkEncoding();
        while (problem.empty() && m_next < m_lines.size()) {
            problem = takeLine(m_lines[m_next]);
            m_next += problem.empty() ? 1 : 0;  // else it is the line to be named
        }
        if (problem.empty())
            problem = finishStep();
        if (problem.empty() && m_lesson.steps.empty()) {
            m_next = m_lines.size() - 1;
            problem = "The lesson has no step: a step begins with a line \"## HEADING\".";
        }
        if (!problem.empty())
            return Error{
                lessonProblem(m_lesson.file, m_problemLine.value_or(static_cast<int>(m_next) + 1), problem)};
        return std::move(m_lesson);
    }

private:
    std::string takeHeader() {
        if (m_lines.empty() || trimmedOfLesson(m_lines.front()) != kFence)
            return "A lesson begins with a line of three hyphens, under which stand its title and its "
                   "summary.";
        for (m_next = 1; m_next < m_lines.size(); ++m_next) {
            const std::string_view line = trimmedOfLesson(m_lines[m_next]);
            if (line == kFence)
                return finishHeader();
            if (line.empty())
                continue;
            if (line.starts_with(kStepMark))
                return "The step begins within the header, which ends with another line of three hyphens.";
            const auto entry = lessonEntryOf(line);
            if (!entry)
                return "A line of the header is \"lesson: TITLE\" or \"summary: SENTENCE\".";
            std::string* value = entry->key == "lesson"    ? &m_lesson.title
                                 : entry->key == "summary" ? &m_lesson.summary
                                                           : nullptr;
            constexpr std::string_view kKeys[] = {"lesson", "summary"};
            if (!value)
                return "The header has no key \"" + entry->key + "\", only lesson and summary." +
                       didYouMean(entry->key, kKeys);
            if (!value->empty())
                return "The header has \"" + entry->key + "\" twice.";
            if (entry->value.empty())
                return "\"" + entry->key + "\" has no value.";
            *value = entry->value;
        }
        m_next = 0;
        return "The header that begins here has no end, which is another line of three hyphens.";
    }

    std::string finishHeader() {
        for (const auto& [key, value] :
             {std::pair{"lesson", &m_lesson.title}, std::pair{"summary", &m_lesson.summary}}) {
            if (value->empty())
                return std::string("The header that ends here has no \"") + key + "\".";
        }
        ++m_next;
        return {};
    }

    /// What an editor has saved in another encoding would be shown with wrong letters.
    std::string checkEncoding() {
        const auto other =
            std::ranges::find_if(m_lines, [](std::string_view line) { return validUtf8(line) != line; });
        if (other == m_lines.end())
            return {};
        m_problemLine = static_cast<int>(other - m_lines.begin()) + 1;
        return "The line is not in UTF-8: save the file in that encoding.";
    }

    std::string takeLine(std::string_view line) {
        if (!line.starts_with(kStepMark)) {
            if (m_step)
                return m_step->take(line, static_cast<int>(m_next) + 1);
            return trimmedOfLesson(line).empty()
                       ? ""
                       : "This text belongs to no step: a step begins with a line \"## HEADING\".";
        }
        if (std::string problem = finishStep(); !problem.empty())
            return problem;
        const std::string_view heading = trimmedOfLesson(line.substr(kStepMark.size()));
        if (heading.empty())
            return "The step that begins here has no heading.";
        if (m_lesson.steps.size() == kMostLessonSteps)
            return "A lesson has at most " + std::to_string(kMostLessonSteps) + " steps.";
        m_stepLine = static_cast<int>(m_next) + 1;
        m_step.emplace(m_world, m_folder, heading, m_stepLine,
                       m_lesson.steps.empty() ? nullptr : &m_lesson.steps.back());
        return {};
    }

    std::string finishStep() {
        if (!m_step)
            return {};
        std::string problem = m_step->finish();
        if (problem.empty())
            m_lesson.steps.push_back(m_step->step());
        else
            m_problemLine = m_stepLine;  // what is missing stands in no line of its own
        m_step.reset();
        return problem;
    }

    std::vector<std::string_view> m_lines;
    const LessonWorld& m_world;
    std::filesystem::path m_folder;
    Lesson m_lesson;
    std::optional<LessonStepParser> m_step;
    int m_stepLine = 0;
    std::optional<int> m_problemLine;  // where it is not that of the next line
    std::size_t m_next = 0;
};

}  // namespace

std::string lessonProblem(std::string_view file, int line, std::string_view sentence) {
    return std::string(file) + ", line " + std::to_string(line) + ": " + std::string(sentence);
}

Result<Lesson> parseLesson(std::string_view text, const std::filesystem::path& path,
                           const LessonWorld& world) {
    if (text.size() > kMostLessonBytes)
        return Error{tooLarge(path.string(), text.size())};
    return Parser(text, path, world).parse();
}

Result<Lesson> readLesson(const std::filesystem::path& path, const LessonWorld& world) {
    const std::string file = path.string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return Error{std::filesystem::is_directory(path, error)
                         ? file + ": It is a folder; a lesson is a file."
                     : path.empty() ? "A lesson is a file, and no name was given."
                                    : file + ": There is no such file."};
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (!error && bytes > kMostLessonBytes)
        return Error{tooLarge(file, bytes)};
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.good() && !stream.eof())
        return Error{file + ": The file cannot be read."};
    return parseLesson(text, path, world);
}

}  // namespace warpglass
