#include "ui/charts/bridge_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The line of words and the bars below it, also in little height; what is free under them.
constexpr double kWords = 18, kLowWords = 15, kBars = 36, kLowBars = 9, kBelow = 2;
/// After what the figures are, and between two bars: connecting lines are seen.
constexpr double kAfterWhat = 12, kBetween = 14;
constexpr double kLeastBar = 2;
/// Totals that are so many times what changes are cut at their foot: from 0 the changes would be slivers.
/// They then have two thirds of the height; but no change of less than a thirtieth is drawn as if it were a
/// large one.
constexpr double kCutFrom = 2.5, kHeightOfChanges = 2.0 / 3, kLeastShown = 1.0 / 20;
/// Between what was cut and what is drawn: a zigzag.
constexpr double kMark = 3, kMarkWidth = 2;

QFont figureFont(bool atEnd) {
    QFont font = Theme::tableFont();
    font.setWeight(atEnd ? QFont::DemiBold : QFont::Normal);
    return font;
}

/// Where the bars begin: 0, or above it.
std::int64_t footOf(const Bridge& bridge) {
    std::int64_t low = std::min(bridge.a, bridge.b), high = std::max(bridge.a, bridge.b), reached = bridge.a;
    double changes = 0;
    for (const Bridge::Part& part : bridge.shownParts(bridge.parts.size())) {
        reached += part.difference();
        changes += std::abs(static_cast<double>(part.difference()));
        low = std::min(low, reached);
        high = std::max(high, reached);
    }
    if (changes == 0 || static_cast<double>(std::min(bridge.a, bridge.b)) <= kCutFrom * changes)
        return 0;
    const double shown =
        std::max(static_cast<double>(high - low) / kHeightOfChanges, static_cast<double>(high) * kLeastShown);
    return std::max<std::int64_t>(0, high - std::llround(shown));
}

/// At the foot of a bar, in the ground's color: that its height is not all of it.
void drawBreak(QPainter& painter, const QRectF& bar, double foot) {
    const double amplitude = std::min(kMark, foot / 3), middle = bar.bottom() - foot / 2;
    QPolygonF zigzag;
    for (double x = bar.left(); x < bar.right() + kMark; x += kMark)
        zigzag << QPointF(std::min(x, bar.right()),
                          middle + (zigzag.size() % 2 == 0 ? amplitude : -amplitude) / 2);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().panel, std::min(kMarkWidth, foot / 2)));
    painter.drawPolyline(zigzag);
}

}  // namespace

