#include "ui/charts/layers_chart.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/charts/byte_ticks.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/layer_words.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kScaleWidth = 76, kNamesHeight = 42, kLegendTop = 5, kRight = 16;
constexpr double kLayerBarShare = 0.72, kWidestBar = 64;
/// The height of a bar of less than a pixel.
constexpr double kLeastBar = 2;
/// Between two names under the bars.
constexpr double kBetweenNames = 3;
constexpr double kHeadroom = 1.10;
/// Over the highest bar: the median's name, which stands there where all blocks are alike.
constexpr double kLabelRoom = 22;
constexpr int kPixelsPerLayerTick = 44;
/// Over a bar that stands out, with its distance.
constexpr double kLayerArrow = 14;
/// A name that is no higher over a line is read as the line's.
constexpr double kNearLine = 8;
/// Logical pixels of the whole chart: in less the bars need them all.
constexpr double kRoomForDeviation = 260;
/// The period of the hatching in place of a bar that is longer than the scale.
constexpr double kHatchPeriod = 6;

}  // namespace

LayersChart::LayersChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "layersChart", tr("Layers side by side"));
}

void LayersChart::setLayers(Layers layers) {
    m_amounts.setLayers(std::move(layers));
    fit();
}

void LayersChart::setSubject(Subject subject) {
    m_amounts.setSubject(subject);
    fit();
}

void LayersChart::fit() {
    fitColumns();
    m_deviation.setShares(m_amounts.deviations());
    fitLegend();
    fitScale();
    invalidate();
}

/// Blocks have numbers, the others words, which have what room the numbers leave.
void LayersChart::fitColumns() {
    const QFontMetricsF metrics(chartFont(), this);
    double blocks = 0, number = 0, word = 0;
    for (const LayerRow& row : layers().rows) {
        const double width =
            metrics.horizontalAdvance(layerName(row, subject() == Subject::kTime)) + kBetweenNames;
        blocks += row.block ? 1 : 0;
        (row.block ? number : word) = std::max(row.block ? number : word, width);
    }
    const double others = markCount() - blocks, width = plot().width();
    double block = width / std::max(1, markCount()), other = block;
    if (blocks > 0 && others > 0) {
        other = std::max(other, std::min(word + kBetweenNames, (width - blocks * number) / others));
        block = (width - others * other) / blocks;
    }
    m_everyNumber = 1;
    for (const int step : {2, 5, 10, 20, 50, 100}) {
        if (m_everyNumber * block < number - 0.01)
            m_everyNumber = step;
    }
    m_barWidth = std::min(kWidestBar, std::min(block, other) * kLayerBarShare);
    m_edges = {plot().left()};
    for (const LayerRow& row : layers().rows)
        m_edges.push_back(m_edges.back() + (row.block ? block : other));
}

void LayersChart::setNothingText(const QString& sentence) {
    m_amounts.setNothingText(sentence);
    invalidate();
}

QRectF LayersChart::deviationRect() const {
    if (m_deviation.isEmpty() || height() < kRoomForDeviation)
        return {};
    const QRectF area = plot();
    return {area.left(), area.bottom(), area.width(), DeviationStrip::heightIn(height())};
}

double LayersChart::namesTop() const {
    const QRectF strip = deviationRect();
    return strip.isEmpty() ? plot().bottom() : strip.bottom();
}

void LayersChart::fitScale() {
    const double height = plot().height();
    const double headroom =
        height > 2 * kLabelRoom ? std::max(kHeadroom, height / (height - kLabelRoom)) : kHeadroom;
    m_top = std::max(1.0, m_amounts.highest() * headroom);
}

QRectF LayersChart::plot() const {
    const bool strip = !m_deviation.isEmpty() && height() >= kRoomForDeviation;
    return QRectF(rect()).adjusted(kScaleWidth, 2 * kLegendTop + m_legendHeight, -kRight,
                                   -kNamesHeight - (strip ? DeviationStrip::heightIn(height()) : 0));
}

double LayersChart::yOf(double amount) const {
    const QRectF area = plot();
    return area.bottom() - area.height() * std::min(1.0, amount / m_top);
}

