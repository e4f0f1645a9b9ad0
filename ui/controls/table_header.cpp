#include "ui/controls/table_header.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/controls/cell_delegate.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/fitting_text.h"
#include "ui/theme/icons.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr qreal kHeaderChevron = 10;

}  // namespace

int leftPadding(const QHeaderView& header, int column) {
    return header.sectionPosition(column) == 0 ? Metrics::kSpace3 : Metrics::kSpace2;
}

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setHighlightSections(false);
    setSectionsClickable(true);
    setSectionsMovable(true);
    setStretchLastSection(true);
    setMinimumSectionSize(40);
    setFont(Theme::tableFont());
}

QSize TableHeader::sizeHint() const {
    return {QHeaderView::sizeHint().width(), Metrics::kTableRow};
}

void TableHeader::setFinding(const QStringList& wordings) {
    if (std::exchange(m_finding, wordings) != wordings)
        viewport()->update();
}

void TableHeader::setBarWords(const QStringList& darkAndPale) {
    if (std::exchange(m_barWords, darkAndPale) != darkAndPale)
        viewport()->update();
}

bool TableHeader::viewportEvent(QEvent* event) {
    const auto* help = event->type() == QEvent::ToolTip ? static_cast<QHelpEvent*>(event) : nullptr;
    if (!help || m_finding.isEmpty() || !m_findingPlace.contains(help->pos()))
        return QHeaderView::viewportEvent(event);
    QToolTip::showText(help->globalPos(), finding(), this);
    return true;
}

void TableHeader::paintEvent(QPaintEvent* event) {
    QHeaderView::paintEvent(event);
    // The line goes on where the sections end.
    QPainter painter(viewport());
    painter.fillRect(QRect(0, viewport()->height() - 1, viewport()->width(), 1),
                     Theme::instance().colors().hairline);
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    const ThemeColors& colors = Theme::instance().colors();
    const PainterScope undone(*painter);
    painter->fillRect(rect, colors.panel);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.hairline);

    const Qt::Alignment alignment(
        model()->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole).toInt());
    // Nobody sorts a figure, and of names it need not be said in which order they stand.
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex &&
                        (alignment & Qt::AlignRight || !FigureMode::holds(*this));
    QRectF content = QRectF(rect).adjusted(leftPadding(*this, logicalIndex), 0, -Metrics::kSpace2, -1);
    painter->setFont(Theme::tableFont());
    Qt::Alignment side = alignment & Qt::AlignHorizontal_Mask;
    if (model()->headerData(logicalIndex, orientation(), kLongBarRole).toBool()) {
        // The title stands over the numbers, which are before the bars.
        paintBarWords(*painter, content.adjusted(CellDelegate::kBarAt, 0, 0, 0));
        content.setWidth(std::min<qreal>(content.width(), CellDelegate::kBarTextWidth));
        side = Qt::AlignRight;
    }
    painter->setPen(sorted ? colors.text : colors.secondaryText);
    const QFontMetricsF metrics(painter->font(), painter->device());
    const QString text = metrics.elidedText(model()->headerData(logicalIndex, orientation()).toString(),
                                            Qt::ElideRight, content.width());
    painter->drawText(content, static_cast<int>(Qt::AlignVCenter | side), text);
    const qreal width = metrics.horizontalAdvance(text);
    if (sorted) {
        // On the free side of the text, in the padding when the title fills the section.
        const qreal x =
            side & Qt::AlignRight ? content.right() - width - kHeaderChevron - 2 : content.left() + width + 2;
        paintIcon(*painter,
                  QRectF(std::max(x, qreal(rect.left())), content.center().y() - kHeaderChevron / 2,
                         kHeaderChevron, kHeaderChevron),
                  sortIndicatorOrder() == Qt::AscendingOrder ? Icon::kChevronUp : Icon::kChevronDown,
                  colors.text);
    }
    if (sectionPosition(logicalIndex) == 0) {
        m_findingPlace = content.adjusted(width + kHeaderChevron + Metrics::kSpace3, 0, 0, 0).toRect();
        // A column of numbers that a person has moved there has its title where the sentence would end.
        const QString finding = alignment & Qt::AlignRight || FigureMode::holds(*this)
                                    ? QString()
                                    : fittingText(m_finding, metrics, m_findingPlace.width());
        if (finding.isEmpty())
            m_findingPlace = {};
        painter->setPen(colors.text);
        painter->drawText(m_findingPlace, Qt::AlignVCenter | Qt::AlignLeft, finding);
    }
}

/// Where both do not fit, the pale part's alone: the other is what people take a bar for.
void TableHeader::paintBarWords(QPainter& painter, const QRectF& bars) const {
    std::vector<LegendEntry> entries;
    for (const QString& words : m_barWords)
        entries.push_back({CellDelegate::barColor(!entries.empty()), words});
    const auto fits = [&] { return legendHeight(entries, painter.font(), bars.width()) <= kLegendRow; };
    if (entries.size() > 1 && !fits())
        entries.erase(entries.begin());
    const double top = std::round(bars.center().y() - kLegendRow / 2);
    if (!entries.empty() && fits())
        paintLegend(painter, {bars.left(), top, bars.width(), kLegendRow}, entries);
}

}  // namespace warpglass::ui
