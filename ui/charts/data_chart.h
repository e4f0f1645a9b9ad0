// A chart of data as it stands in a page: its title, the settings of its runs, what it says in one sentence,
// the plot, and notes on what is not in the picture. In a figure all but the plot and the notes is its head.
#pragma once

#include <QWidget>

#include "ui/charts/data_plot.h"
#include "ui/controls/heading.h"

class QLabel;

namespace warpglass::ui {

class SentenceLabel;
class SummaryLabel;

class DataChart : public QWidget, public Headed {
    Q_OBJECT
public:
    explicit DataChart(QWidget* parent = nullptr);

    void setChart(Chart chart);
    /// The page says the chart's sentence itself: only figures have it.
    void setSentenceAbove(bool above);
    Heading heading() const override;
    const Chart& chart() const { return m_plot->chart(); }
    DataPlot& plot() const { return *m_plot; }
    /// For tests: what stands above and below the plot.
    QString title() const, setup() const, sentence() const, notes() const;

private:
    void showSentence();

    SummaryLabel* m_title;
    SentenceLabel* m_setup;
    SentenceLabel* m_sentence;
    DataPlot* m_plot;
    QLabel* m_notes;
    bool m_sentenceAbove = false;
};

}  // namespace warpglass::ui