QRectF LayersChart::markRect(int mark) const {
    const double left = m_edges[static_cast<std::size_t>(mark)];
    return {left, plot().top(), m_edges[static_cast<std::size_t>(mark) + 1] - left, plot().height()};
}

std::vector<LayersChart::Piece> LayersChart::piecesOf(int mark) const {
    std::vector<Piece> pieces = m_amounts.piecesOf(layers().rows[static_cast<std::size_t>(mark)]);
    const QRectF column = markRect(mark);
    // On whole pixels, so that bars of one size look alike.
    const double left = std::round(column.center().x() - m_barWidth / 2);
    const double right = std::max(left + 1, std::round(column.center().x() + m_barWidth / 2));
    double below = 0;
    for (Piece& piece : pieces) {
        const double bottom = std::round(yOf(below)), top = std::round(yOf(below + piece.amount));
        piece.rect = QRectF(left, top, right - left, bottom - top);
        below += piece.amount;
    }
    return pieces;
}

bool LayersChart::isBeyondScale(int mark) const {
    return m_amounts.amountOf(layers().rows[static_cast<std::size_t>(mark)]) > m_top;
}

QString LayersChart::toolTipOf(int mark) const {
    return layerToolTip(layers(), layers().rows[static_cast<std::size_t>(mark)]);
}

void LayersChart::paintPicture(QPainter& painter) {
    if (layers().rows.empty())
        return;
    painter.setFont(chartFont());
    if (!m_amounts.hasAnything()) {
        // A scale of nothing would say something.
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.drawText(plot(), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                         m_amounts.nothingText());
        return paintNames(painter);
    }
    paintScale(painter);
    paintBars(painter);
    paintMedian(painter);
    paintDeviation(painter);
    paintNames(painter);
    paintLegend(painter, QRectF(plot().left(), kLegendTop, plot().width(), m_legendHeight),
                m_amounts.legend());
}

void LayersChart::paintScale(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    const int most = std::max(3, static_cast<int>(area.height()) / kPixelsPerLayerTick);
    const auto line = [&](double value, const QString& words) {
        const double y = std::round(yOf(value));
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), value == 0 ? colors.hairline : colors.grid);
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(0, y - 8, kScaleWidth - Metrics::kSpace2, 16),
                         Qt::AlignRight | Qt::AlignVCenter, words);
    };
    if (subject() != Subject::kMemory) {
        for (const double tick : linearTicks(m_top, most))
            line(tick, tick > 0 ? m_amounts.text(tick) : QStringLiteral("0"));
        return;
    }
    line(0, QStringLiteral("0"));
    const std::vector<std::int64_t> ticks = byteTicks(std::llround(m_top), most);
    for (const std::int64_t tick : ticks)
        line(static_cast<double>(tick), toQString(byteTickLabel(tick, ticks.front(), ticks.back())));
}

