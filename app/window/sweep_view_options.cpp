#include "app/window/sweep_view_options.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/nearest_word.h"
#include "engine/plan/settings.h"
#include "engine/sweep/measures.h"

namespace warpglass::app {

namespace {

constexpr std::array<std::pair<std::string_view, ChartKind>, 3> kCharts = {
    {{"lines", ChartKind::kLines}, {"bars", ChartKind::kBars}, {"heat-map", ChartKind::kHeatMap}}};

struct Named {
    const char* name;
    QString SweepViewChoice::*value;
};
constexpr std::array<Named, 7> kOptions = {{{"chart", &SweepViewChoice::chart},
                                            {"measure", &SweepViewChoice::measure},
                                            {"x", &SweepViewChoice::x},
                                            {"series", &SweepViewChoice::series},
                                            {"against", &SweepViewChoice::against},
                                            {"log", &SweepViewChoice::log},
                                            {"fixed", &SweepViewChoice::fixed}}};

/// An error names what there is.
Result<const SweepAxis*> axisOf(const Sweep& sweep, const char* option, const std::string& key) {
    std::vector<std::string_view> keys;
    for (const SweepAxis& axis : sweep.plan.axes) {
        if (axis.key == key)
            return &axis;
        keys.push_back(axis.key);
    }
    return Error{std::string(option) + ": the sweep does not vary \"" + key + "\" but " + listedWords(keys) +
                 "." + didYouMean(key, keys)};
}

Status takeChart(const QString& word, SweepView& view) {
    std::vector<std::string_view> words;
    for (const auto& [name, kind] : kCharts) {
        if (word.toStdString() == name) {
            view.kind = kind;
            return {};
        }
        words.push_back(name);
    }
    return Error{"--chart takes " + listedWords(words) + ", not \"" + word.toStdString() + "\"."};
}

Status takeMeasure(const QString& word, SweepView& view) {
    const std::string key = word.toStdString();
    if (findMeasure(key)) {
        view.measure = key;
        return {};
    }
    std::vector<std::string_view> keys;
    for (const Measure& measure : measures())
        keys.push_back(measure.key);
    return Error{"--measure: there is no measure \"" + key + "\"; docs/tables.md lists them." +
                 didYouMean(key, keys)};
}

Status takeAgainst(const Sweep& sweep, const QString& word, SweepView& view) {
    const auto series = axisOf(sweep, "--against", view.series);
    if (!series)
        return Error{"--against needs several series to compare, and this chart has one."};
    std::vector<std::string_view> values((*series)->values.begin(), (*series)->values.end());
    view.baseline = word.toStdString();
    if (std::ranges::find(values, view.baseline) == values.end())
        return Error{"--against takes a value of " + view.series + ": " + listedWords(values) + ", not \"" +
                     view.baseline + "\"."};
    return {};
}

/// "precision=bf16,mode=step".
Status takeFixed(const Sweep& sweep, const QString& words, SweepView& view) {
    for (const QString& word : words.split(QLatin1Char(','))) {
        const std::string key = word.section(QLatin1Char('='), 0, 0).trimmed().toStdString(),
                          value = word.section(QLatin1Char('='), 1).trimmed().toStdString();
        const auto axis = axisOf(sweep, "--fixed", key);
        if (!axis)
            return axis.error();
        if (key == view.x || key == view.series)
            return Error{"--fixed: " + key + " varies in this chart; choose another with --x or --series."};
        const std::vector<std::string_view> values((*axis)->values.begin(), (*axis)->values.end());
        if (std::ranges::find(values, value) == values.end())
            return Error{"--fixed takes " + key + "= and one of " + listedWords(values) + ", not \"" + value +
                         "\"." + didYouMean(value, values)};
        const auto at = std::ranges::find(view.fixed, key, &std::pair<std::string, std::string>::first);
        if (at == view.fixed.end())
            view.fixed.emplace_back(key, value);
        else
            at->second = value;
    }
    return {};
}

Status takeLog(const QString& word, SweepView& view) {
    if (!QStringList{QStringLiteral("none"), QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("xy")}
             .contains(word))
        return Error{"--log takes x, y, xy or none, not \"" + word.toStdString() + "\"."};
    view.logX = word.contains(QLatin1Char('x'));
    view.logY = word.contains(QLatin1Char('y'));
    return {};
}

}  // namespace

QList<QCommandLineOption> sweepViewOptions() {
    const QString usual = QStringLiteral(" (of --render sweep; default: as the window shows it first).");
    return {
        {QStringLiteral("chart"), QStringLiteral("Kind of chart: lines, bars or heat-map") + usual,
         QStringLiteral("WORD")},
        {QStringLiteral("measure"),
         QStringLiteral("Measure that is drawn, as docs/tables.md names it: step_mean_ns, peak_bytes …") +
             usual,
         QStringLiteral("KEY")},
        {QStringLiteral("x"), QStringLiteral("Setting on the horizontal axis: context, batch …") + usual,
         QStringLiteral("KEY")},
        {QStringLiteral("series"),
         QStringLiteral("Setting that tells lines or bars apart, or is a heat map's vertical axis") + usual,
         QStringLiteral("KEY")},
        {QStringLiteral("against"),
         QStringLiteral("Instead of the measure, how many times better each is than this value of --series."),
         QStringLiteral("VALUE")},
        {QStringLiteral("fixed"),
         QStringLiteral("Values of the settings that are on no axis, with commas between: "
                        "precision=bf16,mode=step") +
             usual,
         QStringLiteral("KEY=VALUE")},
        {QStringLiteral("log"), QStringLiteral("Logarithmic axes: x, y, xy or none") + usual,
         QStringLiteral("WORD")},
    };
}

SweepViewChoice sweepViewChoice(const QCommandLineParser& parser) {
    SweepViewChoice choice;
    for (const Named& option : kOptions)
        choice.*option.value = parser.value(QString::fromLatin1(option.name));
    return choice;
}

QString firstSweepViewOption(const QCommandLineParser& parser) {
    for (const Named& option : kOptions) {
        if (parser.isSet(QString::fromLatin1(option.name)))
            return QStringLiteral("--") + QString::fromLatin1(option.name);
    }
    return {};
}

Result<SweepView> chosenView(const Sweep& sweep, const SweepViewChoice& choice) {
    const std::string x = choice.x.toStdString(), series = choice.series.toStdString();
    for (const auto& [option, key] : {std::pair{"--x", x}, std::pair{"--series", series}}) {
        if (const auto axis = axisOf(sweep, option, key); !key.empty() && !axis)
            return axis.error();
    }
    SweepView view = usualView(sweep, x);
    if (!series.empty() && series == view.x)
        return Error{"--series: " + series + " is on the horizontal axis already; choose another with --x."};
    if (!series.empty())
        view.series = series;
    if (!choice.chart.isEmpty()) {
        if (Status taken = takeChart(choice.chart, view); !taken)
            return taken.error();
    }
    if (!choice.measure.isEmpty()) {
        if (Status taken = takeMeasure(choice.measure, view); !taken)
            return taken.error();
    }
    if (!choice.fixed.isEmpty()) {
        if (Status taken = takeFixed(sweep, choice.fixed, view); !taken)
            return taken.error();
    }
    if (!choice.log.isEmpty()) {
        if (Status taken = takeLog(choice.log, view); !taken)
            return taken.error();
    }
    if (!choice.against.isEmpty()) {
        if (Status taken = takeAgainst(sweep, choice.against, view); !taken)
            return taken.error();
    }
    return view;
}

}  // namespace warpglass::app
