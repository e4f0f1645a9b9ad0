// What precision, compiled and attention say, against figures that the test states.
#include <gmock/gmock.h>

#include <cmath>

#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_words.h"
#include "engine/experiments/fastest_answer.h"
#include "engine/experiments/run_experiment.h"
#include "engine/sweep/grid.h"
#include "engine/tables/series_choices.h"
#include "tests/support/trace_text.h"
#include "tests/unit/experiments/made_evidence.h"

namespace warpglass::test::answers_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ExperimentOptions onGpu() {
    return {.device = "cuda:0"};
}

/// Milliseconds of a step: bf16 gains with the model's size, fp16 loses on small.
double stepOf(const std::string& model, const std::string& precision) {
    const double fp32 = model == "small" ? 40 : model == "medium" ? 100 : 300;
    if (precision == "bf16")
        return model == "small" ? 32 : model == "medium" ? 50 : 100;
    if (precision == "fp16")
        return model == "small" ? 50 : fp32;
    return fp32;
}

MadeEvidence::Figures precisionFigures(const MadeEvidence::Values& values) {
    const auto model = values.contains("model") ? values.at("model") : "small";
    const double step = stepOf(model, values.at("precision")) * 1e6;
    return {{"step_mean_ns", step},
            {"forward_mean_ns", step / 4},
            {"peak_bytes", values.at("precision") == "bf16" ? 3e9 : 4e9}};
}

TEST(PrecisionAnswer, TellsWhatIsFasterWhatIsSlowerAndThatItGrowsWithTheModel) {
    const ExperimentResult result =
        evaluated(experiment::kPrecision, MadeEvidence(experiment::kPrecision, onGpu(), precisionFigures));
    EXPECT_THAT(result.answers,
                Contains(AllOf(HasSubstr("bf16, large: forward 3× as fast as in fp32"),
                               HasSubstr("a step 3× as fast (100\u202fms against 300\u202fms)"),
                               HasSubstr("peak memory 2.79\u202fGiB against 3.73\u202fGiB"))));
    EXPECT_THAT(result.answers,
                Contains(HasSubstr("fp16, small: forward 1.25× as long as in fp32, a step 1.25× as long")));
    // The others gain no more with a larger model.
    EXPECT_THAT(
        result.answers,
        Contains(HasSubstr("grows with the model: with bf16 from 1.25× (small) to 3× (large). A small")));
}

TEST(PrecisionAnswer, ARatioOfADisturbedRunSaysSo) {
    const MadeEvidence evidence(experiment::kPrecision, onGpu(), [](const MadeEvidence::Values& values) {
        MadeEvidence::Figures figures = precisionFigures(values);
        const bool large = values.contains("model") && values.at("model") == "large";
        figures["disturbed"] = large && values.at("precision") == "bf16";
        return figures;
    });
    const ExperimentResult result = evaluated(experiment::kPrecision, evidence);
    const auto disturbed = HasSubstr(
        "; 1 of the 2 runs behind this was disturbed by other programs or by a clock that was held down, so "
        "the times may not be the work's alone.");
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("bf16, large: "), disturbed)));
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("grows with the model: "),
                                               HasSubstr("; 1 of the 4 runs behind this was disturbed"))));
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("tf32, large: "), Not(HasSubstr("disturbed")))));
}

ExperimentResult precisionOfRunsWith(std::string_view losses) {
    MadeEvidence evidence(experiment::kPrecision, onGpu());
    evidence.everyRun = traceOf(losses);
    return evaluated(experiment::kPrecision, evidence);
}

TEST(PrecisionAnswer, ALossThatIsNoNumberIsToldAndNotCompared) {
    const ExperimentResult result =
        precisionOfRunsWith("counter loss 9.25 10 ; counter loss 8.5 20 ; counter loss nan 30");
    EXPECT_THAT(result.answers,
                Contains("The loss of bf16 is infinite or NaN from step 2 on (counted from 0)."));
    EXPECT_THAT(result.answers, Not(Contains(HasSubstr("differs from fp32"))));
    for (const Chart& chart : result.charts) {
        for (const ChartSeries& series : chart.series) {
            for (const ChartPoint& point : series.points)
                EXPECT_TRUE(std::isfinite(point.y) || point.state != PointState::kMeasured) << chart.key;
        }
    }
}

