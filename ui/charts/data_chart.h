// A chart of data as it stands in a page or a figure: its title, the settings of its runs, what it says in
// one sentence, the plot, and notes on what is not in the picture.
#pragma once

#include <QWidget>

#include "ui/charts/data_plot.h"

class QLabel;

namespace warpglass::ui {

class ElidedLabel;

class DataChart : public QWidget, public FigurePart {
    Q_OBJECT
public:
    explicit DataChart(QWidget* parent = nullptr);

    void setChart(Chart chart);
    /// The page says the chart's sentence itself: only figures have it.
    void setSentenceAbove(bool above);
    const Chart& chart() const { return m_plot->chart(); }
    DataPlot& plot() const { return *m_plot; }
    /// For tests: what stands above and below the plot.
    QString title() const, setup() const, sentence() const, notes() const;

    void setInFigure(bool inFigure) override;

private:
    void showSentence();

    ElidedLabel* m_title;
    QLabel* m_setup;
    QLabel* m_sentence;
    DataPlot* m_plot;
    QLabel* m_notes;
    bool m_sentenceAbove = false, m_inFigure = false;
};

}  // namespace warpglass::ui
