#include "engine/experiments/experiment_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warpglass {
namespace {

using Json = nlohmann::ordered_json;

// Raised when a reader of an older version would misunderstand the file.
constexpr int kExperimentVersion = 1;
constexpr std::array<std::string_view, 4> kChartKindNames = {"lines", "bars", "heat-map", "bridge"};
constexpr std::array<std::string_view, 4> kPointStateNames = {"measured", "out-of-memory", "failed",
                                                              "missing"};

Json toJson(const Cell& cell) {
    if (isAbsent(cell))
        return nullptr;
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return *integer;
    return std::get<double>(cell);
}

Json numberOrNull(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json toJson(const ReportTable& table) {
    Json columns = Json::array(), rows = Json::array();
    for (const ReportColumn& column : table.columns)
        columns.push_back({{"title", column.title},
                           {"key", column.key},
                           {"unit", kUnitNames[static_cast<std::size_t>(column.unit)]}});
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const Cell& cell : row)
            cells.push_back(toJson(cell));
        rows.push_back(std::move(cells));
    }
    return {{"key", table.key},
            {"title", table.title},
            {"columns", std::move(columns)},
            {"rows", std::move(rows)}};
}

Json toJson(const ChartAxis& axis) {
    return {{"title", axis.title},
            {"unit", kUnitNames[static_cast<std::size_t>(axis.unit)]},
            {"logarithmic", axis.logarithmic},
            {"categories", axis.categories}};
}

Json toJson(const Chart& chart) {
    Json series = Json::array();
    for (const ChartSeries& one : chart.series) {
        Json points = Json::array();
        for (const ChartPoint& point : one.points) {
            Json json = {{"x", numberOrNull(point.x)},
                         {"y", numberOrNull(point.y)},
                         {"deviation", numberOrNull(point.deviation)},
                         {"value", numberOrNull(point.value)},
                         {"state", kPointStateNames[static_cast<std::size_t>(point.state)]},
                         {"source", point.source}};
            if (chart.kind == ChartKind::kBridge)
                json["from"] = numberOrNull(point.from);
            points.push_back(std::move(json));
        }
        series.push_back({{"name", one.name},
                          {"is_model", one.isModel},
                          {"is_scattered", one.isScattered},
                          {"colour_of", one.colorOf},
                          {"points", std::move(points)}});
        if (!one.choices[1].empty())
            series.back()["choices"] = one.choices;
    }
    return {{"key", chart.key},
            {"title", chart.title},
            {"sentence", chart.sentence},
            {"setup", chart.setup},
            {"kind", kChartKindNames[static_cast<std::size_t>(chart.kind)]},
            {"x", toJson(chart.x)},
            {"y", toJson(chart.y)},
            {"value", toJson(chart.value)},
            {"series", std::move(series)},
            {"notes", chart.notes}};
}

// Reading: nlohmann's exceptions carry what is wrong, and end in experimentFromJson().

template <std::size_t size>
std::size_t indexOf(const std::array<std::string_view, size>& names, const Json& word, const char* what) {
    const auto found = std::ranges::find(names, word.get<std::string>());
    if (found == names.end())
        throw std::runtime_error("has an unknown " + std::string(what) + " \"" + word.get<std::string>() +
                                 "\"");
    return static_cast<std::size_t>(found - names.begin());
}

double numberOf(const Json& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Cell cellFromJson(const Json& json) {
    if (json.is_null())
        return {};
    if (json.is_string())
        return json.get<std::string>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    return json.get<double>();
}

ReportTable tableOf(const Json& json) {
    ReportTable table{json.at("title").get<std::string>(), {}, {}, json.at("key").get<std::string>()};
    for (const Json& column : json.at("columns"))
        table.columns.push_back({column.at("title").get<std::string>(), column.at("key").get<std::string>(),
                                 static_cast<Unit>(indexOf(kUnitNames, column.at("unit"), "unit"))});
    if (table.columns.empty())
        throw std::runtime_error("has a table without columns");
    for (const Json& row : json.at("rows")) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const Json& cell : row)
            cells.push_back(cellFromJson(cell));
        cells.resize(table.columns.size());
    }
    return table;
}

ChartPoint pointOf(const Json& json) {
    ChartPoint point{
        .x = numberOf(json.at("x")),
        .y = numberOf(json.at("y")),
        .deviation = numberOf(json.at("deviation")),
        .state = static_cast<PointState>(indexOf(kPointStateNames, json.at("state"), "state of a point")),
        .value = numberOf(json.at("value")),
        .source = json.at("source").get<std::int64_t>()};
    if (const auto from = json.find("from"); from != json.end())
        point.from = numberOf(*from);
    return point;
}

ChartAxis axisOf(const Json& json) {
    return {json.at("title").get<std::string>(),
            static_cast<Unit>(indexOf(kUnitNames, json.at("unit"), "unit")),
            json.at("logarithmic").get<bool>(), json.at("categories").get<std::vector<std::string>>()};
}

