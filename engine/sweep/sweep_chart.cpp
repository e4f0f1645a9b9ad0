#include "engine/sweep/sweep_chart.h"

#include <algorithm>
#include <cmath>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/growth_words.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {

namespace {

/// A curve looks smooth on linear axes; on logarithmic ones it is straight.
constexpr int kCurvePoints = 64;
/// From this ratio of the largest to the least on, a logarithmic axis says more.
constexpr double kLogRatio = 8;
/// So many numbers make a line.
constexpr std::size_t kLeastForLines = 3;
/// More lines cannot be told apart.
constexpr std::size_t kMostForLines = 12;

std::optional<std::size_t> baselineOf(const SweepSlice& slice, const std::string& value) {
    if (value.empty() || !slice.series.axis)
        return std::nullopt;
    const std::vector<std::string>& words = slice.series.axis->values;
    for (std::size_t s = 0; s < slice.series.values.size(); ++s) {
        if (words[slice.series.values[s].index] == value)
            return s;
    }
    return std::nullopt;
}

std::vector<std::string> namesOf(const SliceAxis& axis) {
    return mapped<std::string>(axis.values, &SliceValue::name);
}

bool isAllPositive(const SweepSlice& slice) {
    for (const auto& row : slice.points) {
        for (const SlicePoint& point : row) {
            if (point.isMeasured() && !(point.value > 0))
                return false;
        }
    }
    return true;
}

/// 128, 256, 512: each the same multiple of the one before, so a linear axis would cram the first together.
bool isGeometric(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    if (numbers.size() < kLeastForLines || numbers.front() <= 0)
        return false;
    for (std::size_t i = 2; i < numbers.size(); ++i) {
        if (std::fabs(numbers[i] * numbers[0] - numbers[i - 1] * numbers[1]) > 1e-9 * numbers[i] * numbers[0])
            return false;
    }
    return numbers[1] > numbers[0];
}

std::string titleOf(const SweepSlice& slice, const std::string& measured) {
    std::string title = measured + " by " + slice.x.noun();
    if (slice.series.axis)
        title += " and " + slice.series.noun();
    return slice.fixed.empty() ? title : title + " (" + slice.fixed + ")";
}

std::string countWords(std::int64_t count, std::string_view one, std::string_view many) {
    return formatGrouped(count) + (count == 1 ? " cell " + std::string(one) : " cells " + std::string(many));
}

/// Where a cell's figure has an error bar, if the chart can show one.
std::vector<std::string> notesOf(const SweepSlice& slice, ChartKind kind) {
    std::vector<std::string> notes;
    if (slice.outOfMemory > 0)
        notes.push_back(countWords(slice.outOfMemory, "ran out of memory.", "ran out of memory."));
    if (slice.failed > 0)
        notes.push_back(countWords(slice.failed, "failed.", "failed."));
    if (slice.skipped > 0)
        notes.push_back(countWords(slice.skipped, "was skipped.", "were skipped."));
    if (slice.waiting > 0)
        notes.push_back(countWords(slice.waiting, "has not been run yet.", "have not been run yet."));
    if (slice.disturbed > 0 && slice.measure->unit != Unit::kBytes)
        notes.push_back(countWords(slice.disturbed, "was", "were") +
                        " disturbed by other programs or by a clock that was held down.");
    if (kind == ChartKind::kHeatMap)
        return notes;
    if (slice.overRepeats && slice.withinRuns)
        notes.emplace_back(
            "Error bars: standard deviation over repeats; where only one repeat has the figure, over the "
            "steps of its run.");
    else if (slice.overRepeats)
        notes.emplace_back("Error bars: standard deviation over repeats.");
    else if (slice.withinRuns)
        notes.emplace_back("Error bars: standard deviation over the steps of a run.");
    return notes;
}

ChartPoint chartPoint(const SlicePoint& point, double x) {
    ChartPoint drawn;
    drawn.x = x;
    drawn.state = point.state;
    drawn.source = point.source;
    if (point.isMeasured()) {
        drawn.y = point.value;
        drawn.deviation = point.deviation;
    }
    return drawn;
}

class Maker {
public:
    Maker(const SweepSlice& slice, const SweepView& view, std::optional<std::size_t> baseline)
        : m_slice(slice), m_view(view), m_baseline(baseline) {}