BridgeChart::BridgeChart(const QString& what, QWidget* parent) : QWidget(parent), m_what(what) {
    setFont(Theme::tableFont());
    setLow(false);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BridgeChart::setLow(bool low) {
    m_words = low ? kLowWords : kWords;
    m_bars = low ? kLowBars : kBars;
    setFixedHeight(static_cast<int>(m_words + m_bars + kBelow));
}

void BridgeChart::setBridge(const std::optional<Bridge>& bridge) {
    m_bridge = bridge;
    m_foot = bridge ? footOf(*bridge) : 0;
    QStringList lines;
    for (const Bridge::Part& part : bridge ? bridge->parts : std::vector<Bridge::Part>())
        lines << tr("%1: %2, from %3 to %4")
                     .arg(toQString(part.name), toQString(bridge->signedFigure(part.difference())),
                          toQString(bridge->figure(part.a)), toQString(bridge->figure(part.b)));
    if (m_foot > 0)
        lines << tr("The bars begin at %1, not at 0").arg(toQString(bridge->figure(m_foot)));
    setAccessibleName(bridge ? tr("%1: %2").arg(m_what, toQString(bridge->text())) : QString());
    setToolTip(lines.join(QLatin1Char('\n')));
    update();
}

std::vector<BridgeChart::Step> BridgeChart::stepsOf(std::size_t mostParts) const {
    std::vector<Step> steps{{{}, toQString(m_bridge->figure(m_bridge->a)), 0, m_bridge->a, {}, {}}};
    for (const Bridge::Part& part : m_bridge->shownParts(mostParts)) {
        const std::int64_t reached = steps.back().to;
        steps.push_back({toQString(part.name) + QLatin1Char(' '),
                         toQString(m_bridge->signedFigure(part.difference())),
                         reached,
                         reached + part.difference(),
                         {},
                         {}});
    }
    steps.push_back({{}, toQString(m_bridge->figure(m_bridge->b)), 0, m_bridge->b, {}, {}});
    return steps;
}

std::vector<BridgeChart::Step> BridgeChart::steps() const {
    if (!m_bridge)
        return {};
    const QRectF area = contentsRect();
    const QFontMetricsF metrics(font());
    std::vector<Step> steps;
    for (std::size_t most = std::max<std::size_t>(1, m_bridge->parts.size()); most >= 1; --most) {
        steps = stepsOf(most);
        double x = area.left() + metrics.horizontalAdvance(m_what) + kAfterWhat;
        for (Step& step : steps) {
            const double width =
                metrics.horizontalAdvance(step.name) +
                QFontMetricsF(figureFont(step.name.isEmpty())).horizontalAdvance(step.figure);
            step.words = {std::round(x), area.top(), std::ceil(width), m_words};
            x += width + kBetween;
        }
        if (steps.back().words.right() <= area.right())
            break;
    }
    std::int64_t low = m_foot, high = m_foot + 1;
    for (const Step& step : steps) {
        low = std::min(low, step.to);
        high = std::max(high, step.to);
    }
    const auto yOf = [&, scale = m_bars / static_cast<double>(high - low)](std::int64_t value) {
        return std::round(area.top() + m_words + static_cast<double>(high - std::max(value, low)) * scale);
    };
    for (Step& step : steps) {
        const double top = yOf(std::max(step.from, step.to)), bottom = yOf(std::min(step.from, step.to));
        step.bar = {step.words.left(), std::min(top, area.top() + m_words + m_bars - kLeastBar),
                    step.words.width(), std::max(kLeastBar, bottom - top)};
    }
    return steps;
}

void BridgeChart::paintEvent(QPaintEvent*) {
    const std::vector<Step> steps = this->steps();
    if (steps.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(contentsRect().left(), steps.front().words.top(), width(), m_words),
                     Qt::AlignLeft | Qt::AlignVCenter, m_what);
    const QRectF first = steps.front().bar;
    painter.fillRect(QRectF(first.left(), first.bottom(), steps.back().bar.right() - first.left(), 1),
                     colors.hairline);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const bool atEnd = step.name.isEmpty(), less = step.to < step.from;
        const QColor color = less ? colors.less : colors.more;
        painter.setFont(font());
        painter.setPen(colors.text);
        painter.drawText(step.words, Qt::AlignLeft | Qt::AlignVCenter, step.name);
        painter.setFont(figureFont(atEnd));
        if (!atEnd)
            painter.setPen(Theme::readableOn(color, colors.panel));
        painter.drawText(step.words, Qt::AlignRight | Qt::AlignVCenter, step.figure);
        const QColor own = atEnd || !m_colorOf ? QColor() : m_colorOf(step.name.trimmed());
        painter.fillRect(step.bar, own.isValid() ? own
                                   : atEnd       ? withAlpha(colors.secondaryText, 0.5F)
                                                 : withAlpha(color, 0.75F));
        if (atEnd && m_foot > 0)
            drawBreak(painter, step.bar, m_bars * (1 - kHeightOfChanges));
        // What is reached goes on to where the next bar begins.
        if (i + 1 == steps.size())
            continue;
        const double reached = less ? step.bar.bottom() - 1 : step.bar.top();
        painter.fillRect(QRectF(step.bar.right(), reached, steps[i + 1].bar.left() - step.bar.right(), 1),
                         withAlpha(colors.secondaryText, 0.7F));
    }
}

}  // namespace warpglass::ui
