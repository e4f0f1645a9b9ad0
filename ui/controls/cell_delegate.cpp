#include "ui/controls/cell_delegate.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTableView>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/base/units.h"
#include "engine/trace/stack_order.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/table_header.h"
#include "ui/theme/icons.h"
#include "ui/theme/name_text.h"
#include "ui/theme/swatch.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kBarHeight = 8;
/// Room for "−32.4 ms" beside a diverging one.
constexpr int kDivergingTextWidth = 84;
/// The width of each level of a tree, and of its chevron.
constexpr int kIndent = 14, kChevron = 16;
/// A share that is not nothing shows at least this much.
constexpr qreal kShortestBar = 2;
/// Fewer letters of a name's beginning tell nothing.
constexpr int kFewestLetters = 5;

QColor colorOf(const Swatch& swatch) {
    const Theme& theme = Theme::instance();
    switch (swatch.kind) {
        case Swatch::kFamily:
            return theme.familyColor(static_cast<OpFamily>(swatch.value));
        case Swatch::kCategory:
            return Theme::categoryColor(static_cast<Category>(swatch.value));
        case Swatch::kPhase:
            return theme.phaseColor(static_cast<Phase>(swatch.value));
    }
    return {};
}

std::int64_t sumOfParts(const ShareBar& bar) {
    std::int64_t sum = 0;
    for (const std::int64_t part : bar.parts)
        sum = wrappingAdd(sum, std::max<std::int64_t>(part, 0));
    return sum;
}

/// Divided by memory category. Precondition: its parts are not all zero.
void paintParts(QPainter& painter, const QRectF& rect, const ShareBar& bar) {
    qreal x = rect.left();
    const auto partOf = [&bar](Category category) { return bar.parts[static_cast<std::size_t>(category)]; };
    auto order = kStackOrder;
    if (bar.largestFirst)
        std::ranges::stable_sort(order, std::greater(), partOf);
    for (const Category category : order) {
        const std::int64_t part = partOf(category);
        const qreal width = rect.width() * static_cast<qreal>(std::max<std::int64_t>(part, 0)) /
                            static_cast<qreal>(sumOfParts(bar));
        paintBarPiece(painter, QRectF(x, rect.top(), width, rect.height()), Theme::categoryColor(category),
                      Theme::instance().colors().panel);
        x += width;
    }
}

/// From a line that stands for no difference.
void drawDivergingBar(QPainter& painter, const QRectF& area, const ShareBar& bar) {
    const ThemeColors& colors = Theme::instance().colors();
    const qreal line = std::min(std::round(area.left() + bar.zero * area.width()), area.right() - 1);
    const qreal longest = std::floor(area.width() * std::max(bar.zero, 1 - bar.zero)) - 1;
    if (longest < kShortestBar)
        return;
    const qreal top = std::round(area.center().y() - kBarHeight / 2.0);
    if (bar.length != 0) {
        const qreal width = std::max(kShortestBar, longest * std::min(1.0, std::abs(bar.length)));
        const QRectF rect(bar.length < 0 ? line - width : line, top, width, kBarHeight);
        QColor fill = bar.length < 0 ? colors.less : colors.more;
        fill.setAlphaF(0.75F);
        if (sumOfParts(bar) > 0)
            paintParts(painter, rect, bar);
        else
            painter.fillRect(rect, fill);
    }
    painter.fillRect(QRectF(line, top - 3, 1, kBarHeight + 6), colors.hairline);
}

void drawBar(QPainter& painter, const QRectF& area, const ShareBar& bar) {
    if (bar.length <= 0)
        return;
    QRectF rect(area.left(), area.center().y() - kBarHeight / 2.0,
                std::max(kShortestBar, area.width() * std::min(bar.length, 1.0)), kBarHeight);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QPainterPath outline;
    outline.addRoundedRect(rect, Metrics::kSwatchRadius, Metrics::kSwatchRadius);
    if (sumOfParts(bar) <= 0) {
        painter.setClipPath(outline, Qt::IntersectClip);
        const qreal pale = rect.width() * std::clamp(bar.pale, 0.0, 1.0);
        painter.fillRect(rect.adjusted(0, 0, -pale, 0), CellDelegate::barColor(false));
        painter.fillRect(QRectF(rect.right() - pale, rect.top(), pale, rect.height()),
                         CellDelegate::barColor(true));
    } else {
        painter.setClipPath(outline, Qt::IntersectClip);
        paintParts(painter, rect, bar);
    }
}

}  // namespace

CellDelegate::CellDelegate(QObject* parent)
    : QStyledItemDelegate(parent),
      m_textFont(Theme::tableFont()),
      m_strongFont(m_textFont),
      m_monoFont(Theme::monoFont()) {
    m_strongFont.setWeight(QFont::DemiBold);
}

QColor CellDelegate::barColor(bool pale) {
    return withAlpha(Theme::instance().colors().accent, pale ? 0.18F : 0.5F);
}