TEST(PrecisionAnswer, ALossThatIsFiniteAgainIsCountedStepByStep) {
    EXPECT_THAT(
        precisionOfRunsWith("counter loss 9.25 10 ; counter loss inf 20 ; counter loss 8.5 30").answers,
        Contains("The loss of bf16 is infinite or NaN in 1 step of 3, first in step 1 (counted from 0)."));
}

TEST(AutocastAnswer, KeepsTheSmallNetworksTypesWhereThereIsNoRunner) {
    MadeEvidence evidence(experiment::kAutocast, onGpu());
    ExperimentResult earlier;
    earlier.tables.push_back({"",
                              {{"Tensor", "tensor"}, {"fp16 on cuda:0", "fp16 on cuda:0"}},
                              {{"fc1 output", "fp16"}, {"loss", "fp32"}},
                              "small-network"});
    evidence.earlier = earlier;
    const ExperimentResult result = evaluated(experiment::kAutocast, evidence);
    EXPECT_THAT(result.answers, Contains("Under fp16 on cuda:0: fc1 output fp16 and loss fp32."));
    ASSERT_FALSE(result.tables.empty());
    EXPECT_EQ(result.tables.front().rows, earlier.tables.front().rows);
    // The figure has the table's cells, the first row uppermost, colored by type.
    ASSERT_FALSE(result.charts.empty());
    const Chart& chart = result.charts.front();
    EXPECT_EQ(chart.kind, ChartKind::kHeatMap);
    EXPECT_THAT(chart.x.categories, ElementsAre("fp16 on cuda:0"));
    EXPECT_THAT(chart.y.categories, ElementsAre("loss", "fc1 output"));
    EXPECT_THAT(chart.value.categories, ElementsAre("fp16", "fp32"));
    ASSERT_EQ(chart.series.front().points.size(), 2u);
    EXPECT_EQ(chart.series.front().points[0].value, 1);
    EXPECT_EQ(chart.series.front().points[1].value, 0);
    // Why the others are not there is said once.
    EXPECT_THAT(result.notes, Contains("There is no runner here.").Times(1));
}

TEST(PrecisionAnswer, ComparesOnlyWhatRan) {
    MadeEvidence evidence(experiment::kPrecision, onGpu(), [](const MadeEvidence::Values&) {
        return MadeEvidence::Figures{{"step_mean_ns", 1e6}, {"forward_mean_ns", 1e5}};
    });
    for (SweepCell& cell : evidence.change("times").cells)
        cell.state = CellState::kFailed;
    const ExperimentResult result = evaluated(experiment::kPrecision, evidence);
    EXPECT_TRUE(result.answers.empty());
    EXPECT_FALSE(result.notes.empty());
}

/// Milliseconds of a step: a graph gains on small and loses on large; fused kernels gain in both.
double compiledStepOf(const MadeEvidence::Values& values) {
    const bool graph = values.at("execution") == "graph";
    const bool fused = values.contains("kernels") && values.at("kernels") == "fused";
    return graph ? (fused ? 8 : 10) : (values.at("model") == "small" ? 30 : 8) - (fused ? 3 : 0);
}

/// A graph of attention alone saves 90 µs of launches; flash takes a quarter of naive's time.
double attentionPassOf(const MadeEvidence::Values& values) {
    const double length = std::stod(values.at("context"));
    return length * length * (values.at("attention") == "naive" ? 1 : 0.25) +
           (values.at("execution") == "graph" ? 10e3 : 100e3);
}