void LayersChart::paintBars(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    for (int mark = 0; mark < markCount(); ++mark) {
        const LayerRow& row = layers().rows[static_cast<std::size_t>(mark)];
        double top = plot().bottom();
        if (isBeyondScale(mark)) {
            paintBeyondScale(painter, mark);
            continue;
        }
        const std::vector<Piece> pieces = piecesOf(mark);
        for (const Piece& piece : pieces) {
            if (piece.rect.height() < 1)
                continue;
            painter.fillRect(piece.rect, piece.color);
            // Phases' colors are those of large areas: a line tells where a pale one ends.
            painter.fillRect(QRectF(piece.rect.left(), piece.rect.top(), piece.rect.width(), 1),
                             withAlpha(Theme::readableOn(piece.color, colors.background), 0.7F));
            top = std::min(top, piece.rect.top());
        }
        if (top == plot().bottom() && !pieces.empty()) {
            const Piece& most = *std::ranges::max_element(pieces, {}, &Piece::amount);
            top -= kLeastBar;
            painter.fillRect(QRectF(most.rect.left(), top, most.rect.width(), kLeastBar),
                             Theme::readableOn(most.color, colors.background));
        }
        if (!m_amounts.hasArrow(row))
            continue;
        bool above = false;
        for (std::size_t m = 0; m < kLayerMeasureCount; ++m)
            above = above || (row.outlier[m] && row.value(static_cast<LayerMeasure>(m)) > layers().median[m]);
        const double x = markRect(mark).center().x(), y = top - 6;
        QPainterPath arrow(QPointF(x, above ? y - 8 : y));
        arrow.lineTo(x - 5, above ? y : y - 8);
        arrow.lineTo(x + 5, above ? y : y - 8);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(arrow, colors.warning);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void LayersChart::paintBeyondScale(QPainter& painter, int mark) const {
    const ThemeColors& colors = Theme::instance().colors();
    const std::vector<Piece> pieces = piecesOf(mark);
    if (pieces.empty())
        return;
    const QRectF bar(pieces.front().rect.left(), plot().top(), pieces.front().rect.width(), plot().height());
    fillHatch(painter, bar, withAlpha(colors.secondaryText, 0.5F), kHatchPeriod);
    drawBoxedLabel(painter, {bar.center().x(), bar.top() - 2}, Qt::AlignHCenter | Qt::AlignBottom,
                   m_amounts.text(m_amounts.amountOf(layers().rows[static_cast<std::size_t>(mark)])), rect(),
                   colors.text);
}

void LayersChart::paintDeviation(QPainter& painter) const {
    const QRectF strip = deviationRect();
    if (strip.isEmpty())
        return;
    std::vector<QRectF> columns;
    std::vector<bool> warned;
    for (int mark = 0; mark < markCount(); ++mark) {
        columns.push_back(markRect(mark));
        warned.push_back(m_amounts.hasArrow(layers().rows[static_cast<std::size_t>(mark)]));
    }
    m_deviation.paint(painter, strip, columns, warned, tr("deviation from the block median"));
}

std::vector<LayersChart::Name> LayersChart::names(const QPaintDevice& device) const {
    const QFontMetricsF metrics(chartFont(), &device);
    const double first = namesTop() + 4, height = metrics.height();
    std::vector<Name> names;
    const auto isFree = [&](const QRectF& box) {
        const QRectF apart = box.adjusted(-kBetweenNames, 0, kBetweenNames, 0);
        return box.left() >= 0 && box.right() <= rect().width() &&
               std::ranges::none_of(names, [&](const Name& name) { return name.box.intersects(apart); });
    };
    // The blocks' numbers come first, a bar's word is where they leave room: under them, if not beside them.
    for (const bool blocks : {true, false}) {
        for (int mark = 0; mark < markCount(); ++mark) {
            const LayerRow& row = layers().rows[static_cast<std::size_t>(mark)];
            if (row.block != blocks)
                continue;
            const QString text = layerName(row, subject() == Subject::kTime);
            if (blocks && text.toInt() % m_everyNumber != 0)
                continue;
            const double width = metrics.horizontalAdvance(text);
            QRectF box(markRect(mark).center().x() - width / 2, first, width, height);
            if (!blocks && box.right() > rect().width() - 2)
                box.moveRight(rect().width() - 2);
            if (!blocks && !isFree(box))
                box.translate(0, height);
            if (isFree(box))
                names.push_back({mark, text, box});
        }
    }
    std::ranges::sort(names, {}, &Name::mark);
    return names;
}

void LayersChart::paintNames(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font(), painter.device());
    const double top = namesTop();
    const std::vector<Name> names = this->names(*painter.device());
    for (const Name& name : names) {
        const bool standsOut = layers().rows[static_cast<std::size_t>(name.mark)].standsOut();
        painter.setPen(standsOut ? colors.warning : colors.secondaryText);
        painter.drawText(QPointF(name.box.left(), name.box.top() + metrics.ascent()), name.text);
    }
    QRectF blocks;
    for (int mark = 0; mark < markCount(); ++mark) {
        if (layers().rows[static_cast<std::size_t>(mark)].block)
            blocks = blocks.united(markRect(mark));
    }
    if (blocks.isNull())
        return;
    double left = blocks.left() + 2, right = blocks.right() - 2;
    for (const Name& name : names) {  // words on its line leave it less
        if (name.box.bottom() > top + 29 && name.box.left() < blocks.left())
            left = std::max(left, name.box.right() + Metrics::kSpace1);
        else if (name.box.bottom() > top + 29)
            right = std::min(right, name.box.left() - Metrics::kSpace1);
    }
    painter.fillRect(QRectF(left, top + 29, right - left, 1), colors.hairline);
    painter.setPen(colors.secondaryText);
    drawBoxedLabel(painter, {blocks.center().x(), top + 30}, Qt::AlignHCenter, tr("blocks"), rect(),
                   colors.secondaryText);
}

double LayersChart::topOf(int mark) const {
    const LayerRow& row = layers().rows[static_cast<std::size_t>(mark)];
    const double amount = m_amounts.amountOf(row);
    const double bar = amount > 0 ? std::round(yOf(amount)) : plot().bottom();
    return m_amounts.hasArrow(row) ? bar - kLayerArrow : bar;
}

std::optional<LayersChart::Median> LayersChart::median(const QPaintDevice& device) const {
    Median median{m_amounts.median(), m_amounts.isMedianOfAll(), {}, {}};
    if (median.amount <= 0)
        return std::nullopt;
    std::vector<double> lefts;
    for (int mark = 0; mark < markCount(); ++mark) {
        if (!m_amounts.isTypical(layers().rows[static_cast<std::size_t>(mark)]))
            continue;
        median.columns = median.columns.united(markRect(mark));
        lefts.push_back(markRect(mark).left() + 4);
    }
    // Over the bars that it stands on, at the first place where that is near the line; else as near as can
    // be.
    const QFontMetricsF metrics(chartFont(), &device);
    const double width = metrics.horizontalAdvance(nameOf(median)) + 8;
    const double y = std::round(yOf(median.amount)) - 2;
    std::vector<double> tops;
    for (int mark = 0; mark < markCount(); ++mark)
        tops.push_back(topOf(mark));
    double least = std::numeric_limits<double>::max();
    for (const double left : lefts) {
        QRectF box(std::max(plot().left(), std::min(left, plot().right() - width)), 0, width,
                   metrics.height());
        double bottom = y;
        for (int mark = 0; mark < markCount(); ++mark) {
            const QRectF column = markRect(mark);
            if (column.left() < box.right() && column.right() > box.left())
                bottom = std::min(bottom, tops[static_cast<std::size_t>(mark)] - 1);
        }
        bottom = std::max(bottom, plot().top() + box.height());
        box.moveBottom(bottom);
        if (y - bottom < least) {
            least = y - bottom;
            median.name = box;
        }
        if (least <= kNearLine)
            break;
    }
    return median;
}

QString LayersChart::nameOf(const Median& median) const {
    return (median.ofAll ? tr("block median %1") : tr("median of complete blocks %1"))
        .arg(m_amounts.text(median.amount));
}

void LayersChart::paintMedian(QPainter& painter) const {
    const auto median = this->median(*painter.device());
    if (!median)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const double y = std::round(yOf(median->amount)) + 0.5;
    painter.setPen(QPen(colors.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(median->columns.left(), y), QPointF(median->columns.right(), y));
    drawBoxedLabel(painter, median->name.bottomLeft(), Qt::AlignLeft | Qt::AlignBottom, nameOf(*median),
                   plot(), colors.text);
}

void LayersChart::fitLegend() {
    m_legendHeight =
        std::max(kLegendRow, legendHeight(m_amounts.legend(), chartFont(), width() - kScaleWidth - kRight));
}

void LayersChart::resizeEvent(QResizeEvent* event) {
    fitColumns();
    fitLegend();
    fitScale();
    Canvas::resizeEvent(event);
}

void LayersChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    QRectF column = markRect(mark);
    column.setBottom(namesTop());
    painter.fillRect(column, withAlpha(chosen ? colors.accent : colors.text, chosen ? 0.14F : 0.07F));
    if (chosen)
        painter.fillRect(QRectF(column.left(), namesTop(), column.width(), 2), colors.accent);
}

}  // namespace warpglass::ui
