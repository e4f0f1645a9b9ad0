#include "ui/charts/flame_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kTallestRow = 76, kLowestRow = 20, kMargin = 12;
/// On a tall screen rows are taller still: so many fill it.
constexpr double kFewestRows = 10;
/// Rows so high have a block's figures under its name.
constexpr double kTwoLines = 36;
/// A block narrower than this has no name.
constexpr double kNarrowestName = 24;

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

/// How much of its color a block has: all, or less of what only leads to the others or is not searched for.
float shownOf(const FlameBlock& block, const std::vector<bool>& matches) {
    if (!matches.empty() && !matches[block.node])
        return 0.22F;
    return block.merged() || block.ancestor ? 0.55F : 1;
}

}  // namespace

FlameChart::FlameChart(QWidget* parent) : MarkChart(parent), m_tree(std::make_shared<FlameTree>()) {
    setObjectName(QStringLiteral("flameChart"));
    setAccessibleName(tr("Flame chart"));
}

FlameChart::Path FlameChart::zoomedPath() const {
    Path path = m_wanted;
    if (m_tree->empty())
        return path;
    path.clear();
    for (std::uint32_t node = m_zoomed; node != 0; node = m_tree->nodes[node].parent)
        path.insert(path.begin(), {m_tree->nodes[node].kind, m_tree->nodes[node].name});
    return path;
}

std::uint32_t FlameChart::nodeAt(const FlameTree& tree, const Path& path) {
    if (tree.empty())
        return 0;
    std::uint32_t at = 0;
    for (const auto& [kind, name] : path) {
        const FlameNode& parent = tree.nodes[at];
        std::uint32_t found = 0;
        for (std::uint32_t c = parent.firstChild; c < parent.firstChild + parent.children; ++c) {
            if (tree.nodes[c].kind == kind && tree.nodes[c].name == name)
                found = c;
        }
        if (found == 0)
            return 0;
        at = found;
    }
    return at;
}

void FlameChart::setTree(std::shared_ptr<const FlameTree> tree) {
    const bool same = !m_tree->empty() && m_tree->subject == tree->subject;
    const Path path = same ? zoomedPath() : m_wanted;
    if (!tree->empty())
        m_wanted.clear();
    m_zoomed = nodeAt(*tree, path);
    m_tree = std::move(tree);
    setChosen(-1);
    search();
    rebuild();
    emit zoomChanged();
}

void FlameChart::zoomTo(const Path& path) {
    if (m_tree->empty())
        m_wanted = path;
    else
        zoomTo(nodeAt(*m_tree, path));
}

void FlameChart::zoomTo(std::uint32_t node) {
    if (node >= m_tree->nodes.size() || node == m_zoomed)
        return;
    m_zoomed = node;
    rebuild();
    setChosen(blockOf(node));
    emit zoomChanged();
}

void FlameChart::setSearch(const QString& text) {
    if (text == m_search)
        return;
    m_search = text;
    search();
    invalidate();
}

void FlameChart::search() {
    m_found = m_foundValue = 0;
    m_matches.clear();
    if (m_search.isEmpty())
        return;
    m_matches.resize(m_tree->nodes.size(), false);
    for (std::uint32_t i = 0; i < m_tree->nodes.size(); ++i) {
        const FlameNode& node = m_tree->nodes[i];
        if (i > 0 && m_matches[node.parent]) {
            m_matches[i] = true;  // it is part of what was found, and not counted twice
        } else if (toQString(node.name).contains(m_search, Qt::CaseInsensitive) ||
                   toQString(node.recorded).contains(m_search, Qt::CaseInsensitive)) {
            m_matches[i] = true;
            ++m_found;
            m_foundValue += node.value;
        }
    }
}

QRectF FlameChart::area() const {
    return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
}

double FlameChart::rowHeight() const {
    const double height = area().height();
    const double tallest = std::max(kTallestRow, height / kFewestRows);
    return std::clamp(std::floor(height / (m_tree->depth + 1)), kLowestRow, tallest);
}

int FlameChart::neededHeight() const {
    return static_cast<int>(2 * kMargin + kLowestRow * (m_tree->depth + 1));
}

void FlameChart::rebuild() {
    m_blocks = layoutFlame(*m_tree, m_zoomed, area().width());
    setMinimumHeight(std::max(minimumSizeHint().height(), neededHeight()));
    invalidate();
}