MadeEvidence::Figures compiledFigures(const MadeEvidence::Values& values) {
    if (!values.contains("model"))
        return {{"step_mean_ns", attentionPassOf(values)}, {"step_stddev_ns", 1e3}};
    return {{"step_mean_ns", compiledStepOf(values) * 1e6}, {"step_stddev_ns", 1e5}};
}

TEST(CompiledAnswer, SaysHowMuchFasterAStepIsAsAGraphAndWithFusedKernels) {
    const ExperimentResult result =
        evaluated(experiment::kCompiled, MadeEvidence(experiment::kCompiled, onGpu(), compiledFigures));
    EXPECT_THAT(
        result.answers,
        Contains(
            "As a graph a step of small with naive attention takes 10.0\u202fms instead of "
            "30.0\u202fms: 3× as fast. With fused kernels the graph takes 8.00\u202fms, 1.25× as fast as "
            "with the library's, and the step op by op 27.0\u202fms, 1.11× as fast. Of the "
            "22.0\u202fms that both gain together, 20.0\u202fms were spent on launches, and "
            "2.00\u202fms on memory traffic and the gaps between kernels."));
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("instead of 8.00\u202fms: 1.25× as long."),
                                               Not(HasSubstr("that both gain together")))));
    ASSERT_EQ(result.tables.size(), 2u);
    const ReportTable& table = result.tables[0];
    ASSERT_EQ(table.rows.size(), 6u);
    const auto at = [&](std::string_view key) {
        const auto column = std::ranges::find(table.columns, key, &ReportColumn::key);
        return table.rows[0][static_cast<std::size_t>(column - table.columns.begin())];
    };
    EXPECT_EQ(at("speedup"), Cell(3.0));
    EXPECT_EQ(at("fused_eager_mean_ns"), Cell(std::int64_t{27'000'000}));
    EXPECT_EQ(at("fused_graph_speedup"), Cell(1.25));
    EXPECT_EQ(at("both_speedup"), Cell(3.75));
    ASSERT_EQ(result.charts.size(), 2u);
    EXPECT_EQ(result.charts[0].series.size(), 3u);
}

TEST(CompiledAnswer, SetsAttentionAloneBesideTheModelOverItsLengths) {
    const ExperimentResult result =
        evaluated(experiment::kCompiled, MadeEvidence(experiment::kCompiled, onGpu(), compiledFigures));
    EXPECT_THAT(
        result.answers,
        Contains(
            "As a graph, a pass of attention alone with naive at length 256 takes 75.5\u202fµs instead of "
            "166\u202fµs: 2.19× as fast, and at length 16,384 takes 268\u202fms instead of "
            "269\u202fms: as fast."));
    EXPECT_THAT(
        result.answers,
        Contains(AllOf(HasSubstr("Op by op, a pass of flash (Warpglass's own kernels) in place of naive at "
                                 "length 16,384 takes 67.2\u202fms instead of "),
                       HasSubstr(": 4× as fast."))));
    EXPECT_EQ(result.tables[1].rows.size(), 10u);
    ASSERT_EQ(result.charts.size(), 2u);
    EXPECT_EQ(result.charts[1].series.size(), 4u);
    EXPECT_THAT(result.charts[1].sentence, HasSubstr("As a graph, a pass of attention alone with naive"));
}

/// Each of a sweep's settings goes to the sweep that has it.
TEST(CompiledAnswer, TakesSettingsOfTheModelAndOfAttentionAlone) {
    ExperimentOptions options = onGpu();
    options.given = {{"model", {"small"}}, {"head-dim", {"64", "128"}}, {"context", {"512", "1024"}}};
    const std::vector<NamedSweep> sweeps = experiment::kCompiled.sweeps(options);
    ASSERT_EQ(sweeps.size(), 2u);
    for (const NamedSweep& sweep : sweeps)
        EXPECT_TRUE(checkPlan(sweep.plan)) << sweep.name << ": " << checkPlan(sweep.plan).message();
    EXPECT_EQ(sweeps[0].plan.base.context, 512);
    EXPECT_EQ(cellCount(sweeps[0].plan), 1 * 2 * 2 * 2);
    EXPECT_EQ(cellCount(sweeps[1].plan), 2 * 2 * 2 * 2);
}

