// The plot of memory over time: categories stacked, one value a pixel column.
//
// QCustomPlot draws the stack and the grid, from MemoryTimeline::columns(), so that the cost follows the
// width and not the events. Each category is a graph of the sum up to it, filled down to zero; the topmost is
// painted first and the bottommost last, which leaves no seam between neighbors. What is allocated in all is
// a line along its top, what a GPU's allocator has reserved a dashed one above it; the peak that was
// predicted for the run's configuration is a dotted line across, and so much as there could be at most (the
// run's limit, or the device's memory) a solid one where it is near, of a run that ran out of memory always;
// one that is far above is named alone. The phases are light bands behind, and a step's end a line down. The
// stack can be one of modules or ops too (MemoryGroups, made off this thread when first asked for), and
// events can be evenly spaced instead of time: then they are counted below the plot, and the axis that views
// share stays one of time. The picture is kept until the range, the size or the run changes; cursor,
// selection and the peak's label are painted over it, so that hovering costs next to nothing. On a device
// that is not the screen (a figure) everything is drawn directly, at that device's resolution.
//
// GUI thread only.
#pragma once

#include <qcustomplot.h>

#include <QPixmap>
#include <optional>

#include "engine/query/memory/memory_groups.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/reserved_curve.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/summary/out_of_memory.h"
#include "ui/charts/caused_allocations.h"
#include "ui/charts/label_place.h"
#include "ui/charts/time_gestures.h"
#include "ui/models/deferred_query.h"
#include "ui/models/mark_layer.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class RunFilter;

class MemoryPlot : public QCustomPlot {
    Q_OBJECT
public:
    MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);

    /// The ticks' sizes in the column of labels, instead of over the stack.
    void setTicksBeside(bool beside);
    /// Where no lanes above the plot name the phases.
    void setPhaseNames(bool named) { m_phaseNames = named; }
    /// Those of the shown run; they outlive the plot. Without them there are none.
    void setMarks(MarkList* marks) { m_marks->setMarks(marks); }
    /// What all views count; it outlives the plot. In the window, time that it leaves out is veiled as in the
    /// timeline, the memory is all there was; without `steps` only by what is selected, where the choice of
    /// steps says nothing of the views beside it. A figure shows the whole run alike.
    void setFilter(const RunFilter* filter, bool steps = true);
    /// Flags at the plot's lower edge.
    MarkLayer& marks() const { return *m_marks; }

    /// The run has grown or is another one.
    void invalidate();

    enum class StackBy { kCategory, kModule, kOp };
    StackBy stackBy() const { return m_stackBy; }
    void setStackBy(StackBy stackBy);
    /// Group names of the stack as drawn; empty for categories, and while groups are being computed.
    std::vector<std::string> groupNames() const;
    enum class Spacing { kTime, kEvents };
    Spacing spacing() const { return m_spacing; }
    void setSpacing(Spacing spacing);
    /// Waits for groups that are being made.
    void finishGroups();
    /// The peak that the run's configuration lets expect; nothing when the run does not state it.
    std::optional<Bytes> predictedPeak() const { return m_predicted; }
    /// A line across with its label; `text` alone where it lies above the scale.
    struct Level {
        std::int64_t bytes = 0;
        QString name, text;
        bool limit = false;  // and not what was predicted
        bool above = false;
    };
    /// As drawn.
    const std::vector<Level>& levels();
    /// Which of the run's memory events holds at a moment, counted from 1; 0 before the first.
    std::uint64_t eventNumberAt(Nanoseconds t) const;
    /// "allocator event 1,204".
    QString eventWords(Nanoseconds t) const;
    /// Those with a mark below the plot; none where it is spaced by time.
    std::vector<std::uint64_t> eventTicks() const;
    /// The moment at x (logical pixels of the widget), within the visible range.
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;
    /// Logical pixels from the top for a number of bytes.
    double yOf(std::int64_t bytes) const;
    /// The highest moment in the visible range.
    std::optional<MemoryPoint> visiblePeak();
    /// The stack as drawn: a category's graph holds the sum of it and those below it in kStackOrder. For
    /// tests.
    const QCPGraph& graphOf(Category category) const { return *m_graphs[static_cast<std::size_t>(category)]; }

    /// The same of groups, in the order of groupNames(). For tests.
    const QCPGraph& groupGraph(std::size_t group) const { return *m_groupGraphs[group]; }
    /// What is reserved, a line over the stack. For tests.
    const QCPGraph& reservedGraph() const { return *m_reservedGraph; }
    bool showsReserved() const { return !m_reserved.empty(); }

    /// A name beside its band, which is too narrow for it.
    struct BandName {
        QRectF chip;
        double middle = 0;  // of the band
        QString text;
    };
    std::vector<BandName> narrowBandNames(const QFontMetricsF& metrics) const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

