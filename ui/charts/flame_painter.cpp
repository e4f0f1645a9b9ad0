#include "ui/charts/flame_painter.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Rows so high have a block's figures under its name.
constexpr double kFlameTwoLines = 36;
/// What is left free beside a name.
constexpr double kPadding = 4;

/// Siblings of one color are told apart by a tone: the color, or a little of the background in it.
QColor toned(const QColor& color, const QColor& background, std::uint32_t index, std::uint32_t depth) {
    const double share = std::min(0.36, 0.07 * (depth > 0 ? depth - 1 : 0)) + (index % 2 == 1 ? 0.10 : 0.0);
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(color.red(), background.red()), mix(color.green(), background.green()),
            mix(color.blue(), background.blue())};
}

/// A name as it is read, and of an op or a kernel its first words: "gemm" of "gemm 128×256 TN",
/// "flash_attention" and "flash" of "_flash_attention_forward".
QStringList nodeNames(const FlameNode& node) {
    constexpr qsizetype kFewest = 3;
    const QString name = cutName(toQString(node.name));
    if (node.kind != FlameKind::kKernel && node.kind != FlameKind::kOp)
        return {name};
    const QString plain = shortenedName(name);
    QStringList names{plain};
    const qsizetype from = plain.startsWith(u'_') ? 1 : 0;
    const auto isWord = [](QChar c) { return c.isLetterOrNumber() || QStringLiteral("-_ ").contains(c); };
    for (qsizetype end = plain.size() - 1; end >= from + kFewest; --end) {
        const QString start = plain.mid(from, end - from);
        // "copy" and not "copy to" of "copy to fp32".
        const bool endsInWord = start.size() - start.lastIndexOf(u' ') > kFewest;
        if (QStringLiteral("_ ,").contains(plain[end]) && endsInWord && std::ranges::all_of(start, isWord))
            names.push_back(start);
    }
    return names;
}

/// Whether folded siblings are all that their parent has: it says how much that is.
bool areWhole(const FlameTree& tree, const FlameBlock& block) {
    const FlameNode& parent = tree.nodes[tree.nodes[block.node].parent];
    return block.folded.size() == parent.children && parent.self == 0;
}

/// "gemm + copy" of up to three, "2 × gemm" of those that are called the same; "3 more", beside siblings; "9
/// ops" where there are none.
QStringList foldedNames(const FlameTree& tree, const FlameBlock& block) {
    constexpr std::size_t kMostNamed = 3;
    const auto count = block.folded.size();
    QStringList names, apart;
    for (std::size_t i = 0; i < count && count <= kMostNamed; ++i)
        apart.push_back(nodeNames(tree.nodes[block.folded[i]]).last());
    if (apart.removeDuplicates(); apart.size() == 1)
        names.push_back(QStringLiteral("%1 × %2").arg(count).arg(apart.first()));
    else if (apart.size() == static_cast<qsizetype>(count))
        names.push_back(apart.join(QStringLiteral(" + ")));
    const FlameKind kind = tree.nodes[block.node].kind;
    const bool oneKind =
        std::ranges::all_of(block.folded, [&](std::uint32_t node) { return tree.nodes[node].kind == kind; });
    const bool all = count == tree.nodes[tree.nodes[block.node].parent].children;
    const QString what = !all                           ? QObject::tr("more")
                         : !oneKind                     ? QObject::tr("parts")
                         : kind == FlameKind::kOp       ? QObject::tr("ops")
                         : kind == FlameKind::kKernel   ? QObject::tr("kernels")
                         : kind == FlameKind::kModule   ? QObject::tr("modules")
                         : kind == FlameKind::kCategory ? QObject::tr("categories")
                                                        : QObject::tr("parts");
    names.push_back(QStringLiteral("%1 %2").arg(count).arg(what));
    return names;
}

/// What is between a name and a figure on one line.
QString beside(const FlameBlock& block, const QString& figure) {
    return (block.merged() ? QStringLiteral(" · ") : QStringLiteral("  ")) + figure;
}

QFont nameFont(double across) {
    constexpr double kRoomForIt = 13;
    return across >= kRoomForIt ? Theme::tableFont() : chartFont();
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
            painter.fillRect(rects[i], withAlpha(colorOf(blocks[i].node), shown));
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
                         withAlpha(pureColorOf(node), shown));
        before += value;
    }
}

bool FlamePainter::Words::hasWholeName() const {
    return !name.isEmpty() && !name.contains(QChar(0x2026));
}

QStringList FlamePainter::namesOf(const FlameBlock& block) const {
    return block.merged() ? foldedNames(*m_tree, block) : nodeNames(m_tree->nodes[block.node]);
}