/// A folder of an earlier version, which varied no kernels.
TEST(CompiledAnswer, OfASweepWithoutFusedKernelsIsThatOfTheGraph) {
    MadeEvidence evidence(experiment::kCompiled, onGpu(), compiledFigures);
    Sweep& sweep = evidence.change("compiled");
    ASSERT_EQ(sweep.plan.axes.back().key, "kernels");
    sweep.plan.axes.pop_back();
    std::erase_if(sweep.cells, [](const SweepCell& cell) { return cell.values.back() != 0; });
    for (SweepCell& cell : sweep.cells)
        cell.values.pop_back();
    evidence.change("attention") = Sweep();  // which it had not either
    const ExperimentResult result = evaluated(experiment::kCompiled, evidence);
    EXPECT_THAT(result.answers,
                Contains("As a graph a step of small with naive attention takes 10.0\u202fms instead of "
                         "30.0\u202fms: 3× as fast."));
    ASSERT_EQ(result.charts.size(), 1u);
    EXPECT_EQ(result.charts[0].title, "How many times as fast a step is as a graph");
    EXPECT_EQ(result.charts[0].series.size(), 1u);
}

struct AttentionAnswer : ::testing::Test {
    /// Time and memory of naive grow with the square of the length; the others' memory linearly.
    static MadeEvidence::Figures figures(const MadeEvidence::Values& values) {
        const double length = std::stod(values.at("context"));
        const bool naive = values.at("attention") == "naive";
        return {{"forward_mean_ns", (naive ? 4.0 : 1.0) * length * length},
                {"backward_mean_ns", (naive ? 8.0 : 2.0) * length * length},
                {"before_backward_bytes", naive ? 32 * length * length : 1024 * length}};
    }

    AttentionAnswer() : m_evidence(experiment::kAttention, onGpu(), figures) {
        everyCell([](const Sweep& sweep, SweepCell& cell) {
            const std::string attention = sweep.plan.axes[0].values[cell.values[0]];
            const double length = std::stod(sweep.plan.axes[2].values[cell.values[2]]);
            if (attention == "naive" && length >= 32768) {
                cell.state = CellState::kOutOfMemory;
                cell.message = "Memory ran out.";
                cell.figures.clear();
            }
        });
    }

    void everyCell(const std::function<void(const Sweep&, SweepCell&)>& change) {
        for (const char* name : {"fp32", "bf16"}) {
            Sweep& sweep = m_evidence.change(name);
            for (SweepCell& cell : sweep.cells)
                change(sweep, cell);
        }
    }

    MadeEvidence m_evidence;
};

TEST_F(AttentionAnswer, DerivesTheFirstLengthThatDoesNotFitOnceForAllHeadDimensions) {
    for (SweepCell& cell : m_evidence.change("fp32").cells)  // four matrices of 32 GiB, and the vectors
        cell.figures["predicted_peak_bytes"] = (4 * 32.0 + 0.875) * (1 << 30);
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    std::vector<std::string> first;
    for (const std::string& answer : result.answers) {
        if (answer.starts_with("The first length"))
            first.push_back(answer);
    }
    // 8 × 32,768² × 4 bytes are 32 GiB; 7 × 8 × 32,768 × 128 × 4 bytes are 896 MiB.
    EXPECT_THAT(
        first,
        ElementsAre(AllOf(HasSubstr("naive in fp32 runs out of memory is 32,768 (head dimension 16, 32, "
                                    "64 and 128): B·S²·4 = 8 × 32,768² × 4 = 32.0\u202fGiB"),
                          HasSubstr("7·B·S·d·4 = 896\u202fMiB"),
                          HasSubstr("At the peak, predicted to be 129\u202fGiB, scores, probabilities and "
                                    "their gradients take 4 times B·S²·4. Memory ran out.")),
                    AllOf(HasSubstr("naive in bf16 runs out of memory is 32,768 (head dimension 16, 32, "
                                    "64 and 128): B·S²·(4 + 2) = 8 × 32,768² × 6 = 48.0\u202fGiB"),
                          HasSubstr("7·B·S·d·2 = 448\u202fMiB"), HasSubstr("Memory ran out."))));
}

