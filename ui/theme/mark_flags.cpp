#include "ui/theme/mark_flags.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kWidestFlag = 160;
/// A flag whose text is cut off by the next one's keeps at least this.
constexpr int kNarrowestFlag = 9;

}  // namespace

QFont markFlagFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

void addMarkFlag(std::vector<MarkFlag>& flags, std::size_t mark, const QString& text, int x, int top) {
    if (!flags.empty() && x == flags.back().box.left())
        return;
    if (!flags.empty())
        flags.back().box.setRight(std::min(flags.back().box.right(),
                                           std::max(x - 2, flags.back().box.left() + kNarrowestFlag - 1)));
    const int width = QFontMetrics(markFlagFont()).horizontalAdvance(text) + 2 * Metrics::kSpace1 + 2;
    flags.push_back({mark, text, QRect(x, top, std::clamp(width, kNarrowestFlag, kWidestFlag), kFlagHeight)});
}

std::optional<std::size_t> flagAt(const std::vector<MarkFlag>& flags, QPoint at) {
    for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag) {
        if (flag->box.adjusted(-1, -3, 0, 0).contains(at))
            return flag->mark;
    }
    return std::nullopt;
}

void paintMarkFlags(QPainter& painter, const std::vector<MarkFlag>& flags, std::optional<std::size_t> current,
                    int top, int bottom) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(markFlagFont());
    const QFontMetrics metrics(painter.font());
    for (const MarkFlag& flag : flags) {
        const QColor edge = flag.mark == current ? colors.accent : colors.secondaryText;
        painter.setPen(QPen(edge, 1, Qt::DashLine));
        painter.drawLine(flag.box.left(), top, flag.box.left(), bottom);
        painter.fillRect(flag.box, colors.raised);
        painter.setPen(edge);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.setPen(colors.text);
        const QRect room = flag.box.adjusted(Metrics::kSpace1 + 1, 0, -Metrics::kSpace1, 0);
        if (room.width() >= kNarrowestFlag)
            painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                             metrics.elidedText(flag.text, Qt::ElideRight, room.width()));
    }
}

}  // namespace warpglass::ui