void FlameChart::resizeEvent(QResizeEvent* event) {
    MarkChart::resizeEvent(event);
    const int chosenBlock = chosen();
    const std::uint32_t node =
        chosenBlock >= 0 ? m_blocks[static_cast<std::size_t>(chosenBlock)].node : m_zoomed;
    rebuild();
    setChosen(chosenBlock >= 0 ? blockOf(node) : -1);
}

QRectF FlameChart::markRect(int mark) const {
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    const QRectF whole = area();
    // A column and a row are left free between blocks; the narrowest, last of its row, has that column.
    const double left = std::min(std::round(whole.left() + block.left), std::floor(whole.right()) - 1);
    const double right = std::round(whole.left() + block.right());
    return {left, whole.top() + block.row * rowHeight(), std::max(1.0, right - left - 1), rowHeight() - 1};
}

int FlameChart::markAt(QPointF point) const {
    const QRectF whole = area();
    if (!whole.contains(point))
        return -1;
    return blockAt(m_blocks, static_cast<std::uint32_t>((point.y() - whole.top()) / rowHeight()),
                   point.x() - whole.left());
}

int FlameChart::blockOf(std::uint32_t node) const {
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        if (m_blocks[i].node == node && !m_blocks[i].merged())
            return static_cast<int>(i);
    }
    return -1;
}

QString FlameChart::text(std::int64_t value) const {
    if (m_tree->subject == FlameTree::Subject::kMemory)
        return bytesText(value);
    return durationText(static_cast<double>(value) / static_cast<double>(m_tree->steps));
}

QString FlameChart::exact(std::int64_t value) const {
    if (m_tree->subject == FlameTree::Subject::kMemory)
        return toQString(formatBytesExact(Bytes(value)));
    return durationExact(static_cast<double>(value) / static_cast<double>(m_tree->steps));
}

QString FlameChart::toolTipOf(int mark) const {
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    const FlameNode& node = m_tree->nodes[block.node];
    const bool memory = m_tree->subject == FlameTree::Subject::kMemory;
    if (block.merged()) {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < block.count; ++i)
            sum += m_tree->nodes[block.node + i].value;
        ToolTipTable tip(tr("%1 narrow blocks").arg(block.count));
        tip.add(memory ? tr("together") : tr("total per step"), text(sum), exact(sum));
        tip.say(tr("Too narrow to draw individually; zoom into %1 to see them.")
                    .arg(toQString(m_tree->nodes[node.parent].name)));
        return tip.html();
    }
    ToolTipTable tip(block.node == 0 ? toQString(node.name) : toQString(m_tree->pathOf(block.node)));
    const bool mean = !memory && m_tree->steps > 1;
    tip.add(memory ? tr("size")
            : mean ? tr("time per step")
                   : tr("time"),
            text(node.value), exact(node.value), colorOf(block.node));
    if (!node.recorded.empty() && node.recorded != node.name)
        tip.add(tr("kernel"), toQString(node.recorded));
    if (node.self > 0 && node.children > 0)
        tip.add(tr("own time"), text(node.self), exact(node.self));
    if (block.node != 0) {
        tip.add(tr("of %1").arg(toQString(m_tree->nodes[node.parent].name)),
                percentText(m_tree->shareOfParent(block.node)));
        tip.add(tr("of all"), percentText(m_tree->shareOfAll(block.node)));
    }
    tip.add(memory        ? tr("allocations")
            : m_tree->gpu ? tr("kernels and copies")
                          : tr("ops"),
            toQString(formatGrouped(node.instances)),
            mean ? tr("in %1 steps").arg(m_tree->steps) : QString());
    return tip.html();
}

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

void FlameChart::paintChart(QPainter& painter) {
    const QColor back = Theme::instance().colors().background;
    for (int mark = 0; mark < markCount(); ++mark) {
        const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
        QColor color = colorOf(block.node);
        if (const float shown = shownOf(block, m_matches); shown < 1)
            color = faded(color, shown);
        painter.fillRect(markRect(mark), color);
        // Merged blocks are drawn as such: in stripes, however narrow.
        if (block.merged() && block.width >= 3) {
            const QRectF rect = markRect(mark);
            for (double x = rect.left() + 1; x < rect.right(); x += 2)
                painter.fillRect(QRectF(x, rect.top(), 1, rect.height()), back);
        }
    }
    paintNames(painter);
}