TEST_F(AttentionAnswer, SaysThatRunsWereDisturbed) {
    const auto notes = [this] { return evaluated(experiment::kAttention, m_evidence).notes; };
    EXPECT_THAT(notes(), Not(Contains(HasSubstr("disturbed"))));
    std::size_t ran = 0;
    everyCell([&](const Sweep&, SweepCell& cell) {
        cell.figures["disturbed"] = ran < 2 ? 1 : 0;
        ran += cell.state == CellState::kOk ? 1 : 0;
    });
    EXPECT_THAT(notes(), Contains(HasSubstr("disturbed 2 of " + std::to_string(ran) + " runs")))
        << "of both sweeps together";
    everyCell([](const Sweep&, SweepCell& cell) { cell.figures["disturbed"] = 1; });
    EXPECT_THAT(notes(), Contains(HasSubstr("disturbed every run")));
}

TEST_F(AttentionAnswer, EachChartSaysWhatItDraws) {
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    ASSERT_EQ(result.charts.size(), 3u);
    for (const std::size_t chart : {0, 1}) {
        const std::string& sentence = result.charts[chart].sentence;
        EXPECT_THAT(sentence,
                    testing::StartsWith(std::string("In the ") + (chart == 0 ? "forward" : "backward") +
                                        " pass at 65,536 tokens, sdpa-efficient in fp32 takes "))
            << "the longest of all";
        EXPECT_THAT(sentence, testing::EndsWith("s, as fast as flash.")) << "one finding";
    }
    EXPECT_NE(result.charts[0].sentence, result.charts[1].sentence) << "of one pass each";
    EXPECT_EQ(result.answers[0], result.charts[0].sentence);
    EXPECT_EQ(result.answers[1], result.charts[1].sentence);
    EXPECT_THAT(result.answers[2],
                AllOf(HasSubstr("In the forward pass at 65,536 tokens, sdpa-flash in bf16"),
                      testing::EndsWith("s, as fast as flash.")));
    EXPECT_THAT(result.charts[2].sentence, HasSubstr("allocated before the backward pass"))
        << "which is what it draws";
    EXPECT_THAT(result.notes, Contains(HasSubstr("half of its 95% confidence interval")));
}

TEST_F(AttentionAnswer, AChartOfOneVariantAloneSaysHowItGrows) {
    everyCell([](const Sweep& sweep, SweepCell& cell) {
        if (valueOf(sweep, cell, "attention") != "naive" || sweep.plan.base.precision == Precision::kBf16)
            cell.state = CellState::kFailed;
    });
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    EXPECT_THAT(result.charts[0].sentence, AllOf(HasSubstr("forward grows as"), Not(HasSubstr("backward"))));
    EXPECT_THAT(result.charts[1].sentence, AllOf(HasSubstr("backward grows as"), Not(HasSubstr("forward"))));
}

TEST_F(AttentionAnswer, SaysWhereNoGrowthCanBeFitted) {
    everyCell([](const Sweep&, SweepCell& cell) {
        if (cell.state == CellState::kOk)
            cell.figures["backward_mean_ns"] = cell.index % 2 == 0 ? 1e6 : 9e6;
    });
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    EXPECT_THAT(result.answers,
                Contains("No growth can be fitted to backward with naive in fp32 at head dimension "
                         "128: no power of the length goes near enough through the times."));
    EXPECT_THAT(result.answers,
                Contains(AllOf(HasSubstr("With naive in fp32 at head dimension 128, forward grows"),
                               Not(HasSubstr("backward grows")))));
}

