#include "ui/theme/mark_flags.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kWidestFlag = 160;
/// A flag that is cut by the next one keeps room for the beginning of a note and a number.
constexpr int kReadableFlag = 76, kNarrowestFlag = 24;
constexpr int kPadding = Metrics::kSpace1 + 1;
/// Under the flags.
constexpr int kRangeLine = 2;

QString restOf(const MarkFlag& flag) {
    return flag.marks.size() == 1 ? QString() : QStringLiteral(" +%1").arg(flag.marks.size() - 1);
}

int widthOf(const MarkFlag& flag) {
    const QString text = flag.text.left(kWidestFlag) + restOf(flag);  // no more is measured than fits
    return std::clamp(QFontMetrics(markFlagFont()).horizontalAdvance(text) + 2 * kPadding, kNarrowestFlag,
                      kWidestFlag);
}

}  // namespace

QFont markFlagFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

QString markFlagLabel(const MarkFlag& flag, int room) {
    const QFontMetrics metrics(markFlagFont());
    const QString rest = restOf(flag);
    return metrics.elidedText(flag.text, Qt::ElideRight, room - metrics.horizontalAdvance(rest)) + rest;
}

bool MarkFlag::holds(std::size_t mark) const {
    return std::binary_search(marks.begin(), marks.end(), mark);
}

void addMarkFlag(std::vector<MarkFlag>& flags, std::size_t mark, const QString& text, const MarkPlace& place,
                 int top) {
    const int x = place.x;
    const bool counted =
        !flags.empty() && x < flags.back().box.left() + std::min(flags.back().box.width(), kReadableFlag);
    if (!counted) {
        if (!flags.empty())
            flags.back().box.setRight(std::min(flags.back().box.right(), x - 1));
        flags.push_back({{}, text, QRect(x, top, 0, kFlagHeight), {}, {}});
    }
    MarkFlag& flag = flags.back();
    flag.marks.push_back(mark);
    if (flag.box.width() < kWidestFlag)  // there may be thousands
        flag.box.setWidth(widthOf(flag));
    if (place.beginsInView && (flag.lines.empty() || x != flag.lines.back()))
        flag.lines.push_back(x);
    if (place.end)
        flag.ranges.emplace_back(x, *place.end);
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
    for (const MarkFlag& flag : flags) {
        const QColor edge = current && flag.holds(*current) ? colors.accent : colors.secondaryText;
        painter.setPen(QPen(edge, 1, Qt::DashLine));
        for (const int x : flag.lines)
            painter.drawLine(x, top, x, bottom);
        for (const auto& [from, to] : flag.ranges)
            painter.fillRect(QRect(from, flag.box.bottom() + 1, std::max(1, to - from), kRangeLine), edge);
    }
    for (const MarkFlag& flag : flags) {
        const QColor edge = current && flag.holds(*current) ? colors.accent : colors.secondaryText;
        painter.fillRect(flag.box, colors.raised);
        painter.setPen(edge);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.setPen(colors.text);
        const QRect room = flag.box.adjusted(kPadding, 0, -Metrics::kSpace1, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         markFlagLabel(flag, room.width()));
    }
}

}  // namespace warpglass::ui
