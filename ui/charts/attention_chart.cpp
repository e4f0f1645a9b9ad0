#include "ui/charts/attention_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kNames = 136, kHead = 56, kFigures = 136, kGap = 28, kFoot = 12;
/// In less width (a column of a paper) the names stand once, for both passes, and bars have their shares
/// alone.
constexpr double kCompactBelow = 720, kCompactNames = 108, kCompactFigures = 76, kCompactGap = 8;
/// Two lines of text in a row.
constexpr double kTwoLines = 26;
constexpr double kTallestRow = 84, kTallestBar = 18;

QColor timeColor() {
    return Theme::instance().colors().accent;
}

/// Time in which no product runs.
QColor otherColor() {
    return withAlpha(timeColor(), 0.42F);
}

/// For work on a score matrix that is stored, which a fused kernel keeps on the chip.
QColor scoresColor() {
    return Theme::instance().familyColor(OpFamily::kNormalization);
}

QColor flopsColor() {
    return Theme::instance().familyColor(OpFamily::kElementwise);
}

}  // namespace

AttentionChart::AttentionChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "attentionChart", tr("Parts of attention, time against FLOPs"));
}

void AttentionChart::setParts(AttentionParts parts) {
    m_parts = std::move(parts);
    m_largest = 0;
    for (const AttentionPartRow& row : m_parts.rows)
        m_largest = std::max({m_largest, row.timeShare, row.flopsShare});
    invalidate();
}

bool AttentionChart::hasBackward() const {
    return rowsOf(PlanPhase::kBackward) > 0 && rowsOf(PlanPhase::kForward) > 0;
}

int AttentionChart::rowsOf(PlanPhase phase) const {
    return static_cast<int>(std::count_if(m_parts.rows.begin(), m_parts.rows.end(),
                                          [&](const AttentionPartRow& row) { return row.phase == phase; }));
}

QRectF AttentionChart::panel(PlanPhase phase) const {
    const QRectF area = QRectF(rect()).adjusted(Metrics::kSpace4, 0, -Metrics::kSpace4, -kFoot);
    if (!hasBackward())
        return area;
    if (isCompact()) {
        // The first has the names of both.
        const double bars = (area.width() - kCompactNames - kCompactGap) / 2;
        const double second = area.left() + kCompactNames + bars + kCompactGap;
        return phase == PlanPhase::kForward
                   ? QRectF(area.left(), area.top(), kCompactNames + bars, area.height())
                   : QRectF(second, area.top(), bars, area.height());
    }
    const double width = (area.width() - kGap) / 2;
    return {area.left() + (phase == PlanPhase::kBackward ? width + kGap : 0), area.top(), width,
            area.height()};
}

bool AttentionChart::isCompact() const {
    return width() < kCompactBelow;
}

double AttentionChart::namesWidth(PlanPhase phase) const {
    if (!isCompact())
        return kNames;
    return hasBackward() && phase == PlanPhase::kBackward ? 0 : kCompactNames;
}

int AttentionChart::place(int mark) const {
    const auto row = m_parts.rows.begin() + mark;
    return static_cast<int>(std::count_if(m_parts.rows.begin(), row, [&](const AttentionPartRow& before) {
        return before.phase == row->phase;
    }));
}

QRectF AttentionChart::markRect(int mark) const {
    const PlanPhase phase = m_parts.rows[static_cast<std::size_t>(mark)].phase;
    const QRectF area = panel(phase);
    // Both panels' rows are of one height, so that they can be read across.
    const int rows = std::max(rowsOf(PlanPhase::kForward), rowsOf(PlanPhase::kBackward));
    const double height = std::min(kTallestRow, (area.height() - kHead) / std::max(1, rows));
    return {area.left(), area.top() + kHead + place(mark) * height, area.width(), height};
}

QRectF AttentionChart::bar(int mark, double share, bool lower) const {
    const QRectF row = markRect(mark);
    const double names = namesWidth(m_parts.rows[static_cast<std::size_t>(mark)].phase);
    const double between = isCompact() ? 4 : row.height() < 34 ? 5 : 10;
    const double height = std::clamp(std::floor((row.height() - between) / 2), 2.0, kTallestBar);
    const double top = std::round(row.center().y()) + (lower ? 1 : -height - 1);
    // The longest bar of both passes fills the room.
    const double room =
        (row.width() - names - (isCompact() ? kCompactFigures : kFigures)) / std::max(m_largest, 1e-9);
    return {row.left() + names, top, std::max(share > 0 ? 1.0 : 0.0, room * share), height};
}

