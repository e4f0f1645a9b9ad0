#include "ui/charts/data_chart.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/controls/summary_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

DataChart::DataChart(QWidget* parent)
    : QWidget(parent),
      m_title(new SummaryLabel(this)),
      m_setup(new SentenceLabel(this)),
      m_sentence(new SentenceLabel(this)),
      m_plot(new DataPlot(this)),
      m_notes(new QLabel(this)) {
    setObjectName(QStringLiteral("dataChart"));
    m_title->setFont(Theme::strongFont());
    m_title->setFigureText(QStringLiteral(""));
    m_sentence->setFigureText(QStringLiteral(""));
    wrapWords(*m_setup);
    m_setup->setTextFormat(Qt::PlainText);
    setSecondary(m_setup);
    wrapWords(*m_sentence);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setFont(Theme::textFont());
    wrapWords(*m_notes);
    m_notes->setTextFormat(Qt::PlainText);
    setSecondary(m_notes);
    auto* words =
        spaced(new QVBoxLayout, {Metrics::kSpace3, Metrics::kSpace2, Metrics::kSpace3, 0}, Metrics::kSpace1);
    addAll(words, {m_title, m_setup, m_sentence});
    auto* below = new QVBoxLayout;
    below->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, Metrics::kSpace2);
    below->addWidget(m_notes);
    auto* layout = spaced(new QVBoxLayout(this), {}, Metrics::kSpace1);
    layout->addLayout(words);
    layout->addWidget(m_plot, 1);
    layout->addLayout(below);
}

void DataChart::setChart(Chart chart) {
    m_title->setText(toQString(chart.title));
    m_setup->setText(toQString(chart.setup));
    m_setup->setVisible(!chart.setup.empty());
    m_sentence->setText(toQString(chart.sentence));
    showSentence();
    QStringList notes;
    for (const std::string& note : chart.notes)
        notes << toQString(note);
    m_notes->setText(notes.join(QLatin1Char(' ')));
    m_notes->setVisible(!notes.isEmpty());
    m_plot->setChart(std::move(chart));
}

void DataChart::setSentenceAbove(bool above) {
    m_sentenceAbove = above;
    showSentence();
}

void DataChart::showSentence() {
    m_sentence->setVisible(!m_sentence->text().isEmpty() && !m_sentenceAbove);
}

Heading DataChart::heading() const {
    return {title(), sentence()};
}

QString DataChart::title() const {
    return m_title->text();
}

QString DataChart::setup() const {
    return m_setup->text();
}

QString DataChart::sentence() const {
    return m_sentence->text();
}

QString DataChart::notes() const {
    return m_notes->text();
}

}  // namespace warpglass::ui
