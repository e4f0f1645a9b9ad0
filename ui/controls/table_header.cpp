#include "ui/controls/table_header.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "ui/controls/figure_mode.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr qreal kChevron = 10;
/// In less room too little of a sentence could be read.
constexpr int kLeastFinding = 90;

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

void TableHeader::setFinding(const QString& finding) {
    if (std::exchange(m_finding, finding) != finding)
        viewport()->update();
}

bool TableHeader::viewportEvent(QEvent* event) {
    const auto* help = event->type() == QEvent::ToolTip ? static_cast<QHelpEvent*>(event) : nullptr;
    if (!help || m_finding.isEmpty() || !m_findingPlace.contains(help->pos()))
        return QHeaderView::viewportEvent(event);
    QToolTip::showText(help->globalPos(), m_finding, this);
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
    painter->save();
    painter->fillRect(rect, colors.panel);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.hairline);

    const Qt::Alignment alignment(
        model()->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole).toInt());
    // Nobody sorts a figure, and of names it need not be said in which order they stand.
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex &&
                        (alignment & Qt::AlignRight || !FigureMode::holds(*this));
    const QRectF content = QRectF(rect).adjusted(leftPadding(*this, logicalIndex), 0, -Metrics::kSpace2, -1);
    painter->setFont(Theme::tableFont());
    painter->setPen(sorted ? colors.text : colors.secondaryText);
    const QFontMetricsF metrics(painter->font(), painter->device());
    const QString text = metrics.elidedText(model()->headerData(logicalIndex, orientation()).toString(),
                                            Qt::ElideRight, content.width());
    painter->drawText(content, static_cast<int>(Qt::AlignVCenter | (alignment & Qt::AlignHorizontal_Mask)),
                      text);
    const qreal width = metrics.horizontalAdvance(text);
    if (sorted) {
        // On the free side of the text, in the padding when the title fills the section.
        const qreal x =
            alignment & Qt::AlignRight ? content.right() - width - kChevron - 2 : content.left() + width + 2;
        paintIcon(
            *painter,
            QRectF(std::max(x, qreal(rect.left())), content.center().y() - kChevron / 2, kChevron, kChevron),
            sortIndicatorOrder() == Qt::AscendingOrder ? Icon::kChevronUp : Icon::kChevronDown, colors.text);
    }
    if (sectionPosition(logicalIndex) == 0) {
        m_findingPlace = content.adjusted(width + kChevron + Metrics::kSpace3, 0, 0, 0).toRect();
        // A column of numbers that a person has moved there has its title where the sentence would end.
        if (m_findingPlace.width() < kLeastFinding || (alignment & Qt::AlignRight) ||
            FigureMode::holds(*this)) {
            m_findingPlace = {};
        } else {
            painter->setPen(colors.text);
            painter->drawText(m_findingPlace, Qt::AlignVCenter | Qt::AlignLeft,
                              metrics.elidedText(m_finding, Qt::ElideRight, m_findingPlace.width()));
        }
    }
    painter->restore();
}

}  // namespace warpglass::ui
