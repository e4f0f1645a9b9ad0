#include "engine/tables/comparison_columns.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_map>

#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Compared = Column<ComparisonRow, ComparisonShown>;
using Words = std::optional<std::string>;

/// Closer than this two measurements say the same.
constexpr double kAlike = 0.01;
/// Per token a kernel may take less than the whole nanoseconds of durations: below this parts are shown.
constexpr double kFewNanoseconds = 100;

bool isInNeither(const ComparisonRow& r) {
    return !r.inA && !r.inB;
}

bool recordsLost(const ComparisonRow& r) {
    return r.recordsLostA || r.recordsLostB;
}

/// Whether a row is unknown because the run that lacks it has no step in its file, though it did not end
/// early, or lacks records of it.
bool stepsLost(const ComparisonRow& r) {
    return recordsLost(r) || (r.inA ? r.stepsLostB : r.stepsLostA);
}

std::string fixed(double value, int decimals) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

bool isInParts(double value, Unit unit) {
    return unit == Unit::kNanoseconds && value != std::round(value) && std::abs(value) < kFewNanoseconds;
}

std::string figure(double value, Unit unit) {
    return isInParts(value, unit) ? fixed(value, std::abs(value) < 1 ? 3 : 1) + "\u202Fns"
                                  : readableCell(value, unit);
}

std::string exactFigure(double value, Unit unit) {
    return isInParts(value, unit) ? fixed(value, 3) + " ns" : exactCell(value, unit);
}

/// What is said of the difference of two shares: "4 points" of "4%", which would read as a part of the share.
std::string ofDifference(std::string figure, Unit unit) {
    if (unit == Unit::kFraction && figure.ends_with('%'))
        figure.replace(figure.size() - 1, 1, " points");
    return figure;
}

/// A share that is not stated is not 0.
bool isKnown(const ComparisonRow& r, Unit unit) {
    return unit == Unit::kFraction ? r.inA && r.inB : !r.isUnknown();
}

/// Before what is at least, or at most, because one of them ended too early.
std::string bound(const ComparisonRow& r) {
    return r.atLeastA == r.atLeastB ? "" : r.atLeastB ? "≥ " : "≤ ";
}

std::string ratioInWords(const ComparisonRow& r, Unit unit, bool completeSteps) {
    if (isInNeither(r) || (unit == Unit::kFraction && !isKnown(r, unit)))
        return "–";
    if (r.isUnknown())
        return stepsLost(r) ? "not in file" : completeSteps ? "no complete step" : "not reached";
    if (r.a == 0 && r.b == 0)
        return "–";
    if (!r.inA || r.a == 0)
        return "new";
    if (!r.inB)
        return "gone";
    // "12.6× faster" is read at once, where 0.08× of a time is not.
    if (unit == Unit::kNanoseconds && r.ratio() > 0 && timesInWords(r.ratio()) != timesInWords(1)) {
        const bool faster = r.ratio() < 1;
        std::string sign = bound(r);
        if (faster && !sign.empty())
            sign = sign == "≥ " ? "≤ " : "≥ ";
        return sign + timesInWords(faster ? 1 / r.ratio() : r.ratio()) + (faster ? " faster" : " slower");
    }
    return bound(r) + timesInWords(r.ratio());
}

/// As the ratio reads: from what is gone to what is new, and under them what has none.
double sortedRatio(const ComparisonRow& r) {
    if (r.isUnknown() || (r.a == 0 && r.b == 0))
        return -1;
    return r.a == 0 ? std::numeric_limits<double>::infinity() : r.ratio();
}

/// Why a row's difference is not stated; nothing where it is.
Words whyUnknown(const ComparisonRow& r, bool completeSteps) {
    if (!r.isUnknown())
        return {};
    if (recordsLost(r))
        return "Records of this are missing from the file of " +
               std::string(!r.recordsLostB   ? "A"
                           : !r.recordsLostA ? "B"
                                             : "A and that of B") +
               ": its total is unknown";
    const std::string run = r.inA ? "B" : "A";
    return run + (stepsLost(r)    ? " has no complete step in the file: its time is unknown"
                  : completeSteps ? " has no complete step: a part of one is not comparable"
                                  : " ended before it: what it would have taken is unknown");
}

int trendOf(const ComparisonRow& r) {
    if (!r.isDecided() || std::abs(r.difference()) <= kAlike * std::max(std::abs(r.a), std::abs(r.b)))
        return 0;
    return r.difference() < 0 ? -1 : 1;
}

