#include "ui/charts/flame_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>
#include <functional>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kFlameMargin = 12;
/// What can still be pointed at.
constexpr double kNarrowestPointed = 4;
/// A name from left to right needs so much.
constexpr double kNarrowestName = 30;

}  // namespace

FlameChart::FlameChart(QWidget* parent) : Canvas(parent), m_tree(std::make_shared<FlameTree>()) {
    m_painter.setTree(m_tree);
    setNames(this, "flameChart", tr("Flame chart"));
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
            break;
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
    m_painter.setTree(m_tree);
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
    std::vector<bool> matches(m_search.isEmpty() ? 0 : m_tree->nodes.size());
    for (std::uint32_t i = 0; i < matches.size(); ++i) {
        const FlameNode& node = m_tree->nodes[i];
        if (i > 0 && matches[node.parent]) {
            matches[i] = true;  // it is part of what was found, and not counted twice
        } else if (toQString(node.name).contains(m_search, Qt::CaseInsensitive) ||
                   toQString(node.recorded).contains(m_search, Qt::CaseInsensitive)) {
            matches[i] = true;
            ++m_found;
            m_foundValue += node.value;
        }
    }
    m_painter.setMatches(std::move(matches));
}

QRectF FlameChart::area() const {
    return QRectF(rect()).adjusted(kFlameMargin, kFlameMargin, -kFlameMargin, -kFlameMargin);
}

int FlameChart::neededHeight() const {
    return static_cast<int>(2 * kFlameMargin + kLowestFlameRow * (m_tree->depth + 1));
}

void FlameChart::rebuild() {
    // Names go from bottom to top unless a row would be lower than they need.
    for (const bool upward : {true, false}) {
        const double narrowest = upward ? FlamePainter::kNarrowestUpward : kNarrowestName;
        m_blocks = layoutFlame(*m_tree, m_zoomed, area().width(), {narrowest, kNarrowestPointed});
        const std::vector<double> wanted = m_painter.rowHeights(m_blocks, upward);
        m_tops = flameRowTops(wanted, area().height());
        bool high = true;
        for (std::size_t row = 0; row < wanted.size(); ++row)
            high = high && m_tops[row + 1] - m_tops[row] >= std::min(wanted[row], FlamePainter::kHighRow);
        if (high)
            break;
    }
    m_painter.forgetBlocks();
    setMinimumHeight(std::max(minimumSizeHint().height(), neededHeight()));
    invalidate();
    emit laidOut();
}

void FlameChart::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
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
    const double top = m_tops[block.row], bottom = m_tops[block.row + 1];
    return {left, whole.top() + top, std::max(1.0, right - left - 1), bottom - top - 1};
}

int FlameChart::markAt(QPointF point) const {
    const QRectF whole = area();
    if (!whole.contains(point))
        return -1;
    const auto below = std::ranges::upper_bound(m_tops, point.y() - whole.top());
    return blockAt(m_blocks, static_cast<std::uint32_t>(below - m_tops.begin() - 1),
                   point.x() - whole.left());
}

int FlameChart::blockOf(std::uint32_t node) const {
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        if (m_blocks[i].node == node && !m_blocks[i].merged())
            return static_cast<int>(i);
    }
    return -1;
}

QString FlameChart::toolTipOf(int mark) const {
    const FlameBlock& block = m_blocks[static_cast<std::size_t>(mark)];
    const FlameNode& node = m_tree->nodes[block.node];
    const bool memory = m_tree->subject == FlameTree::Subject::kMemory;
    if (block.merged()) {
        const std::int64_t sum = m_painter.valueOf(block);
        ToolTipTable tip(tr("%1 narrow blocks").arg(block.folded.size()));
        tip.add(memory ? tr("together") : tr("total per step"), text(sum), m_painter.exact(sum));
        constexpr std::size_t kMostNamed = 8;
        std::vector<std::uint32_t> largest = block.folded;
        const std::size_t named = std::min(kMostNamed, largest.size());
        std::ranges::partial_sort(largest, largest.begin() + static_cast<std::ptrdiff_t>(named),
                                  std::ranges::greater(),
                                  [&](std::uint32_t each) { return m_tree->nodes[each].value; });
        largest.resize(named);
        for (const std::uint32_t each : largest)
            tip.add(toQString(m_tree->nodes[each].name), text(m_tree->nodes[each].value), {}, colorOf(each));
        if (node.parent != m_zoomed)
            tip.say(tr("Too narrow to draw individually; zoom into %1 to see them.")
                        .arg(toQString(m_tree->nodes[node.parent].name)));
        return tip.html();
    }
    ToolTipTable tip(block.node == 0 ? toQString(node.name) : toQString(m_tree->pathOf(block.node)));
    const bool mean = !memory && m_tree->steps > 1;
    tip.add(memory ? tr("size")
            : mean ? tr("time per step")
                   : tr("time"),
            text(node.value), m_painter.exact(node.value), colorOf(block.node));
    if (!node.recorded.empty() && node.recorded != node.name)
        tip.add(tr("kernel"), toQString(node.recorded));
    if (node.self > 0 && node.children > 0)
        tip.add(tr("own time"), text(node.self), m_painter.exact(node.self));
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

void FlameChart::paintPicture(QPainter& painter) {
    std::vector<QRectF> rects;
    for (int mark = 0; mark < markCount(); ++mark)
        rects.push_back(markRect(mark));
    m_painter.paint(painter, m_blocks, rects);
}

void FlameChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF rect = markRect(mark);
    painter.setBrush(chosen ? Qt::NoBrush : QBrush(withAlpha(colors.text, 0.14F)));
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
    Canvas::keyPressEvent(event);
}

}  // namespace warpglass::ui
