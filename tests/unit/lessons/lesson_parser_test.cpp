#include "engine/lessons/lesson_parser.h"

#include <gmock/gmock.h>

#include <fstream>
#include <random>
#include <string>

#include "engine/base/format.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::lesson_parser_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

LessonWorld world() {
    return {{"summary", "timeline", "memory", "kernels", "comparison"}, WARPGLASS_SAMPLE_RUNS};
}

const std::string kHeader = "---\nlesson: A title\nsummary: What it teaches.\n---\n\n";
const std::string kStep =
    "## A heading\n"
    "- run: small-bf16-naive\n"
    "- view: timeline\n"
    "- range: step 1 > backward\n"
    "- only: backward\n"
    "- point: span backward\n"
    "\n"
    "It took {step_mean_ns}.\n"
    "Look.\n"
    "\n"
    "**Question:** How long?\n"
    "\n"
    "**Answer:** So long.\n"
    "\n"
    "And no longer.\n";

std::string problemOf(const std::string& text) {
    const auto lesson = parseLesson(text, "x.md", world());
    return lesson ? std::string() : lesson.message();
}

TEST(LessonParser, ReadsEveryPartOfAStep) {
    const auto lesson = must(parseLesson(kHeader + kStep, "folder/x.md", world()));
    EXPECT_EQ(lesson.title, "A title");
    EXPECT_EQ(lesson.summary, "What it teaches.");
    ASSERT_EQ(lesson.steps.size(), 1u);
    const LessonStep& step = lesson.steps.front();
    EXPECT_EQ(step.heading, "A heading");
    EXPECT_EQ(step.line, 6);
    EXPECT_EQ(step.run.path, sampleRunPath("small-bf16-naive"));
    EXPECT_FALSE(step.against);
    EXPECT_EQ(step.view.text, "timeline");
    EXPECT_EQ(step.view.line, 8);
    ASSERT_EQ(step.range.size(), 2u);
    EXPECT_EQ(step.range[0].text, "step 1");
    EXPECT_EQ(step.range[1].text, "backward");
    EXPECT_EQ(step.only.text, "backward");
    EXPECT_EQ(step.point.kind, LessonPoint::Kind::kSpan);
    EXPECT_EQ(step.point.name.text, "backward");
    EXPECT_EQ(step.point.name.line, 11);
    EXPECT_EQ(step.text, "It took {step_mean_ns}.\nLook.");
    EXPECT_EQ(step.question, "How long?");
    EXPECT_EQ(step.answer, "So long.\n\nAnd no longer.");
}

TEST(LessonParser, ARunHoldsUntilAnotherIsNamed) {
    const auto lesson = must(parseLesson(
        kHeader + kStep + "## Next\n- view: memory\n\nText.\n## Two\n- against: small-fp32-naive\n\nText.\n",
        "x.md", world()));
    ASSERT_EQ(lesson.steps.size(), 3u);
    EXPECT_EQ(lesson.steps[1].run.word.text, "small-bf16-naive");
    EXPECT_EQ(lesson.steps[1].point.kind, LessonPoint::Kind::kView);
    EXPECT_EQ(lesson.steps[2].run.word.text, "small-bf16-naive");
    ASSERT_TRUE(lesson.steps[2].against);
    EXPECT_EQ(lesson.steps[2].against->path, sampleRunPath("small-fp32-naive"));
    EXPECT_EQ(lesson.steps[2].view.text, "comparison");
}

TEST(LessonParser, ReadsFilesFromWindowsAndWithAByteOrderMark) {
    std::string text = "\xEF\xBB\xBF" + kHeader + kStep;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.replace(at, 1, "\r\n");
    const auto lesson = must(parseLesson(text, "x.md", world()));
    EXPECT_EQ(lesson.title, "A title");
    EXPECT_EQ(lesson.steps.front().answer, "So long.\n\nAnd no longer.");
}

TEST(LessonParser, ARunMayLieBesideTheLesson) {
    const TemporaryFolder folder;
    std::ofstream(folder / "own.wgrun") << "x";
    std::string text = kHeader + kStep;
    text.replace(text.find("small-bf16-naive"), 16, "own.wgrun");
    const auto lesson = must(parseLesson(text, folder / "x.md", world()));
    EXPECT_EQ(lesson.steps.front().run.path, folder / "own.wgrun");
    EXPECT_THAT(problemOf(text), StartsWith("x.md, line 7: There is no run file own.wgrun."));
}

/// The problem with kHeader + kStep where one text is in the place of another.
std::string problemWith(const std::string& found, const std::string& instead) {
    std::string text = kHeader + kStep;
    text.replace(text.find(found), found.size(), instead);
    return problemOf(text);
}