Compared nameColumn() {
    return Compared(
        "name", "Name", Unit::kText, "What is compared", &ComparisonRow::name,
        {.text = [](const ComparisonRow& r) { return r.shownName.empty() ? Words() : Words(r.shownName); },
         .exact = [](const ComparisonRow& r) { return r.fullName.empty() ? Words() : Words(r.fullName); },
         .inOrder = [](const ComparisonShown& of) { return of.swatches.has_value(); },
         .swatch =
             [](const ComparisonRow& r, const ComparisonShown& of) {
                 return of.swatches ? swatchOfName(*of.swatches, r.name) : std::optional<Swatch>();
             },
         .code = [](const ComparisonRow& r, const ComparisonShown& of) { return of.code && !r.isTotal; },
         .width = 120});
}

/// The column of run A or B.
Compared runColumn(Unit unit, const std::string& suffix, bool ofA) {
    const auto in = ofA ? &ComparisonRow::inA : &ComparisonRow::inB;
    const auto value = ofA ? &ComparisonRow::a : &ComparisonRow::b;
    const auto atLeast = ofA ? &ComparisonRow::atLeastA : &ComparisonRow::atLeastB;
    const std::string run = ofA ? "A" : "B";
    return Compared(
        (ofA ? "a" : "b") + suffix, run, unit, "Run " + run + ", of the steps named above the table",
        [=](const ComparisonRow& r) { return r.*in ? wholeIfExact(r.*value) : Cell(); },
        {.text =
             [=](const ComparisonRow& r) {
                 return r.*in ? Words((r.*atLeast ? "≥ " : "") + figure(r.*value, unit)) : Words();
             },
         .exact =
             [=](const ComparisonRow& r) { return r.*in ? Words(exactFigure(r.*value, unit)) : Words(); },
         .sort = value,
         .width = 80});
}

Compared differenceColumn(Unit unit, const std::string& suffix) {
    return Compared(
        "difference" + suffix, "Difference", unit,
        std::string(unit == Unit::kFraction ? "B minus A; shown in percentage points"
                                            : "B minus A: − if B takes less, + if it takes more"),
        [unit](const ComparisonRow& r) { return isKnown(r, unit) ? wholeIfExact(r.difference()) : Cell(); },
        {.text = [unit](const ComparisonRow& r) -> Words {
             if (isInNeither(r))
                 return "–";
             if (!isKnown(r, unit))
                 return {};
             const char* const sign = r.difference() > 0 ? "+" : r.difference() < 0 ? "−" : "";
             return bound(r) + sign + ofDifference(figure(std::abs(r.difference()), unit), unit);
         },
         .exact =
             [unit](const ComparisonRow& r, const ComparisonShown& of) {
                 return isInNeither(r)     ? Words("–")
                        : isKnown(r, unit) ? Words(ofDifference(exactFigure(r.difference(), unit), unit))
                                           : whyUnknown(r, of.completeSteps);
             },
         // The largest changes first, whichever way.
         .sort = [](const ComparisonRow& r) { return std::abs(r.difference()); },
         .bar = unit == Unit::kNanoseconds ? Bar::kDiverging : Bar::kNone,
         .isApart = [](const ComparisonRow& r) { return r.isTotal; },
         .trend = trendOf,
         .width = unit == Unit::kNanoseconds ? 156 : 100});
}

Compared ratioColumn(Unit unit) {
    return Compared(
        "ratio", "Ratio", Unit::kRatio, "B divided by A; ≥ or ≤ if a run ended too early",
        [unit](const ComparisonRow& r) {
            return isKnown(r, unit) && r.inA && r.inB && r.a != 0 ? Cell(r.ratio()) : Cell();
        },
        {.text = [unit](const ComparisonRow& r,
                        const ComparisonShown& of) { return ratioInWords(r, unit, of.completeSteps); },
         .exact = [](const ComparisonRow& r,
                     const ComparisonShown& of) { return whyUnknown(r, of.completeSteps); },
         .sort = sortedRatio,
         .trend = trendOf,
         .width = 120});
}

std::vector<Compared> columnsOf(Unit unit, const std::string& suffix) {
    return {nameColumn(), runColumn(unit, suffix, true), runColumn(unit, suffix, false),
            differenceColumn(unit, suffix), ratioColumn(unit)};
}

