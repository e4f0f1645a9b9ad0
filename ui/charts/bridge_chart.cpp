#include "ui/charts/bridge_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The line of words and the bars below it, also in little height; what is free under them.
constexpr double kWords = 18, kLowWords = 15, kBars = 21, kLowBars = 9, kBelow = 2;
/// After what the figures are, and between two bars: connecting lines are seen.
constexpr double kAfterWhat = 12, kBetween = 14;
constexpr double kLeastBar = 2;

QFont figureFont(bool atEnd) {
    QFont font = Theme::tableFont();
    font.setWeight(atEnd ? QFont::DemiBold : QFont::Normal);
    return font;
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
    QStringList lines;
    for (const Bridge::Part& part : bridge ? bridge->parts : std::vector<Bridge::Part>())
        lines << tr("%1: %2, from %3 to %4")
                     .arg(toQString(part.name), toQString(bridge->signedFigure(part.difference())),
                          toQString(bridge->figure(part.a)), toQString(bridge->figure(part.b)));
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
    std::int64_t low = 0, high = 1;
    for (const Step& step : steps) {
        low = std::min(low, step.to);
        high = std::max(high, step.to);
    }
    const auto yOf = [&, scale = m_bars / static_cast<double>(high - low)](std::int64_t value) {
        return std::round(area.top() + m_words + static_cast<double>(high - value) * scale);
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
        painter.fillRect(step.bar, withAlpha(atEnd ? colors.secondaryText : color, atEnd ? 0.5F : 0.75F));
        // What is reached goes on to where the next bar begins.
        if (i + 1 == steps.size())
            continue;
        const double reached = less ? step.bar.bottom() - 1 : step.bar.top();
        painter.fillRect(QRectF(step.bar.right(), reached, steps[i + 1].bar.left() - step.bar.right(), 1),
                         withAlpha(colors.secondaryText, 0.7F));
    }
}

}  // namespace warpglass::ui
