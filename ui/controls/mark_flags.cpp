#include "ui/controls/mark_flags.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// A sentence. A longer note is read in the tool tip: over a chart the flags lie over what it shows.
constexpr int kWidestFlag = 420;
/// A flag that is cut by the next one keeps room for the beginning of a note and a number.
constexpr int kReadableFlag = 76, kNarrowestFlag = 24;
constexpr int kPadding = Metrics::kSpace1 + 1;
/// Under the flags.
constexpr int kRangeLine = 2;

QString restOf(const MarkFlag& flag) {
    return flag.marks.size() == 1 ? QString() : QStringLiteral(" +%1").arg(flag.marks.size() - 1);
}

/// The flags so far, of which the last may still get marks.
class FlagRow {
public:
    FlagRow(const std::function<QString(std::size_t)>& noteOf, const FlagLane& lane)
        : m_noteOf(noteOf), m_lane(lane) {}

    void add(const MarkPlace& place) {
        if (!isWithinLast(place.x)) {
            endLast(place.x - 1);
            begin(place);
        }
        MarkFlag& flag = m_flags.back();
        flag.marks.push_back(place.mark);
        if (place.beginsInView && (flag.lines.empty() || place.x != flag.lines.back()))
            flag.lines.push_back(place.x);
        if (place.end)
            flag.ranges.emplace_back(place.x, *place.end);
    }

    std::vector<MarkFlag> take() {
        if (m_flags.empty())
            return {};
        // One at the very end reaches back over its line, as far as the one before leaves room; where that is
        // too little for its beginning, the one before counts it.
        endLast(std::max(m_lane.right, m_flags.back().box.left() + kReadableFlag - 1));
        QRect& box = m_flags.back().box;
        if (const int beyond = box.right() - m_lane.right; beyond > 0) {
            const int free = m_flags.size() > 1 ? m_flags[m_flags.size() - 2].box.right() + 1 : 0;
            box.setLeft(std::max(free, box.left() - beyond));
            box.setRight(std::max(box.left(), m_lane.right));
        }
        if (m_flags.size() > 1 && box.width() < std::min(kReadableFlag, widthOfLast()))
            countLastInTheOneBefore();
        return std::move(m_flags);
    }

private:
    void begin(const MarkPlace& place) {
        const QString text = m_noteOf(place.mark);
        // No more is measured than fits.
        m_noteWidth = m_metrics.horizontalAdvance(text.left(kWidestFlag)) + 2 * kPadding;
        m_flags.push_back({{}, text, QRect(place.x, m_lane.top, 0, kFlagHeight), {}, {}});
    }

    void countLastInTheOneBefore() {
        const MarkFlag last = std::move(m_flags.back());
        m_flags.pop_back();
        MarkFlag& before = m_flags.back();
        before.marks.insert(before.marks.end(), last.marks.begin(), last.marks.end());
        before.lines.insert(before.lines.end(), last.lines.begin(), last.lines.end());
        before.ranges.insert(before.ranges.end(), last.ranges.begin(), last.ranges.end());
        before.box.setRight(m_lane.right);
    }

    /// With how many more there are.
    int widthOfLast() const {
        return std::clamp(m_noteWidth + m_metrics.horizontalAdvance(restOf(m_flags.back())), kNarrowestFlag,
                          kWidestFlag);
    }

    bool isWithinLast(int x) const {
        if (m_flags.empty())
            return false;
        const int from = x - m_flags.back().box.left();
        // There may be thousands: most are told apart without measuring.
        return from < std::min(m_noteWidth, kReadableFlag) || (from < kReadableFlag && from < widthOfLast());
    }

    void endLast(int right) {
        if (m_flags.empty())
            return;
        QRect& box = m_flags.back().box;
        box.setRight(std::min(box.left() + widthOfLast() - 1, right));
    }

    const std::function<QString(std::size_t)>& m_noteOf;
    const FlagLane m_lane;
    const QFontMetrics m_metrics{markFlagFont()};
    std::vector<MarkFlag> m_flags;
    int m_noteWidth = 0;  // of the last one
};

}  // namespace

QFont markFlagFont() {
    return sized(Theme::tableFont(), 11);
}

QString markFlagLabel(const MarkFlag& flag, int room) {
    const QFontMetrics metrics(markFlagFont());
    const QString rest = restOf(flag);
    return metrics.elidedText(flag.text, Qt::ElideRight, room - metrics.horizontalAdvance(rest)) + rest;
}

bool MarkFlag::holds(std::size_t mark) const {
    return std::binary_search(marks.begin(), marks.end(), mark);
}

std::vector<MarkFlag> layMarkFlags(const std::vector<MarkPlace>& places,
                                   const std::function<QString(std::size_t mark)>& noteOf,
                                   const FlagLane& lane) {
    FlagRow row(noteOf, lane);
    for (const MarkPlace& place : places)
        row.add(place);
    return row.take();
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
