#include "ui/memory/free_sizes.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/format.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/charts/byte_ticks.h"
#include "ui/memory/free_look.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
constexpr int kLine = 20, kTitle = 24, kBetween = 24;
/// The room of a piece of the dashed line before what it means.
constexpr double kComingKey = 28;
constexpr double kFreeBar = 12, kSizeColumn = 124, kNumbersColumn = 236, kBesideColumn = 200, kSwatch = 10;
/// Beside one another from this width on.
constexpr double kBeside = 760;
constexpr std::size_t kMostListed = 8;

QString number(std::int64_t count, const QString& one, const QString& several) {
    return count == 1 ? one : several.arg(toQString(formatGrouped(count)));
}
}  // namespace

FreeSizesPart::FreeSizesPart(FreeMemory free, std::optional<ComingAllocation> coming)
    : m_free(std::move(free)), m_coming(coming) {
    if (m_coming && !m_free.pieces.empty())
        m_comingText = toQString(comingSentence(m_free, m_coming->bytes));
    m_listed.resize(m_free.groups.size());
    std::iota(m_listed.begin(), m_listed.end(), std::size_t{0});
    std::stable_sort(m_listed.begin(), m_listed.end(), [this](std::size_t a, std::size_t b) {
        return m_free.bytesOf(m_free.groups[a]) > m_free.bytesOf(m_free.groups[b]);
    });
    m_listed.resize(std::min(m_listed.size(), kMostListed));
    for (const FreeSizes& size : m_free.sizes)
        m_most = std::max(m_most, (size.holeBytes + size.wholeBytes).value);
}

bool FreeSizesPart::isWide(double width) const {
    return width >= kBeside;
}

double FreeSizesPart::barsHeight(double width) const {
    const double bars = kTitle + kLine * static_cast<double>(m_free.sizes.size());
    if (m_comingText.isEmpty())
        return bars;
    const QFontMetricsF metrics(Theme::tableFont());
    return bars + 6 +
           metrics.boundingRect(QRectF(0, 0, width - kComingKey, 1000), Qt::TextWordWrap, m_comingText)
               .height();
}

int FreeSizesPart::heightAt(int width) const {
    if (m_free.pieces.empty())
        return 0;
    const double list = kTitle + kLine * static_cast<double>(m_listed.size());
    return static_cast<int>(std::ceil(isWide(width) ? std::max(barsHeight((width - kBetween) / 2.0), list)
                                                    : barsHeight(width) + Metrics::kSpace3 + list));
}

void FreeSizesPart::paint(QPainter& painter, const QRectF& area) const {
    painter.setFont(Theme::tableFont());
    const double width = isWide(area.width()) ? (area.width() - kBetween) / 2 : area.width();
    const QRectF bars(area.left(), area.top(), width, barsHeight(width));
    paintBars(painter, bars);
    const QPointF list = isWide(area.width()) ? QPointF(bars.right() + kBetween, area.top())
                                              : QPointF(area.left(), bars.bottom() + Metrics::kSpace3);
    paintList(painter, QRectF(list, QPointF(list.x() + width, area.bottom())));
}

void FreeSizesPart::paintBars(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(colors.text);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), kTitle), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Free memory by the size of its pieces"));
    QRectF line(area.left(), area.top() + kTitle, area.width(), kLine);
    for (const FreeSizes& size : m_free.sizes) {
        paintBar(painter, line, size);
        line.translate(0, kLine);
    }
    if (m_coming)
        paintComing(painter, area);
}

