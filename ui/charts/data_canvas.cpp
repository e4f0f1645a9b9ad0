#include "ui/charts/data_canvas.h"

#include <qcustomplot.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/chart_text.h"
#include "ui/charts/data_ticks.h"
#include "ui/charts/heat_cells.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kLineWidth = 1.8, kPointSize = 7, kWhisker = 6, kCross = 4;
/// Opacity of a line that a fitted one goes through.
constexpr float kBesideFit = 0.45F;
constexpr double kColorScaleWidth = 14;
/// More points in a chart than that are lines without marks: these would lie over one another.
constexpr std::size_t kMostMarkedPoints = 600;
/// A curve of more points is told by its line; marks would make a band of it.
constexpr int kMostMarksOfALine = 60;
/// Around words in a cell of a heat map.
constexpr double kCellPadding = 4;

/// Shapes tell series apart that have one color, and all of them without colors.
QCPScatterStyle pointStyle(std::size_t series, const QColor& color) {
    using Shape = QCPScatterStyle::ScatterShape;
    static constexpr std::array<Shape, 5> kShapes = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                     QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle,
                                                     QCPScatterStyle::ssTriangleInverted};
    const Shape shape = kShapes[series % kShapes.size()];
    return {shape, QPen(color, 1.2), QBrush(color), kPointSize};
}

/// The line of a second choice; its marks tell it from one that is fitted.
const QList<qreal> kDashesOfChoice = {3, 2};

/// What is predicted has dots, what is fitted has dashes.
QList<qreal> dashesOf(bool predicted) {
    return predicted ? QList<qreal>{1.2, 2.2} : QList<qreal>{6, 4};
}

void paintCross(QPainter& painter, QPointF at, double half) {
    painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, half));
    painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half));
}

void dressAxis(QCPAxis& axis, double low, double high, bool logarithmic) {
    const ThemeColors& colors = Theme::instance().colors();
    // First the type: a logarithmic axis changes a range that goes beyond 0, as that of categories does.
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setRange(low, high);
    axis.setBasePen(QPen(colors.hairline, 1));
    axis.setTickPen(QPen(colors.hairline, 1));
    axis.setSubTicks(false);
    axis.setTickLength(0, 4);
    axis.setTickLabelFont(chartFont());
    axis.setTickLabelColor(colors.secondaryText);
    axis.setTickLabelPadding(4);
    axis.grid()->setPen(QPen(colors.grid, 1));
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

}  // namespace

DataCanvas::DataCanvas(const Chart& chart, const SeriesLook& look, const DataScales& scales)
    : m_chart(chart), m_look(look), m_scales(scales), m_plot(std::make_unique<QCustomPlot>()) {
    m_plot->setBackground(QBrush(Qt::NoBrush));
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->setAutoAddPlottableToLegend(false);  // we have our own
}

DataCanvas::~DataCanvas() = default;

void DataCanvas::dressAxes(QSize size) {
    QCustomPlot& plot = *m_plot;
    plot.clearPlottables();
    m_cells = nullptr;
    plot.setViewport(QRect(QPoint(), size));
    plot.axisRect()->setMargins(QMargins(qRound(m_scales.area().left()), qRound(m_scales.area().top()),
                                         qRound(size.width() - m_scales.area().right()),
                                         qRound(size.height() - m_scales.area().bottom())));
    dressAxis(*plot.xAxis, m_scales.x().low, m_scales.x().high, m_scales.x().logarithmic);
    dressAxis(*plot.yAxis, m_scales.y().low, m_scales.y().high, m_scales.y().logarithmic);
    const QFontMetricsF metrics(chartFont());
    const auto label = [&](QCPAxis& axis, const std::vector<DataScales::Tick>& ticks, bool across) {
        std::vector<double> places, sizes;
        for (const DataScales::Tick& tick : ticks) {
            const double share = (across ? m_scales.x() : m_scales.y()).shareOf(tick.value);
            places.push_back(share * (across ? m_scales.area().width() : m_scales.area().height()));
            sizes.push_back(across ? labelWidth(tick.text, metrics) : metrics.height() / 2);
        }
        const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        for (const std::size_t i : labelsThatFit(places, sizes))
            ticker->addTick(ticks[i].value, ticks[i].text);
        axis.setTicker(ticker);
    };
    label(*plot.xAxis, m_scales.xTicks(), true);
    label(*plot.yAxis, m_scales.yTicks(), false);
    plot.xAxis->grid()->setVisible(m_chart.x.categories.empty());
    plot.yAxis->grid()->setVisible(!m_chart.isHeat());
}

