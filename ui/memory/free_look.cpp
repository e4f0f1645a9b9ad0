#include "ui/memory/free_look.h"

#include <QCoreApplication>
#include <QPainter>

#include "engine/base/format.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
constexpr double kHolePeriod = 4;

QString translated(const char* text) {
    return QCoreApplication::translate("FreeLook", text);
}
}  // namespace

void FreeLook::paint(QPainter& painter, const QRectF& rect, bool whole) {
    const ThemeColors& colors = Theme::instance().colors();
    if (!whole) {
        painter.fillRect(rect, colors.raised);
        return fillHatch(painter, rect, colors.text, kHolePeriod);
    }
    fillFree(painter, rect);
    painter.setPen(colors.secondaryText);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

QString FreeLook::nameOf(const FreeMemory& free, const FreeGroup& group) {
    const QString size = toQString(formatBytes(Bytes(free.pieces[group.first].bytes)));
    return group.count == 1 ? size
                            : QStringLiteral("%1 × %2").arg(
                                  toQString(formatGrouped(static_cast<std::int64_t>(group.count))), size);
}

QString FreeLook::wordsOf(const FreeMemory& free, const FreeGroup& group) {
    const FreePiece& piece = free.pieces[group.first];
    const QString size = toQString(formatBytes(Bytes(piece.bytes)));
    const QString together = toQString(formatBytes(Bytes(free.bytesOf(group))));
    const QString number = toQString(formatGrouped(static_cast<std::int64_t>(group.count)));
    QString words =
        group.count == 1
            ? (piece.whole ? translated("A free segment of %1") : translated("A hole of %1")).arg(size)
            : (piece.whole ? translated("%1 free segments of %2, %3 together")
                           : translated("%1 holes of %2, %3 together"))
                  .arg(number, size, together);
    if (!group.beside.empty())
        words += (group.count == 1 ? translated(", beside %1") : translated(", most of them beside %1"))
                     .arg(toQString(group.beside));
    return words;
}

std::vector<LegendEntry> FreeLook::legend() {
    const ThemeColors& colors = Theme::instance().colors();
    return {{colors.text, translated("hole between blocks"), false, true},
            {colors.secondaryText, translated("free whole segment"), false, true}};
}

}  // namespace warpglass::ui