TEST_F(AttentionAnswer, SetsWhatNaiveKeepsBesideTheFormula) {
    // The made runs keep 32 bytes × S²; of 8 heads the formula is 8 S² × 4 and 7 × 8 S × 16 × 4.
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    EXPECT_THAT(
        result.answers,
        Contains("From length 256 to 1,024 naive in fp32 keeps 30.0\u202fMiB more at head dimension 16: "
                 "31,457,280 bytes, where B·S²·4 + 7·B·S·d·4 (probabilities; q, k, v, their gradients and "
                 "the output) grows by 34,209,792."));
    // Under autocast 6 bytes a probability and 2 of the others.
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("naive in bf16 keeps 30.0\u202fMiB more"),
                                               HasSubstr("where B·S²·(4 + 2) + 7·B·S·d·2 ("),
                                               HasSubstr(") grows by 48,562,176."))));
}

TEST_F(AttentionAnswer, SetsEveryVariantBesideNaiveAtTheLongestLengthOfBoth) {
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    for (const auto& [variant, precision] : {std::pair<std::string, std::string>{"sdpa-efficient", "fp32"},
                                             {"sdpa-flash", "bf16"},
                                             {"flash", "bf16"}}) {
        const std::string place = "In " + precision + " at length 16,384 and head dimension 128, ";
        EXPECT_THAT(result.answers, Contains(place + "the forward pass of " + variant +
                                             " is 4× as fast as naive's, its backward pass 4× as fast."));
        EXPECT_THAT(result.answers,
                    Contains(place + variant +
                             " has 16.0\u202fMiB allocated before the backward pass, where naive has "
                             "8.00\u202fGiB."));
    }
    EXPECT_THAT(result.answers, Contains(HasSubstr("forward grows as n^2.00")));
    // Exponents say of which lengths they are: naive ends where it runs out of memory.
    EXPECT_THAT(result.answers, Contains(HasSubstr(" to 16,384 and backward grows as n^")));
}

