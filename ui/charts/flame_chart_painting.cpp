// How a flame chart is painted: colors, names, folded siblings.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_text.h"
#include "ui/charts/flame_chart.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Rows so high have a block's figures under its name.
constexpr double kTwoLines = 36;
/// What is left free beside a name.
constexpr double kPadding = 5;
/// Folded siblings are faint enough for one text to be read over all their colors.
constexpr float kFoldedShare = 0.35F;

/// Siblings of one color are told apart by a tone: the color, or a little of the background in it.
QColor toned(const QColor& color, const QColor& background, std::uint32_t index, std::uint32_t depth) {
    const double share = std::min(0.36, 0.07 * (depth > 0 ? depth - 1 : 0)) + (index % 2 == 1 ? 0.10 : 0.0);
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(color.red(), background.red()), mix(color.green(), background.green()),
            mix(color.blue(), background.blue())};
}

/// The name as there is room for it: whole; a kernel's title by its first word ("gemm" for "gemm 128×256
/// TN"); or cut. Empty where that would say nothing.
QString fitted(const FlameNode& node, const QFontMetricsF& metrics, double room) {
    constexpr qsizetype kFewest = 4;  // three letters and the dots
    const QString name = toQString(node.name), word = name.section(QLatin1Char(' '), 0, 0);
    const bool isWord = std::ranges::all_of(word, [](QChar c) { return c.isLetterOrNumber() || c == u'-'; });
    if (node.kind == FlameKind::kKernel && isWord && metrics.horizontalAdvance(name) > room &&
        metrics.horizontalAdvance(word) <= room)
        return word;
    const QString text = elidedName(metrics, name, room);
    return text.size() >= kFewest || !text.contains(QChar(0x2026)) ? text : QString();
}

/// "3 more", beside siblings; "9 ops" where there are none; and the shortest form.
QStringList foldedNames(const FlameTree& tree, const FlameBlock& block) {
    const auto count = static_cast<int>(block.folded.size());
    const FlameKind kind = tree.nodes[block.node].kind;
    const bool oneKind =
        std::ranges::all_of(block.folded, [&](std::uint32_t node) { return tree.nodes[node].kind == kind; });
    const bool all = block.folded.size() == tree.nodes[tree.nodes[block.node].parent].children;
    const QString what = !all                           ? QObject::tr("more")
                         : !oneKind                     ? QObject::tr("parts")
                         : kind == FlameKind::kOp       ? QObject::tr("ops")
                         : kind == FlameKind::kKernel   ? QObject::tr("kernels")
                         : kind == FlameKind::kModule   ? QObject::tr("modules")
                         : kind == FlameKind::kCategory ? QObject::tr("categories")
                                                        : QObject::tr("parts");
    return {QStringLiteral("%1 %2").arg(count).arg(what), QStringLiteral("+%1").arg(count)};
}

}  // namespace

QColor FlameChart::colorOf(std::uint32_t index) const {
    const Theme& theme = Theme::instance();
    const FlameNode& node = m_tree->nodes[index];
    const std::uint32_t among = index - m_tree->nodes[node.parent].firstChild;
    switch (node.kind) {
        case FlameKind::kAll:
            return theme.colors().raised;
        case FlameKind::kOp:
        case FlameKind::kKernel:
            return toned(theme.familyColor(node.family), theme.colors().background, among, 0);
        case FlameKind::kCategory:
            return Theme::categoryColor(node.category);
        case FlameKind::kPhase:
        case FlameKind::kModule:
        case FlameKind::kPart:
            break;
    }
    // What only groups is a frame, fainter than any data's gray, so that a color has one meaning: the family
    // or category of what is in it.
    constexpr double kFrame = 0.4;
    return toned(Theme::mixed(theme.colors().background, theme.phaseColor(Phase::kNone), kFrame),
                 theme.colors().background, among, node.depth);
}

float FlameChart::shownOf(const FlameBlock& block) const {
    const bool found = m_matches.empty() || m_matches[block.node] ||
                       std::ranges::any_of(block.folded, [&](std::uint32_t node) { return m_matches[node]; });
    return !found ? 0.22F : block.merged() ? kFoldedShare : block.ancestor ? 0.55F : 1;
}

QColor FlameChart::fillOf(const FlameBlock& block) const {
    return Theme::mixed(Theme::instance().colors().background, colorOf(block.node), shownOf(block));
}

void FlameChart::paintChart(QPainter& painter) {
    for (int mark = 0; mark < markCount(); ++mark) {
        const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
        if (const float shown = shownOf(block); block.merged())
            paintFolded(painter, mark, shown);
        else
            painter.fillRect(markRect(mark), faded(colorOf(block.node), shown));
    }
    paintNames(painter);
}

