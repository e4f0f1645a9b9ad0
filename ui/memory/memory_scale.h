// Where moments and sizes lie in the plot of memory: its axes, the highest moment in view, and the lines
// across that the scale leaves room for.
//
// The horizontal axis is one of time, or its events are evenly spaced. The vertical one is one scale for the
// whole run: a bar of one height is one size wherever the view is. The peak that was predicted for the run's
// configuration raises it, and so does what there could be at most (the run's limit, or the device's memory)
// where it is near, of a run that ran out of memory always; one that is far above is named alone.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/reserved_curve.h"
#include "engine/query/summary/out_of_memory.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class MemoryScale {
    Q_DECLARE_TR_FUNCTIONS(MemoryScale)
public:
    /// For a widget whose plot lies right of its labels; all three outlive it.
    MemoryScale(const RunDocument& document, const TimeAxis& axis, const QWidget& widget);

    enum class Spacing { kTime, kEvents };
    Spacing spacing() const { return m_spacing; }
    void setSpacing(Spacing spacing);
    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);
    /// The height of the strip of phases above the plot.
    void setStripHeight(int height);
    /// The run has grown or is another one.
    void readRun();
    /// The range or the size has changed.
    void invalidate() { m_valid = false; }

    QRectF plotRect() const;
    /// Height of the event numbers below the plot; 0 if there are none.
    int eventAxisHeight() const;
    /// The events within the visible range: first, and one after the last.
    std::pair<std::uint64_t, std::uint64_t> visibleEvents() const;
    /// Which of the run's memory events holds at a moment, counted from 1; 0 before the first.
    std::uint64_t eventNumberAt(Nanoseconds t) const { return m_document.memory().firstEventAfter(t); }
    /// "allocator event 1,204".
    QString eventWords(Nanoseconds t) const;
    /// Those with a mark below the plot; none where it is spaced by time.
    std::vector<std::uint64_t> eventTicks() const;
    /// The moment at x (logical pixels of the widget), within the visible range.
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;
    /// Logical pixels from the top for a number of bytes.
    double yOf(std::int64_t bytes) const;

    /// A line across with its label; `text` alone where it lies above the scale.
    struct Level {
        std::int64_t bytes = 0;
        QString name, text;
        bool limit = false;  // and not what was predicted
        bool above = false;
    };
    const std::vector<Level>& levels() const { return fit().levels; }
    /// The highest moment in the visible range, and its label.
    const std::optional<MemoryPoint>& visiblePeak() const { return fit().peak; }
    const QString& peakLabel() const { return fit().peakLabel; }
    /// The sizes that have a line of the grid.
    const std::vector<std::int64_t>& ticks() const { return fit().ticks; }
    /// The size at the upper edge.
    std::int64_t top() const { return fit().top; }
    /// What the run's allocator has reserved over time.
    const ReservedCurve& reserved() const { return m_reserved; }
    /// The peak that the run's configuration lets expect; nothing when the run does not state it.
    std::optional<Bytes> predictedPeak() const { return m_predicted; }

private:
    struct Fit {
        std::int64_t top = 1;
        std::vector<std::int64_t> ticks;
        std::vector<Level> levels;
        std::optional<MemoryPoint> peak;
        QString peakLabel;
    };
    const Fit& fit() const;
    std::vector<Level> levelsOver(std::int64_t& highest) const;
    QString labelOf(const MemoryPoint& peak, bool ofRun) const;

    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const QWidget& m_widget;
    Spacing m_spacing = Spacing::kTime;
    int m_labelWidth = 96, m_stripHeight = 0;
    ReservedCurve m_reserved;
    std::optional<Bytes> m_predicted;
    /// As MemoryPrediction::secondStep has it.
    std::optional<Bytes> m_predictedSecond;
    std::optional<MemoryLimit> m_limit;
    bool m_ranOut = false;
    std::shared_ptr<const RunInfo> m_knownFor;  // the four above

    // The fit to the visible range, made when it is asked for.
    mutable Fit m_fit;
    mutable bool m_valid = false;
    mutable TimeRange m_fitRange;
};

}  // namespace warpglass::ui