void FlameChart::paintNames(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const bool twoLines = rowHeight() >= kTwoLines;
    const QFont nameFont = twoLines ? Theme::tableFont() : chartFont();
    const QFontMetricsF names(nameFont, painter.device()), figures(chartFont(), painter.device());
    for (int mark = 0; mark < markCount(); ++mark) {
        const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
        if (block.width < kNarrowestName || block.merged())
            continue;
        const FlameNode& node = m_tree->nodes[block.node];
        const QRectF room = markRect(mark).adjusted(5, 0, -4, 0);
        const QString name = fitted(node, names, room.width());
        if (name.isEmpty())
            continue;
        const QString value = text(node.value), share = percentText(m_tree->shareOfAll(block.node));
        const double left = room.width() - (twoLines ? 0 : names.horizontalAdvance(name) + Metrics::kSpace2);
        const auto fits = [&](const QString& words) { return figures.horizontalAdvance(words) <= left; };
        const QString both = value + QStringLiteral(" · ") + share;
        const QString figure = fits(both) ? both : fits(value) ? value : QString();
        const float shown = shownOf(block, m_matches);
        const QColor fill = Theme::mixed(theme.colors().background, colorOf(block.node), shown);
        painter.setPen(shown < 1 ? Theme::readableOn(theme.colors().secondaryText, fill)
                                 : Theme::textOn(fill));
        painter.setFont(nameFont);
        const double shift = twoLines && !figure.isEmpty() ? 8 : 0;
        painter.drawText(room.translated(0, -shift), Qt::AlignLeft | Qt::AlignVCenter, name);
        if (figure.isEmpty())
            continue;
        painter.setFont(chartFont());
        painter.drawText(twoLines ? room.translated(0, shift)
                                  : room.adjusted(names.horizontalAdvance(name) + Metrics::kSpace2, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, figure);
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

int FlameChart::neighbor(int mark, Qt::Key key) const {
    if (mark < 0)
        return std::max(0, blockOf(m_zoomed));
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    const int count = markCount();
    const auto sameRow = [&](int other) {
        return other >= 0 && other < count && m_blocks[static_cast<std::size_t>(other)].row == block.row;
    };
    switch (key) {
        case Qt::Key_Left:
            return sameRow(mark - 1) ? mark - 1 : mark;
        case Qt::Key_Right:
            return sameRow(mark + 1) ? mark + 1 : mark;
        case Qt::Key_Up:
            return block.row == 0 ? mark : blockAt(m_blocks, block.row - 1, block.left + block.width / 2);
        default:
            break;
    }
    // Down is to the widest of what stands under it.
    int widest = mark;
    double width = 0;
    for (int i = mark + 1; i < count && m_blocks[static_cast<std::size_t>(i)].row <= block.row + 1; ++i) {
        const FlameBlock& under = m_blocks[static_cast<std::size_t>(i)];
        const bool child = under.row == block.row + 1 && under.left >= block.left - 0.01 &&
                           under.right() <= block.right() + 0.01;
        if (child && under.width > width) {
            width = under.width;
            widest = i;
        }
    }
    return widest;
}

void FlameChart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton || !emptyText().isEmpty())
        return;
    const int mark = markAt(event->position());
    if (mark < 0)
        return choose(-1);
    choose(mark);
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    // One sees more of merged blocks in their parent.
    zoomTo(block.merged() ? m_tree->nodes[block.node].parent : block.node);
}

void FlameChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (chosen() >= 0) {
                const FlameBlock& block = m_blocks[static_cast<std::size_t>(chosen())];
                zoomTo(block.merged() ? m_tree->nodes[block.node].parent : block.node);
            }
            return;
        case Qt::Key_Backspace:
            if (m_zoomed != 0)
                zoomTo(m_tree->nodes[m_zoomed].parent);
            return;
        case Qt::Key_Escape:
            if (m_zoomed != 0)
                return zoomTo(0);
            break;
        default:
            break;
    }
    MarkChart::keyPressEvent(event);
}

}  // namespace warpglass::ui