Chart chartOfTimes(const std::vector<std::tuple<std::string, std::string, std::vector<double>>>& lines) {
    Chart chart;
    for (const auto& [variant, precision, times] : lines) {
        ChartSeries series = seriesOf(variant, precision);
        double length = 1024;
        for (const double time : times) {
            series.points.push_back({.x = length, .y = time});
            if (time < 0)
                series.points.back() = {.x = length, .state = PointState::kOutOfMemory};
            length *= 2;
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

/// What the list says beside the first answer: a figure and a clause each, in groups.
TEST_F(AttentionAnswer, SaysTheRestInShort) {
    const ExperimentResult result = evaluated(experiment::kAttention, m_evidence);
    std::vector<std::string> entries;
    for (const AnswerEntry& entry : result.entries)
        entries.push_back(entry.group + " | " + entry.figure + " | " + entry.clause);
    const std::string against = "Against naive in fp32, 16,384 tokens, head dimension 128 | ";
    EXPECT_THAT(
        entries,
        AllOf(Contains(against + "4× | the speed of naive: sdpa-efficient, forward"),
              Contains(against + "16.0\u202fMiB | allocated before the backward pass: sdpa-efficient; naive "
                                 "8.00\u202fGiB"),
              Contains("First length that runs out of memory | 32,768 | tokens: naive in bf16, head "
                       "dimension 16, 32, 64 and 128"),
              Contains("Kept for the backward pass by naive, head dimension 16 | 30.0\u202fMiB | more "
                       "at 1,024 tokens than at 256 in fp32; by the formula 32.6\u202fMiB"),
              Contains(HasSubstr("Growth with the length n, head dimension 128 | n^2.00 ± 0.00 | "
                                 "backward, flash in bf16, "))));
    EXPECT_THAT(entries.front(), testing::StartsWith("Forward pass, 65,536 tokens | 1× | the speed of flash: "
                                                     "sdpa-flash in bf16, "))
        << "the very first stands over the list";
    everyCell([](const Sweep&, SweepCell& cell) { cell.figures["disturbed"] = 1; });
    const ExperimentResult disturbed = evaluated(experiment::kAttention, m_evidence);
    EXPECT_THAT(disturbed.entries,
                Contains(testing::Field(&AnswerEntry::clause,
                                        "the speed of naive: sdpa-efficient, forward; disturbed")));
    EXPECT_THAT(disturbed.answers.front(),
                HasSubstr("as fast as flash; both runs behind this were disturbed"));
    EXPECT_THAT(disturbed.entries.front().clause, testing::EndsWith("s; disturbed"));
}

const SweepCell* noCell(const ChartSeries&, const ChartPoint&) {
    return nullptr;
}

TEST(FastestAnswers, SetTheFastestBesideTheNextOfEachPrecision) {
    const double out = -1;
    const auto sentences = [](const Chart& chart, const char* pass) {
        std::vector<std::string> all;
        for (const experiment::FastestAnswer& answer : experiment::fastestAnswers(chart, pass, noCell))
            all.push_back(answer.sentence);
        return all;
    };
    const Chart chart = chartOfTimes({{"naive", "fp32", {1e6, 4e6, out}},
                                      {"flash", "fp32", {1e6, 2e6, 60e6}},
                                      {"naive", "bf16", {1e6, out, out}},
                                      {"sdpa-flash", "bf16", {1e6, 2e6, 8e6}},
                                      {"flash", "bf16", {1e6, 2e6, 4e6}},
                                      {"slow", "bf16", {1e6, 2e6, 9e6}}});
    EXPECT_THAT(
        sentences(chart, "forward"),
        ElementsAre("In the forward pass at 4,096 tokens, flash in bf16 takes 4.00\u202fms, 2× as fast "
                    "as sdpa-flash.",
                    "In the forward pass at 4,096 tokens, flash in fp32 takes 60.0\u202fms."));
    const AnswerEntry entry = experiment::fastestAnswers(chart, "forward", noCell).front().entry;
    EXPECT_EQ(entry.group, "Forward pass, 4,096 tokens");
    EXPECT_EQ(entry.figure, "2×");
    EXPECT_EQ(entry.clause, "the speed of sdpa-flash: flash in bf16, 4.00\u202fms");
    EXPECT_THAT(
        sentences(chartOfTimes({{"naive", "bf16", {3e6, out, out}},
                                {"a", "bf16", {1e6, 5e6, out}},
                                {"b", "bf16", {1e6, 5e6, out}}}),
                  "backward"),
        ElementsAre("In the backward pass at 2,048 tokens, a in bf16 takes 5.00\u202fms, as fast as b."));
    const Chart alone = chartOfTimes({{"naive", "fp32", {1e6}}});
    EXPECT_TRUE(sentences(alone, "forward").empty());
    ExperimentResult result{.charts = {alone, chart}};
    experiment::tellFastest(result, noCell, "It grows.", "");
    EXPECT_THAT(result.answers, ElementsAre(HasSubstr("flash in bf16"), HasSubstr("flash in fp32")));
    ASSERT_EQ(result.entries.size(), 1u) << "the first stands over the list";
    EXPECT_THAT(result.entries[0].clause, testing::StartsWith("flash in fp32"));
}

TEST(SpeedWords, SayFastLongOrNeither) {
    EXPECT_EQ(speedWords(42, 20), "2.1× as fast");
    EXPECT_EQ(speedWords(20, 26), "1.3× as long");
    EXPECT_EQ(speedWords(3.891, 3.884), "as fast");
    EXPECT_EQ(speedWords(3.884, 3.891), "as fast");
    EXPECT_EQ(speedEntry(20, 26, "naive").figure, "0.769×") << "a list has speeds alone";
}

}  // namespace warpglass::test::answers_test
