#include "ui/memory/memory_plot.h"

#include "ui/models/link_indexer.h"
#include "ui/models/run_filter.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

MemoryPlot::MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_scale(document, axis, *this),
      m_stack(new MemoryStack(document, m_scale, *this)),
      m_labels(document, m_scale, *m_stack),
      m_marks(
          new MarkLayer(document, axis,
                        {[this](Nanoseconds t) { return static_cast<int>(xOf(t)); },
                         [this] { return static_cast<int>(m_scale.plotRect().bottom()) - kFlagHeight - 2; },
                         [this] { return static_cast<int>(m_scale.plotRect().right()) - 1; }},
                        *this)),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{m_scale.plotRect().left(), m_scale.plotRect().width()};
          },
          [this](double x) { return timeAt(x); }) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory over time"));
    connect(&Theme::instance(), &Theme::changed, this, &MemoryPlot::redraw);
    connect(m_stack, &MemoryStack::changed, this, &MemoryPlot::redraw);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &MemoryPlot::redraw);
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_stack->forgetGroups();
        m_caused = {};
    });
    const auto repaintOverlay = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::selectionChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::hoveredSpanChanged, this, repaintOverlay);
    connect(&m_document.links(), &LinkIndexer::changed, this, [this] {
        m_caused = {};
        update();
    });
}

void MemoryPlot::redraw() {
    m_pictureValid = false;
    update();
}

void MemoryPlot::setLabelWidth(int width) {
    if (width == labelWidth())
        return;
    m_scale.setLabelWidth(width);
    redraw();
}

int MemoryPlot::phaseRowHeight(TrackKind kind) const {
    constexpr int kNamed = 18, kThin = 6;
    const auto& run = m_document.snapshot();
    if (!run || m_document.memory().eventCount() == 0 || run->tracksOfKind(kind).empty())
        return 0;
    // Evenly spaced, no pixel is a time of the GPU's.
    if (kind == TrackKind::kGpuPhase && (!m_ticksBeside || spacing() == Spacing::kEvents))
        return 0;
    return m_ticksBeside || m_phaseNames ? kNamed : kThin;
}

void MemoryPlot::layOutPhases() {
    m_scale.setStripHeight(phaseRowHeight(TrackKind::kPhase) + phaseRowHeight(TrackKind::kGpuPhase));
    redraw();
}

void MemoryPlot::setTicksBeside(bool beside) {
    m_ticksBeside = beside;
    m_labels.setTicksBeside(beside);
    layOutPhases();
}

void MemoryPlot::setPhaseNames(bool named) {
    m_phaseNames = named;
    layOutPhases();
}

void MemoryPlot::setSpacing(Spacing spacing) {
    if (spacing == m_scale.spacing())
        return;
    m_scale.setSpacing(spacing);
    m_gestures.setKeepsMoment(spacing == Spacing::kEvents);
    layOutPhases();
    emit spacingChanged();
}

void MemoryPlot::setFilter(const RunFilter* filter, bool steps) {
    m_filter = filter;
    m_bySteps = steps;
    if (filter)
        connect(filter, &RunFilter::changed, this, qOverload<>(&QWidget::update));
    update();
}

std::optional<TimeRange> MemoryPlot::countedTime() const {
    return m_filter && (m_bySteps || m_filter->usesSelection()) ? m_filter->extent().host : std::nullopt;
}

void MemoryPlot::invalidate() {
    m_scale.readRun();
    layOutPhases();
    m_stack->invalidate();
}

QSize MemoryPlot::minimumSizeHint() const {
    return {labelWidth() + 80, 60};
}

QSize MemoryPlot::sizeHint() const {
    return {800, 196};
}

void MemoryPlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_stack->setActive(true);
}

void MemoryPlot::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_stack->setActive(false);
}

void MemoryPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_scale.invalidate();
    m_pictureValid = false;
}

}  // namespace warpglass::ui