/// Holes, then whole segments; how many and how much behind them.
void FreeSizesPart::paintBar(QPainter& painter, const QRectF& line, const FreeSizes& size) const {
    const ThemeColors& colors = Theme::instance().colors();
    const auto sized = [](std::int64_t bytes) { return toQString(formatBytes(Bytes(bytes))); };
    const QString to = toQString(byteTickLabel(size.to, size.to, size.to));
    const QString label =
        size.from == 0 ? tr("below %1").arg(to)
                       : tr("%1 to %2").arg(toQString(byteTickLabel(size.from, size.from, size.from)), to);
    painter.setPen(colors.secondaryText);
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.drawText(QRectF(line.left(), line.top(), kSizeColumn - 8, line.height()),
                     Qt::AlignRight | Qt::AlignVCenter, label);
    const double room = line.width() - kSizeColumn - kNumbersColumn;
    double left = line.left() + kSizeColumn;
    QStringList numbers;
    for (const bool whole : {false, true}) {
        const Bytes bytes = whole ? size.wholeBytes : size.holeBytes;
        if (bytes.value <= 0)
            continue;
        const double width =
            std::max(2.0, std::round(room * static_cast<double>(bytes.value) / static_cast<double>(m_most)));
        FreeLook::paint(painter, QRectF(left, line.center().y() - kFreeBar / 2, width, kFreeBar), whole);
        left += width + 1;
        numbers +=
            QStringLiteral("%1 · %2").arg(whole ? number(size.whole, tr("1 segment"), tr("%1 segments"))
                                                : number(size.holes, tr("1 hole"), tr("%1 holes")),
                                          sized(bytes.value));
    }
    painter.setPen(numbers.isEmpty() ? colors.secondaryText : colors.text);
    const QRectF rest(left + 6, line.top(), line.right() - left - 6, line.height());
    const QString text = numbers.isEmpty() ? tr("none") : numbers.join(QStringLiteral(", "));
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideRight, rest.width()));
}

/// Between the sizes that are too small and those that are large enough, to scale within a size's line.
void FreeSizesPart::paintComing(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = Theme::instance().colors();
    const auto bytes = static_cast<double>(m_coming->bytes.value);
    double lines = 0;
    for (const FreeSizes& size : m_free.sizes) {
        const auto from = static_cast<double>(size.from), to = static_cast<double>(size.to);
        lines += bytes >= to ? 1 : bytes <= from ? 0 : from > 0 ? std::log2(bytes / from) : bytes / to;
    }
    const double y = std::round(area.top() + kTitle + lines * kLine) + 0.5;
    QPen pen(colors.accent, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const double top = area.top() + kTitle + kLine * static_cast<double>(m_free.sizes.size()) + 6;
    // The sentence is the line's legend.
    const double middle = std::round(top + painter.fontMetrics().height() / 2.0) + 0.5;
    painter.drawLine(QPointF(area.left(), middle), QPointF(area.left() + kComingKey - 8, middle));
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(area.left() + kComingKey, top, area.width() - kComingKey, area.bottom() - top),
                     Qt::TextWordWrap, m_comingText);
}

void FreeSizesPart::paintList(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.setPen(colors.text);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), kTitle), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Where most of it lies"));
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(area.left() + kBesideColumn, area.top(), area.width() - kBesideColumn, kTitle),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("mostly beside"));
    double top = area.top() + kTitle;
    for (const std::size_t i : m_listed) {
        const FreeGroup& group = m_free.groups[i];
        const bool whole = m_free.pieces[group.first].whole;
        FreeLook::paint(painter, QRectF(area.left(), top + 3, 14, kLine - 6), whole);
        const auto column = [&](double left, double width, Qt::Alignment at, const QString& text) {
            painter.drawText(QRectF(area.left() + left, top, width, kLine), at | Qt::AlignVCenter,
                             metrics.elidedText(text, Qt::ElideRight, width));
        };
        painter.setPen(colors.text);
        column(20, 100, Qt::AlignRight, FreeLook::nameOf(m_free, group));
        painter.setPen(colors.secondaryText);
        column(124, 66, Qt::AlignRight, toQString(formatBytes(Bytes(m_free.bytesOf(group)))));
        double left = kBesideColumn;
        if (!whole && group.category != Category::kUnknown) {
            painter.fillRect(QRectF(area.left() + left, top + (kLine - kSwatch) / 2.0, kSwatch, kSwatch),
                             Theme::categoryColor(group.category));
            left += kSwatch + 6;
        }
        column(left, area.width() - left, Qt::AlignLeft,
               whole                  ? tr("whole segments: can be given back")
               : group.beside.empty() ? tr("memory of unknown use")
                                      : toQString(group.beside));
        top += kLine;
    }
}

}  // namespace warpglass::ui
