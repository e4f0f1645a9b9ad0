// How long each step and its phases took: a wide panel of the steps, then one for each phase that has a say
// in how much they differ; the others are named below. One dot per step, with its value where steps are few.
// With five steps or more the mean is a line and one standard deviation around it a band; with fewer, whose
// deviation is hardly known, the median is the line and the range is said in words. Warm-up steps are rings,
// steps that the run's end cut off crosses.
//
// All panels have one scale, as many milliseconds from bottom to top, about the middle of each: what differs
// most is what lies apart most. What lies beyond it is drawn at its edge with an arrow and its value. A mark
// is one phase of one step. GUI thread only.
#pragma once

#include <vector>

#include "engine/query/statistics/phase_samples.h"
#include "ui/charts/mark_chart.h"
#include "ui/controls/figure_mode.h"

namespace warpglass::ui {

class PhasesChart : public MarkChart, public FigurePart {
    Q_OBJECT
public:
    explicit PhasesChart(QWidget* parent = nullptr);

    /// In the order of phaseSamples().
    void setPhases(std::vector<PhaseSamples> phases);
    /// Those drawn, the steps first.
    const std::vector<PhaseSamples>& phases() const { return m_phases; }
    /// What the signs are that are drawn, above the panels; and below them which phases have none.
    const QString& legend() const { return m_legend; }
    const QString& note() const { return m_note; }
    const PhaseSample& sampleOf(int mark) const;
    const PhaseSamples& phaseOf(int mark) const;
    /// The mark of a phase's sample; −1 when there is none.
    int markOf(std::size_t phase, std::size_t sample) const;

    int markCount() const override { return static_cast<int>(m_marks.size()); }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;
    /// The panel's line: the mean, or with few steps the median.
    static double middleOf(const PhaseSamples& phase) {
        return phase.showsDeviation() ? phase.mean : phase.median;
    }
    /// What a panel says under its name: the mean and its deviation, or with few steps the median and range.
    static QString figuresOf(const PhaseSamples& phase);
    /// Beyond its panel's scale.
    bool isBeyond(int mark) const;
    /// The steps' numbers, each under its dots: all of them where there is room, otherwise the first and the
    /// last, or the first alone. None where panels are flat. For tests, and for painting.
    struct StepName {
        std::int32_t step = 0;
        QString text;
        QRectF box;
    };
    std::vector<StepName> stepNames(std::size_t phase, const QPaintDevice& device) const;

    QSize sizeHint() const override { return {800, 420}; }
    void setInFigure(bool) override {}
    /// Panels as high as they are easily read.
    int figureHeight(int width, int most) override;
    QSize minimumSizeHint() const override { return {280, 300}; }

protected:
    void paintChart(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;

private:
    struct Mark {
        std::size_t phase, sample;
    };
    /// The scale of a panel's plot: from `low` at the bottom to `high` at the top, ns.
    struct Scale {
        double low = 0, high = 1;
    };
    QString legendOfMarks() const;
    /// Where the panels are, between the legend and the note, and how many stand side by side.
    struct Arrangement {
        QSize of;
        QRectF panels;
        int columns = 1;
    };
    /// Text is measured as that device has it.
    void arrange(const QPaintDevice& device) const;
    const Arrangement& arranged() const;
    QRectF panel(std::size_t phase) const;
    QRectF plot(std::size_t phase) const;
    /// Too little height for all that a panel says.
    bool isFlat() const;
    double xOf(std::size_t phase, std::int32_t step) const;
    double yOf(std::size_t phase, double nanoseconds) const;
    void paintPanel(QPainter& painter, std::size_t phase) const;
    void paintDots(QPainter& painter, std::size_t phase) const;
    void paintSign(QPainter& painter, int mark) const;
    /// Beside its dot, away from the panel's line.
    QRectF valueBox(int mark, double width) const;
    QPointF pointOf(int mark) const;

    std::vector<PhaseSamples> m_phases;
    std::vector<Scale> m_scales;
    QString m_legend, m_note;
    std::vector<std::size_t> m_firstMark;  // of each phase
    std::vector<Mark> m_marks;
    std::int32_t m_firstStep = 0, m_lastStep = 0;
    /// Every dot asks for it, and it has text to measure: kept until the data or the size change.
    mutable Arrangement m_arranged;
};

}  // namespace warpglass::ui
