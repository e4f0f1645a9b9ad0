#include "engine/tables/report_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace warpglass::test::report_table_test {

using testing::HasSubstr;

ReportTable sample() {
    return {"Ops of the measured steps",
            {{"Time %", "time_share", Unit::kFraction},
             {"Total Time", "total_ns", Unit::kNanoseconds},
             {"Size", "size_bytes", Unit::kBytes},
             {"Instances", "instances", Unit::kCount},
             {"Name", "name"}},
            {{0.25, std::int64_t{4060}, std::int64_t{3479482368}, std::int64_t{1234567}, "aten::mm"},
             {std::monostate(), 12.5, std::int64_t{512}, std::int64_t{3}, "aten::_softmax"}},
            "ops"};
}

TEST(ReportTable, ParsesItsFormats) {
    EXPECT_EQ(*parseTableFormat("table"), TableFormat::kTable);
    EXPECT_EQ(*parseTableFormat("csv"), TableFormat::kCsv);
    EXPECT_EQ(*parseTableFormat("json"), TableFormat::kJson);
    EXPECT_EQ(*parseTableFormat("markdown"), TableFormat::kMarkdown);
    const Result<TableFormat> wrong = parseTableFormat("xml");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.message(), "There is no format \"xml\": choose table, csv, json, markdown or latex.");
}

TEST(ReportTable, SharesThatCannotBeAreNamedOnceAColumn) {
    ReportTable table = sample();
    EXPECT_TRUE(implausibleShares(table).empty());
    table.rows.push_back({1.0 + 1e-9, std::int64_t{1}});
    EXPECT_TRUE(implausibleShares(table).empty()) << "rounding";
    table.rows.push_back({1.5, std::int64_t{1}});
    table.rows.push_back({2.32, std::int64_t{1}});
    const std::vector<std::string> sentences = implausibleShares(table);
    EXPECT_THAT(sentences,
                testing::ElementsAre("Implausible: " + readableCell(2.32, Unit::kFraction) +
                                     " in the column \"Time %\" of ops, where 100% is all there can be."));
    table.rows = {{-0.5}};
    EXPECT_EQ(implausibleShares(table).size(), 1u);
}

TEST(ReportTable, TextIsAlignedAndRounded) {
    EXPECT_EQ(renderTable(sample(), TableFormat::kTable),
              "Ops of the measured steps\n"
              "Time %  Total Time      Size  Instances  Name\n"
              "------  ----------  --------  ---------  --------------\n"
              "   25%     4.06\u202Fµs  3.24\u202FGiB  1,234,567  aten::mm\n"
              "     –       13\u202Fns     512\u202FB          3  aten::_softmax\n");
}

TEST(ReportTable, TextWithoutRowsOrTitleKeepsItsHead) {
    ReportTable table = sample();
    table.rows.clear();
    table.title.clear();
    EXPECT_EQ(renderTable(table, TableFormat::kTable),
              "Time %  Total Time  Size  Instances  Name\n"
              "------  ----------  ----  ---------  ----\n"
              "(none)\n");
}

TEST(ReportTable, CsvIsPlain) {
    EXPECT_EQ(renderTable(sample(), TableFormat::kCsv),
              "time_share,total_ns,size_bytes,instances,name\n"
              "0.25,4060,3479482368,1234567,aten::mm\n"
              ",12.5,512,3,aten::_softmax\n");
}

TEST(ReportTable, ARateOfWorkIsPerSecond) {
    EXPECT_EQ(readableCell(168e12, Unit::kFlopsPerSecond), "168\u202FTFLOP/s");
    EXPECT_EQ(readableCell(std::int64_t{168'000'000'000'000}, Unit::kFlopsPerSecond), "168\u202FTFLOP/s");
    EXPECT_EQ(readableCell({}, Unit::kFlopsPerSecond), readableCell({}, Unit::kFlops));
}

TEST(ReportTable, CsvQuotesWhatNeedsIt) {
    const ReportTable table{
        "t", {{"A", "a"}, {"B", "b"}}, {{"x,y", "say \"hi\""}, {"two\nlines", "plain"}}, ""};
    EXPECT_EQ(renderTable(table, TableFormat::kCsv),
              "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",plain\n");
}

TEST(ReportTable, CsvNumbersReadBackExactly) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-12, 20);
    for (int i = 0; i < 2000; ++i) {
        const double value = std::pow(10.0, exponent(random)) * (i % 2 == 0 ? 1 : -1);
        const ReportTable table{"t", {{"A", "a", Unit::kNumber}}, {{value}}, ""};
        const std::string csv = renderTable(table, TableFormat::kCsv);
        EXPECT_EQ(std::stod(csv.substr(2)), value) << csv;
        const bool ordinary = std::fabs(value) > 1e-6 && std::fabs(value) < 1e18;
        EXPECT_TRUE(!ordinary || csv.find('e') == std::string::npos) << csv;
    }
}

TEST(ReportTable, CsvOfSeveralTablesNamesEach) {
    ReportTable second{"Second, with a comma", {{"A", "a", Unit::kCount}}, {{std::int64_t{1}}}, ""};
    EXPECT_EQ(renderTables({sample(), second}, TableFormat::kCsv),
              "table,time_share,total_ns,size_bytes,instances,name\n"
              "ops,0.25,4060,3479482368,1234567,aten::mm\n"
              "ops,,12.5,512,3,aten::_softmax\n"
              "\n"
              "table,a\n"
              "\"Second, with a comma\",1\n");
}

