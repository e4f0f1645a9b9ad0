#include "ui/panels/distribution_pane.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <initializer_list>
#include <utility>

#include "engine/base/format.h"
#include "ui/models/table_model.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/property_list.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

using Percentiles = decltype(DurationDistribution::percentiles);

QString duration(Nanoseconds t) {
    return toQString(formatDuration(t));
}

QString exact(Nanoseconds t) {
    return DistributionPane::tr("%1 ns").arg(toQString(formatGrouped(t.value)));
}

double percentOf(std::size_t percentile) {
    return static_cast<double>(DurationDistribution::kPercentiles[percentile]) / 10;
}

QString nameOf(std::size_t percentile) {
    return DistributionPane::tr("P%1").arg(percentOf(percentile));
}

QString sentenceOf(const Percentiles& percentiles, std::size_t percentile) {
    return DistributionPane::tr("%1 % took at most %2")
        .arg(percentOf(percentile))
        .arg(exact(percentiles[percentile]));
}

}  // namespace

DistributionPane::DistributionPane(QWidget* parent)
    : QWidget(parent),
      m_parts(new QVBoxLayout),
      m_head(new PropertyList(this)),
      m_sentence(new QLabel(this)),
      m_histogram(new DurationHistogram(this)),
      m_properties(new PropertyList(this)) {
    setObjectName(QStringLiteral("distribution"));
    setFixedWidth(kWidth);
    m_histogram->setInteractive(true);
    m_histogram->setAccessibleName(tr("Durations of the selected row"));
    m_sentence->setObjectName(QStringLiteral("distributionSentence"));
    wrapWords(*m_sentence);
    m_sentence->setProperty("secondary", true);
    m_sentence->setFont(Theme::tableFont());
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
    showSentence(tr("Select a row to see how its durations are spread"));
}

void DistributionPane::showSentence(const QString& sentence) {
    m_head->setContent(tr("Durations"), {}, {});
    m_sentence->setText(sentence);
    m_sentence->show();
    m_histogram->setDistribution({}, std::nullopt);
    m_properties->setContent({}, {}, {});
}

void DistributionPane::showDistribution(const QString& title, const DurationDistribution& d) {
    m_head->setContent(tr("Durations"), title, {});
    m_sentence->hide();
    m_histogram->setDistribution(d, std::nullopt);
    arrange();
    m_properties->setContent({}, {}, m_low ? fewLinesOf(d) : linesOf(d));
}

std::vector<Property> DistributionPane::linesOf(const DurationDistribution& d) {
    std::vector<Property> lines{{tr("Instances"), toQString(formatGrouped(d.instances)), {}},
                                {tr("Together"), duration(d.total), exact(d.total)}};
    for (std::size_t p = 0; d.instances > 0 && p < d.percentiles.size(); ++p)
        lines.push_back({nameOf(p), duration(d.percentiles[p]), sentenceOf(d.percentiles, p)});
    if (d.instances > 0)
        lines.push_back({tr("Longest"), duration(d.max), exact(d.max)});
    return lines;
}

/// "P50 · P90: 12.1 µs · 15.3 µs".
std::vector<Property> DistributionPane::fewLinesOf(const DurationDistribution& d) {
    std::vector<Property> lines;
    const auto& percentiles = d.percentiles;
    for (std::size_t p = 0; d.instances > 0 && p < percentiles.size(); p += 2) {
        Property line{nameOf(p), duration(percentiles[p]), sentenceOf(percentiles, p)};
        if (p + 1 < percentiles.size()) {
            line.label += QStringLiteral(" · ") + nameOf(p + 1);
            line.value += QStringLiteral(" · ") + duration(percentiles[p + 1]);
            line.toolTip += QLatin1Char('\n') + sentenceOf(percentiles, p + 1);
        }
        lines.push_back(std::move(line));
    }
    if (d.instances > 0)
        lines.push_back({tr("Longest"), duration(d.max), exact(d.max)});
    lines.push_back({tr("Instances"), toQString(formatGrouped(d.instances)), {}});
    lines.push_back({tr("Together"), duration(d.total), exact(d.total)});
    return lines;
}

/// In little height what is read comes before what is looked at.
void DistributionPane::arrange() {
    constexpr int kLines = 212;  // of all the figures, one a line
    const bool low = height() < m_head->heightForWidth(kWidth) + m_histogram->sizeHint().height() + kLines;
    if (low == m_low)
        return;
    m_low = low;
    m_parts->removeWidget(m_properties);
    m_parts->insertWidget(m_parts->indexOf(m_histogram) + (low ? 0 : 1), m_properties);
    if (const DurationDistribution& d = m_histogram->distribution(); !m_properties->properties().empty())
        m_properties->setContent({}, {}, m_low ? fewLinesOf(d) : linesOf(d));
}

void DistributionPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace warpglass::ui
