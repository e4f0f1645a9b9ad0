#include "ui/charts/chart_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "ui/models/span_details.h"
#include "ui/models/table_model.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

ChartView::ChartView(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_bar(new QHBoxLayout),
      m_body(new QVBoxLayout),
      m_summary(new ElidedLabel(this)),
      m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    m_summary->setFont(Theme::tableFont());
    m_summary->setProperty("secondary", true);
    m_summary->setFixedHeight(Metrics::kControlHeight);
    m_bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    m_bar->setSpacing(Metrics::kSpace3);
    m_bar->addWidget(m_summary, 1);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_bar);
    layout->addLayout(m_body, 1);
}

void ChartView::start() {
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] { m_query.invalidate(Cause::kOtherRun); });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    if (m_followsSelection) {
        connect(&m_axis, &TimeAxis::selectionChanged, this, [this] {
            // Choosing a block here selects its module there, and changes nothing of what is counted.
            const SpanFilter now = scope().filter;
            if (now.ranges == m_scoped.ranges && now.step == m_scoped.step)
                return;
            m_scoped = now;
            m_query.invalidate(Cause::kPerson);
        });
    }
    m_query.invalidate(Cause::kOtherRun);
}

QString ChartView::summary() const {
    return m_summary->text();
}

void ChartView::setSummary(const QString& text, const QString& toolTip) {
    m_summary->setText(text);
    m_summary->setToolTip(toolTip);
}

ChartView::Scope ChartView::scope() const {
    Scope scope;
    if (const auto range = m_axis.selectedRange()) {
        scope.filter.ranges = {*range};
        scope.words = tr("what ran in the selected %1").arg(toQString(formatDuration(range->duration())));
        return scope;
    }
    const auto& snapshot = m_document.snapshot();
    const auto picked = m_axis.selectedSpan();
    const auto span = snapshot && picked ? describeSpan(*snapshot, *picked) : std::nullopt;
    if (span && span->kind == TrackKind::kStep) {
        scope.filter.step = span->step;
        scope.words = tr("step %1").arg(span->step);
    }
    return scope;
}

QString ChartView::scopeWords(const Scope& scope, std::int64_t steps, bool measured) {
    if (!scope.words.isEmpty())
        return scope.words;
    if (steps == 0)
        return tr("no step has ended yet");
    const QString kind = measured ? tr("measured") : tr("warm-up");
    return steps == 1 ? tr("1 %1 step").arg(kind) : tr("mean of %1 %2 steps").arg(steps).arg(kind);
}

void ChartView::selectSpan(std::optional<SpanRef> span, bool show) {
    const auto& snapshot = m_document.snapshot();
    const auto details = snapshot && span ? describeSpan(*snapshot, *span) : std::nullopt;
    if (!details) {
        m_axis.setSelectedSpan(std::nullopt);
        return;
    }
    m_axis.setSelectedSpan(span);
    m_axis.setPinnedCursor(details->start);
    if (!show)
        return;
    const Nanoseconds margin(details->duration.value / 10);
    m_axis.setVisibleRange({details->start - margin, details->start + details->duration + margin});
    emit timelineRequested();
}

std::optional<SpanRef> ChartView::longestModule(const QString& module, std::optional<Phase> phase) const {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return std::nullopt;
    const NameId name = snapshot->findName(module.toStdString());
    if (!name.valid())
        return std::nullopt;
    std::vector<TimeRange> ranges;
    if (phase)
        ranges = rangesMatching(*snapshot, phaseName(*phase));
    const auto from =
        hasMeasuredSteps(*snapshot)
            ? static_cast<std::int32_t>(snapshot->info().getInteger("config.warmup").value_or(0))
            : kNoStep;
    return longestSpan(*snapshot, TrackKind::kModule, name, ranges, from);
}

void ChartView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
}

void ChartView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
