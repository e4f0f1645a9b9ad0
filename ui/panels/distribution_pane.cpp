#include "ui/panels/distribution_pane.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "ui/models/table_model.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/property_list.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

DistributionPane::DistributionPane(QWidget* parent)
    : QWidget(parent),
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
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addWidget(m_head);
    inner->addWidget(m_sentence);
    inner->addWidget(m_histogram);
    inner->addWidget(m_properties);
    inner->addStretch(1);
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
    const auto duration = [](Nanoseconds t) { return toQString(formatDuration(t)); };
    const auto exact = [](Nanoseconds t) { return tr("%1 ns").arg(toQString(formatGrouped(t.value))); };
    m_head->setContent(tr("Durations"), title, {});
    m_sentence->hide();
    m_histogram->setDistribution(d, std::nullopt);
    std::vector<Property> rows{{tr("Instances"), toQString(formatGrouped(d.instances)), {}},
                               {tr("Together"), duration(d.total), exact(d.total)}};
    for (std::size_t p = 0; d.instances > 0 && p < d.percentiles.size(); ++p) {
        const double percent = static_cast<double>(DurationDistribution::kPercentiles[p]) / 10;
        rows.push_back({tr("P%1").arg(percent), duration(d.percentiles[p]),
                        tr("%1 % took at most %2").arg(percent).arg(exact(d.percentiles[p]))});
    }
    if (d.instances > 0)
        rows.push_back({tr("Longest"), duration(d.max), exact(d.max)});
    m_properties->setContent({}, {}, std::move(rows));
}

}  // namespace warpglass::ui