Chart chartOf(const Json& json) {
    Chart chart{.key = json.at("key").get<std::string>(),
                .title = json.at("title").get<std::string>(),
                .sentence = json.at("sentence").get<std::string>(),
                .setup = json.value("setup", std::string()),  // earlier versions did not write it
                .kind = static_cast<ChartKind>(indexOf(kChartKindNames, json.at("kind"), "kind of chart")),
                .x = axisOf(json.at("x")),
                .y = axisOf(json.at("y")),
                .value = axisOf(json.at("value")),
                .series = {},
                .notes = json.at("notes").get<std::vector<std::string>>()};
    for (const Json& one : json.at("series")) {
        ChartSeries series{.name = one.at("name").get<std::string>(),
                           .isModel = one.at("is_model").get<bool>(),
                           .colorOf = one.at("colour_of").get<std::int32_t>(),
                           .isScattered = one.at("is_scattered").get<bool>()};
        if (const auto choices = one.find("choices"); choices != one.end())
            series.choices = choices->get<std::array<std::string, 2>>();
        for (const Json& point : one.at("points"))
            series.points.push_back(pointOf(point));
        chart.series.push_back(std::move(series));
    }
    const auto own = static_cast<std::int32_t>(chart.series.size());
    for (ChartSeries& series : chart.series)
        series.colorOf = series.colorOf < own ? series.colorOf : -1;
    return chart;
}

/// A file of a run lies inside the experiment's folder, or is none of its.
std::filesystem::path inside(const std::string& file) {
    const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    if (path.is_absolute() || path.empty() || *path.begin() == "..")
        throw std::runtime_error("names a file outside its folder");
    return path;
}

Json toJson(const std::vector<ExperimentRun>& files) {
    Json list = Json::array();
    for (const ExperimentRun& one : files)
        list.push_back({{"title", one.title}, {"file", one.file.generic_string()}});
    return list;
}

std::vector<ExperimentRun> filesOf(const Json& json) {
    std::vector<ExperimentRun> files;
    for (const Json& one : json)
        files.push_back({one.at("title").get<std::string>(), inside(one.at("file").get<std::string>())});
    return files;
}

ExperimentResult resultOf(const Json& json) {
    if (json.at("version").get<int>() > kExperimentVersion)
        throw std::runtime_error("was written by a newer Warpglass");
    ExperimentResult result;
    result.name = json.at("experiment").get<std::string>();
    result.title = json.at("title").get<std::string>();
    result.lookFor = json.at("look_for").get<std::string>();
    result.answers = json.at("answers").get<std::vector<std::string>>();
    if (const auto measured = json.find("measured"); measured != json.end())  // nor this
        result.measured = measured->get<std::vector<std::string>>();
    if (const auto entries = json.find("entries"); entries != json.end()) {
        for (const Json& one : *entries)
            result.entries.push_back({one.at("group").get<std::string>(), one.at("figure").get<std::string>(),
                                      one.at("clause").get<std::string>()});
    }
    result.notes = json.at("notes").get<std::vector<std::string>>();
    for (const Json& table : json.at("tables"))
        result.tables.push_back(tableOf(table));
    for (const Json& chart : json.at("charts"))
        result.charts.push_back(chartOf(chart));
    result.runs = filesOf(json.at("runs"));
    // Earlier versions did not write them.
    if (const auto snapshots = json.find("memory_snapshots"); snapshots != json.end())
        result.memorySnapshots = filesOf(*snapshots);
    for (const auto& [key, value] : json.at("information").items())
        result.information.emplace_back(key, value.get<std::string>());
    return result;
}

}  // namespace

std::string toJson(const ExperimentResult& result) {
    Json tables = Json::array(), charts = Json::array(), entries = Json::array(),
         information = Json::object();
    for (const AnswerEntry& entry : result.entries)
        entries.push_back({{"group", entry.group}, {"figure", entry.figure}, {"clause", entry.clause}});
    for (const ReportTable& table : result.tables)
        tables.push_back(toJson(table));
    for (const Chart& chart : result.charts)
        charts.push_back(toJson(chart));
    for (const auto& [key, value] : result.information)
        information[key] = value;
    const Json json = {{"version", kExperimentVersion},
                       {"experiment", result.name},
                       {"title", result.title},
                       {"look_for", result.lookFor},
                       {"measured", result.measured},
                       {"answers", result.answers},
                       {"entries", entries},
                       {"notes", result.notes},
                       {"information", std::move(information)},
                       {"tables", std::move(tables)},
                       {"charts", std::move(charts)},
                       {"runs", toJson(result.runs)},
                       {"memory_snapshots", toJson(result.memorySnapshots)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<ExperimentResult> experimentFromJson(std::string_view text) {
    try {
        return resultOf(Json::parse(text));
    } catch (const Json::parse_error&) {
        return Error{"is no JSON"};
    } catch (const Json::out_of_range& error) {
        const std::string what = error.what();  // "key 'title' not found", behind a number
        return Error{"is not as this version writes it: " + what.substr(what.find("] ") + 2)};
    } catch (const Json::exception&) {
        return Error{"is not as this version writes it"};
    } catch (const std::runtime_error& error) {
        return Error{error.what()};
    }
}

}  // namespace warpglass