QRectF AttentionChart::timeBar(int mark) const {
    return bar(mark, m_parts.rows[static_cast<std::size_t>(mark)].timeShare, false);
}

QRectF AttentionChart::productBar(int mark) const {
    const AttentionPartRow& row = m_parts.rows[static_cast<std::size_t>(mark)];
    QRectF products = timeBar(mark);
    products.setWidth(row.time > 0 ? products.width() * row.productTime / row.time : 0);
    return products;
}

QRectF AttentionChart::flopsBar(int mark) const {
    return bar(mark, m_parts.rows[static_cast<std::size_t>(mark)].flopsShare, true);
}

QString AttentionChart::toolTipOf(int mark) const {
    const AttentionPartRow& row = m_parts.rows[static_cast<std::size_t>(mark)];
    ToolTipTable tip(
        tr("%1, %2").arg(toQString(attentionPartWords(row.part)), toQString(planPhaseName(row.phase))));
    tip.add(tr("time"), durationText(row.time), durationExact(row.time));
    tip.add(tr("share of attention's time"), percentText(row.timeShare));
    if (m_parts.allTime > 0)
        tip.add(tr("share of all time"), percentText(row.time / m_parts.allTime));
    if (row.productTime > 0)
        tip.add(tr("in %1").arg(toQString(m_parts.productsName())), durationText(row.productTime),
                durationExact(row.productTime), timeColor());
    if (const double other = row.time - row.productTime; other > 0)
        tip.add(
            m_parts.isOnScoreMatrix(row.part) ? tr("in other work on the score matrix") : tr("in other work"),
            durationText(other), durationExact(other), colorOfOther(row));
    const QString flops = m_parts.ofRange ? tr("FLOPs") : tr("FLOPs per step");
    if (row.flops.value > 0) {
        tip.add(flops, flopsText(row.flops.value), toQString(formatGrouped(row.flops.value)), flopsColor());
        if (m_parts.flopsKnown(row.phase))
            tip.add(tr("share of attention's FLOPs"), percentText(row.flopsShare));
        if (m_parts.rates)
            tip.add(tr("achieved"), flopRateText(row.flopsPerSecond()));
    } else if (!row.flopsKnown) {
        tip.add(flops, unknownWorkText());
        tip.say(unknownWorkWords());
    } else if (!m_parts.unplanned.empty()) {
        tip.say(toQString(m_parts.unplanned));
    }
    if (row.moved.value > 0)
        tip.add(tr("moved by GEMMs"), bytesText(row.moved.value), toQString(formatBytesExact(row.moved)));
    return tip.html();
}

QString AttentionChart::figuresOf(PlanPhase phase, double room) const {
    QString time = durationText(m_parts.time(phase));
    if (m_parts.allTime > 0 && !isCompact())
        time += tr(", %1 of all time").arg(percentText(m_parts.time(phase) / m_parts.allTime));
    QStringList figures{time};
    if (const double products = m_parts.productTime(phase); products > 0)
        figures << tr("%1 in %2")
                       .arg(percentText(products / m_parts.time(phase)), toQString(m_parts.productsName()));
    if (m_parts.flops(phase).value > 0 && m_parts.flopsKnown(phase) && !isCompact())
        figures << flopsText(m_parts.flops(phase).value);
    // What is left out is the sum of the rows' own figures.
    const QFontMetricsF metrics(chartFont());
    const auto text = [&] { return figures.join(QStringLiteral(" · ")); };
    while (figures.size() > 1 && metrics.horizontalAdvance(text()) > room)
        figures.removeLast();
    return text();
}

QColor AttentionChart::colorOfOther(const AttentionPartRow& row) const {
    return m_parts.isOnScoreMatrix(row.part) ? scoresColor() : otherColor();
}

std::vector<LegendEntry> AttentionChart::legend() const {
    std::vector<LegendEntry> entries = {
        {timeColor(), tr("time in %1").arg(toQString(m_parts.productsName()))},
        {otherColor(), tr("other time")},
        {flopsColor(), tr("FLOPs; every % is of the pass")}};
    if (std::ranges::any_of(m_parts.rows,
                            [&](const AttentionPartRow& row) { return m_parts.isOnScoreMatrix(row.part); }))
        entries.insert(entries.begin() + 1, {scoresColor(), tr("time on the score matrix")});
    return entries;
}

