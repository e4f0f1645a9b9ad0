#include "ui/compare/memory_difference_legend.h"

#include <QFontMetrics>
#include <QPainter>
#include <cstdlib>

#include "engine/base/format.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {
namespace {

constexpr int kSample = 22;
constexpr int kGap = Metrics::kSpace1 + 2;
/// Far enough from the background to be seen, and behind the lines.
constexpr double kFillShare = 0.28;
const QString kWidestFigure = QStringLiteral("00.00\u202FGiB");
/// A's line, so that it is not told by its color alone; in widths of the line.
const QList<qreal> kDashes = {3, 2};

}  // namespace

QPen MemoryDifferenceLegend::linePen(bool ofA) {
    const ThemeColors& colors = Theme::instance().colors();
    QPen pen(ofA ? colors.secondaryText : colors.accent, 1.5);
    if (ofA)
        pen.setDashPattern(kDashes);
    return pen;
}

QColor MemoryDifferenceLegend::fill(bool less) {
    const ThemeColors& colors = Theme::instance().colors();
    return Theme::mixed(colors.background, less ? colors.less : colors.more, kFillShare);
}

void MemoryDifferenceLegend::setTitles(const QString& a, const QString& b) {
    m_titleA = a;
    m_titleB = b;
}

QStringList MemoryDifferenceLegend::text(Form form, bool widest) const {
    // Not of a moment that the view has left.
    auto time = m_axis.effectiveCursor();
    if (time && !m_axis.visibleRange().contains(*time))
        time.reset();
    const auto a = time ? m_memory.ofA(*time) : std::nullopt, b = time ? m_memory.ofB(*time) : std::nullopt;
    const auto figure = [widest](std::int64_t bytes) {
        return widest ? kWidestFigure : toQString(formatBytes(Bytes(bytes)));
    };
    const auto named = [&](const QString& name, std::optional<std::int64_t> bytes) {
        return !time ? name
                     : QStringLiteral("%1: %2").arg(name, bytes ? figure(*bytes) : QStringLiteral("–"));
    };
    // For one category, it says which.
    const auto category = m_memory.category();
    const QString of =
        category ? tr(", %1").arg(toQString(kCategoryNames[static_cast<std::size_t>(*category)])) : QString();
    const auto name = [&](const QString& letter, const QString& title) {
        return form == Form::kTitles    ? QStringLiteral("%1  %2%3").arg(letter, title, of)
               : form == Form::kLetters ? letter + of
                                        : letter;
    };
    QStringList parts = {named(name(QStringLiteral("A"), m_titleA), a),
                         named(name(QStringLiteral("B"), m_titleB), b)};
    const bool brief = form == Form::kFigures;
    if (!a || !b)
        return parts << (brief ? tr("− less") : tr("− B uses less"))
                     << (brief ? tr("+ more") : tr("+ B uses more"));
    if (*a == *b)
        return parts << tr("no difference");
    const QString difference = figure(std::abs(*b - *a));
    if (brief)
        return parts << (*b < *a ? QStringLiteral("−") : QStringLiteral("+")) + difference;
    return parts << (*b < *a ? tr("− B uses %1 less").arg(difference)
                             : tr("+ B uses %1 more").arg(difference));
}

QStringList MemoryDifferenceLegend::shownText(int width) const {
    const QFontMetrics metrics(Theme::tableFont());
    for (const Form form : {Form::kTitles, Form::kLetters}) {
        int needed = 0;
        for (const QString& part : text(form, true))
            needed += kSample + kGap + metrics.horizontalAdvance(part) + Metrics::kSpace4;
        if (needed <= width)
            return text(form, false);
    }
    return text(Form::kFigures, false);
}

void MemoryDifferenceLegend::paint(QPainter& painter, int left, int right, bool onGpu) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(Theme::tableFont());
    const QStringList parts = shownText(right - left);
    int x = left;
    const int middle = kHeight / 2;
    for (int i = 0; i < parts.size(); ++i) {
        const bool less = parts[i].startsWith(QStringLiteral("−"));
        if (i < 2) {
            painter.setPen(linePen(i == 0));
            painter.drawLine(QPointF(x, middle + 0.5), QPointF(x + kSample, middle + 0.5));
        } else if (less || parts[i].startsWith(QLatin1Char('+'))) {
            painter.fillRect(QRect(x + 6, middle - 5, kSample - 6, 10), fill(less));
        }
        x += kSample + kGap;
        painter.setPen(i == 1 ? colors.accent : i == 0 ? colors.secondaryText : colors.text);
        painter.drawText(QRect(x, 0, right - x, kHeight), Qt::AlignLeft | Qt::AlignVCenter, parts[i]);
        x += metrics.horizontalAdvance(parts[i]) + Metrics::kSpace4;
    }
    // The lanes above are the GPU's, which runs what the host has long allocated for.
    const QString whose = tr("Allocated by the host, ahead of the GPU's work above");
    const QRect room(x, 0, right - x - Metrics::kSpace3, kHeight);
    if (onGpu && metrics.horizontalAdvance(whose) <= room.width()) {
        painter.setPen(colors.secondaryText);
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, whose);
    }
}

}  // namespace warpglass::ui
