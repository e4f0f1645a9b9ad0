// Colors that stand beside each other in a view are told apart with the common color-vision deficiencies.
//
// Seen with a deficiency is what Machado, Oliveira and Fernandes give for all of it (severity 1.0; "A
// physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (6), 2009); a
// difference is CIEDE2000 as Sharma, Wu and Dalal write it out (Color Research & Application 30 (1), 2005).
// About 2.3 is just seen by who looks for it; the least here are kFill for fills of one set and kMeeting for
// those of two.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels/summary_shares.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::color_vision_test {

using Triple = std::array<double, 3>;

/// The least difference of two fills in full color.
constexpr double kFill = 10;
/// For two sets that meet, and for a fill beside its muted form: the palest fills are hardly 10 from the
/// ground.
constexpr double kMeeting = 6;
/// For nine groups that have names but no meaning (ui/theme/group_colors.h).
constexpr double kGroups = 7;

struct Vision {
    const char* name;
    std::array<Triple, 3> rows;  // of a matrix for linear RGB
};
constexpr Vision kVisions[] = {
    {"normal vision", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

double dot(const Triple& a, const Triple& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Linear RGB, 0…1, of what is seen.
Triple seen(const QColor& color, const Vision& vision) {
    const auto linear = [](int channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const Triple rgb = {linear(color.red()), linear(color.green()), linear(color.blue())};
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = std::clamp(dot(vision.rows[i], rgb), 0.0, 1.0);
    return result;
}

/// CIELAB of linear sRGB, white point D65.
Triple labOf(const Triple& rgb) {
    constexpr double kSmall = 216.0 / 24389, kSlope = 24389.0 / 27;
    const auto f = [](double t) { return t > kSmall ? std::cbrt(t) : (kSlope * t + 16) / 116; };
    const double x = f(dot({0.4124564, 0.3575761, 0.1804375}, rgb) / 0.95047);
    const double y = f(dot({0.2126729, 0.7151522, 0.0721750}, rgb));
    const double z = f(dot({0.0193339, 0.1191920, 0.9503041}, rgb) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

constexpr double kDegree = 3.14159265358979323846 / 180;

/// In degrees, 0 of a gray.
double hueOf(double a, double b) {
    if (a == 0 && b == 0)
        return 0;
    const double hue = std::atan2(b, a) / kDegree;
    return hue < 0 ? hue + 360 : hue;
}

/// The mean of two hues, by the shorter way; their sum where one of the two has none.
double meanHue(double one, double other, bool gray) {
    if (gray)
        return one + other;
    if (std::fabs(one - other) <= 180)
        return (one + other) / 2;
    return (one + other + (one + other < 360 ? 360 : -360)) / 2;
}

/// CIEDE2000, all weights 1. Names are the paper's.
double difference(const Triple& one, const Triple& other) {
    const auto strong = [](double chroma) {
        const double power = std::pow(chroma, 7);
        return std::sqrt(power / (power + std::pow(25.0, 7)));
    };
    const double g = 0.5 * (1 - strong((std::hypot(one[1], one[2]) + std::hypot(other[1], other[2])) / 2));
    const double a1 = (1 + g) * one[1], a2 = (1 + g) * other[1];
    const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, other[2]);
    const double h1 = hueOf(a1, one[2]), h2 = hueOf(a2, other[2]);
    const bool gray = c1 * c2 == 0;
    double turn = gray ? 0 : h2 - h1;
    if (std::fabs(turn) > 180)
        turn += turn > 0 ? -360 : 360;
    const double lightness = other[0] - one[0], chroma = c2 - c1;
    const double hue = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * kDegree);

    const double h = meanHue(h1, h2, gray), c = (c1 + c2) / 2;
    const double fromMiddle = std::pow((one[0] + other[0]) / 2 - 50, 2);
    const double t = 1 - 0.17 * std::cos((h - 30) * kDegree) + 0.24 * std::cos(2 * h * kDegree) +
                     0.32 * std::cos((3 * h + 6) * kDegree) - 0.20 * std::cos((4 * h - 63) * kDegree);
    const double sl = 1 + 0.015 * fromMiddle / std::sqrt(20 + fromMiddle);
    const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double rt = -std::sin(60 * std::exp(-std::pow((h - 275) / 25, 2)) * kDegree) * 2 * strong(c);
    return std::sqrt(std::pow(lightness / sl, 2) + std::pow(chroma / sc, 2) + std::pow(hue / sh, 2) +
                     rt * (chroma / sc) * (hue / sh));
}

using Set = std::vector<std::pair<std::string, QColor>>;

double leastDifference(const QColor& one, const QColor& other) {
    double least = 1000;
    for (const Vision& vision : kVisions)
        least = std::min(least, difference(labOf(seen(one, vision)), labOf(seen(other, vision))));
    return least;
}

void expectApart(const Set& set, double least, const char* what) {
    ASSERT_GE(set.size(), 2U) << what;
    for (const Vision& vision : kVisions) {
        for (std::size_t i = 0; i < set.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                EXPECT_GE(difference(labOf(seen(set[i].second, vision)), labOf(seen(set[j].second, vision))),
                          least)
                    << what << ", " << (Theme::instance().kind() == ThemeKind::kDark ? "dark" : "light")
                    << ", " << vision.name << ": " << set[j].first << " "
                    << set[j].second.name().toStdString() << " and " << set[i].first << " "
                    << set[i].second.name().toStdString();
            }
        }
    }
}

Set partsOf(const SummaryShares& shares) {
    Set set;
    for (const ShareCard::Part& part : shares.parts)
        set.emplace_back(part.name.toStdString(), part.color);
    return set;
}

constexpr Phase kPhases[] = {Phase::kNone, Phase::kForward, Phase::kLoss, Phase::kBackward,
                             Phase::kOptimizer};

Set clockPhases() {
    Set set;
    for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase)
        set.emplace_back(kClockPhaseNames[phase], Theme::clockPhaseColor(static_cast<ClockPhase>(phase)));
    return set;
}

Set phases() {
    Set set;
    for (const Phase phase : kPhases)
        set.emplace_back(phaseName(phase), Theme::instance().phaseColor(phase));
    return set;
}

Set families() {
    Set set;
    for (std::size_t i = 0; i < kOpFamilyCount; ++i)
        set.emplace_back(kOpFamilyNames[i], Theme::instance().familyColor(static_cast<OpFamily>(i)));
    return set;
}

Set categories() {
    Set set;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        set.emplace_back(kCategoryNames[i], Theme::categoryColor(static_cast<Category>(i)));
    return set;
}

class ColorVision : public testing::TestWithParam<ThemeKind> {
protected:
    void SetUp() override { Theme::instance().setKind(GetParam()); }
    void TearDown() override { Theme::instance().setKind(ThemeKind::kDark); }
};

TEST(ColorDifference, IsThatOfThePublishedPairs) {
    struct Published {
        Triple one, other;
        double difference;
    };
    // From Sharma's table 1: 1, 4, 7, 9, 11, 13, 16 to 20, 25, 31, 33, 36.
    const Published pairs[] = {{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
                               {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
                               {{50, 0, 0}, {50, -1, 2}, 2.3669},
                               {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
                               {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195},
                               {{50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045},
                               {{50, -0.0010, 2.4900}, {50, 0.0011, -2.4900}, 4.7461},
                               {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
                               {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
                               {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
                               {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
                               {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
                               {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
                               {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
                               {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082}};
    for (const Published& pair : pairs) {
        EXPECT_NEAR(difference(pair.one, pair.other), pair.difference, 1e-4);
        EXPECT_NEAR(difference(pair.other, pair.one), pair.difference, 1e-4);
    }
}

TEST(ColorDifference, GraysAreSeenByAllAndHuesAreNot) {
    for (const Vision& vision : kVisions) {
        for (const Triple& row : vision.rows)
            EXPECT_NEAR(row[0] + row[1] + row[2], 1, 2e-6) << vision.name;
    }
    const Triple white = labOf({1, 1, 1});
    EXPECT_NEAR(white[0], 100, 1e-3);
    EXPECT_NEAR(white[1], 0, 1e-2);
    EXPECT_NEAR(white[2], 0, 1e-2);
    // Blue and violet pastels of one lightness, as forward's and backward's once were: one color for some.
    const QColor blue(0xBB, 0xD7, 0xF2), violet(0xD6, 0xCB, 0xEF);
    EXPECT_GT(difference(labOf(seen(blue, kVisions[0])), labOf(seen(violet, kVisions[0]))), kFill);
    EXPECT_LT(leastDifference(blue, violet), 1);
}

TEST_P(ColorVision, PhasesAreToldApart) {
    expectApart(clockPhases(), kFill, "phases of a kernel's rounds");
    expectApart(phases(), kFill, "phases");

    RunOverview run{.summary = {.stepMean = 6}, .restOfStep = 1};
    for (const Phase phase :
         {Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer, Phase::kZeroGrad})
        run.phases.push_back({phase, 1});
    const Set step = partsOf(phaseShares(run));
    ASSERT_EQ(step.size(), 6U) << "and what is between them";
    expectApart(step, kFill, "a step by phase");
}

TEST_P(ColorVision, FamiliesAreToldApart) {
    expectApart(families(), kFill, "families");
}

/// They are neighbors in the flame chart.
TEST_P(ColorVision, PhasesAreToldFromTheirOps) {
    for (const auto& phase : phases()) {
        if (phase.first == phaseName(Phase::kNone))
            continue;  // a gray, as "other" is
        for (const auto& family : families())
            expectApart({phase, family}, kMeeting, "phase and family");
    }
}

TEST_P(ColorVision, CategoriesAndGroupsAreToldApart) {
    expectApart(categories(), kFill, "categories");
    Set groups;
    for (std::size_t i = 0; i <= kGroupColors; ++i)
        groups.emplace_back(i < kGroupColors ? std::to_string(i) : "rest", groupColor(i));
    expectApart(groups, kGroups, "groups");
}

TEST_P(ColorVision, SeriesOfAChartAreToldApartAndSeen) {
    constexpr double kSeenAsLine = 3.4;  // a thin line takes more than the 3 of a shape
    Set series;
    for (std::size_t i = 0; i < kSeriesColors; ++i)
        series.emplace_back(std::to_string(i), seriesColor(i));
    expectApart(series, kFill, "series of a chart");
    for (const auto& [name, color] : series)
        EXPECT_GE(Theme::contrast(color, Theme::instance().colors().background), kSeenAsLine) << name;
}

TEST_P(ColorVision, SharesAndComparisonsAreToldApart) {
    const ThemeColors& colors = Theme::instance().colors();
    RunOverview run{.gpu = {.steps = 1, .wall = Nanoseconds(5), .busy = Nanoseconds(1)}};
    run.gpu.idle.fill(Nanoseconds(1));
    const Set gpu = partsOf(gpuShares(run));
    ASSERT_EQ(gpu.size(), 1 + run.gpu.idle.size());
    expectApart(gpu, kFill, "a GPU's time");

    // The timeline's Busy lane has the same colors, one above the other, and nothing outside the steps.
    Set lane;
    for (std::size_t part = 0; part < GpuBusy::kParts - 1; ++part)
        lane.emplace_back(gpuPartName(static_cast<GpuBusy::Part>(part)).toStdString(),
                          gpuPartColor(static_cast<GpuBusy::Part>(part)));
    ASSERT_EQ(lane.size(), gpu.size());
    for (const auto& part : gpu)
        EXPECT_NE(std::find(lane.begin(), lane.end(), part), lane.end()) << part.first;
    for (const auto& part : lane)
        expectApart({part, {"ground", colors.background}}, kMeeting, "Busy lane and its ground");

    expectApart({{"less", colors.less}, {"more", colors.more}, {"equal", colors.equal}}, kFill, "comparison");
    expectApart({{"less", Theme::readableOn(colors.less, colors.panel)},
                 {"more", Theme::readableOn(colors.more, colors.panel)},
                 {"equal", colors.text}},
                kFill, "comparison, as text");
    expectApart({{"time", colors.accent}, {"FLOPs", Theme::instance().familyColor(OpFamily::kElementwise)}},
                kFill, "attention's parts");
}

/// What the filter keeps is seen at first glance beside the same in the muted color of what it excludes.
TEST_P(ColorVision, WhatTheFilterExcludesIsToldFromWhatItKeeps) {
    const Theme& theme = Theme::instance();
    for (const Set& set : {phases(), families(), categories()}) {
        for (const auto& [name, color] : set) {
            const QColor muted = theme.muted(color);
            expectApart({{name, color}, {"muted", muted}}, kMeeting, "kept and excluded");
            EXPECT_GE(Theme::contrast(muted, theme.colors().background), 1.1) << name;
        }
    }
}

/// Telling them apart costs neither their text nor their edge.
TEST_P(ColorVision, FillsAreSeenAndBearText) {
    constexpr double kReadable = 4.5, kSeen = 1.3;
    const ThemeColors& colors = Theme::instance().colors();
    for (const Set& set : {phases(), families()}) {
        for (const auto& [name, fill] : set) {
            EXPECT_GE(Theme::contrast(fill, colors.background), kSeen) << name;
            EXPECT_GE(Theme::contrast(fill, colors.panel), kSeen) << name;
            EXPECT_GE(Theme::contrast(Theme::textOn(fill), fill), kReadable) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, ColorVision, testing::Values(ThemeKind::kDark, ThemeKind::kLight),
                         [](const auto& info) { return info.param == ThemeKind::kDark ? "Dark" : "Light"; });

}  // namespace warpglass::ui::color_vision_test
