#include "app/window/report_figures.h"

#include <QCoreApplication>
#include <QPainter>

#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "ui/charts/data_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/figures/figure.h"
#include "ui/theme/other_theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {
namespace {

/// As wide as a report's column on a desk, at which all of its text is as large as the report's.
constexpr int kFigureWidth = 860;
/// The height of a chart, which has none of its own.
constexpr int kChartHeight = 400, kPairHeight = 900;
/// Room for every view of a run; a figure is laid out at its own size.
constexpr QSize kRoom(1280, 800);

ui::FigureSize sizeOf(int height) {
    ui::FigureSize size;
    size.pixels = {kFigureWidth, height > 0 ? height : kFigureWidth * 5 / 8};
    size.heightFollows = height == 0;
    return size;
}

void settleView(QWidget& widget) {
    QCoreApplication::sendPostedEvents();
    ui::refreshAll(widget);
    QCoreApplication::sendPostedEvents();
}

std::string svgIn(ui::ThemeKind kind, QWidget& view, const ui::FigureSource& source,
                  const ui::FigureSize& size) {
    const ui::OtherTheme theme(view, kind);
    return ui::figureSvg(source, size).toStdString();
}

/// What a report says under a chart is not said in it too.
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
    // Where the view finds nothing to say, the caption says what is seen.
    figure.sentence = heading.finding.isEmpty() ? figure.alternative : heading.finding.toStdString();
    if (!heading.finding.isEmpty())
        figure.alternative += " " + figure.sentence;
}

}  // namespace

/// The views of a run in a workspace that no one sees, to be drawn one by one.
class ReportFigures::UnseenViews {
public:
    /// `input`: the index of the run among the report's, by which it is told from another.
    UnseenViews(const ReportInput& run, std::size_t input)
        : m_input(input), m_workspace(m_controller.document(), m_controller.axis()) {
        OpenedRun opened;
        opened.snapshot = run.run()->snapshot;
        opened.warnings = run.run()->warnings;
        opened.isIncomplete = run.run()->isIncomplete;
        ui::showUnseen(m_workspace, kRoom);
        m_controller.showSnapshot(QString::fromStdString(run.path.string()), opened);
    }

    std::size_t input() const { return m_input; }
    const ui::TimeAxis& axis() { return m_controller.axis(); }
    /// The view of that name in front and up to date; null where there is none.
    QWidget* show(const QString& name) {
        QWidget* view = m_workspace.view(name);
        if (!view)
            return nullptr;
        m_workspace.showView(view);
        settleView(*view);
        return view;
    }

private:
    std::size_t m_input;
    SessionController m_controller;
    Workspace m_workspace;
};

ReportFigures::ReportFigures(const std::vector<ReportInput>& inputs, Themes themes)
    : m_inputs(inputs), m_themes(themes) {}

ReportFigures::~ReportFigures() = default;

void ReportFigures::draw(ReportFigure& figure) {
    with(figure, [&](QWidget& view, const ui::FigureSource& source, const ui::FigureSize& size) {
        const bool dark = m_themes == Themes::kDark;
        figure.drawing.light = svgIn(dark ? ui::ThemeKind::kDark : ui::ThemeKind::kLight, view, source, size);
        if (m_themes == Themes::kBoth)
            figure.drawing.dark = svgIn(ui::ThemeKind::kDark, view, source, size);
        if (!std::holds_alternative<Chart>(figure.of))  // it has what its chart says
            takeHeading(view, figure);
    });
}

void ReportFigures::paint(const ReportFigure& figure, QPainter& painter, const QRectF& place) {
    with(figure, [&](QWidget& view, const ui::FigureSource& source, const ui::FigureSize& size) {
        const ui::OtherTheme theme(view, ui::ThemeKind::kLight);
        painter.save();
        painter.translate(place.topLeft());
        const double scale = place.width() / size.pixels.width();
        painter.scale(scale, scale);
        ui::paintOnPage(painter, source, size);
        painter.restore();
    });
}

void ReportFigures::with(const ReportFigure& figure, const Use& use) {
    if (const auto* view = std::get_if<ReportRunView>(&figure.of))
        return withView(*view, use);
    if (const auto* pair = std::get_if<ReportRunPair>(&figure.of))
        return withPair(*pair, use);
    ui::DataChart view;
    ui::showUnseen(view, {kFigureWidth, kChartHeight});
    view.setChart(withoutWords(std::get<Chart>(figure.of)));
    settleView(view);
    use(view, {&view, nullptr, QString()}, sizeOf(kChartHeight));
}

void ReportFigures::withView(const ReportRunView& of, const Use& use) {
    if (of.input >= m_inputs.size() || !m_inputs[of.input].run())
        return;
    if (!m_run || m_run->input() != of.input)
        m_run = std::make_unique<UnseenViews>(m_inputs[of.input], of.input);
    QWidget* view = m_run->show(ui::toQString(of.view));
    if (!view)
        return;
    const RunFigure drawn(view, m_run->axis(), QString());
    use(*view, drawn.source(), sizeOf(0));
}

void ReportFigures::withPair(const ReportRunPair& pair, const Use& use) {
    const auto side = [this](std::size_t index) {
        const ReportInput& input = m_inputs[index];
        return ui::ComparisonView::Side{ui::toQString(input.name), input.run()->snapshot, nullptr};
    };
    ui::ComparisonView view;
    ui::showUnseen(view, {kFigureWidth, kPairHeight});
    view.setRuns(side(pair.a), side(pair.b));
    settleView(view);
    const RunFigure drawn(&view, view.axisOfA(), QString());
    use(view, drawn.source(), sizeOf(kPairHeight));
}

}  // namespace warpglass::app
