// The names of a roofline's dots, and where they have room.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>

#include "ui/charts/chart_text.h"
#include "ui/charts/label_room.h"
#include "ui/charts/roofline_chart.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// As many as are read at a glance; the others have their numbers.
constexpr std::size_t kMostNames = 12;
/// The least distance of a label from its dot; beyond it a line leads there.
constexpr double kNear = 2;
/// A label is so far from every other dot, with a line half as far.
constexpr double kApart = 8;

}  // namespace

/// A number is by time, as in the table; the name stands with it where there is room beside the dot.
QString RooflineChart::nameOf(int mark) const {
    const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
    QString text = namesOf({mark});
    if (point.phase == PlanPhase::kBackward && !text.contains(QLatin1String("backward")))
        text = tr("%1, backward").arg(text);
    return QStringLiteral("%1  %2%3").arg(QString::number(point.rank), text, sharesOf({mark}));
}

/// " · 85–90%" of the roof; "" where there is none.
QString RooflineChart::sharesOf(const std::vector<int>& heap) const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const int mark : heap) {
        const auto share = m_data.points[static_cast<std::size_t>(mark)].share();
        if (!share)
            return {};
        least = std::min(least, *share);
        most = std::max(most, *share);
    }
    const QString low = percentText(least), high = percentText(most);
    return QStringLiteral(" · ") +
           (low == high ? high : QString(low).remove(QLatin1Char('%')) + QStringLiteral("–") + high);
}

/// Dots that lie over one another, those with the most time first: a number beside such a heap could be
/// any's.
std::vector<std::vector<int>> RooflineChart::heaps() const {
    std::vector<int> order(m_data.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {},
                      [&](int mark) { return m_data.points[static_cast<std::size_t>(mark)].rank; });
    std::vector<std::vector<int>> found;
    for (const int mark : order) {
        const auto holds = [&](const std::vector<int>& heap) {
            const QLineF apart(markRect(heap.front()).center(), markRect(mark).center());
            return familyOf(heap.front()) == familyOf(mark) && apart.length() < radiusOf(heap.front());
        };
        if (const auto heap = std::ranges::find_if(found, holds); heap != found.end())
            heap->push_back(mark);
        else
            found.push_back({mark});
    }
    return found;
}

/// "2–4, 6": the numbers of a heap.
QString RooflineChart::numbersOf(const std::vector<int>& heap) const {
    const auto rank = [&](std::size_t i) { return m_data.points[static_cast<std::size_t>(heap[i])].rank; };
    QStringList parts;
    for (std::size_t first = 0, last = 0; first < heap.size(); first = ++last) {
        while (last + 1 < heap.size() && rank(last + 1) == rank(last) + 1)
            ++last;
        const QString end = (last == first + 1 ? QStringLiteral(", ") : QStringLiteral("–"));
        parts << QString::number(rank(first)) +
                     (last > first ? end + QString::number(rank(last)) : QString());
    }
    return parts.join(QStringLiteral(", "));
}

/// "ffn.*, lm_head", "copy to fp32 and 5 more": the modules of GEMMs and what other kernels do, each once,
/// that with the most time first.
QString RooflineChart::namesOf(const std::vector<int>& heap) const {
    constexpr qsizetype kMost = 3;
    QStringList names;
    std::map<QString, QStringList> children;
    for (const int mark : heap) {
        const RooflinePoint& point = m_data.points[static_cast<std::size_t>(mark)];
        QString name = toQString(point.name);
        name.remove(QLatin1String("blocks.*."));
        name.remove(QStringLiteral("elementwise · "));
        const qsizetype dot = point.kernel.empty() ? name.lastIndexOf(QLatin1Char('.')) : -1;
        QStringList& ofParent = children[name.left(std::max<qsizetype>(dot, 0))];
        if (dot > 0 && !ofParent.contains(name)) {
            ofParent << name;
            if (ofParent.size() == 2)
                names[names.indexOf(ofParent.front())] = name.left(dot) + QLatin1String(".*");
        }
        if (!names.contains(name) && (dot <= 0 || ofParent.size() == 1))
            names << name;
    }
    return names.size() <= kMost ? names.join(QStringLiteral(", "))
                                 : tr("%1 and %2 more").arg(names.front()).arg(names.size() - 1);
}

/// Those with the most time first: name and number beside the dot, if need be further off with a line to it,
/// or where there is no room the number alone. A heap has the names of all, or their numbers.
void RooflineChart::placeLabels(const QFontMetricsF& metrics, LabelRoom& room) {
    m_labels.clear();
    std::size_t names = 0;
    for (const std::vector<int>& heap : heaps()) {
        const int mark = heap.front();
        const QString numbers = numbersOf(heap);
        const QString name = heap.size() == 1 ? nameOf(mark) : namesOf(heap) + sharesOf(heap);
        std::optional<Label> label;
        if (names < kMostNames)
            label = labelBeside(heap, name, metrics, room);
        names += label ? 1 : 0;
        if (!label)
            label = labelBeside(heap, numbers, metrics, room);
        if (!label)
            continue;
        room.takeBox(label->rect);
        room.takeLine(label->leader);
        m_labels.push_back(*label);
    }
}

std::optional<RooflineChart::Label> RooflineChart::labelBeside(const std::vector<int>& heap,
                                                               const QString& text,
                                                               const QFontMetricsF& metrics,
                                                               const LabelRoom& room) const {
    // Right, left, over, under, and between them.
    constexpr std::pair<int, int> kSides[] = {{1, 0},  {-1, 0}, {0, -1},  {0, 1},
                                              {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
    constexpr double kDistances[] = {kNear, 8, 16, 30, 46};
    const int mark = heap.front();
    const QRectF dot = markRect(mark);
    const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
    // A label is taken for that of a dot that it is near, and nearly touching it whatever a line says.
    const auto isNearAnother = [&](const QRectF& box, double apart) {
        const auto others = std::views::iota(0, markCount());
        return std::ranges::any_of(others, [&](int other) {
            return std::ranges::find(heap, other) == heap.end() &&
                   markRect(other).intersects(box.adjusted(-apart, -apart, apart, apart));
        });
    };
    for (const double distance : kDistances) {
        for (const auto& [across, down] : kSides) {
            const QPointF direction(across, down);
            const double length = std::hypot(direction.x(), direction.y());
            // From a corner of its box, or the middle of a side.
            const QPointF edge = dot.center() + direction * (dot.width() / 2);
            const QPointF tip = edge + direction / length * distance;
            const QRectF box(tip.x() + (across - 1) * size.width() / 2,
                             tip.y() + (down - 1) * size.height() / 2, size.width(), size.height());
            const QLineF leader =
                distance > kNear
                    ? QLineF(edge + direction / length, tip - direction / length * 2)  // no letter is touched
                    : QLineF();
            if (room.isFree(box) && !isNearAnother(box, leader.isNull() ? kApart : kApart / 2) &&
                (leader.isNull() || room.isFree(leader)))
                return Label{mark, text, box, leader};
        }
    }
    return std::nullopt;
}

}  // namespace warpglass::ui
