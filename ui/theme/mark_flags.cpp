#include "ui/theme/mark_flags.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kWidestFlag = 160;
/// A flag whose text is cut off by the next one's keeps at least this: two figures.
constexpr int kNarrowestFlag = 24;
/// Room for a number and the beginning of a note.
constexpr int kLeastNote = 40;

QString labelOf(const MarkFlag& flag) {
    return flag.count == 1 ? flag.text : QStringLiteral("%1 · %2").arg(flag.count).arg(flag.text);
}

int widthOf(const QString& text) {
    const int width =
        QFontMetrics(markFlagFont()).horizontalAdvance(text.left(kWidestFlag)) + 2 * Metrics::kSpace1 + 2;
    return std::clamp(width, kNarrowestFlag, kWidestFlag);
}

}  // namespace

QFont markFlagFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

void addMarkFlag(std::vector<MarkFlag>& flags, std::size_t mark, const QString& text, int x, int top) {
    if (!flags.empty() && x < flags.back().box.left() + kNarrowestFlag) {
        MarkFlag& last = flags.back();
        ++last.count;
        if (last.box.width() < kWidestFlag)  // no more is measured than fits: there may be thousands
            last.box.setWidth(widthOf(labelOf(last)));
        if (x != last.lines.back())
            last.lines.push_back(x);
        return;
    }
    if (!flags.empty())
        flags.back().box.setRight(std::min(flags.back().box.right(), x - 1));
    flags.push_back({mark, 1, text, QRect(x, top, widthOf(text), kFlagHeight), {x}});
}

const MarkFlag* flagAt(const std::vector<MarkFlag>& flags, QPoint at) {
    for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag) {
        if (flag->box.adjusted(-1, -3, 0, 0).contains(at))
            return &*flag;
    }
    return nullptr;
}

void paintMarkFlags(QPainter& painter, const std::vector<MarkFlag>& flags, std::optional<std::size_t> current,
                    int top, int bottom) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(markFlagFont());
    const QFontMetrics metrics(painter.font());
    for (const MarkFlag& flag : flags) {
        const QColor edge = current && flag.holds(*current) ? colors.accent : colors.secondaryText;
        painter.setPen(QPen(edge, 1, Qt::DashLine));
        for (const int x : flag.lines)
            painter.drawLine(x, top, x, bottom);
    }
    for (const MarkFlag& flag : flags) {
        const QColor edge = current && flag.holds(*current) ? colors.accent : colors.secondaryText;
        painter.fillRect(flag.box, colors.raised);
        painter.setPen(edge);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.setPen(colors.text);
        const QRect room = flag.box.adjusted(Metrics::kSpace1 + 1, 0, -Metrics::kSpace1, 0);
        const QString label = labelOf(flag);
        // Of several the number first: where there is no room for a note, that alone.
        const bool elided = metrics.horizontalAdvance(label) > room.width();
        const bool onlyCount = flag.count > 1 && elided && room.width() < kLeastNote;
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         onlyCount ? QString::number(flag.count)
                                   : metrics.elidedText(label, Qt::ElideRight, room.width()));
    }
}

}  // namespace warpglass::ui
