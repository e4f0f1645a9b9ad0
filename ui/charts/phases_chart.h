// How much steps differ, and in what: a row for the steps and one for each phase that has a say in it, all on
// one axis of how far each step is from its row's median; the other phases are named below. One dot per step,
// the first at the row's top and the last at its bottom, with its number where steps are few. The absolute
// median stands in the row's label, with how far the steps spread: with five steps or more as one standard
// deviation, also drawn as a band about the mean; with fewer, whose deviation is hardly known, as the range.
// Warm-up steps are rings, steps that the run's end cut off crosses.
//
// What lies beyond the axis is a triangle at its edge with its time, and how many times the median that is. A
// mark is one phase of one step. GUI thread only.
#pragma once

#include <vector>

#include "engine/query/statistics/phase_samples.h"
#include "ui/charts/phase_axis.h"
#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"

namespace warpglass::ui {

class PhasesChart : public Canvas, public FigurePart {
    Q_OBJECT
public:
    explicit PhasesChart(QWidget* parent = nullptr);

    /// In the order of phaseSamples().
    void setPhases(std::vector<PhaseSamples> phases);
    /// Those drawn, the steps first.
    const std::vector<PhaseSamples>& phases() const { return m_phases; }
    /// What the signs are that are drawn, above the rows; and below them which phases have none.
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
    /// What a row says under its name: "median 22.1 ms · ±3.1%", or with few steps "· −3% to +12%".
    static QString figuresOf(const PhaseSamples& phase);
    /// How far it is from its row's median, as a share of that.
    double deviationOf(int mark) const;
    bool isBeyond(int mark) const;
    /// What stands beside the dots of a row: the steps' numbers where there is room, and what lies beyond the
    /// axis. For tests, and for painting.
    struct StepName {
        std::int32_t step = 0;
        QString text;
        QRectF box;
    };
    std::vector<StepName> stepNames(std::size_t phase, const QPaintDevice& device) const;

    QSize sizeHint() const override { return {800, 420}; }
    void setInFigure(bool) override {}
    /// Rows as high as they are easily read.
    int figureHeight(int width, int most) override;
    QSize minimumSizeHint() const override { return {420, 240}; }

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;

private:
    struct Mark {
        std::size_t phase, sample;
    };
    QString legendOfMarks() const;
    /// Where the rows are, between the legend and the axis.
    struct Arrangement {
        QSize of;
        QRectF rows;
    };
    /// Text is measured as that device has it.
    void arrange(const QPaintDevice& device) const;
    QRectF row(std::size_t phase) const;
    QRectF plot(std::size_t phase) const;
    double xOf(double deviation) const;
    double yOf(std::size_t phase, std::int32_t step) const;
    QPointF pointOf(int mark) const;
    void paintAxis(QPainter& painter) const;
    void paintRow(QPainter& painter, std::size_t phase) const;
    void paintLabel(QPainter& painter, std::size_t phase) const;
    void paintSign(QPainter& painter, int mark) const;

    std::vector<PhaseSamples> m_phases;
    QString m_legend, m_note;
    std::vector<std::size_t> m_firstMark;  // of each phase
    std::vector<Mark> m_marks;
    std::int32_t m_firstStep = 0, m_lastStep = 0;
    PhaseAxis m_axis;
    /// Every dot asks for it, and it has text to measure: kept until the data or the size change.
    mutable Arrangement m_arranged;
};

}  // namespace warpglass::ui