/// A graph of their own: QCustomPlot puts the point of what is not known into the picture's corner.
void DataCanvas::addPoints(std::size_t s, const QPen& pen) {
    QVector<double> x, y;
    for (const ChartPoint& point : m_chart.series[s].points) {
        if (std::isfinite(point.y)) {
            x << point.x;
            y << point.y;
        }
    }
    QCPGraph* points = m_plot->addGraph();
    points->setLineStyle(QCPGraph::lsNone);
    points->setScatterStyle(
        pointStyle(m_look.hasChoices() ? m_look.styleOf(s) : m_look.placeOf(s), m_look.colorOf(s)));
    points->setPen(pen);
    points->setData(x, y, true);
}

void DataCanvas::addLine(std::size_t s) {
    const ChartSeries& series = m_chart.series[s];
    QColor color = m_look.colorOf(s);
    QCPGraph* graph = m_plot->addGraph();
    QPen pen(color, m_look.isPredicted(s) ? 1.6 : series.isModel ? 1.2 : kLineWidth);
    if (series.isModel)
        pen.setDashPattern(dashesOf(m_look.isPredicted(s)));
    else if (m_look.styleOf(s) == 1)
        pen.setDashPattern(kDashesOfChoice);
    // Thin lines without antialiasing are drawn many times as fast, and that many are no finer with it.
    if (m_isCrowded) {
        pen.setWidthF(1);
        graph->setAntialiased(false);
    }
    graph->setPen(pen);
    graph->setAdaptiveSampling(true);
    QVector<double> x, y, deviation;
    bool spreads = false;
    for (const ChartPoint& point : series.points) {
        // What is not known parts the line.
        x << point.x;
        y << point.y;
        deviation << point.deviation;
        spreads = spreads || point.deviation > 0;
    }
    const bool marked =
        series.isScattered || (!series.isModel && !m_isCrowded && x.size() <= kMostMarksOfALine);
    if (marked)
        addPoints(s, pen);
    if (series.isScattered)
        graph->setLineStyle(QCPGraph::lsNone);
    if (marked && m_look.isFitted(s)) {  // the fit goes through the same points, and is not to be hidden
        color.setAlphaF(kBesideFit);
        graph->setPen(QPen(color, kLineWidth));
        color.setAlphaF(1);
    }
    graph->setData(x, y, true);
    if (!spreads)
        return;
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->setDataPlottable(graph);
    bars->setData(deviation);
    bars->setPen(QPen(color, m_isCrowded ? 1 : 1.2));
    bars->setAntialiased(!m_isCrowded);
    bars->setWhiskerWidth(m_isCrowded ? 0 : kWhisker);
    bars->setSymbolGap(0);
}

void DataCanvas::addBars(std::size_t s) {
    const ChartSeries& series = m_chart.series[s];
    if (series.isModel)
        return;
    auto* bars = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    bars->setWidth(m_scales.barWidth());
    bars->setAntialiased(!m_isCrowded);
    bars->setPen(m_look.own().size() * m_chart.x.categories.size() < 200
                     ? QPen(Theme::instance().colors().background, 1)
                     : QPen(Qt::NoPen));
    bars->setBrush(m_look.colorOf(s));
    if (m_scales.y().logarithmic)
        bars->setBaseValue(m_scales.y().low);
    QVector<double> x, y, deviation;
    bool spreads = false;
    for (const ChartPoint& point : series.points) {
        if (!std::isfinite(point.y))
            continue;
        x << point.x + m_scales.barOffset(s);
        // With a base value, QCustomPlot takes what is on top of it.
        y << (m_scales.y().logarithmic ? point.y - m_scales.y().low : point.y);
        deviation << point.deviation;
        spreads = spreads || point.deviation > 0;
    }
    bars->setData(x, y, true);
    if (!spreads)
        return;
    for (double& top : y)
        top = m_scales.y().logarithmic ? top + m_scales.y().low : top;
    addBarErrors(x, y, deviation);
}

void DataCanvas::addBarErrors(const QVector<double>& x, const QVector<double>& tops,
                              const QVector<double>& deviations) {
    // Bars of its own have no values to hang on to.
    QCPGraph* graph = m_plot->addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setData(x, tops, true);
    auto* errors = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    errors->setDataPlottable(graph);
    errors->setData(deviations);
    errors->setPen(QPen(Theme::instance().colors().text, m_isCrowded ? 1 : 1.2));
    errors->setAntialiased(!m_isCrowded);
    errors->setWhiskerWidth(std::min(kWhisker, m_scales.area().width() * m_scales.barWidth() /
                                                   (m_scales.x().high - m_scales.x().low) / 2));
    errors->setSymbolGap(0);
}

