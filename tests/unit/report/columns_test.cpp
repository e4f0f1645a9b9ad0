// The descriptions of columns: each key stands for one column, and docs/tables.md names them all as they are.
#include "engine/tables/column.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>

#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_columns.h"
#include "engine/tables/clock_columns.h"
#include "engine/tables/comparison_columns.h"
#include "engine/tables/layer_columns.h"
#include "engine/tables/match_columns.h"
#include "engine/tables/memory_columns.h"
#include "engine/tables/phase_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/span_columns.h"
#include "engine/tables/step_columns.h"
#include "engine/tables/table_shape.h"
#include "engine/tables/typed_op_columns.h"
#include "tests/support/files.h"

namespace warpglass::test::columns_test {

/// Whose settings and figures are the example of docs/tables.md.
Sweep exampleSweep() {
    Sweep sweep;
    sweep.plan.axes = {{"context", {"128"}}, {"attention", {"naive"}}};
    sweep.plan.repeats = 2;
    sweep.cells = cellsOf(sweep.plan);
    sweep.cells.front().figures = {{"step_mean_ns", 1}, {"peak_bytes", 1}};
    sweep.cells.front().memorySnapshot = "runs/0.pickle";
    return sweep;
}

/// Every description, with the words that docs/tables.md has for it.
template <class Visit>
void forEachTable(const Visit& visit) {
    visit("`stats ops`", statisticsTable(StatisticsOf::kOps));
    visit("`stats types`", typedOpsTable());
    visit("`stats copies`", statisticsTable(StatisticsOf::kKernels));
    visit("`stats ranges`", statisticsTable(StatisticsOf::kRanges));
    visit("`stats phases`, `gpu-phases`, Phases", statisticsTable(StatisticsOf::kPhases));
    visit("Ops", spansTable(true));
    visit("`stats kernels`, Kernels, Copies", spansTable(false));
    visit("Find, by name", searchGroupsTable());
    visit("Find", matchesTable());
    visit("Charts › Phases", phaseSpreadTable());
    visit("`stats steps`: `steps`, `gpu-steps`", phasesOfStepsTable());
    visit("`stats steps`: `conditions`; Phases › Every step", stepsTable());
    visit("`info`: `conditions`", conditionsTable());
    visit("`stats kernel-clocks`, Charts › Clocks", kernelClocksTable());
    visit("`stats layers`, Charts › Layers", layersTable());
    visit("`stats attention`, Charts › Attention", attentionTable());
    visit("`info`: `roofline`, Charts › Roofline", rooflineTable());
    visit("`stats memory`: `memory-by-…`, Memory's breakdown", breakdownTable());
    visit("`stats allocations`, `info`: `largest-alive`", allocationsTable());
    visit("`stats allocations --grouped`, Allocations", allocationGroupsTable());
    visit("Memory › Between two cursors", betweenTable());
    visit("Memory › Between two cursors, by allocation", allocationChangesTable());
    visit("`compare`, of times", comparisonTable(Unit::kNanoseconds));
    visit("`compare`, of memory", comparisonTable(Unit::kBytes));
    visit("`compare`: `mfu`", comparisonTable(Unit::kFraction));
    visit("Comparison", comparedTable(Unit::kNanoseconds));
    visit("`sweep`: `cells`, a sweep's page", sweepColumns(exampleSweep(), {"step_mean_ns", "peak_bytes"}));
}

template <class Row, class Of>
std::string scriptKeys(const TableDescription<Row, Of>& table) {
    std::string keys;
    for (const auto* column : inReport(table.columns, false))
        keys += (keys.empty() ? "" : ",") + column->key;
    return keys;
}

template <class Row, class Of>
std::string sectionOf(const char* words, const TableDescription<Row, Of>& table) {
    std::string text =
        "\n### " + std::string(words) + "\n| column | title | what it says |\n| --- | --- | --- |\n";
    for (const Column<Row, Of>& column : table.columns)
        text += "| `" + column.key + "` | " + column.title + " | " + column.description +
                (column.seen == Seen::kWindow        ? " (window)"
                 : column.seen == Seen::kCommandLine ? " (command line)"
                 : column.seen == Seen::kScripts     ? " (CSV and JSON)"
                                                     : "") +
                " |\n";
    return text;
}

TEST(Columns, PeopleReadFirstWhatAKernelDoesAndScriptsFindColumnsWhereTheyWere) {
    const auto& columns = spansTable(false).columns;
    EXPECT_EQ(inReport(columns, true).front()->key, "title");
    EXPECT_EQ(inReport(columns, false).front()->key, "time_share");
    EXPECT_EQ(inReport(columns, false).back()->key, "title");
}

TEST(Columns, KeysTitlesAndDescriptionsAreThereAndKeysAreUnique) {
    forEachTable([](const char* words, const auto& table) {
        std::set<std::string> keys;
        for (const auto& column : table.columns) {
            EXPECT_TRUE(keys.insert(column.key).second) << words << ": " << column.key;
            EXPECT_FALSE(column.title.empty()) << words << ": " << column.key;
            EXPECT_FALSE(column.description.empty()) << words << ": " << column.key;
            EXPECT_TRUE(column.value) << words << ": " << column.key;
        }
        // What an order or a place beside another names is there.
        for (const std::string& key : table.windowOrder)
            EXPECT_TRUE(keys.contains(key)) << words << ": " << key;
        for (const auto& column : table.columns)
            EXPECT_TRUE(column.after.empty() || column.after == kFirst || keys.contains(column.after))
                << words << ": " << column.after;
        const auto shown = table.inWindow();
        EXPECT_EQ(shown.size(), std::set(shown.begin(), shown.end()).size()) << words;
    });
}

/// `_ns`, `_bytes` and `share` are what docs/tables.md says that they are.
TEST(Columns, AKeyEndsInItsUnit) {
    forEachTable([](const char* words, const auto& table) {
        for (const auto& column : table.columns) {
            const bool time = column.unit == Unit::kNanoseconds || column.unit == Unit::kMoment;
            // The unit of what is compared changes, and so is in no key.
            if (table.key == "compared")
                continue;
            EXPECT_EQ(column.key.ends_with("_ns"), time) << words << ": " << column.key;
            const bool bytes = column.key.ends_with("_bytes") || column.key == "bytes";
            EXPECT_EQ(bytes, column.unit == Unit::kBytes) << words << ": " << column.key;
            if (column.key.ends_with("share")) {
                EXPECT_EQ(column.unit, Unit::kFraction) << words << ": " << column.key;
            }
        }
    });
}

TEST(Columns, ThePaperHasEachColumnOfEachTable) {
    std::string expected = "## Columns\n";
    const std::string text = contentOf(WARPGLASS_TABLES_PAPER);
    const std::size_t begin = text.find("\n" + expected);
    ASSERT_NE(begin, std::string::npos);
    forEachTable([&](const char* words, const auto& table) {
        // The promise to scripts, in the order of the columns. A table of the window alone has none.
        if (std::string_view(words).starts_with("`")) {
            const std::string keys = scriptKeys(table);
            EXPECT_TRUE(text.find("\n" + keys + "\n") < begin || text.find("," + keys + "\n") < begin)
                << words << ": " << keys;
        }
        expected += sectionOf(words, table);
    });
    const std::size_t tables = std::min(text.find("\n### ", begin), text.size());
    const std::string written = text.substr(tables), wanted = expected.substr(expected.find("\n### "));
    if (written != wanted && std::getenv("WARPGLASS_UPDATE_GOLDENS"))
        std::ofstream(WARPGLASS_TABLES_PAPER) << text.substr(0, tables) + wanted;
    else
        EXPECT_EQ(written, wanted) << "WARPGLASS_UPDATE_GOLDENS=1 writes it";
}

struct Item {
    std::string name;
    std::optional<double> share;
};
using ItemColumn = Column<Item, double>;

TableDescription<Item, double> itemTable() {
    return {
        "items",
        {ItemColumn("name", "Name", Unit::kText, "d", &Item::name),
         ItemColumn("secret", "Secret", Unit::kText, "d", &Item::name, {.seen = Seen::kScripts}),
         ItemColumn("width", "Width", Unit::kText, "d", &Item::name, {.seen = Seen::kWindow}),
         ItemColumn("share", "Share", Unit::kFraction, "d",
                    [](const Item& item, double of) { return item.share ? Cell(*item.share / of) : Cell(); },
                    {.text =
                         [](const Item& item) {
                             return item.share ? std::optional<std::string>()
                                               : std::optional<std::string>("none");
                         },
                     .after = "name"})},
        {"share"}};
}

TEST(Columns, AReportHasPlainValuesForScriptsAndWordsForPeople) {
    const std::vector<Item> items = {{"a", 1.0}, {"b", std::nullopt}};
    const ReportTable scripts = reportOf(itemTable(), "Title", items, 4.0, false);
    EXPECT_EQ(renderTable(scripts, TableFormat::kCsv), "name,secret,share\na,a,0.25\nb,b,\n");
    const ReportTable people = reportOf(itemTable(), "Title", items, 4.0, true, "other");
    EXPECT_EQ(people.key, "other");
    EXPECT_EQ(renderTable(people, TableFormat::kMarkdown),
              "### Title\n\n| Name | Share |\n| --- | ---: |\n| a | 25% |\n| b | none |\n");
}

TEST(Columns, TheWindowHasTheirOrderAndTheRestAfterIt) {
    const auto table = itemTable();
    EXPECT_EQ(table.place("share"), 0);
    EXPECT_EQ(table.place("name"), 1);
    EXPECT_EQ(table.place("width"), 2);
    EXPECT_EQ(table.inWindow().size(), 3u) << "what scripts alone have is not in it";
}

TEST(Columns, ALiftedColumnIsAbsentWhereTheRowHasNoSuchRow) {
    struct Outer {
        std::optional<Item> item;
    };
    const auto table = itemTable();
    const auto share = lifted<Outer, NoContext>(
        table.column("share"), [](const Outer& outer) { return outer.item ? &*outer.item : nullptr; },
        [](const NoContext&) { return 2.0; });
    EXPECT_EQ(share.key, "share");
    EXPECT_EQ(share.value(Outer{Item{"a", 1.0}}, {}), Cell(0.5));
    EXPECT_EQ(share.value(Outer{}, {}), Cell());
    EXPECT_EQ(textOf(share, Outer{Item{"a", std::nullopt}}, {}), "none");
    EXPECT_EQ(textOf(share, Outer{}, {}), "–");
}

TEST(Columns, SayNothingOfWhatIsNotThere) {
    struct Row {
        std::optional<Item> item;
        Bytes bytes;
        std::int32_t step = kNoStep;
        std::string word;
    };
    using Of = Column<Row>;
    const std::vector<Row> rows = {{Item{"a", 0.5}, Bytes(30), 2, "w"}, {}};
    const ReportTable table =
        tableOf<Row>("rows", "Rows", rows,
                     {Of("share", "Share", Unit::kFraction, through(&Row::item, &Item::share)),
                      Of("bytes", "Bytes", Unit::kBytes, ifPositive(&Row::bytes)),
                      Of("of_whole", "Of whole", Unit::kFraction, shareOf(120, &Row::bytes)),
                      Of("of_nothing", "Of nothing", Unit::kFraction, shareOf(0, &Row::bytes)),
                      Of("step", "Step", Unit::kOrdinal, stepOf(&Row::step)),
                      Of("word", "Word", unlessEmpty(&Row::word))});
    EXPECT_EQ(renderTable(table, TableFormat::kCsv),
              "share,bytes,of_whole,of_nothing,step,word\n0.5,30,0.25,0,2,w\n,,0,0,,\n");
    EXPECT_EQ(rowOf(std::optional<Row>()).size(), 0u);
    EXPECT_EQ(&rowOf(rows.front()).front(), &rows.front());
}

TEST(Tables, OfOneRowAndOfPairsHaveValuesInTheirColumns) {
    const ReportTable record = recordOf(
        "it", "It", {{"size_bytes", "Size", Unit::kBytes, Bytes(5)}, {"why", "Why", Unit::kText, Cell()}});
    EXPECT_EQ(renderTable(record, TableFormat::kCsv), "size_bytes,why\n5,\n");
    EXPECT_EQ(renderTable(asRecord(record, TableFormat::kMarkdown), TableFormat::kMarkdown),
              "### It\n\n| Quantity | Value |\n| --- | --- |\n| Size | 5\u202FB |\n| Why | – |\n");
    EXPECT_EQ(renderTable(withoutColumns(record, {"size_bytes", "no such"}), TableFormat::kCsv), "why\n\n");
    EXPECT_EQ(renderTable(pairsTable("p", "P", {"Key", "key"}, {"Value", "value"}, {{"a", "b"}}),
                          TableFormat::kCsv),
              "key,value\na,b\n");
}

TEST(MemoryColumns, AGroupOfAllocationsIsNotSortedOrDescribedAsOneOfThem) {
    AllocationGroup group;
    group.allocations = 3;
    group.row.address = 0x7f00;
    group.allocated = Nanoseconds(0);
    group.until = Nanoseconds(9000);
    group.freed = group.until;
    group.shortest = Nanoseconds(1000);
    group.longest = Nanoseconds(4000);
    const auto& table = allocationGroupsTable();
    const auto& life = table.column("lifetime_ns");
    EXPECT_EQ(life.sort(group, {}), Cell(std::int64_t{4000})) << "and not from the first to the last";
    EXPECT_EQ(textOf(life, group, {}), "1.00\u202Fµs to 4.00\u202Fµs");
    EXPECT_EQ(exactTextOf(life, group, {}), "1,000 ns to 4,000 ns");
    const Cell finished = life.sort(group, {});
    group.someToEnd = true;
    group.freed = std::nullopt;
    EXPECT_EQ(textOf(life, group, {}), "≥ 1.00\u202Fµs to the end");
    EXPECT_EQ(exactTextOf(life, group, {}), "Some were not freed when the run ended");
    EXPECT_LT(finished, life.sort(group, {}));
    group.toEnd = true;
    EXPECT_EQ(textOf(life, group, {}), "to the end, ≥ 1.00\u202Fµs");
    EXPECT_EQ(exactTextOf(life, group, {}), "Not freed when the run ended");
    const auto& address = table.column("address");
    EXPECT_TRUE(isAbsent(address.value(group, {})) && isAbsent(address.sort(group, {})));
    group.allocations = 1;
    EXPECT_EQ(address.sort(group, {}), Cell(std::int64_t{0x7f00}));
}

TEST(MemoryColumns, TheCategoriesOfAChangeAddUpToItAndADifferenceIsOfNone) {
    const auto& change = betweenTable().column("change_bytes");
    const auto partsOf = [&](std::int64_t weights, std::int64_t activations) {
        MemoryBetweenRow row;
        for (const auto& [category, bytes] :
             {std::pair(Category::kWeights, weights), std::pair(Category::kActivations, activations)}) {
            (bytes < 0 ? row.freed : row.allocated).bytes += Bytes(bytes < 0 ? -bytes : bytes);
            row.byCategory[static_cast<std::size_t>(category)] = bytes;
        }
        return change.parts(row, {});
    };
    const auto of = [](Category category, std::int64_t bytes) {
        CategoryBytes parts{};
        parts[static_cast<std::size_t>(category)] = bytes;
        return parts;
    };
    CategoryBytes both = of(Category::kWeights, 10);
    both[static_cast<std::size_t>(Category::kActivations)] = 8;
    EXPECT_EQ(partsOf(10, 8), both);
    EXPECT_EQ(partsOf(-10, -8), both);
    EXPECT_EQ(partsOf(0, -8), of(Category::kActivations, 8));
    EXPECT_EQ(partsOf(10, -8), of(Category::kUnknown, 2));
    EXPECT_EQ(partsOf(8, -10), of(Category::kUnknown, 2));
    EXPECT_EQ(partsOf(8, -8), CategoryBytes{});
}

TEST(Cells, AreReadableExactAndPlain) {
    EXPECT_EQ(readableCell(std::int64_t{1234567}, Unit::kNanoseconds), "1.23\u202Fms");
    EXPECT_EQ(exactCell(std::int64_t{1234567}, Unit::kNanoseconds), "1,234,567 ns");
    EXPECT_EQ(exactCell(1234567.4, Unit::kNanoseconds), "1,234,567 ns");
    EXPECT_EQ(exactCell(0.12345678, Unit::kFraction), "12.346%");
    EXPECT_EQ(readableCell(std::int64_t{12345}, Unit::kOrdinal), "12345") << "which one, and not how many";
    EXPECT_EQ(readableCell(std::int64_t{12345}, Unit::kCount), "12,345");
    EXPECT_EQ(readableCell(12.34, Unit::kRatio), "12.3");
    EXPECT_EQ(readableCell(1374.2, Unit::kRatio), "1,374") << "and not 1.37e+03";
    EXPECT_EQ(readableCell(std::int64_t{248481000}, Unit::kMoment), "248.481\u202Fms");
    EXPECT_EQ(plainCell(1e9), "1000000000");
    EXPECT_EQ(plainCell(0.000012), "0.000012");
    EXPECT_EQ(plainCell(Cell()), "");
    EXPECT_TRUE(isAbsent(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_EQ(readableCell(std::string("a\x1b[2J"), Unit::kText), "a\\x1b[2J");
}

}  // namespace warpglass::test::columns_test
