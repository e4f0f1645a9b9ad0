// What the mouse and the keyboard do to a MemoryPlot, and what it tells of a moment.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString MemoryPlot::toolTipAt(Nanoseconds t) const {
    const CategoryBytes bytes = m_document.memory().at(t);
    const auto row = [](const QString& swatch, const QString& name, std::int64_t size) {
        return QStringLiteral(
                   "<tr><td>%1</td><td style='padding-right:16px'>%2</td><td "
                   "align='right'>%3</td>"
                   "<td align='right' style='padding-left:16px'>%4</td></tr>")
            .arg(swatch, name, toQString(formatBytes(Bytes(size))), toQString(formatBytesExact(Bytes(size))));
    };
    QString rows;
    const MemoryGroups* const groups = m_stack->groups();
    if (groups) {
        const MemoryTimeline& memory = m_document.memory();
        const MemoryGroups::Bytes9 parts =
            MemoryGroups::Cursor(*groups, memory).after(memory.firstEventAfter(t));
        const std::vector<std::string>& names = groups->names();
        for (std::size_t i = names.size(); i-- > 0;) {
            const std::size_t part = groups->hasRest() && i + 1 == names.size() ? MemoryGroups::kMost : i;
            if (parts[part] != 0)
                rows +=
                    row(QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(groupColor(part).name()),
                        toQString(names[i]).toHtmlEscaped(), parts[part]);
        }
    }
    for (std::size_t i = groups ? 0 : kStackOrder.size(); i-- > 0;) {
        const Category category = kStackOrder[i];
        const std::int64_t size = bytes[static_cast<std::size_t>(category)];
        if (size == 0)
            continue;
        const QString color = Theme::categoryColor(category).name();
        rows += row(QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(color),
                    toQString(categoryName(category)), size);
    }
    rows += row(QString(), tr("allocated"), sumOf(bytes));
    if (!m_scale.reserved().empty())
        rows += row(QString(), tr("reserved"), m_scale.reserved().at(t).value);
    QString head = m_axis.clock().text(t);
    if (const auto& run = m_document.snapshot()) {
        const std::string host = spanNameAt(*run, TrackKind::kPhase, t);
        const std::string gpu = host.empty() ? spanNameAt(*run, TrackKind::kGpuPhase, t) : std::string();
        if (!host.empty())
            head += QStringLiteral(" · ") + toQString(host).toHtmlEscaped();
        else if (!gpu.empty())
            head += QStringLiteral(" · ") + tr("GPU: %1").arg(toQString(gpu).toHtmlEscaped());
    }
    if (spacing() == Spacing::kEvents)
        head += QStringLiteral(" · ") + m_scale.eventWords(t);
    const auto counts = countedTime();
    const QString out =
        counts && !counts->contains(t)
            ? QStringLiteral("<p>%1</p>")
                  .arg(
                      tr("Excluded elsewhere by the filter: %1").arg(m_filter->words().all().toHtmlEscaped()))
            : QString();
    return QStringLiteral("<b>%1</b><table>%2</table>%3").arg(head, rows, out);
}

bool MemoryPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const QString notes = m_marks->toolTipAt(help->pos()); !notes.isEmpty())
            QToolTip::showText(help->globalPos(), notes, this);
        else if (help->pos().x() >= labelWidth() && m_document.memory().eventCount() > 0)
            QToolTip::showText(help->globalPos(), toolTipAt(timeAt(help->pos().x())), this);
        else
            QToolTip::hideText();
        return true;
    }
    // Tab and Shift+Tab leave the plot; everything else goes the usual way.
    return QWidget::event(event);
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    m_gestures.press(*event);
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    m_gestures.move(*event);
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gestures.release(*event))
        return;
    if (const auto mark = m_marks->markAt(event->position().toPoint()))
        m_marks->steps().goTo(*mark);
    else
        m_axis.setPinnedCursor(timeAt(event->position().x()));
}

void MemoryPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    // The second press of a double click is a press like any other.
    mousePressEvent(event);
}

void MemoryPlot::wheelEvent(QWheelEvent* event) {
    m_gestures.wheel(*event);
    event->accept();
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_P) {
        if (const auto peak = m_scale.visiblePeak())
            m_axis.setPinnedCursor(peak->time);
    } else if (!m_gestures.key(*event) && !m_marks->steps().handleKey(event->key(), event->modifiers())) {
        QWidget::keyPressEvent(event);
    }
}

void MemoryPlot::leaveEvent(QEvent* event) {
    m_gestures.leave();
    QWidget::leaveEvent(event);
}

}  // namespace warpglass::ui