/// Bars of QCustomPlot begin at one value all: each is one of its own. A line leads from where a bar ends to
/// the next one.
void DataCanvas::addBridge(std::size_t s) {
    QVector<double> x, tops, deviations;
    for (const ChartPoint& point : m_chart.series[s].points) {
        if (!std::isfinite(point.y))
            continue;
        auto* bar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        bar->setWidth(m_scales.barWidth());
        bar->setPen(QPen(m_look.colorOf(s), 1));  // what gains nothing is still seen
        bar->setBrush(m_look.colorOf(s));
        const double base = m_scales.y().logarithmic ? std::max(m_scales.barBase(point), m_scales.y().low)
                                                     : m_scales.barBase(point);
        bar->setBaseValue(base);
        bar->addData(point.x, point.y - base);
        if (point.x + 1 < static_cast<double>(m_chart.x.categories.size())) {
            QCPGraph* onward = m_plot->addGraph();
            onward->setPen(QPen(Theme::instance().colors().secondaryText, 1, Qt::DotLine));
            onward->setData({point.x + m_scales.barWidth() / 2, point.x + 1 - m_scales.barWidth() / 2},
                            {point.y, point.y});
        }
        x << point.x;
        tops << point.y;
        deviations << point.deviation;
    }
    if (std::any_of(deviations.begin(), deviations.end(), [](double deviation) { return deviation > 0; }))
        addBarErrors(x, tops, deviations);
}

void DataCanvas::addCells() {
    const auto columns = static_cast<int>(m_chart.x.categories.size());
    const auto rows = static_cast<int>(m_chart.y.categories.size());
    m_cells = new HeatCells(m_plot->xAxis, m_plot->yAxis);
    if (columns == 0 || rows == 0 || m_chart.series.empty())
        return;
    m_cells->data()->setSize(columns, rows);
    m_cells->data()->setRange(QCPRange(0, std::max(1, columns - 1)), QCPRange(0, std::max(1, rows - 1)));
    m_cells->data()->fill(std::numeric_limits<double>::quiet_NaN());
    for (const ChartPoint& cell : m_chart.series.front().points) {
        // A file's chart may have cells outside its axes.
        if (!(cell.x >= 0 && cell.x < columns && cell.y >= 0 && cell.y < rows))
            continue;
        const double value = m_scales.value().logarithmic && !(cell.value > 0)
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : cell.value;
        m_cells->data()->setCell(static_cast<int>(cell.x), static_cast<int>(cell.y), value);
    }
    m_cells->setGradient(HeatCells::themeGradient());
    m_cells->setDataScaleType(m_scales.value().logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_cells->setDataRange(QCPRange(m_scales.value().low, m_scales.value().high));
}

void DataCanvas::paint(QPainter& painter, QSize size, const std::vector<ChartMark>& marks) {
    m_isCrowded = marks.size() > kMostMarkedPoints;
    dressAxes(size);
    if (m_chart.isHeat())
        addCells();
    for (std::size_t s = 0; s < m_chart.series.size() && !m_chart.isHeat(); ++s) {
        if (m_chart.isBridge())
            addBridge(s);
        else if (m_chart.isBars())
            addBars(s);
        else
            addLine(s);
    }
    auto& plotPainter = static_cast<QCPPainter&>(painter);
    plotPainter.save();
    m_plot->toPainter(&plotPainter, size.width(), size.height());
    plotPainter.restore();
    plotPainter.setMode(QCPPainter::pmDefault);
    painter.setFont(chartFont());
    paintUnmeasured(painter, marks);
    paintBarModels(painter);
    if (m_chart.isHeat()) {
        paintCellWords(painter);
        paintColorScale(painter, size.width());
    }
}

void DataCanvas::paintUnmeasured(QPainter& painter, const std::vector<ChartMark>& marks) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double half = m_chart.isBars() ? std::min(kCross, m_scales.area().width() * m_scales.barWidth() /
                                                                (m_scales.x().high - m_scales.x().low) / 2)
                                         : kCross;
    const QColor cellColor = Theme::mixed(colors.warning, colors.background, 0.8);
    if (m_scales.bandHeight() > 0) {
        painter.fillRect(m_scales.band(), colors.panel);
        painter.setPen(colors.grid);
        for (const DataScales::Tick& tick : m_scales.xTicks())
            painter.drawLine(QLineF(m_scales.xOf(tick.value), m_scales.band().top(), m_scales.xOf(tick.value),
                                    m_scales.band().bottom()));
    }
    for (const ChartMark& mark : marks) {
        const ChartPoint& point = m_chart.series[mark.series].points[mark.point];
        if (!point.isUnmeasured())
            continue;
        QPointF at = m_scales.placeOf(mark);
        QColor color = m_look.colorOf(mark.series);
        double size = half;
        if (m_chart.isHeat()) {
            const QRectF cell = m_scales.cellRect(point);
            color = colors.warning;
            painter.fillRect(cell, cellColor);
            at = cell.center();
            size = std::min(kCross, std::min(cell.width(), cell.height()) / 2 - 1);
            if (size < 1)
                continue;
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color, m_chart.isHeat() ? 1.4 : 2));
        painter.setBrush(Qt::NoBrush);
        if (point.state == PointState::kOutOfMemory)
            paintCross(painter, at, size);
        else
            painter.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Predicted, over a bar: a dotted line across it.
void DataCanvas::paintBarModels(QPainter& painter) const {
    if (!m_chart.isBars())
        return;
    QPen pen(Theme::instance().colors().text, 1.6);
    pen.setDashPattern(dashesOf(true));
    painter.setPen(pen);
    const double half = m_scales.barWidth() / 2;
    for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
        if (!m_chart.series[s].isModel)
            continue;
        for (const ChartPoint& point : m_chart.series[s].points) {
            const double x = point.x + m_scales.barOffset(s), y = m_scales.yOf(point.y);
            painter.drawLine(QPointF(m_scales.xOf(x - half), y), QPointF(m_scales.xOf(x + half), y));
        }
    }
}