void AttentionChart::paintPicture(QPainter& painter) {
    if (m_parts.rows.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        if (rowsOf(phase) == 0)
            continue;
        QRectF area = panel(phase);
        const double names = namesWidth(phase);
        if (isCompact())
            area.setLeft(area.left() + names);
        painter.setFont(Theme::strongFont());
        painter.setPen(colors.text);
        const QString name = phase == PlanPhase::kForward ? tr("Forward") : tr("Backward");
        painter.drawText(QRectF(area.left(), 6, area.width(), 20), Qt::AlignLeft | Qt::AlignVCenter, name);
        const double nameWidth =
            QFontMetricsF(painter.font(), painter.device()).horizontalAdvance(name) + Metrics::kSpace3;
        painter.setFont(chartFont());
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(area.left() + nameWidth, 6, area.width() - nameWidth, 20),
                         Qt::AlignLeft | Qt::AlignVCenter, figuresOf(phase, area.width() - nameWidth));
        const QRectF whole = QRectF(rect()).adjusted(Metrics::kSpace4, 28, -Metrics::kSpace4, 0);
        if (!isCompact() || area.left() < width() / 2.0)
            paintLegend(painter, isCompact() ? whole : QRectF(area.left(), 28, area.width(), 20), legend());
        painter.fillRect(QRectF(area.left() + (isCompact() ? 0 : kNames) - 1, kHead, 1,
                                markRect(0).height() * rowsOf(phase)),
                         colors.hairline);
    }
    for (int mark = 0; mark < markCount(); ++mark)
        paintRow(painter, mark);
}

void AttentionChart::paintRow(QPainter& painter, int mark) const {
    const AttentionPartRow& row = m_parts.rows[static_cast<std::size_t>(mark)];
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = markRect(mark);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.text);
    const QString name = toQString(attentionPartWords(row.part));
    const QRectF room(area.left(), area.top(), namesWidth(row.phase) - Metrics::kSpace2, area.height());
    if (isCompact()) {
        painter.setFont(chartFont());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetricsF(painter.font(), painter.device())
                             .elidedText(room.width() > 0 ? name : QString(), Qt::ElideRight, room.width()));
    } else {
        painter.drawText(room, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextWordWrap, name);
    }
    painter.setFont(chartFont());
    const QRectF time = timeBar(mark), products = productBar(mark), flops = flopsBar(mark);
    painter.fillRect(time, colorOfOther(row));
    painter.fillRect(products, timeColor());
    painter.fillRect(flops, flopsColor());
    const auto write = [&](const QRectF& bar, const QString& text) {
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(bar.right() + 6, bar.center().y() - 8, kFigures, 16),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    const bool counted = row.flops.value > 0;
    const QString timeShare = percentText(row.timeShare);
    const bool shared = counted && m_parts.flopsKnown(row.phase);
    const QString flopsShare = shared           ? percentText(row.flopsShare)
                               : row.flopsKnown ? QStringLiteral("–")
                                                : unknownWorkText();
    const bool twoLines = area.height() >= kTwoLines;
    if (!isCompact() && twoLines) {
        write(time, QStringLiteral("%1 · %2").arg(timeShare, durationText(row.time)));
        write(flops, shared           ? QStringLiteral("%1 · %2").arg(flopsShare, flopsText(row.flops.value))
                     : counted        ? flopsText(row.flops.value)
                     : row.flopsKnown ? tr("no FLOPs counted")
                                      : tr("FLOPs unknown"));
    } else if (twoLines) {
        write(time, timeShare);
        write(flops, flopsShare);
    } else {
        // One line for both.
        painter.setPen(colors.secondaryText);
        painter.drawText(
            QRectF(std::max(time.right(), flops.right()) + 6, area.center().y() - 8, kFigures, 16),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("%1 · %2").arg(timeShare, flopsShare));
    }
}

void AttentionChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF row = markRect(mark);
    painter.fillRect(row, withAlpha(chosen ? colors.accent : colors.text, chosen ? 0.12F : 0.06F));
    if (chosen)
        painter.fillRect(QRectF(row.left(), row.top(), 2, row.height()), colors.accent);
}

int AttentionChart::neighbor(int mark, Qt::Key key) const {
    if (mark < 0 || key == Qt::Key_Up || key == Qt::Key_Down)
        return Canvas::neighbor(mark, key);
    // Left and right lead to the same part of the other pass.
    const AttentionPartRow& row = m_parts.rows[static_cast<std::size_t>(mark)];
    for (int other = 0; other < markCount(); ++other) {
        const AttentionPartRow& candidate = m_parts.rows[static_cast<std::size_t>(other)];
        if (candidate.part == row.part && candidate.phase != row.phase)
            return other;
    }
    return mark;
}

}  // namespace warpglass::ui
