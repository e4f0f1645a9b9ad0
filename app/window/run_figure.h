// One view of a run as a figure, as the window shows it now: what the export dialog and --render draw.
#pragma once

#include <QString>
#include <memory>

#include "app/window/window_fwd.h"
#include "ui/figures/figure.h"

namespace warpglass::app {

/// Whether a chart's time axis is that of another view, over or under it: alone it needs a ruler.
bool hasRulerElsewhere(const QWidget& view);

class RunFigure {
public:
    /// `view` and `axis` outlive it; `caption` is empty for none.
    RunFigure(QWidget* view, const ui::TimeAxis& axis, QString caption);
    ~RunFigure();
    RunFigure(RunFigure&&) noexcept;

    ui::FigureSource source() const;

private:
    QWidget* m_view;
    std::unique_ptr<QWidget> m_ruler;
    QString m_caption;
};

/// What was run, for the caption; for two runs, what became of each part from the first to the second ("fp32
/// → bf16"), and where they do not state the same, "A: …", and on the next line "B: …". `incomplete`: part of
/// the recording is missing, which the caption says, as it does for a run in which damage was found (chunks
/// are read as they are drawn, so ask after drawing).
QString captionOf(const Snapshot& run, bool incomplete);
QString captionOf(const QString& a, const QString& b);
/// For a sweep: what its cells have in common.
QString captionOf(const Sweep& sweep);
/// For an experiment: its title, and what its runs have in common.
QString captionOf(const ExperimentResult& result);

}  // namespace warpglass::app
