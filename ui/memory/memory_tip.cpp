#include "ui/memory/memory_tip.h"

#include <QCoreApplication>

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"
#include "ui/models/span_details.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("MemoryTip", text);
}

QString row(const QColor& color, const QString& name, std::int64_t size) {
    const QString swatch = color.isValid()
                               ? QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(color.name())
                               : QString();
    return QStringLiteral(
               "<tr><td>%1</td><td style='padding-right:16px'>%2</td><td align='right'>%3</td>"
               "<td align='right' style='padding-left:16px'>%4</td></tr>")
        .arg(swatch, name, toQString(formatBytes(Bytes(size))), toQString(formatBytesExact(Bytes(size))));
}

/// As the stack has them, from the top.
QString rowsOf(const MemoryGroups& groups, const MemoryTimeline& memory, Nanoseconds t) {
    QString rows;
    const MemoryGroups::Bytes9 parts = MemoryGroups::Cursor(groups, memory).after(memory.firstEventAfter(t));
    const std::vector<std::string>& names = groups.names();
    for (std::size_t i = names.size(); i-- > 0;) {
        const std::size_t part = groups.hasRest() && i + 1 == names.size() ? MemoryGroups::kMost : i;
        if (parts[part] != 0)
            rows += row(groupColor(part), toQString(names[i]).toHtmlEscaped(), parts[part]);
    }
    return rows;
}

QString rowsOf(const CategoryBytes& bytes) {
    QString rows;
    for (std::size_t i = kStackOrder.size(); i-- > 0;) {
        const Category category = kStackOrder[i];
        if (const std::int64_t size = bytes[static_cast<std::size_t>(category)]; size != 0)
            rows += row(Theme::categoryColor(category), toQString(categoryName(category)), size);
    }
    return rows;
}

QString phaseAt(const Snapshot& run, Nanoseconds t) {
    if (const std::string host = spanNameAt(run, TrackKind::kPhase, t); !host.empty())
        return QStringLiteral(" · ") + toQString(host).toHtmlEscaped();
    const std::string gpu = spanNameAt(run, TrackKind::kGpuPhase, t);
    return gpu.empty() ? QString()
                       : QStringLiteral(" · ") + words("GPU: %1").arg(toQString(gpu).toHtmlEscaped());
}

}  // namespace

QString memoryTip(const RunDocument& document, const MemoryScale& scale, const MemoryGroups* groups,
                  Nanoseconds t, const QString& when) {
    const MemoryTimeline& memory = document.memory();
    const CategoryBytes bytes = memory.at(t);
    QString rows = groups ? rowsOf(*groups, memory, t) : rowsOf(bytes);
    rows += row({}, words("allocated"), sumOf(bytes));
    if (!scale.reserved().empty())
        rows += row({}, words("reserved"), scale.reserved().at(t).value);
    QString head = when;
    if (const auto& run = document.snapshot())
        head += phaseAt(*run, t);
    if (scale.spacing() == MemoryScale::Spacing::kEvents)
        head += QStringLiteral(" · ") + scale.eventWords(t);
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(head, rows);
}

}  // namespace warpglass::ui
