#include "ui/memory/free_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/free_look.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
/// The bar, and under it the color of what is beside; captions are above.
constexpr double kBarTop = 18, kBarHeight = 18, kUnderline = 4, kCaptionHeight = 16;
/// The line of the word before that color.
constexpr double kBesideHeight = 12;
/// Between the bar, which is measured in bytes, and what stands below it on the axis of time.
constexpr double kRuleTop = 50;
}  // namespace

FreeStrip::FreeStrip(AllocationMapView& map, QWidget* parent) : QWidget(parent), m_map(map) {
    setNames(this, "freeStrip", tr("Free memory at the peak"));
    setFixedHeight(kHeight);
    setFocusPolicy(Qt::StrongFocus);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_map, &AllocationMapView::changed, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void FreeStrip::setLabelWidth(int width) {
    m_labelWidth = width;
    update();
}

std::vector<QRectF> FreeStrip::places() const {
    std::vector<QRectF> places;
    const double perByte = (width() - m_labelWidth - 1.0) /
                           static_cast<double>(std::max<std::int64_t>(1, free().totals.free.value));
    std::int64_t done = 0;
    for (const FreeGroup& group : free().groups) {
        const double left = m_labelWidth + static_cast<double>(done) * perByte;
        done += free().bytesOf(group);
        places.emplace_back(left, kBarTop, m_labelWidth + static_cast<double>(done) * perByte - left,
                            kBarHeight);
    }
    return places;
}

std::optional<std::size_t> FreeStrip::pieceAt(QPointF at) const {
    const std::vector<QRectF> all = places();
    const auto found = std::ranges::find_if(
        all, [&](const QRectF& place) { return place.adjusted(0, 0, 0, kUnderline + 1).contains(at); });
    if (found == all.end())
        return std::nullopt;
    const FreeGroup& group = free().groups[static_cast<std::size_t>(found - all.begin())];
    const double into = (at.x() - found->left()) / found->width() * static_cast<double>(group.count);
    return group.first + std::min(group.count - 1, static_cast<std::size_t>(into));
}

const FreeGroup& FreeStrip::groupOf(std::size_t piece) const {
    return *(std::ranges::upper_bound(free().groups, piece, {}, &FreeGroup::first) - 1);
}

/// A run that grows and another run have others at the same places of the list.
std::optional<std::size_t> FreeStrip::current() const {
    const auto found = std::ranges::find_if(free().pieces, [this](const FreePiece& piece) {
        return m_current && piece.address == m_current->address && piece.bytes == m_current->bytes;
    });
    if (found == free().pieces.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - free().pieces.begin());
}

void FreeStrip::show(std::size_t piece) {
    m_current = free().pieces[piece];
    m_map.showFree(*m_current);
    update();
}

void FreeStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    painter.fillRect(QRectF(0, kRuleTop, width(), 1), colors.hairline);
    const auto name = [&](double top, double height, const QString& text) {
        painter.drawText(QRectF(0, top, m_labelWidth - 6, height), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    name(1, kCaptionHeight, tr("Free at peak"));
    name(kBarTop, kBarHeight - 4, tr("by size"));
    name(kBarTop + kBarHeight - 2, kBesideHeight, tr("held by"));
    const std::vector<QRectF> all = places();
    double holesEnd = m_labelWidth;
    for (std::size_t i = 0; i < all.size(); ++i) {
        paintGroup(painter, all[i], free().groups[i]);
        if (!free().pieces[free().groups[i].first].whole)
            holesEnd = all[i].right();
    }
    paintCaptions(painter, holesEnd);
    const auto piece = hasFocus() ? current() : std::nullopt;
    if (!piece)
        return;
    const FreeGroup& group = groupOf(*piece);
    const QRectF place = all[static_cast<std::size_t>(&group - free().groups.data())];
    const double each = place.width() / static_cast<double>(group.count);
    painter.setPen(QPen(colors.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(place.left() + static_cast<double>(*piece - group.first) * each, place.top(),
                            std::max(2.0, each - 1), place.height()));
}

/// Each piece where it can be told from the next, and the name of those that have room for one.
void FreeStrip::paintGroup(QPainter& painter, const QRectF& place, const FreeGroup& group) const {
    const ThemeColors& colors = Theme::instance().colors();
    const bool whole = free().pieces[group.first].whole;
    const double each = place.width() / static_cast<double>(group.count);
    constexpr double kTold = 4;
    const std::size_t parts = each >= kTold ? group.count : 1;
    for (std::size_t i = 0; i < parts; ++i) {
        const double width = place.width() / static_cast<double>(parts);
        const double left = place.left() + static_cast<double>(i) * width;
        FreeLook::paint(painter, QRectF(left, place.top(), std::max(1.0, width - 1), place.height()), whole);
    }
    if (!whole && group.category != Category::kUnknown)
        painter.fillRect(
            QRectF(place.left(), place.bottom() + 1, std::max(1.0, place.width() - 1), kUnderline),
            Theme::categoryColor(group.category));
    const QString name = FreeLook::nameOf(free(), group);
    const double width = QFontMetricsF(chartFont(), painter.device()).horizontalAdvance(name) + 6;
    if (width + 2 > place.width())
        return;
    const QRectF chip(place.center().x() - width / 2, place.top() + 2, width, place.height() - 4);
    painter.fillRect(chip, colors.background);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, name);
}

/// How much either kind is; where the first has too little room, beside it.
void FreeStrip::paintCaptions(QPainter& painter, double holesEnd) const {
    const FreePlaces& places = free().places;
    const auto caption = [](std::int64_t count, const QString& one, const QString& several, Bytes bytes) {
        return (count == 1 ? one : several.arg(toQString(formatGrouped(count)))) + QStringLiteral(" · ") +
               toQString(formatBytes(bytes));
    };
    const QFontMetricsF metrics(chartFont(), painter.device());
    painter.setPen(Theme::instance().colors().text);
    double left = m_labelWidth;
    const auto put = [&](double from, const QString& text) {
        left = std::max(left, from);
        painter.drawText(QRectF(left, 1, width() - left, kCaptionHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, width() - left));
        left += metrics.horizontalAdvance(text) + Metrics::kSpace3;
    };
    if (places.holes > 0) {
        const QString all = caption(places.holes, tr("1 hole between blocks"), tr("%1 holes between blocks"),
                                    places.holeBytes);
        const QString size = toQString(formatBytes(places.largestHole));
        const QString withLargest = tr("%1 · largest %2").arg(all, size);
        const bool room =
            metrics.horizontalAdvance(withLargest) <= (places.whole > 0 ? holesEnd : width()) - m_labelWidth;
        put(m_labelWidth, places.holes > 1 && room ? withLargest : all);
    }
    if (places.whole > 0)
        put(holesEnd, caption(places.whole, tr("1 free whole segment"), tr("%1 free whole segments"),
                              places.wholeBytes));
}

bool FreeStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto piece = pieceAt(QPointF(help->pos())))
        QToolTip::showText(
            help->globalPos(),
            tr("%1. A click shows it in the map").arg(FreeLook::wordsOf(free(), groupOf(*piece))), this);
    else
        QToolTip::hideText();
    return true;
}

void FreeStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto piece = pieceAt(event->position()))
        show(*piece);
}

void FreeStrip::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = free().pieces.size();
    const bool back = event->key() == Qt::Key_Left;
    if (count == 0 || (!back && event->key() != Qt::Key_Right))
        return QWidget::keyPressEvent(event);
    const auto here = current();
    show(!here ? 0 : back ? *here - (*here > 0 ? 1 : 0) : std::min(count - 1, *here + 1));
}

}  // namespace warpglass::ui
