#include "ui/panels/share_card.h"

#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/models/table_model.h"
#include "ui/theme/stacked_bar.h"
#include "ui/theme/swatch.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kMargin = Metrics::kSpace3;
constexpr int kHead = 16;
constexpr int kBarTop = kMargin + kHead + Metrics::kSpace2;
constexpr int kBar = 8;
constexpr int kRowsTop = kBarTop + kBar + Metrics::kSpace2;
constexpr int kRow = 20;
constexpr int kShareWidth = 60;  // "< 0.01 %" in the table font
constexpr int kLeastWidth = 200;

}  // namespace

ShareCard::ShareCard(const QString& heading, QWidget* parent)
    : QFrame(parent), m_heading(heading), m_bar(new StackedBar(this)) {
    setProperty("card", true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    setAccessibleName(heading);
    m_bar->setFixedHeight(kBar);
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
    return {kLeastWidth + 80, kRowsTop + static_cast<int>(m_parts.size()) * kRow +
                                  noteHeight(std::max(width(), kLeastWidth)) + Metrics::kSpace2};
}

QSize ShareCard::minimumSizeHint() const {
    return {kLeastWidth, sizeHint().height()};
}

QRect ShareCard::rowRect(std::size_t row) const {
    return {kMargin, kRowsTop + static_cast<int>(row) * kRow, width() - 2 * kMargin, kRow};
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
    painter.drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(painter.font(), painter.device()).elidedText(m_heading, Qt::ElideRight, room.width()));
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(painter.font(), painter.device());
    qreal valueWidth = 0;
    for (const Part& part : m_parts)
        valueWidth = std::max(valueWidth, tabularWidth(QFontMetricsF(metrics), part.value));
    const int values = static_cast<int>(valueWidth) + Metrics::kSpace2;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QRect row = rowRect(i);
        paintSwatch(painter, QPointF(row.left(), row.center().y() - Metrics::kSwatch / 2), part.color,
                    colors.raised);
        const int left = row.left() + Metrics::kSwatch + Metrics::kSpace2;
        const QRect name(left, row.top(), row.right() - kShareWidth - values - left, row.height());
        painter.setPen(colors.secondaryText);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(part.name, Qt::ElideRight, name.width()));
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
    m_bar->setGeometry(kMargin, kBarTop, width() - 2 * kMargin, kBar);
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
