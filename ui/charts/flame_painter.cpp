#include "ui/charts/flame_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/mark_chart.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Rows so high have a block's figures under its name.
constexpr double kTwoLines = 36;
/// What is left free beside a name.
constexpr double kPadding = 5;

/// Siblings of one color are told apart by a tone: the color, or a little of the background in it.
QColor toned(const QColor& color, const QColor& background, std::uint32_t index, std::uint32_t depth) {
    const double share = std::min(0.36, 0.07 * (depth > 0 ? depth - 1 : 0)) + (index % 2 == 1 ? 0.10 : 0.0);
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(color.red(), background.red()), mix(color.green(), background.green()),
            mix(color.blue(), background.blue())};
}

/// The name as there is room for it: whole; of an op or a kernel its first words ("gemm" for "gemm 128×256
/// TN", "flash_attention" for "_flash_attention_forward"); or cut. Empty where that would say nothing.
QString fitted(const FlameNode& node, const QFontMetricsF& metrics, double room) {
    constexpr qsizetype kFewest = 4;  // three letters and the dots
    const QString name = toQString(node.name), text = elidedName(metrics, name, room);
    if (!text.contains(QChar(0x2026)))
        return text;
    const bool words = node.kind == FlameKind::kKernel || node.kind == FlameKind::kOp;
    const QString plain = shortenedName(cutName(name));
    const qsizetype from = plain.startsWith(u'_') ? 1 : 0;
    const auto isWord = [](QChar c) { return c.isLetterOrNumber() || c == u'-' || c == u'_'; };
    for (qsizetype end = plain.size() - 1; words && end >= from + kFewest - 1; --end) {
        const QString start = plain.mid(from, end - from);
        if ((plain[end] == u'_' || plain[end] == u' ') && std::ranges::all_of(start, isWord) &&
            metrics.horizontalAdvance(start) <= room)
            return start;
    }
    return text.size() >= kFewest ? text : QString();
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

QColor FlamePainter::colorOf(std::uint32_t index) const {
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

float FlamePainter::shownOf(const FlameBlock& block) const {
    const bool found = m_matches.empty() || m_matches[block.node] ||
                       std::ranges::any_of(block.folded, [&](std::uint32_t node) { return m_matches[node]; });
    return !found ? 0.22F : block.merged() ? kFoldedShare : block.ancestor ? 0.55F : 1;
}

QColor FlamePainter::fillOf(const FlameBlock& block) const {
    return Theme::mixed(Theme::instance().colors().background, colorOf(block.node), shownOf(block));
}

void FlamePainter::setTree(std::shared_ptr<const FlameTree> tree) {
    m_tree = std::move(tree);
    forgetBlocks();
}

QString FlamePainter::text(std::int64_t value) const {
    if (m_tree->subject == FlameTree::Subject::kMemory)
        return bytesText(value);
    return durationText(static_cast<double>(value) / static_cast<double>(m_tree->steps));
}

QString FlamePainter::exact(std::int64_t value) const {
    if (m_tree->subject == FlameTree::Subject::kMemory)
        return toQString(formatBytesExact(Bytes(value)));
    return durationExact(static_cast<double>(value) / static_cast<double>(m_tree->steps));
}

std::int64_t FlamePainter::valueOf(const FlameBlock& block) const {
    std::int64_t sum = block.merged() ? 0 : m_tree->nodes[block.node].value;
    for (const std::uint32_t node : block.folded)
        sum += m_tree->nodes[node].value;
    return sum;
}

void FlamePainter::paint(QPainter& painter, const std::vector<FlameBlock>& blocks,
                         const std::vector<QRectF>& rects) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (const float shown = shownOf(blocks[i]); blocks[i].merged())
            paintFolded(painter, blocks[i], rects[i], shown);
        else
            painter.fillRect(rects[i], faded(colorOf(blocks[i].node), shown));
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].width >= kNarrowestUpward)
            paintName(painter, blocks[i], rects[i]);
    }
}