TEST(ReportTable, JsonKeepsTypesAndOrder) {
    const std::string text = renderTable(sample(), TableFormat::kJson);
    const auto json = nlohmann::ordered_json::parse(text);
    EXPECT_EQ(json["table"], "ops");
    ASSERT_EQ(json["rows"].size(), 2u);
    const auto& row = json["rows"][0];
    EXPECT_TRUE(row["total_ns"].is_number_integer());
    EXPECT_EQ(row["size_bytes"].get<std::int64_t>(), 3479482368);
    EXPECT_TRUE(json["rows"][1]["time_share"].is_null());
    EXPECT_EQ(json["rows"][1]["total_ns"].get<double>(), 12.5);
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items())
        keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"time_share", "total_ns", "size_bytes", "instances", "name"}));
}

TEST(ReportTable, JsonOfSeveralTablesIsOneArray) {
    const auto json = nlohmann::json::parse(renderTables({sample(), sample()}, TableFormat::kJson));
    ASSERT_TRUE(json.is_array());
    EXPECT_EQ(json.size(), 2u);
    EXPECT_EQ(nlohmann::json::parse(renderTables({}, TableFormat::kJson)), nlohmann::json::array());
}

TEST(ReportTable, JsonSurvivesTextThatIsNotUtf8) {
    const ReportTable table{"t", {{"A", "a"}}, {{std::string("\xff\xfe")}}, ""};
    EXPECT_TRUE(nlohmann::json::accept(renderTable(table, TableFormat::kJson)));
}

TEST(ReportTable, MarkdownIsATable) {
    EXPECT_EQ(renderTable(sample(), TableFormat::kMarkdown),
              "### Ops of the measured steps\n\n"
              "| Time % | Total Time | Size | Instances | Name |\n"
              "| ---: | ---: | ---: | ---: | --- |\n"
              "| 25% | 4.06\u202Fµs | 3.24\u202FGiB | 1,234,567 | aten::mm |\n"
              "| – | 13\u202Fns | 512\u202FB | 3 | aten::\\_softmax |\n");
}

TEST(ReportTable, MarkdownEscapesMarkup) {
    const ReportTable table{"", {{"A", "a"}}, {{"a|b *c* snake_case _d_ <e>"}}, ""};
    EXPECT_EQ(renderTable(table, TableFormat::kMarkdown),
              "| A |\n| --- |\n| a\\|b \\*c\\* snake_case \\_d\\_ \\<e> |\n");
}

TEST(ReportTable, LatexIsATableThatNeedsNoPackage) {
    EXPECT_EQ(renderTable(sample(), TableFormat::kLatex),
              "\\begin{table}\n\\centering\n\\caption{Ops of the measured steps}\n"
              "\\begin{tabular}{rrrrl}\n\\hline\n"
              "Time \\% & Total Time & Size & Instances & Name \\\\\n\\hline\n"
              "25\\% & 4.06\\,$\\mu$s & 3.24\\,GiB & 1,234,567 & aten::mm \\\\\n"
              "-- & 13\\,ns & 512\\,B & 3 & aten::\\_softmax \\\\\n"
              "\\hline\n\\end{tabular}\n\\end{table}\n");
}

TEST(ReportTable, LatexEscapesWhatItWouldTakeForCommands) {
    const ReportTable table{"", {{"A", "a"}}, {{"\\x {y} $z$ a&b #1 50% n^2 ~ <k> | ∝ n² ± 3 × d"}}, ""};
    EXPECT_THAT(renderTable(table, TableFormat::kLatex),
                HasSubstr("\\textbackslash{}x \\{y\\} \\$z\\$ a\\&b \\#1 50\\% n\\textasciicircum{}2 "
                          "\\textasciitilde{} $<$k$>$ $|$ $\\propto$ n$^2$ $\\pm$ 3 $\\times$ d"));
}

TEST(ReportTable, TextCannotSteerATerminal) {
    const ReportTable table{"", {{"A", "a"}}, {{std::string("\x1b[2J\n\x7f\xc2\x9b", 8)}}, ""};
    for (const TableFormat format : {TableFormat::kTable, TableFormat::kMarkdown, TableFormat::kLatex}) {
        const std::string text = renderTable(table, format);
        EXPECT_EQ(text.find('\x1b'), std::string::npos);
        EXPECT_EQ(text.find('\x7f'), std::string::npos);
        EXPECT_THAT(text, testing::Not(HasSubstr("\xc2\x9b")));
    }
    EXPECT_THAT(renderTable(table, TableFormat::kTable), HasSubstr("\\x1b[2J\\x0a\\x7f\\x9b"));
}

TEST(ReportTable, NumbersThatAreNoneAreAbsent) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    const ReportTable table{
        "", {{"A", "a", Unit::kNumber}, {"B", "b", Unit::kNanoseconds}}, {{none, infinite}}, ""};
    EXPECT_EQ(renderTable(table, TableFormat::kCsv), "a,b\n,\n");
    EXPECT_EQ(renderTable(table, TableFormat::kTable), "A  B\n-  -\n–  –\n");
    EXPECT_TRUE(nlohmann::json::parse(renderTable(table, TableFormat::kJson))["rows"][0]["a"].is_null());
}

TEST(ReportTable, ShortRowsEndInAbsentValues) {
    const ReportTable table{"", {{"A", "a"}, {"B", "b"}}, {{"only"}}, ""};
    EXPECT_EQ(renderTable(table, TableFormat::kCsv), "a,b\nonly,\n");
    EXPECT_EQ(renderTable(table, TableFormat::kTable), "A     B\n----  -\nonly  –\n");
}

}  // namespace warpglass::test::report_table_test