signals:
    /// Other groups, or another run's.
    void stackChanged();
    void spacingChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void makeGraphs();
    void applyTheme();
    /// Rebuilds the graphs for this number of columns, unless they already have it.
    void ensureData(int columns);
    void ensureScale();
    void setStack(const std::vector<MemoryColumn>& cells, double duration);
    void setReserved(const std::vector<MemoryColumn>& cells, int columns, double duration);
    DeferredQuery::Job makeGroupsJob();
    bool showsGroups() const { return m_stackBy != StackBy::kCategory && m_groups; }
    /// The events within the visible range: first, and one after the last.
    std::pair<std::uint64_t, std::uint64_t> visibleEvents() const;
    QRectF plotRect() const;
    /// Height of the event numbers below the plot; 0 if there are none.
    int eventAxisHeight() const;
    void setMargins();
    void setLevels(std::int64_t& highest);
    void setStepEnds(TimeRange visible);
    std::vector<std::pair<QRectF, Phase>> bandRects() const;
    void paintBands(QPainter& painter) const;
    void paintBandNames(QPainter& painter, LabelPlace& place) const;
    void paintNarrowBandNames(QPainter& painter, LabelPlace& place) const;
    void paintStepEnds(QPainter& painter, LabelPlace& place) const;
    void paintReservedLabel(QPainter& painter, LabelPlace& place) const;
    /// What labels had better not cover; the ticks' labels are placed first.
    LabelPlace labelPlace(const QPaintDevice* device) const;
    QRectF peakDot() const;
    /// Where a tick's label lies over the stack, beside the peak's dot; empty where it has no room.
    QRectF tickChip(std::int64_t tick, const QPaintDevice* device) const;
    bool reservedRunsThrough(const QRectF& box) const;
    void paintAllocated(QPainter& painter, double shortest) const;
    void paintLevelLines(QPainter& painter) const;
    void paintLevelLabel(QPainter& painter, LabelPlace& place, const Level& level) const;
    void paintEventAxis(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintVeil(QPainter& painter) const;
    /// The time that is not left out; nothing for all.
    std::optional<TimeRange> countedTime() const;
    void paintSelection(QPainter& painter) const;
    void paintPeak(QPainter& painter, LabelPlace& place);
    void paintMarks(QPainter& painter) const;
    void paintCursors(QPainter& painter) const;
    QString toolTipAt(Nanoseconds t) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    std::array<QCPGraph*, kCategoryCount> m_graphs{};
    std::array<QCPGraph*, MemoryGroups::kMost + 1> m_groupGraphs{};
    QCPGraph* m_reservedGraph = nullptr;
    ReservedCurve m_reserved;
    StackBy m_stackBy = StackBy::kCategory;
    Spacing m_spacing = Spacing::kTime;
    std::shared_ptr<const MemoryGroups> m_groups;
    std::optional<Bytes> m_predicted;
    /// As MemoryPrediction::secondStep has it.
    std::optional<Bytes> m_predictedSecond;
    std::optional<MemoryLimit> m_limit;
    bool m_ranOut = false;
    std::shared_ptr<const RunInfo> m_knownFor;  // the three above
    QSharedPointer<QCPAxisTickerText> m_ticker;
    int m_labelWidth = 96;

    // What the graphs and the picture were made for.
    bool m_dataValid = false;
    TimeRange m_dataRange;
    int m_dataColumns = 0;
    QPixmap m_picture;
    bool m_pictureValid = false;
    std::int64_t m_top = 1;
    std::vector<std::int64_t> m_ticks;
    std::vector<Level> m_levels;
    std::optional<MemoryPoint> m_peak;
    std::vector<StepSpan> m_stepEnds;  // in view; none while they are not drawn
    CausedAllocations m_caused;
    QString m_peakLabel;

    MarkLayer* m_marks;
    const RunFilter* m_filter = nullptr;
    bool m_bySteps = true;
    bool m_ticksBeside = false;
    bool m_phaseNames = false;
    TimeGestures m_gestures;
    DeferredQuery m_groupsQuery;
};

}  // namespace warpglass::ui
