#include "ui/panels/share_card.h"

#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/controls/stacked_bar.h"
#include "ui/theme/swatch.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kMargin = Metrics::kSpace3;
constexpr int kHead = 16;
constexpr int kBarTop = kMargin + kHead + Metrics::kSpace2;
constexpr int kShareBar = 8;
constexpr int kRowsTop = kBarTop + kShareBar + Metrics::kSpace2;
constexpr int kShareRow = 20, kShareLine = 15;
constexpr int kShareWidth = 60;  // "< 0.01%" in the table font
constexpr int kLeastWidth = 200;

/// Broken at the last blank before the end of the first line; what does not fit is cut.
QStringList linesOf(const QString& name, const QFontMetrics& metrics, int width, bool two) {
    qsizetype blank = two ? name.lastIndexOf(QLatin1Char(' ')) : -1;
    while (blank > 0 && metrics.horizontalAdvance(name.first(blank)) > width)
        blank = name.lastIndexOf(QLatin1Char(' '), blank - 1);
    QStringList lines;
    if (blank > 0)
        lines << name.first(blank);
    lines << metrics.elidedText(blank > 0 ? name.sliced(blank + 1) : name, Qt::ElideRight, width);
    return lines;
}

}  // namespace

ShareCard::ShareCard(const QString& heading, QWidget* parent)
    : QFrame(parent), m_heading(heading), m_bar(new StackedBar(this)) {
    setProperty("card", true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(heading);
    m_bar->setFixedHeight(kShareBar);
}

void ShareCard::setParts(std::vector<Part> parts, const QString& total) {
    std::erase_if(parts, [](const Part& part) { return !(part.amount > 0); });
    if (parts == m_parts && total == m_total)
        return;
    m_parts = std::move(parts);
    m_total = total;
    m_whole = 0;
    std::vector<StackedBar::Part> bar;
    QStringList words;
    for (const Part& part : m_parts) {
        m_whole += part.amount;
        bar.push_back({part.color, part.amount, part.name + QStringLiteral(": ") + part.toolTip});
        words << part.name + QLatin1Char(' ') + part.value;
    }
    m_bar->setParts(std::move(bar));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void ShareCard::setNote(const QString& note) {
    if (note == m_note)
        return;
    m_note = note;
    updateGeometry();
    update();
}

int ShareCard::noteHeight(int width) const {
    if (m_note.isEmpty())
        return 0;
    const QFontMetrics metrics(Theme::tableFont());
    return metrics.boundingRect(QRect(0, 0, std::max(1, width - 2 * kMargin), 1000), Qt::TextWordWrap, m_note)
               .height() +
           Metrics::kSpace1;
}

QSize ShareCard::sizeHint() const {
    return {kLeastWidth + 80, kRowsTop + static_cast<int>(m_parts.size()) * kShareRow +
                                  noteHeight(std::max(width(), kLeastWidth)) + Metrics::kSpace2};
}

int ShareCard::heightForWidth(int width) const {
    return kRowsTop + rowsHeight(width) + noteHeight(width) + Metrics::kSpace2;
}

QSize ShareCard::minimumSizeHint() const {
    return {kLeastWidth, sizeHint().height()};
}

/// What is left of a row between the swatch and the figures.
int ShareCard::nameWidth(int width) const {
    const QFontMetricsF metrics(Theme::tableFont());
    qreal values = 0;
    for (const Part& part : m_parts)
        values = std::max(values, tabularWidth(metrics, part.value));
    return std::max(1, width - 2 * kMargin - Metrics::kSwatch - Metrics::kSpace2 - kShareWidth -
                           static_cast<int>(values) - Metrics::kSpace2);
}

/// A name of several words that does not fit has a second line.
int ShareCard::rowHeight(std::size_t row, int width) const {
    const QString& name = m_parts[row].name;
    const bool fits = QFontMetrics(Theme::tableFont()).horizontalAdvance(name) <= nameWidth(width);
    return fits || !name.contains(QLatin1Char(' ')) ? kShareRow : kShareRow + kShareLine;
}

int ShareCard::rowsHeight(int width) const {
    int height = 0;
    for (std::size_t row = 0; row < m_parts.size(); ++row)
        height += rowHeight(row, width);
    return height;
}

QRect ShareCard::rowRect(std::size_t row) const {
    int top = kRowsTop;
    for (std::size_t before = 0; before < row; ++before)
        top += rowHeight(before, width());
    return {kMargin, top, width() - 2 * kMargin, row < m_parts.size() ? rowHeight(row, width()) : kShareRow};
}

void ShareCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    const QRect head(kMargin, kMargin, width() - 2 * kMargin, kHead);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.text);
    drawTabular(painter, head, Qt::AlignRight, m_total);
    const int totalWidth = static_cast<int>(tabularWidth(QFontMetricsF(Theme::tableFont()), m_total));
    painter.setFont(Theme::headFont());
    painter.setPen(colors.secondaryText);
    const QRect room = head.adjusted(0, 0, -totalWidth - Metrics::kSpace2, 0);
    // In capitals also where the font's are not known, as in an SVG.
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(painter.font(), painter.device())
                         .elidedText(m_heading.toUpper(), Qt::ElideRight, room.width()));
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(painter.font(), painter.device());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QRect whole = rowRect(i);
        const QRect row(whole.left(), whole.top(), whole.width(), kShareRow);
        paintSwatch(painter, QPointF(row.left(), row.center().y() - Metrics::kSwatch / 2), part.color,
                    colors.raised);
        const int left = row.left() + Metrics::kSwatch + Metrics::kSpace2;
        const QRect name(left, row.top(), nameWidth(width()), row.height());
        painter.setPen(colors.secondaryText);
        const QStringList lines = linesOf(part.name, metrics, name.width(), whole.height() > kShareRow);
        for (qsizetype line = 0; line < lines.size(); ++line)
            painter.drawText(name.translated(0, static_cast<int>(line) * kShareLine),
                             Qt::AlignLeft | Qt::AlignVCenter, lines[line]);
        painter.setPen(colors.text);
        drawTabular(painter, row.adjusted(0, 0, -kShareWidth, 0), Qt::AlignRight, part.value);
        painter.setPen(colors.secondaryText);
        drawTabular(painter, row, Qt::AlignRight,
                    toQString(formatPercent(m_whole > 0 ? part.amount / m_whole : 0)));
    }
    painter.setPen(colors.secondaryText);
    painter.drawText(
        QRect(kMargin, rowRect(m_parts.size()).top(), width() - 2 * kMargin, noteHeight(width())),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_note);
}

void ShareCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    m_bar->setGeometry(kMargin, kBarTop, width() - 2 * kMargin, kShareBar);
    if (!m_note.isEmpty() && event->oldSize().width() != width())
        updateGeometry();  // it takes more lines, or fewer
}

bool ShareCard::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (rowRect(i).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), m_parts[i].toolTip, this);
                return true;
            }
        }
    }
    return QFrame::event(event);
}

}  // namespace warpglass::ui