TEST(LessonParser, AStepMayShowSomePartsAlone) {
    EXPECT_TRUE(must(parseLesson(kHeader + kStep, "x.md", world())).steps.front().show.empty());
    std::string text = kHeader + kStep;
    text.replace(text.find("- only: backward"), 16, "- show: steps ,memory");
    const auto lesson = must(parseLesson(text, "x.md", world()));
    const std::vector<LessonWord>& show = lesson.steps.front().show;
    ASSERT_EQ(show.size(), 2u);
    EXPECT_EQ(show[0].text, "steps");
    EXPECT_EQ(show[1].text, "memory");
    EXPECT_EQ(show[1].line, 10);
    EXPECT_EQ(problemWith("- only: backward", "- show: steps, memry"),
              "x.md, line 10: A step shows timeline, steps, phases, modules, gpu, host, memory or table, or "
              "several with commas between them, and not \"memry\". Did you mean memory?");
    EXPECT_THAT(problemWith("- only: backward", "- show: steps,"), HasSubstr("and not \"\"."));
    EXPECT_EQ(problemOf(kHeader + "## A\n- run: small-bf16-naive\n- against: small-fp32-naive\n"
                                  "- show: table\n\nText.\n"),
              "x.md, line 6: The step \"A\" compares two runs, of which all is shown: \"show\" is for one.");
}

TEST(LessonParser, NamesTheLineAndTheCauseOfABrokenHeader) {
    EXPECT_EQ(
        problemOf(""),
        "x.md, line 1: A lesson begins with a line of three hyphens, under which stand its title and its "
        "summary.");
    EXPECT_THAT(problemOf(kStep), StartsWith("x.md, line 1: A lesson begins"));
    EXPECT_THAT(problemOf("---\nlesson: A\nsummary: B\n"),
                StartsWith("x.md, line 1: The header that begins here has no end"));
    EXPECT_EQ(problemOf("---\nlesson: A\nsummary: B\n## A heading\n"),
              "x.md, line 4: The step begins within the header, which ends with another line of three "
              "hyphens.");
    EXPECT_EQ(problemWith("A title", "Caf\xe9"),
              "x.md, line 2: The line is not in UTF-8: save the file in that encoding.");
    EXPECT_EQ(
        problemWith("summary:", "sumary:"),
        "x.md, line 3: The header has no key \"sumary\", only lesson and summary. Did you mean summary?");
    EXPECT_EQ(problemWith("summary: What it teaches.", "lesson: Again"),
              "x.md, line 3: The header has \"lesson\" twice.");
    EXPECT_EQ(problemWith("summary: What it teaches.", "summary:"),
              "x.md, line 3: \"summary\" has no value.");
    EXPECT_EQ(problemWith("summary: What it teaches.\n", ""),
              "x.md, line 3: The header that ends here has no \"summary\".");
    EXPECT_THAT(problemWith("summary: What", "What"), StartsWith("x.md, line 3: A line of the header is"));
    EXPECT_THAT(problemOf(kHeader), HasSubstr("The lesson has no step"));
    EXPECT_THAT(problemOf(kHeader + "Text\n" + kStep),
                StartsWith("x.md, line 6: This text belongs to no step"));
}