QRect CellDelegate::chevronBox(const QRect& cell, int depth) {
    return {cell.left() + Metrics::kSpace2 + depth * kIndent, cell.top(), kChevron, cell.height() - 1};
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const bool mono = index.data(kMonoRole).toBool();
    const QFontMetricsF metrics(mono ? m_monoFont : m_textFont);
    const QString text = index.data(Qt::DisplayRole).toString();
    qreal width = tabularWidth(metrics, cutName(text)) + Metrics::kSpace3 + Metrics::kSpace2;
    if (mono && text.indexOf(kAfterFirstName) > 0)
        width += Metrics::kSpace1;
    if (index.data(kSwatchRole).isValid())
        width += Metrics::kSwatch + Metrics::kSpace2;
    Q_UNUSED(option)
    return {static_cast<int>(width + 1), Metrics::kTableRow};
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(),
                       cutName(index.data(Qt::ToolTipRole).toString(), kMostToolTipLetters), view);
    return true;
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect cell = option.rect;
    const bool selected = option.state & QStyle::State_Selected;
    if (selected || index.row() == m_hoveredRow)
        painter->fillRect(cell, selected ? colors.hover : colors.raised);
    painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), colors.grid);
    // The keyboard's row, where the selection alone would not show it.
    if (option.state & QStyle::State_HasFocus && index.column() == 0)
        painter->fillRect(QRect(cell.left(), cell.top(), 2, cell.height() - 1), colors.accent);

    const auto* table = qobject_cast<const QTableView*>(option.widget);
    const int left = table ? leftPadding(*table->horizontalHeader(), index.column()) : Metrics::kSpace2;
    QRectF content = QRectF(cell).adjusted(left, 0, -Metrics::kSpace2, -1);
    const QVariant depth = index.data(kDepthRole);
    const int expansion = index.data(kExpansionRole).toInt();
    if (depth.isValid() && depth.toInt() >= 0) {
        const QRectF chevron(chevronBox(cell, depth.toInt()));
        if (expansion != kLeaf)
            paintIcon(*painter, chevron, expansion == kExpanded ? Icon::kChevronDown : Icon::kChevronRight,
                      colors.secondaryText);
        content.setLeft(chevron.right() + Metrics::kSpace1);
    }
    if (const QVariant swatch = index.data(kSwatchRole); swatch.isValid()) {
        const qreal y = std::round(content.center().y() - Metrics::kSwatch / 2.0);
        paintSwatch(*painter, QPointF(content.left(), y), colorOf(swatch.value<Swatch>()),
                    selected ? colors.hover : colors.panel);
        content.setLeft(content.left() + Metrics::kSwatch + Metrics::kSpace2);
    }
    const bool mono = index.data(kMonoRole).toBool();
    painter->setFont(mono ? m_monoFont : index.data(kStrongRole).toBool() ? m_strongFont : m_textFont);
    painter->setPen(mono && !selected && expansion == kLeaf ? colors.secondaryText : colors.text);
    if (const int trend = index.data(kTrendRole).toInt(); trend != 0)
        painter->setPen(
            Theme::readableOn(trend < 0 ? colors.less : colors.more, selected ? colors.hover : colors.panel));
    const Qt::Alignment alignment(index.data(Qt::TextAlignmentRole).toInt());
    QString text = index.data(Qt::DisplayRole).toString();
    if (const QVariant share = index.data(kShareRole); share.isValid()) {
        // A narrow column has its number at the right, where numbers are; a wide one before a long bar.
        const bool barFirst = alignment & Qt::AlignRight;
        const auto bar = share.value<ShareBar>();
        if (bar.diverging)
            drawDivergingBar(*painter, content.adjusted(0, 0, -kDivergingTextWidth, 0), bar);
        else
            drawBar(*painter, content.adjusted(barFirst ? 0 : kBarAt, 0, barFirst ? -kBarTextWidth : 0, 0),
                    bar);
        const QRectF number =
            barFirst ? content : QRectF(content.left(), content.top(), kBarTextWidth, content.height());
        drawTabular(*painter, number, Qt::AlignRight, text);
        return;
    }
    if (alignment & Qt::AlignRight ||
        index.model()->headerData(index.column(), Qt::Horizontal, kLongBarRole).toBool()) {
        // A number that is not known stands where the others do, before bars too.
        if (!(alignment & Qt::AlignRight))
            content.setWidth(std::min<qreal>(content.width(), kBarTextWidth));
        drawTabular(*painter, content, Qt::AlignRight | Qt::AlignVCenter, text);
        return;
    }
    const QFontMetricsF metrics(painter->font(), painter->device());
    if (const auto first = text.indexOf(kAfterFirstName); mono && first > 0) {
        const QPen rest = painter->pen();
        const QString name = elidedName(metrics, text.left(first), content.width());
        painter->setPen(colors.text);
        painter->drawText(content, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, name);
        painter->setPen(rest);
        content.setLeft(content.left() + metrics.horizontalAdvance(name + kAfterFirstName) +
                        Metrics::kSpace1);
        text.remove(0, first + 1);
        if (content.width() < kFewestLetters * metrics.averageCharWidth() &&
            content.width() < metrics.horizontalAdvance(cutName(text)))
            return;
    }
    text = mono ? elidedName(metrics, text, content.width())
                : metrics.elidedText(cutName(text), Qt::ElideRight, content.width());
    painter->drawText(content, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
}

}  // namespace warpglass::ui
