#include "ui/panels/distribution_pane.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "engine/base/format.h"
#include "ui/controls/elided_label.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/property_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Pixels: all of the figures, one a line; a line more; enough of the first under the bars to be read; and
/// all percentiles, two to a line.
constexpr int kLines = 212, kLine = 24, kFirstLines = 46, kPercentileLines = 84;

using Percentiles = decltype(DurationDistribution::percentiles);

double percentOf(std::size_t percentile) {
    return static_cast<double>(DurationDistribution::kPercentiles[percentile]) / 10;
}

QString nameOf(std::size_t percentile) {
    return DistributionPane::tr("P%1").arg(percentOf(percentile));
}

QString sentenceOf(const Percentiles& percentiles, std::size_t percentile) {
    return DistributionPane::tr("%1% took at most %2")
        .arg(percentOf(percentile))
        .arg(exactDuration(percentiles[percentile]));
}

/// Spans on both run side by side: their times have no sum.
bool isOnBoth(const DurationDistribution& d) {
    return d.onGpu.value > 0 && d.onGpu != d.total;
}

void addTogether(std::vector<Property>& lines, const DurationDistribution& d) {
    const auto add = [&lines](const QString& label, Nanoseconds time) {
        lines.push_back({label, shortDuration(time), exactDuration(time)});
    };
    if (!isOnBoth(d))
        return add(DistributionPane::tr("Total"), d.total);
    add(DistributionPane::tr("CPU total"), d.total - d.onGpu);
    add(DistributionPane::tr("GPU total"), d.onGpu);
}

}  // namespace

DistributionPane::DistributionPane(QWidget* parent)
    : QWidget(parent),
      m_parts(new QVBoxLayout),
      m_head(new PropertyList(this)),
      m_sentence(named(new QLabel(this), "distributionSentence")),
      m_histogram(new DurationHistogram(this)),
      m_properties(new PropertyList(this)) {
    setObjectName(QStringLiteral("distribution"));
    setFixedWidth(kWidth);
    m_histogram->setInteractive(true);
    m_histogram->setAccessibleName(tr("Durations of the selected row"));
    wrapWords(*m_sentence);
    setSecondary(m_sentence);
    m_sentence->setContentsMargins(Metrics::kSpace4, 0, Metrics::kSpace4, 0);
    auto* content = new QWidget(this);
    content->setLayout(m_parts);
    m_parts->setContentsMargins(0, 0, 0, 0);
    m_parts->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_head, m_sentence, m_histogram, m_properties})
        m_parts->addWidget(part);
    m_parts->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    connect(m_histogram, &DurationHistogram::binActivated, this, [this](int bin) {
        if (const auto& longest = m_histogram->distribution().longest[static_cast<std::size_t>(bin)])
            emit spanRequested(*longest);
    });
    showSentence(tr("Select a row to see the distribution of its durations"));
}

void DistributionPane::showSentence(const QString& sentence) {
    m_title.clear();
    showHead(false);
    m_sentence->setText(sentence);
    m_sentence->show();
    m_histogram->setDistribution({}, std::nullopt);
    m_properties->setContent({}, {}, {});
}

void DistributionPane::showDistribution(const QString& title, const DurationDistribution& d,
                                        const QString& toolTip) {
    m_title = title;
    m_head->setToolTip(toolTip);
    m_sentence->hide();
    m_histogram->setDistribution(d, std::nullopt);
    arrange();
    m_properties->setContent({}, {}, m_low ? fewLinesOf(d) : linesOf(d));
}

std::vector<Property> DistributionPane::linesOf(const DurationDistribution& d) {
    std::vector<Property> lines{{tr("Instances"), toQString(formatGrouped(d.instances)), {}}};
    addTogether(lines, d);
    for (std::size_t p = 0; d.instances > 0 && p < d.percentiles.size(); ++p)
        lines.push_back({nameOf(p), shortDuration(d.percentiles[p]), sentenceOf(d.percentiles, p)});
    if (d.instances > 0)
        lines.push_back({tr("Max"), shortDuration(d.max), exactDuration(d.max)});
    return lines;
}

/// "P50 · P90: 12.1 µs · 15.3 µs".
std::vector<Property> DistributionPane::fewLinesOf(const DurationDistribution& d) {
    std::vector<Property> lines;
    const auto& percentiles = d.percentiles;
    for (std::size_t p = 0; d.instances > 0 && p < percentiles.size(); p += 2) {
        Property line{nameOf(p), shortDuration(percentiles[p]), sentenceOf(percentiles, p)};
        if (p + 1 < percentiles.size()) {
            line.label += QStringLiteral(" · ") + nameOf(p + 1);
            line.value += QStringLiteral(" · ") + shortDuration(percentiles[p + 1]);
            line.toolTip += QLatin1Char('\n') + sentenceOf(percentiles, p + 1);
        }
        lines.push_back(std::move(line));
    }
    if (d.instances > 0)
        lines.push_back({tr("Max"), shortDuration(d.max), exactDuration(d.max)});
    lines.push_back({tr("Instances"), toQString(formatGrouped(d.instances)), {}});
    addTogether(lines, d);
    return lines;
}

void DistributionPane::showHead(bool inALine) {
    m_head->setMostTitleLines(inALine ? 1 : PropertyList::kMostTitleLines);
    m_head->setContent(inALine && !m_title.isEmpty() ? QString() : tr("Durations"), m_title, {});
}

/// In little height the figures take fewer lines, and in less the name and the bars give way.
void DistributionPane::arrange() {
    const DurationDistribution& d = m_histogram->distribution();
    const int lines = kLines + (isOnBoth(d) ? kLine : 0);
    constexpr int kBars = DurationHistogram::kHeight, kLowBars = DurationHistogram::kLeastHeight;
    showHead(false);
    const int bars = m_head->heightForWidth(kWidth) + kBars;
    const bool low = height() < bars + lines, lowest = height() < bars + kFirstLines;
    showHead(lowest);
    const int room = height() - m_head->heightForWidth(kWidth);
    const bool both = room >= kLowBars + kPercentileLines;
    const bool linesFirst = lowest && !both && room >= kPercentileLines;
    m_histogram->setFixedHeight(lowest ? std::clamp(both ? room - kPercentileLines : room, kLowBars, kBars)
                                       : kBars);
    if (linesFirst != m_linesFirst) {
        m_linesFirst = linesFirst;
        m_parts->removeWidget(m_properties);
        m_parts->insertWidget(m_parts->indexOf(m_histogram) + (linesFirst ? 0 : 1), m_properties);
    }
    if (low == m_low)
        return;
    m_low = low;
    if (!m_properties->properties().empty())
        m_properties->setContent({}, {}, m_low ? fewLinesOf(d) : linesOf(d));
}

void DistributionPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace warpglass::ui
