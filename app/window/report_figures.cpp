#include "app/window/report_figures.h"

#include <QCoreApplication>

#include "app/window/run_figure.h"
#include "app/window/unseen_views.h"
#include "app/window/workspace.h"
#include "ui/charts/data_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/figures/figure.h"
#include "ui/theme/heading.h"
#include "ui/theme/other_theme.h"
#include "ui/theme/refresh.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {
namespace {

/// As wide as a report's column on a desk, at which all of its text is as large as the report's.
constexpr int kWidth = 860;
/// Of a chart, which has no height of its own.
constexpr int kChartHeight = 400, kPairHeight = 900;

ui::FigureSize sizeOf(int height) {
    ui::FigureSize size;
    size.pixels = {kWidth, height > 0 ? height : kWidth * 5 / 8};
    size.heightFollows = height == 0;
    return size;
}

void settleView(QWidget& widget) {
    QCoreApplication::processEvents();
    ui::refreshAll(widget);
    QCoreApplication::processEvents();
}

std::string svgIn(ui::ThemeKind kind, QWidget& view, const ui::FigureSource& source,
                  const ui::FigureSize& size) {
    const ui::OtherTheme theme(view, kind);
    return ui::figureSvg(source, size).toStdString();
}

/// Of a chart, what a report says under it is not said in it too.
Chart withoutWords(Chart chart) {
    chart.title.clear();
    chart.sentence.clear();
    chart.setup.clear();
    chart.notes.clear();
    return chart;
}

void takeHeading(const QWidget& view, ReportFigure& figure) {
    const auto* headed = dynamic_cast<const ui::Headed*>(&view);
    if (!headed)
        return;
    const ui::Heading heading = headed->heading();
    if (!heading.title.isEmpty())
        figure.title = heading.title.toStdString();
    figure.sentence = heading.finding.toStdString();
    if (!figure.sentence.empty())
        figure.alternative += " " + figure.sentence;
}

}  // namespace

ReportFigures::ReportFigures(const std::vector<ReportInput>& inputs, Themes themes)
    : m_inputs(inputs), m_themes(themes) {}

ReportFigures::~ReportFigures() = default;

void ReportFigures::draw(ReportFigure& figure) {
    if (const auto* view = std::get_if<ReportRunView>(&figure.of))
        drawView(*view, figure);
    else if (const auto* pair = std::get_if<ReportRunPair>(&figure.of))
        drawPair(*pair, figure);
    else
        drawChart(std::get<Chart>(figure.of), figure);
}

void ReportFigures::drawSource(QWidget& view, const ui::FigureSource& source, int height,
                               ReportFigure& figure) {
    const ui::FigureSize size = sizeOf(height);
    const bool dark = m_themes == Themes::kDark;
    figure.drawing.light = svgIn(dark ? ui::ThemeKind::kDark : ui::ThemeKind::kLight, view, source, size);
    if (m_themes == Themes::kBoth)
        figure.drawing.dark = svgIn(ui::ThemeKind::kDark, view, source, size);
    takeHeading(view, figure);
}

void ReportFigures::drawView(const ReportRunView& of, ReportFigure& figure) {
    if (of.input >= m_inputs.size() || !m_inputs[of.input].run())
        return;
    if (!m_run || m_run->input() != of.input)
        m_run = std::make_unique<UnseenViews>(m_inputs[of.input], of.input);
    const QString name = ui::toQString(of.view);
    QWidget* view = m_run->show(name);
    if (!view)
        return;
    for (const Workspace::ViewName& known : Workspace::views()) {
        if (known.name == name)
            figure.title = known.title.toStdString();
    }
    const RunFigure drawn(view, m_run->axis(), QString());
    drawSource(*view, drawn.source(), 0, figure);
}

void ReportFigures::drawPair(const ReportRunPair& pair, ReportFigure& figure) {
    const auto side = [this](std::size_t index) {
        const ReportInput& input = m_inputs[index];
        return ui::ComparisonView::Side{ui::toQString(input.name), input.run()->snapshot, nullptr};
    };
    ui::ComparisonView view;
    view.resize(kWidth, kPairHeight);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.show();
    view.setRuns(side(pair.a), side(pair.b));
    settleView(view);
    const RunFigure drawn(&view, view.axisOfA(), QString());
    drawSource(view, drawn.source(), kPairHeight, figure);
}

void ReportFigures::drawChart(const Chart& chart, ReportFigure& figure) {
    ui::DataChart view;
    view.resize(kWidth, kChartHeight);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.show();
    view.setChart(withoutWords(chart));
    settleView(view);
    drawSource(view, {&view, nullptr, QString()}, kChartHeight, figure);
}

}  // namespace warpglass::app