    Chart make() {
        m_chart.kind = m_view.kind;
        m_chart.sentence = sentenceOf(m_slice, m_baseline, fits());
        m_chart.notes = notesOf(m_slice, m_view.kind);
        const std::string name = measureName(*m_slice.measure);
        const std::string measured =
            m_baseline ? name + " against " + m_slice.series.values[*m_baseline].name : name;
        m_chart.title = titleOf(m_slice, measured);
        m_chart.key = m_slice.measure->key + "-by-" + m_slice.x.axis->key;
        std::replace(m_chart.key.begin(), m_chart.key.end(), '_', '-');
        m_chart.x.title = m_slice.x.titleWithUnit();
        m_chart.x.unit = m_slice.x.isNumeric ? Unit::kCount : Unit::kText;
        const bool logarithmic = m_view.logY && isAllPositive(m_slice);
        const ChartAxis value{
            m_baseline ? "Times better than " + m_slice.series.values[*m_baseline].name : name,
            m_baseline ? Unit::kRatio : m_slice.measure->unit,
            logarithmic,
            {}};
        if (m_view.kind == ChartKind::kHeatMap)
            addCells(value);
        else
            addSeries(value);
        return std::move(m_chart);
    }

private:
    bool fits() const {
        return m_view.fit && !m_baseline && m_view.kind == ChartKind::kLines && m_slice.x.isNumeric;
    }

    void addCells(const ChartAxis& value) {
        m_chart.value = value;
        m_chart.x.categories = namesOf(m_slice.x);
        m_chart.y = {m_slice.series.titleWithUnit(), Unit::kText, false, namesOf(m_slice.series)};
        ChartSeries cells;
        cells.name = value.title;
        for (std::size_t s = 0; s < m_slice.points.size(); ++s) {
            for (std::size_t i = 0; i < m_slice.points[s].size(); ++i) {
                ChartPoint cell = chartPoint(m_slice.points[s][i], static_cast<double>(i));
                cell.value = cell.y;
                cell.y = static_cast<double>(s);
                cells.points.push_back(cell);
            }
        }
        m_chart.series.push_back(std::move(cells));
    }

    void addSeries(const ChartAxis& value) {
        m_chart.y = value;
        const bool numbers = m_slice.x.isNumeric && m_view.kind == ChartKind::kLines;
        if (!numbers)
            m_chart.x.categories = namesOf(m_slice.x);
        const auto xOf = [&](std::size_t i) {
            return numbers ? m_slice.x.values[i].number : static_cast<double>(i);
        };
        m_chart.x.logarithmic = numbers && m_view.logX && xOf(0) > 0;
        for (std::size_t s = 0; s < m_slice.points.size(); ++s) {
            ChartSeries series;
            series.name = m_slice.series.axis ? m_slice.series.values[s].place : value.title;
            for (std::size_t i = 0; i < m_slice.points[s].size(); ++i)
                series.points.push_back(chartPoint(m_slice.points[s][i], xOf(i)));
            m_chart.series.push_back(std::move(series));
        }
        for (std::size_t s = 0; s < m_slice.points.size(); ++s) {
            if (m_view.predicted && !m_baseline)
                addPredicted(s, xOf);
            if (fits())
                addFit(s);
        }
    }

    template <class XOf>
    void addPredicted(std::size_t s, const XOf& xOf) {
        ChartSeries series{m_chart.series[s].name + ", predicted", {}, true, static_cast<std::int32_t>(s)};
        for (std::size_t i = 0; i < m_slice.points[s].size(); ++i) {
            const auto& predicted = m_slice.points[s][i].predicted;
            if (!predicted || !std::isfinite(*predicted) || (m_chart.y.logarithmic && !(*predicted > 0)))
                continue;
            ChartPoint point;
            point.x = xOf(i);
            point.y = *predicted;
            series.points.push_back(point);
        }
        if (!series.points.empty())
            m_chart.series.push_back(std::move(series));
    }