TEST(LessonParser, NamesTheLineAndTheCauseOfABadStep) {
    EXPECT_EQ(problemWith("view: timeline", "view: timelin"),
              "x.md, line 8: There is no view \"timelin\". Did you mean timeline?");
    EXPECT_EQ(problemWith("run: small-bf16-naive", "run: small-bf16-naiv"),
              "x.md, line 7: There is no sample \"small-bf16-naiv\". Did you mean small-bf16-naive?");
    EXPECT_THAT(problemWith("run: small-bf16-naive", "run: ../secret"),
                StartsWith("x.md, line 7: A run is a sample's name or the path of a .wgrun file"));
    EXPECT_THAT(problemWith("- only:", "- onli:"), StartsWith("x.md, line 10: A step has no key \"onli\""));
    EXPECT_EQ(problemWith("- only: backward", "- view: memory"),
              "x.md, line 10: The step has \"view\" twice.");
    EXPECT_EQ(problemWith("- only: backward", "- only:"), "x.md, line 10: \"only\" has no value.");
    EXPECT_THAT(problemWith("- only: backward", "- only"), StartsWith("x.md, line 10: A line that begins"));
    EXPECT_THAT(problemWith("step 1 > backward", "step 1 >"), StartsWith("x.md, line 9: A range is a name"));
    EXPECT_THAT(problemWith("span backward", "sapn backward"), HasSubstr("Did you mean span?"));
    EXPECT_EQ(problemWith("span backward", "span"),
              "x.md, line 11: What is to be pointed at has no name: write \"span NAME\".");
    EXPECT_EQ(problemWith("span backward", "peak of all"), "x.md, line 11: \"peak\" takes no name.");
    EXPECT_THAT(problemWith("span backward", "card cpu"), HasSubstr("there is no \"cpu\""));
    EXPECT_EQ(problemWith("{step_mean_ns}", "{step_mean}"),
              "x.md, line 13: There is no figure \"step_mean\". Did you mean step_mean_ns?");
    EXPECT_THAT(problemWith("{step_mean_ns}", "{step_mean_ns"),
                StartsWith("x.md, line 13: A brace opens a figure"));
    EXPECT_EQ(problemWith("{step_mean_ns}", "{ }"),
              "x.md, line 13: A figure's name is missing between the braces.");
    EXPECT_EQ(problemWith("{step_mean_ns}", "{step_mean_ns / }"),
              "x.md, line 13: A figure's name is missing between the braces.");
    for (const char* expression :
         {"step_mean_ns + 3", "step_mean_ns/step_min_ns", "3 * step_mean_ns", "step mean"}) {
        EXPECT_EQ(
            problemWith("{step_mean_ns}", "{" + std::string(expression) + "}"),
            "x.md, line 13: A figure is one name, or two with \" / \", \" % \" or \" - \" between them, "
            "and \"" +
                std::string(expression) + "\" is neither.");
    }
    EXPECT_THAT(problemWith("{step_mean_ns}", "{step_mean_ns / peak_bytes}"),
                HasSubstr("are of different units"));
    EXPECT_THAT(problemWith("{step_mean_ns}", "{nothing: step_mean_ns}"),
                HasSubstr("There is no sample \"nothing\""));
    EXPECT_THAT(problemWith("**Answer:**", "**Question:**"), HasSubstr("a second \"Question\""));
    EXPECT_THAT(problemWith("**Question:** How long?", ""),
                StartsWith("x.md, line 18: There is an answer without a question"));
    EXPECT_EQ(problemWith("**Answer:** So long.", ""),
              "x.md, line 6: The step \"A heading\" asks and does not answer.");
    EXPECT_EQ(problemWith("- view: timeline\n", ""), "x.md, line 6: The step \"A heading\" names no view.");
    EXPECT_EQ(problemWith("- run: small-bf16-naive\n", ""),
              "x.md, line 6: The step \"A heading\" names no run, and there is none before it.");
    EXPECT_EQ(problemWith("view: timeline", "view: comparison"),
              "x.md, line 6: The step \"A heading\" shows a comparison and has no \"against\".");
    EXPECT_EQ(problemWith("- only: backward", "- against: small-fp32-naive"),
              "x.md, line 6: The step \"A heading\" compares two runs, which only the view comparison does.");
    EXPECT_EQ(problemWith("span backward", "headline"),
              "x.md, line 6: The step \"A heading\" points at the headline, which only a comparison has.");
    for (const char* part : {"tile Time per step", "card gpu", "finding launch-bound"}) {
        EXPECT_EQ(
            problemWith("span backward", part),
            "x.md, line 6: The step \"A heading\" points at a part of the summary, which only that view "
            "has.");
    }
    EXPECT_EQ(problemWith("## A heading", "## "), "x.md, line 6: The step that begins here has no heading.");
    EXPECT_THAT(problemOf(kHeader + "## A\n- run: small-bf16-naive\n- view: memory\n"),
                HasSubstr("says nothing"));
}

TEST(LessonParser, RefusesWhatIsTooLarge) {
    const std::string kTooLarge = ": It has " + formatBytes(Bytes(10 << 20)) + ", and a lesson has at most " +
                                  formatBytes(Bytes(kMostLessonBytes)) + ".";
    EXPECT_EQ(problemOf(std::string(10 << 20, 'x')), "x.md" + kTooLarge);
    const TemporaryFolder folder;
    std::ofstream(folder / "large.md") << std::string(10 << 20, '\n');
    const auto lesson = readLesson(folder / "large.md", world());
    ASSERT_FALSE(lesson);
    EXPECT_EQ(lesson.message(), (folder / "large.md").string() + kTooLarge);
    std::string steps = kHeader;
    for (std::size_t i = 0; i <= kMostLessonSteps; ++i)
        steps += kStep;
    EXPECT_THAT(problemOf(steps), HasSubstr("A lesson has at most 60 steps."));
}

TEST(LessonParser, RefusesWhatIsNoFile) {
    const TemporaryFolder folder;
    EXPECT_THAT(readLesson(folder / "none.md", world()).message(), HasSubstr("There is no such file."));
    EXPECT_THAT(readLesson(folder.path(), world()).message(),
                HasSubstr("It is a folder; a lesson is a file."));
    EXPECT_EQ(readLesson("", world()).message(), "A lesson is a file, and no name was given.");
}

/// Bytes that are left out, exchanged or put in anywhere give a lesson or a sentence with a line.
TEST(LessonParser, SurvivesAnyText) {
    const std::string whole = kHeader + kStep + kStep;
    std::mt19937 random(19);
    for (int round = 0; round < 3'000; ++round) {
        std::string text = whole;
        for (int change = 0; change < 4; ++change) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text.erase(at, 1 + random() % 20);
                    break;
                case 1:
                    text[at] = static_cast<char>(random());
                    break;
                default:
                    text.insert(at, 1, "{}:->#*-\n"[random() % 9]);
            }
        }
        const std::string problem = problemOf(text);
        if (!problem.empty()) {
            EXPECT_THAT(problem, StartsWith("x.md, line ")) << text;
        }
    }
}

}  // namespace warpglass::test::lesson_parser_test