/// Each color as wide as what has it in them, side by side.
void FlameChart::paintFolded(QPainter& painter, int mark, float shown) const {
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    std::vector<std::pair<QColor, std::int64_t>> colors;
    std::vector<std::uint32_t> open = block.folded;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        const FlameNode& each = m_tree->nodes[node];
        for (std::uint32_t c = each.firstChild; c < each.firstChild + each.children; ++c)
            open.push_back(c);
        const bool ofFamily = each.kind == FlameKind::kOp || each.kind == FlameKind::kKernel;
        const QColor color = ofFamily ? Theme::instance().familyColor(each.family) : colorOf(node);
        auto same = std::ranges::find(colors, color, &std::pair<QColor, std::int64_t>::first);
        if (same == colors.end())
            same = colors.insert(colors.end(), {color, 0});
        same->second += each.self;
    }
    const QRectF rect = markRect(mark);
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, valueOf(block)));
    std::int64_t before = 0;
    for (const auto& [color, value] : colors) {
        const auto at = [&](std::int64_t sum) {
            return std::round(rect.left() + rect.width() * static_cast<double>(sum) / whole);
        };
        painter.fillRect(QRectF(at(before), rect.top(), at(before + value) - at(before), rect.height()),
                         faded(color, shown));
        before += value;
    }
}

FlameChart::Words FlameChart::wordsOf(const FlameBlock& block, const QSizeF& room, const QFontMetricsF& names,
                                      const QFontMetricsF& figures) const {
    const FlameNode& node = m_tree->nodes[block.node];
    const auto nameIn = [&](double width) {
        if (!block.merged())
            return fitted(node, names, width);
        for (const QString& name : foldedNames(*m_tree, block)) {
            if (names.horizontalAdvance(name) <= width)
                return name;
        }
        return QString();
    };
    Words words{nameIn(room.width()), {}, true};
    // Whole from bottom to top rather than cut from left to right.
    const bool cut =
        words.name.isEmpty() || words.name.contains(QChar(0x2026)) || words.name.startsWith(u'+');
    if (cut && rowHeight() >= kHighRow && room.width() + 2 * kPadding >= kNarrowestUpward) {
        const QString upward = nameIn(room.height() - 2 * kPadding);
        const bool whole = !upward.contains(QChar(0x2026)) && !upward.startsWith(u'+');
        if (words.name.isEmpty() || whole)
            words = {upward, {}, upward.isEmpty()};
    }
    if (words.name.isEmpty())
        return words;
    const std::int64_t sum = valueOf(block);
    const double share = static_cast<double>(sum) / static_cast<double>(m_tree->nodes.front().value);
    const bool twoLines = rowHeight() >= kTwoLines;
    const double along = words.upright ? room.width() : room.height() - 2 * kPadding;
    const double left = along - (twoLines ? 0 : names.horizontalAdvance(words.name) + Metrics::kSpace2);
    if (!words.upright && room.width() + 2 * kPadding < kTwoLines)
        return words;
    const QString value = text(sum), both = value + QStringLiteral(" · ") + percentText(share);
    words.value = figures.horizontalAdvance(both) <= left    ? both
                  : figures.horizontalAdvance(value) <= left ? value
                                                             : QString();
    return words;
}

void FlameChart::paintNames(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const bool twoLines = rowHeight() >= kTwoLines;
    const QFont nameFont = twoLines ? Theme::tableFont() : chartFont();
    const QFontMetricsF names(nameFont, painter.device()), figures(chartFont(), painter.device());
    for (int mark = 0; mark < markCount(); ++mark) {
        const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
        if (block.width < kNarrowestUpward)
            continue;
        const QRectF rect = markRect(mark);
        QRectF room = rect.adjusted(kPadding, 0, -kPadding + 1, 0);
        const Words words = wordsOf(block, room.size(), names, figures);
        if (words.name.isEmpty())
            continue;
        const QColor fill = fillOf(block);
        painter.save();
        painter.setPen(block.merged()       ? theme.colors().text
                       : shownOf(block) < 1 ? Theme::readableOn(theme.colors().secondaryText, fill)
                                            : Theme::textOn(fill));
        if (!words.upright) {
            painter.translate(rect.center());
            painter.rotate(-90);
            room = QRectF(-rect.height() / 2, -rect.width() / 2, rect.height(), rect.width())
                       .adjusted(kPadding, 0, -kPadding, 0);
        }
        const double shift = twoLines && !words.value.isEmpty() ? 8 : 0;
        painter.setFont(nameFont);
        painter.drawText(room.translated(0, -shift), Qt::AlignLeft | Qt::AlignVCenter, words.name);
        painter.setFont(chartFont());
        painter.drawText(twoLines
                             ? room.translated(0, shift)
                             : room.adjusted(names.horizontalAdvance(words.name) + Metrics::kSpace2, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, words.value);
        painter.restore();
    }
}

void FlameChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF rect = markRect(mark);
    painter.setBrush(chosen ? Qt::NoBrush : QBrush(faded(colors.text, 0.14F)));
    painter.setPen(chosen ? QPen(colors.accent, 2) : QPen(colors.text, 1));
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    painter.setRenderHint(QPainter::Antialiasing, true);
}

}  // namespace warpglass::ui