    void addFit(std::size_t s) {
        const auto growth = growthOf(m_slice, s);
        if (!growth)
            return;
        ChartSeries series{"∝ " + growthWords(growth->growth), {}, true, static_cast<std::int32_t>(s)};
        for (int i = 0; i < kCurvePoints; ++i) {
            ChartPoint point;
            point.x = growth->from * std::pow(growth->to / growth->from, i / (kCurvePoints - 1.0));
            point.y = growth->growth.factor * std::pow(point.x, growth->growth.exponent);
            series.points.push_back(point);
        }
        m_chart.series.push_back(std::move(series));
        if (std::ranges::find(m_chart.notes, kMarginOfGrowth) == m_chart.notes.end())
            m_chart.notes.emplace_back(kMarginOfGrowth);
    }

    const SweepSlice& m_slice;
    const SweepView& m_view;
    std::optional<std::size_t> m_baseline;
    Chart m_chart;
};

/// Mean over the cells that have it; nothing where none has.
std::optional<double> meanFigure(const Sweep& sweep, std::string_view key) {
    double sum = 0;
    std::int64_t count = 0;
    for (const SweepCell& cell : sweep.cells) {
        if (const auto figure = cell.figure(key); figure && cell.state == CellState::kOk) {
            sum += *figure;
            ++count;
        }
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

std::string usualMeasure(const Sweep& sweep) {
    const std::string step = "step_mean_ns";
    if (meanFigure(sweep, step))
        return step;
    std::string longest, any;
    double most = 0;
    for (const Measure& measure : measures()) {
        const auto mean = meanFigure(sweep, measure.key);
        if (!mean)
            continue;
        any = any.empty() ? measure.key : any;
        if (measure.key.ends_with("_mean_ns") && *mean > most) {
            longest = measure.key;
            most = *mean;
        }
    }
    return !longest.empty() ? longest : !any.empty() ? any : step;
}

}  // namespace

SweepView usualView(const Sweep& sweep, std::string_view wanted) {
    SweepView view;
    view.measure = usualMeasure(sweep);
    if (sweep.plan.axes.empty())
        return view;
    const SweepAxis* x = &sweep.plan.axes.front();
    std::optional<std::vector<double>> numbers = numbersOf(*x);
    for (const SweepAxis& axis : sweep.plan.axes) {
        auto others = numbersOf(axis);
        const bool isBetter = others && (!numbers || others->size() > numbers->size());
        if (wanted.empty() ? isBetter : axis.key == wanted) {
            x = &axis;
            numbers = std::move(others);
        }
    }
    view.x = x->key;
    for (const SweepAxis& axis : sweep.plan.axes) {
        if (&axis != x && view.series.empty())
            view.series = axis.key;
    }
    view.kind = numbers && numbers->size() >= kLeastForLines ? ChartKind::kLines : ChartKind::kBars;
    const auto series = std::ranges::find(sweep.plan.axes, view.series, &SweepAxis::key);
    if (series != sweep.plan.axes.end() && series->values.size() > kMostForLines)
        view.kind = ChartKind::kHeatMap;
    if (numbers && view.kind != ChartKind::kBars) {
        const auto [least, most] = std::minmax_element(numbers->begin(), numbers->end());
        view.logY = *least > 0 && *most / *least >= kLogRatio;
        view.logX = view.logY || isGeometric(*numbers);
        view.fit = view.logY && view.kind == ChartKind::kLines;
    }
    return view;
}

Chart sweepChart(const Sweep& sweep, const SweepView& view) {
    if (sweep.plan.axes.empty())
        return {};
    SweepSlice slice = sliceOf(sweep, view);
    const auto baseline = baselineOf(slice, view.baseline);
    if (baseline)
        relateTo(slice, *baseline);
    Chart chart = Maker(slice, view, baseline).make();
    chart.setup = settingsInCommon(sweep.plan);
    return chart;
}

}  // namespace warpglass