FlamePainter::Words FlamePainter::wordsIn(const FlameBlock& block, const Room& room,
                                          QPaintDevice* device) const {
    constexpr qsizetype kFewest = 4;  // three letters and the dots
    const QFontMetricsF names(nameFont(room.across), device), figures(chartFont(), device);
    const QStringList forms = namesOf(block);
    const std::int64_t sum = valueOf(block);
    const double share = static_cast<double>(sum) / static_cast<double>(m_tree->nodes.front().value);
    Words words{{}, {}, room.upright, room.across >= kFlameTwoLines};
    QStringList values{text(sum), QString()};
    if (words.upright || words.twoLines)
        values.push_front(values.front() + QStringLiteral(" · ") + percentText(share));
    const auto fits = [&](const QString& name, const QString& value) {
        words.name = name;
        words.value = value.isEmpty() || words.twoLines ? value : beside(block, value);
        const double ofName = names.horizontalAdvance(name), ofValue = figures.horizontalAdvance(words.value);
        return (words.twoLines ? std::max(ofName, ofValue) : ofName + ofValue) <= room.along;
    };
    // A figure is worth more than a longer name, unless the parent has the same.
    const bool nameFirst = areWhole(*m_tree, block);
    for (const QString& outer : nameFirst ? forms : values) {
        for (const QString& inner : nameFirst ? values : forms) {
            if (nameFirst ? fits(outer, inner) : fits(inner, outer))
                return words;
        }
    }
    words.name = words.value = QString();
    if (!block.merged())
        words.name = elidedName(names, toQString(m_tree->nodes[block.node].name), room.along);
    if (words.name.size() < kFewest)
        words.name.clear();
    return words;
}

FlamePainter::Words FlamePainter::wordsOf(const FlameBlock& block, const QSizeF& size,
                                          QPaintDevice* device) const {
    const Words across = wordsIn(block, {size.width() - 2 * kPadding, size.height()}, device);
    if (!across.value.isEmpty() || size.height() < kHighRow || size.width() + 1 < kNarrowestUpward)
        return across;
    const Words upward = wordsIn(block, {size.height() - 2 * kPadding, size.width(), false}, device);
    const bool more =
        !upward.value.isEmpty() || across.name.isEmpty() || (upward.hasWholeName() && !across.hasWholeName());
    return more ? upward : across;
}

double FlamePainter::heightOf(const FlameBlock& block, bool upward, QPaintDevice* device) const {
    constexpr double kOneLine = 24, kLines = 40, kMost = 150, kSpare = 2;
    if (block.width < kNarrowestUpward)
        return kLowestFlameRow;
    const double width = block.width - 1;
    const QStringList forms = namesOf(block);
    for (const double height : {kOneLine, kLines}) {
        const Words words = wordsIn(block, {width - 2 * kPadding, height}, device);
        const bool said = !words.value.isEmpty() || (areWhole(*m_tree, block) && words.hasWholeName());
        if (said && (words.twoLines || words.name == forms.first()))
            return height;
    }
    if (!upward)
        return kLines;
    const QFontMetricsF names(nameFont(width), device), figures(chartFont(), device);
    const double name = names.horizontalAdvance(forms.last());
    const QString value = text(valueOf(block));
    const double needed = areWhole(*m_tree, block)  ? name
                          : width >= kFlameTwoLines ? std::max(name, figures.horizontalAdvance(value))
                                                    : name + figures.horizontalAdvance(beside(block, value));
    return std::clamp(std::ceil(needed) + 2 * kPadding + kSpare, kHighRow, kMost);
}

std::vector<double> FlamePainter::rowHeights(const std::vector<FlameBlock>& blocks, bool upward) const {
    QImage device(1, 1, QImage::Format_ARGB32_Premultiplied);
    std::vector<double> heights;
    for (const FlameBlock& block : blocks) {
        heights.resize(block.row + 1);
        heights.back() = std::max(heights.back(), heightOf(block, upward, &device));
    }
    return heights;
}

void FlamePainter::paintName(QPainter& painter, const FlameBlock& block, const QRectF& rect) const {
    const Theme& theme = Theme::instance();
    const Words words = wordsOf(block, rect.size(), painter.device());
    if (words.name.isEmpty())
        return;
    const QColor fill = fillOf(block);
    const PainterScope undone(painter);
    painter.setPen(block.merged()       ? theme.colors().text
                   : shownOf(block) < 1 ? Theme::readableOn(theme.colors().secondaryText, fill)
                                        : Theme::textOn(fill));
    QRectF room = rect;
    if (!words.upright) {
        painter.translate(rect.center());
        painter.rotate(-90);
        room = QRectF(-rect.height() / 2, -rect.width() / 2, rect.height(), rect.width());
    }
    const QFont font = nameFont(room.height());
    room.adjust(kPadding, 0, 0, 0);
    const double shift = words.twoLines && !words.value.isEmpty() ? 8 : 0;
    painter.setFont(font);
    painter.drawText(room.translated(0, -shift), Qt::AlignLeft | Qt::AlignVCenter, words.name);
    if (!words.twoLines)
        room.adjust(QFontMetricsF(font, painter.device()).horizontalAdvance(words.name), 0, 0, 0);
    painter.setFont(chartFont());
    painter.drawText(room.translated(0, shift), Qt::AlignLeft | Qt::AlignVCenter, words.value);
}

}  // namespace warpglass::ui