QColor FlamePainter::pureColorOf(std::uint32_t index) const {
    const FlameNode& node = m_tree->nodes[index];
    const bool ofFamily = node.kind == FlameKind::kOp || node.kind == FlameKind::kKernel;
    return ofFamily ? Theme::instance().familyColor(node.family) : colorOf(index);
}

const std::vector<FlamePainter::Amount>& FlamePainter::contentOf(const FlameBlock& block) {
    const auto [found, isNew] = m_contents.try_emplace(block.folded.front());
    std::vector<Amount>& amounts = found->second;
    if (!isNew)
        return amounts;
    std::vector<std::uint32_t> open = block.folded;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        const FlameNode& each = m_tree->nodes[node];
        for (std::uint32_t c = each.firstChild; c < each.firstChild + each.children; ++c)
            open.push_back(c);
        const QColor color = pureColorOf(node);
        auto same = std::ranges::find_if(
            amounts, [&](const Amount& amount) { return pureColorOf(amount.node) == color; });
        if (same == amounts.end())
            same = amounts.insert(amounts.end(), {node, 0});
        same->value += each.self;
    }
    return amounts;
}

/// Each color as wide as what has it in them, side by side.
void FlamePainter::paintFolded(QPainter& painter, const FlameBlock& block, const QRectF& rect, float shown) {
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, valueOf(block)));
    std::int64_t before = 0;
    for (const auto& [node, value] : contentOf(block)) {
        const auto at = [&](std::int64_t sum) {
            return std::round(rect.left() + rect.width() * static_cast<double>(sum) / whole);
        };
        painter.fillRect(QRectF(at(before), rect.top(), at(before + value) - at(before), rect.height()),
                         faded(pureColorOf(node), shown));
        before += value;
    }
}

FlamePainter::Words FlamePainter::wordsOf(const FlameBlock& block, const QSizeF& room,
                                          const QFontMetricsF& names, const QFontMetricsF& figures) const {
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
    if (cut && room.height() >= kHighRow && room.width() + 2 * kPadding >= kNarrowestUpward) {
        const QString upward = nameIn(room.height() - 2 * kPadding);
        const bool whole = !upward.contains(QChar(0x2026)) && !upward.startsWith(u'+');
        if (words.name.isEmpty() || whole)
            words = {upward, {}, upward.isEmpty()};
    }
    const std::int64_t sum = valueOf(block);
    const double share = static_cast<double>(sum) / static_cast<double>(m_tree->nodes.front().value);
    const QString value = text(sum), both = value + QStringLiteral(" · ") + percentText(share);
    const bool twoLines = room.height() >= kTwoLines, wide = room.width() + 2 * kPadding >= kTwoLines;
    const auto valueBeside = [&](const Words& of) {
        const double along = of.upright ? room.width() : room.height() - 2 * kPadding;
        const double left = along - (twoLines ? 0 : names.horizontalAdvance(of.name) + Metrics::kSpace2);
        return of.name.isEmpty() || (!of.upright && !wide) ? QString()
               : figures.horizontalAdvance(both) <= left   ? both
               : figures.horizontalAdvance(value) <= left  ? value
                                                           : QString();
    };
    words.value = valueBeside(words);
    // From bottom to top there is room for the figure, too.
    if (words.upright && words.value.isEmpty() && wide && room.height() >= kHighRow) {
        Words upward{nameIn(room.height() - 2 * kPadding), {}, false};
        upward.value = valueBeside(upward);
        if (!upward.value.isEmpty())
            return upward;
    }
    return words;
}

void FlamePainter::paintName(QPainter& painter, const FlameBlock& block, const QRectF& rect) const {
    const Theme& theme = Theme::instance();
    const bool twoLines = rect.height() >= kTwoLines;
    const QFont nameFont = twoLines ? Theme::tableFont() : chartFont();
    const QFontMetricsF names(nameFont, painter.device()), figures(chartFont(), painter.device());
    QRectF room = rect.adjusted(kPadding, 0, -kPadding + 1, 0);
    const Words words = wordsOf(block, room.size(), names, figures);
    if (words.name.isEmpty())
        return;
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

}  // namespace warpglass::ui