QString DataCanvas::cellWords(double value) const {
    const std::vector<std::string>& kinds = m_chart.value.categories;
    if (kinds.empty())
        return toQString(readableCell(wholeIfExact(value), m_chart.value.unit));
    return value >= 0 && value < static_cast<double>(kinds.size())
               ? toQString(kinds[static_cast<std::size_t>(value)])
               : QString();
}

/// Writes in every cell or in none: a value that is missing would read as a blank.
void DataCanvas::paintCellWords(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font(), painter.device());
    const auto& cells = m_chart.series.front().points;
    if (cells.empty())
        return;
    const QRectF first = m_scales.cellRect(cells.front());
    if (first.height() < metrics.height() + 2 || first.width() < metrics.averageCharWidth() * 3)
        return;
    std::vector<std::pair<const ChartPoint*, QString>> words;
    for (const ChartPoint& cell : cells) {
        if (!std::isfinite(cell.value))
            continue;
        words.emplace_back(&cell, cellWords(cell.value));
        if (metrics.horizontalAdvance(words.back().second) + 2 * kCellPadding > first.width())
            return;
    }
    for (const auto& [cell, text] : words) {
        painter.setPen(Theme::textOn(m_cells->colorOf(cell->value)));
        painter.drawText(m_scales.cellRect(*cell), Qt::AlignCenter, text);
    }
}

void DataCanvas::paintColorScale(QPainter& painter, double width) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar(m_scales.area().right() + 2 * Metrics::kSpace1, m_scales.area().top(), kColorScaleWidth,
                     m_scales.area().height());
    // Kinds have a field each, and anything else has a gradient.
    const auto kinds = static_cast<int>(m_chart.value.categories.size());
    const int steps = kinds > 0 ? kinds : 64;
    for (int i = 0; i < steps; ++i) {
        const double share = kinds > 0 ? m_scales.value().shareOf(i) : (i + 0.5) / steps;
        const double value =
            m_scales.value().logarithmic
                ? m_scales.value().low * std::pow(m_scales.value().high / m_scales.value().low, share)
                : m_scales.value().low + share * (m_scales.value().high - m_scales.value().low);
        const double top = std::round(bar.bottom() - bar.height() * (i + 1) / steps);
        const double bottom = std::round(bar.bottom() - bar.height() * i / steps);
        painter.fillRect(QRectF(bar.left(), top, bar.width(), bottom - top), m_cells->colorOf(value));
    }
    painter.setPen(colors.secondaryText);
    for (const DataScales::Tick& tick : m_scales.valueTicks()) {
        const double share = kinds > 0 ? (tick.value + 0.5) / kinds : m_scales.value().shareOf(tick.value);
        const double y = bar.bottom() - bar.height() * share;
        painter.drawText(QRectF(bar.right() + 4, y - 8, width - bar.right() - 4, 16),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, tick.text);
    }
}

}  // namespace warpglass::ui
