#include "ui/memory/memory_stack.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "engine/trace/stack_order.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/stacked_areas.h"
#include "ui/models/memory_source.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

MemoryStack::MemoryStack(RunDocument& document, const MemoryScale& scale, QWidget& widget)
    : QObject(&widget), m_document(document), m_scale(scale), m_query([this] { return makeJob(); }) {
    showFailures(&widget, m_query);
}

void MemoryStack::ask() {
    if (m_by != By::kCategory)
        m_query.invalidate(m_document.isLive() ? DeferredQuery::Cause::kGrowth
                                               : DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::forgetGroups() {
    m_groups.reset();
    if (m_by != By::kCategory)
        m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::invalidate() {
    if (!m_document.isLive() || !m_document.snapshot())
        m_groups.reset();
    ask();
    emit changed();
}

void MemoryStack::setBy(By by) {
    if (by == m_by)
        return;
    m_by = by;
    forgetGroups();
    emit changed();
}

DeferredQuery::Job MemoryStack::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const By by = m_by;
    return {[this, source, by] {
                std::shared_ptr<const MemoryGroups> groups;
                if (source.snapshot && by != By::kCategory)
                    groups = std::make_shared<const MemoryGroups>(
                        *source.timeline(),
                        by == By::kModule ? MemoryGrouping::kModule : MemoryGrouping::kOp);
                return [this, groups = std::move(groups), by] {
                    if (by != m_by)
                        return;
                    m_groups = groups;
                    emit changed();
                };
            },
            source.isHeavy()};
}

std::vector<std::string> MemoryStack::groupNames() const {
    return groups() ? groups()->names() : std::vector<std::string>();
}

std::vector<QColor> MemoryStack::colors() const {
    std::vector<QColor> colors;
    for (std::size_t part = 0; part < m_sums.size(); ++part)
        colors.push_back(groups() ? groupColor(part) : Theme::categoryColor(kStackOrder[part]));
    return colors;
}

void MemoryStack::paint(QPainter& painter, int columns, TimeRange visible, KeptX kept) {
    fill(std::max(columns, 1), visible);
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = m_scale.plotRect();
    StackedAreas areas(plot, static_cast<double>(m_scale.top()));
    const std::vector<QColor> fills = this->colors();
    for (std::size_t part = 0; part < m_sums.size(); ++part)
        areas.add({m_sums[part].begin(), m_sums[part].end()}, fills[part]);
    areas.setEdge(colors.text);
    areas.setKept(kept);
    areas.paint(painter);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    areas.paintLine(painter, {m_reserved.begin(), m_reserved.end()}, colors.secondaryText,
                    StackedAreas::Shape::kSteps);
    // Above the fills, or it would be seen only where there is nothing to measure.
    for (const std::int64_t tick : m_scale.ticks())
        painter.fillRect(QRectF(plot.left(), std::floor(m_scale.yOf(tick)), plot.width(), 1),
                         withAlpha(colors.text, 0.12F));
}

void MemoryStack::fill(int columns, TimeRange visible) {
    const auto [first, last] = m_scale.visibleEvents();
    const auto width = static_cast<std::size_t>(columns);
    const bool byTime = m_scale.spacing() == MemoryScale::Spacing::kTime;
    const auto cells = byTime ? m_document.memory().columns(visible, width)
                              : m_document.memory().columnsOfEvents(first, last, width);
    fillSums(cells);
    const ReservedCurve& curve = m_scale.reserved();
    m_reserved = byTime ? curve.columns(visible, width) : std::vector<std::int64_t>();
    for (std::size_t c = 0; !byTime && !curve.empty() && c < cells.size(); ++c)
        m_reserved.push_back(curve.at(cells[c].peakTime).value);
}

void MemoryStack::fillSums(const std::vector<MemoryColumn>& cells) {
    std::optional<MemoryGroups::Cursor> cursor;
    if (groups())
        cursor.emplace(*groups(), m_document.memory());
    m_sums.assign(cursor ? MemoryGroups::kMost + 1 : kStackOrder.size(),
                  std::vector<std::int64_t>(cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const auto& bytes = cursor ? cursor->after(cells[c].peakEvents) : cells[c].atPeak;
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < m_sums.size(); ++k) {
            sum += bytes[cursor ? k : static_cast<std::size_t>(kStackOrder[k])];
            m_sums[k][c] = sum;
        }
    }
}

bool MemoryStack::runsThrough(const std::vector<std::int64_t>& curve, const QRectF& box) const {
    if (curve.empty())
        return false;
    const QRectF plot = m_scale.plotRect();
    const auto columnAt = [&](double x) {
        const double share = std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0);
        return curve.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(curve.size() - 1));
    };
    return std::any_of(columnAt(box.left()), columnAt(box.right()) + 1, [&](std::int64_t bytes) {
        const double y = m_scale.yOf(bytes);
        return y > box.top() && y < box.bottom();
    });
}

}  // namespace warpglass::ui