/// The same of a row's memory.
std::vector<Column<ComparedRow, ComparisonShown>> memoryColumns(const std::string& words) {
    struct Named {
        const char *title, *description;
        int width;
    };
    constexpr Named kNames[] = {{"Memory A", "Run A, in bytes", 88},
                                {"Memory B", "Run B, in bytes", 88},
                                {"Memory difference", "B's bytes minus A's", 132},
                                {"Memory ratio", "B's bytes divided by A's", 104}};
    std::vector<Column<ComparedRow, ComparisonShown>> columns;
    const auto ofMemory = comparisonTable(Unit::kBytes).columns;
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        Column<ComparedRow, ComparisonShown>& column =
            columns.emplace_back(lifted<ComparedRow, ComparisonShown>(
                ofMemory[i + 1], [](const ComparedRow& row) { return row.memory ? &*row.memory : nullptr; },
                // Memory is known of a step that was not completed.
                [](const ComparisonShown&) { return ComparisonShown(); }));
        column.key = "memory_" + column.key;
        column.title = kNames[i].title;
        column.description = kNames[i].description;
        if (!words.empty())
            column.description += ": " + words;
        column.width = kNames[i].width;
    }
    return columns;
}

}  // namespace

const TableDescription<ComparisonRow, ComparisonShown>& comparisonTable(Unit unit) {
    using Table = TableDescription<ComparisonRow, ComparisonShown>;
    static const Table times{"ops", columnsOf(Unit::kNanoseconds, "_ns")};
    static const Table sizes{"memory", columnsOf(Unit::kBytes, "_bytes")};
    static const Table shares{"mfu", columnsOf(Unit::kFraction, "_share")};
    return unit == Unit::kBytes ? sizes : unit == Unit::kFraction ? shares : times;
}

std::vector<ComparedRow> joinedRows(const std::vector<ComparisonRow>& rows,
                                    const std::vector<ComparisonRow>& memory) {
    std::unordered_map<std::string, std::size_t> places;
    std::vector<ComparedRow> joined;
    joined.reserve(rows.size() + memory.size());
    for (const ComparisonRow& row : rows) {
        places.emplace(row.name, joined.size());
        joined.push_back({row, std::nullopt});
    }
    for (const ComparisonRow& row : memory) {
        const auto [place, isNew] = places.emplace(row.name, joined.size());
        if (isNew) {
            joined.emplace_back();
            joined.back().name = row.name;
        }
        joined[place->second].memory = row;
    }
    return joined;
}

TableDescription<ComparedRow, ComparisonShown> comparedTable(Unit unit, const std::string& nameTitle,
                                                             const std::string& memoryWords) {
    TableDescription<ComparedRow, ComparisonShown> table{"compared", {}};
    table.isSum = [](const ComparedRow& row) { return row.isTotal; };
    for (const Compared& from : comparisonTable(unit).columns) {
        auto column = lifted<ComparedRow, ComparisonShown>(
            from, [](const ComparedRow& row) -> const ComparisonRow* { return &row; },
            [](const ComparisonShown& of) -> const ComparisonShown& { return of; });
        if (column.key == "name" && !nameTitle.empty()) {
            column.name = column.title;
            column.plainTitle = column.title;
            column.title = nameTitle;
        }
        if (column.key != "name") {
            const auto isOfMemory = [](const ComparedRow& row) { return row.memory && isInNeither(row); };
            column.value = [isOfMemory, value = column.value](const ComparedRow& row,
                                                              const ComparisonShown& of) {
                return isOfMemory(row) ? Cell() : value(row, of);
            };
            column.exact = [isOfMemory, exact = column.exact](const ComparedRow& row,
                                                              const ComparisonShown& of) {
                return isOfMemory(row)
                           ? Words("Neither run spent time on this in these steps; it only used memory")
                           : exact(row, of);
            };
        }
        // Beside no memory there is room for longer bars.
        if (column.key == "difference_ns" && memoryWords.empty())
            column.width = 240;
        // Keys are those of one unit: what is compared changes, and the places of columns do not.
        column.key = column.key.substr(0, column.key.find('_'));
        table.columns.push_back(std::move(column));
    }
    for (auto& column : memoryColumns(memoryWords))
        table.columns.push_back(std::move(column));
    return table;
}

std::string timesInWords(double ratio) {
    constexpr double kLeast = 0.01;
    return ratio > 0 && ratio < kLeast / 2 ? "< " + fixed(kLeast, 2) + "×"
                                           : fixed(ratio, ratio >= 99.95   ? 0
                                                          : ratio >= 9.995 ? 1
                                                                           : 2) +
                                                 "×";
}

}  // namespace warpglass
