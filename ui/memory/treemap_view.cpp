#include "ui/memory/treemap_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/format.h"
#include "ui/memory/treemap_layout.h"
#include "ui/models/table_model.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr double kCrumbs = 24;
constexpr double kTitle = 18;
/// A cell of less is no cell to the eye or the mouse.
constexpr double kSmallestArea = 16;
constexpr std::size_t kMostAllocations = 500;

Category mostOf(const CategoryBytes& bytes) {
    return static_cast<Category>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

/// Values with what is too small, and `beyond` that is smaller still, taken together at `restAt` (nowhere,
/// when there is nothing).
struct Sized {
    std::vector<double> values;
    std::size_t own = 0;  // that stand for themselves
    std::size_t restAt = 0;
};
Sized withoutTheSmall(const std::vector<double>& values, double beyond, double area) {
    const double all = std::accumulate(values.begin(), values.end(), beyond);
    Sized sized;
    while (sized.own < values.size() && all > 0 && values[sized.own] / all * area >= kSmallestArea)
        ++sized.own;
    if (beyond <= 0 && sized.own + 1 == values.size())
        sized.own = values.size();  // one small cell needs no other name
    const auto firstSmall = values.begin() + static_cast<std::ptrdiff_t>(sized.own);
    sized.values.assign(values.begin(), firstSmall);
    sized.restAt = values.size() + 1;
    if (const double rest = std::accumulate(firstSmall, values.end(), beyond); rest > 0) {
        const auto at =
            std::find_if(sized.values.begin(), sized.values.end(), [&](double v) { return v < rest; });
        sized.restAt = static_cast<std::size_t>(at - sized.values.begin());
        sized.values.insert(at, rest);
    }
    return sized;
}

/// Cells of the nodes in the area, and of all that are too small one.
std::vector<TreemapCell> layOutNodes(const std::vector<MemoryTreeNode>& nodes, const QRectF& area) {
    std::vector<double> values;
    for (const MemoryTreeNode& node : nodes) {
        if (node.bytes.value > 0)
            values.push_back(static_cast<double>(node.bytes.value));
    }
    std::vector<TreemapCell> cells;
    if (area.isEmpty())
        return cells;
    const Sized sized = withoutTheSmall(values, 0, area.width() * area.height());
    const std::vector<QRectF> rects = squarify(sized.values, area);
    std::size_t node = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TreemapCell cell;
        cell.rect = rects[i];
        if (i == sized.restAt) {
            cell.rest = true;
            for (std::size_t k = sized.own; k < nodes.size(); ++k) {
                cell.bytes += nodes[k].bytes;
                cell.allocations += nodes[k].allocations;
            }
            cell.name = TreemapView::tr("%1 smaller").arg(nodes.size() - sized.own);
        } else {
            const MemoryTreeNode& from = nodes[node++];
            cell.name = toQString(from.name);
            cell.bytes = from.bytes;
            cell.allocations = from.allocations;
            cell.category = mostOf(from.byCategory);
            cell.outer = from.key;
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

/// "blocks.7.attn", or "7.attn" where that does not fit.
QString fittingName(const QString& name, const QFontMetricsF& metrics, double width) {
    const QString blocks = QStringLiteral("blocks.");
    const bool shorten = name.startsWith(blocks) && metrics.horizontalAdvance(name) > width;
    return metrics.elidedText(shorten ? name.mid(blocks.size()) : name, Qt::ElideRight, width);
}

}  // namespace

std::vector<TreemapCell> layOutChildren(const MemoryTreeNode& group, const QRectF& area) {
    std::vector<TreemapCell> cells = layOutNodes(group.children, area);
    for (TreemapCell& cell : cells) {
        cell.inner = cell.outer;
        cell.outer = group.key;
    }
    return cells;
}

std::vector<TreemapCell> layOutGroups(const MemoryTreeNode& root, const QRectF& area) {
    std::vector<TreemapCell> cells;
    std::size_t next = 0;
    for (TreemapCell& group : layOutNodes(root.children, area)) {
        if (group.rest) {
            cells.push_back(group);
            continue;
        }
        const MemoryTreeNode& node = root.children[next++];
        group.group = true;
        const bool titled = group.rect.height() >= 2.5 * kTitle && group.rect.width() >= 60;
        group.title = titled ? kTitle : 0;
        cells.push_back(group);
        // A hairline of the group around its children.
        const QRectF inside = group.rect.adjusted(2, titled ? kTitle : 2, -2, -2);
        if (inside.width() < 6 || inside.height() < 6)
            continue;
        for (TreemapCell& child : layOutChildren(node, inside))
            cells.push_back(std::move(child));
    }
    return cells;
}

TreemapView::TreemapView(RunDocument& document, MemoryFocus& focus, QWidget* parent)
    : QWidget(parent), m_document(document), m_focus(focus), m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    setObjectName(QStringLiteral("treemapCells"));
    setAccessibleName(tr("Treemap of what is alive"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_path = {};
        m_tree = {};
        clearAllocations();
        layOut();
        m_query.invalidate(Cause::kOtherRun);
        emit pathChanged();
    });
    connect(&m_focus, &MemoryFocus::momentChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::grown, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_focus, &MemoryFocus::selectedChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
    m_query.invalidate(Cause::kOtherRun);
}

BreakdownKey TreemapView::outerKey() const {
    constexpr BreakdownKey kKeys[] = {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kPhase,
                                      BreakdownKey::kOp};
    return kKeys[static_cast<int>(m_grouping)];
}

BreakdownKey TreemapView::innerKey() const {
    constexpr BreakdownKey kKeys[] = {BreakdownKey::kModule, BreakdownKey::kCategory, BreakdownKey::kCategory,
                                      BreakdownKey::kModule};
    return kKeys[static_cast<int>(m_grouping)];
}

void TreemapView::setGrouping(Grouping grouping) {
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_tree = {};  // its keys are the other grouping's
    goTo(0);
    m_current.reset();
    layOut();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job TreemapView::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto moment = m_focus.moment();
    const BreakdownKey outer = outerKey(), inner = innerKey();
    const Path path = m_path;
    const AllocationConditions conditions = m_focus.aliveConditions();
    return {[this, source, moment, outer, inner, path, conditions]() -> DeferredQuery::Apply {
                MemoryTreeNode tree;
                std::vector<AllocationDetail> largest;
                Bytes rest, all;
                std::int64_t count = 0;
                if (source.snapshot && moment) {
                    const auto memory = source.timeline();
                    tree = memoryTreeAt(*memory, *moment, outer, inner, conditions);
                    all = Bytes(sumOf(memory->at(*moment)));
                    if (path.inner) {
                        const auto ids = allocationsUnder(*memory, *moment, outer, *path.outer, inner,
                                                          path.inner, conditions);
                        largest = largestAllocations(*memory, ids, kMostAllocations);
                        for (const AllocationId id : ids)
                            rest += Bytes(source.snapshot->allocation(id)->bytes);
                        for (const AllocationDetail& detail : largest)
                            rest -= Bytes(detail.row.bytes);
                        count = static_cast<std::int64_t>(ids.size() - largest.size());
                    }
                }
                return [this, tree = std::move(tree), largest = std::move(largest), rest, all, count, outer,
                        path, restricted = conditions.any()]() mutable {
                    // An answer about elsewhere: the one about here follows.
                    if (outer != outerKey() || path.outer != m_path.outer || path.inner != m_path.inner)
                        return;
                    m_tree = std::move(tree);
                    m_allocations = std::move(largest);
                    m_restBytes = rest;
                    m_restCount = count;
                    m_all = all;
                    m_restricted = restricted;
                    layOut();
                };
            },
            source.isHeavy()};
}

QRectF TreemapView::mapRect() const {
    return QRectF(rect()).adjusted(0, kCrumbs, 0, 0);
}

void TreemapView::layOutAllocations(const QRectF& area) {
    std::vector<double> values;
    for (const AllocationDetail& detail : m_allocations)
        values.push_back(static_cast<double>(detail.row.bytes));
    const Sized sized =
        withoutTheSmall(values, static_cast<double>(m_restBytes.value), area.width() * area.height());
    Bytes rest = m_restBytes;
    for (std::size_t i = sized.own; i < m_allocations.size(); ++i)
        rest += Bytes(m_allocations[i].row.bytes);
    const std::vector<QRectF> rects = squarify(sized.values, area);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TreemapCell cell;
        cell.rect = rects[i];
        cell.outer = m_path.outer.value_or(0);
        cell.inner = m_path.inner;
        if (i == sized.restAt) {
            cell.rest = true;
            cell.bytes = rest;
            cell.allocations = m_restCount + static_cast<std::int64_t>(m_allocations.size() - sized.own);
            cell.name = tr("%1 smaller").arg(toQString(formatGrouped(cell.allocations)));
        } else {
            const AllocationDetail& detail = m_allocations[next++];
            cell.allocation = detail.id;
            cell.bytes = Bytes(detail.row.bytes);
            cell.allocations = 1;
            cell.category = std::min(detail.row.category, Category::kUnknown);
            cell.name = toQString(detail.op.empty() ? detail.module : detail.op);
        }
        m_cells.push_back(std::move(cell));
    }
}

void TreemapView::layOut() {
    m_cells.clear();
    m_hovered.reset();
    const QRectF area = mapRect();
    if (m_path.depth() == 2) {
        layOutAllocations(area);
    } else if (m_path.depth() == 1) {
        const auto group = std::find_if(m_tree.children.begin(), m_tree.children.end(),
                                        [&](const MemoryTreeNode& n) { return n.key == *m_path.outer; });
        if (group != m_tree.children.end())
            m_cells = layOutChildren(*group, area);
    } else {
        m_cells = layOutGroups(m_tree, area);
    }
    if (m_current && *m_current >= m_cells.size())
        m_current.reset();
    update();
}

void TreemapView::clearAllocations() {
    m_allocations.clear();
    m_restBytes = {};
    m_restCount = 0;
}

void TreemapView::showOtherPath() {
    clearAllocations();  // they are the other path's
    m_current.reset();
    layOut();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
    emit pathChanged();
}

void TreemapView::goTo(int depth) {
    if (depth >= m_path.depth())
        return;
    m_path.inner.reset();
    if (depth == 0)
        m_path = {};
    showOtherPath();
}

void TreemapView::goUp() {
    goTo(m_path.depth() - 1);
}

void TreemapView::enter(std::size_t index) {
    const TreemapCell cell = m_cells[index];
    if (cell.rest)
        return;
    if (cell.allocation)
        return m_focus.setSelected(cell.allocation);
    const auto nameOf = [&](const MemoryTreeNode& parent, std::size_t key) {
        const auto found = std::find_if(parent.children.begin(), parent.children.end(),
                                        [&](const MemoryTreeNode& n) { return n.key == key; });
        return found == parent.children.end() ? QString() : toQString(found->name);
    };
    if (m_path.depth() == 0) {
        m_path.outer = cell.outer;
        m_path.outerName = nameOf(m_tree, cell.outer);
    } else if (cell.inner) {
        m_path.inner = cell.inner;
        m_path.innerName = cell.name;
    }
    showOtherPath();
}

std::optional<std::size_t> TreemapView::cellAt(QPointF at) const {
    // Children follow their group and lie in it.
    for (std::size_t i = m_cells.size(); i-- > 0;) {
        if (m_cells[i].rect.contains(at))
            return i;
    }
    return std::nullopt;
}

std::vector<TreemapView::Crumb> TreemapView::crumbs() const {
    const QFontMetricsF metrics(Theme::tableFont());
    std::vector<Crumb> crumbs;
    double x = Metrics::kSpace2;
    const auto add = [&](const QString& text, int depth) {
        const double width = metrics.horizontalAdvance(text);
        crumbs.push_back({QRectF(x, 0, width, kCrumbs), text, depth});
        x += width + metrics.horizontalAdvance(QStringLiteral(" › "));
    };
    add(tr("All"), 0);
    if (m_path.outer)
        add(m_path.outerName, 1);
    if (m_path.inner)
        add(m_path.innerName, 2);
    return crumbs;
}

const MemoryTreeNode* TreemapView::shownNode() const {
    const MemoryTreeNode* node = &m_tree;
    for (const auto& key : {m_path.outer, m_path.inner}) {
        if (!key)
            return node;
        const auto found = std::find_if(node->children.begin(), node->children.end(),
                                        [&](const MemoryTreeNode& n) { return n.key == *key; });
        if (found == node->children.end())
            return nullptr;
        node = &*found;
    }
    return node;
}

QString TreemapView::emptyText() const {
    if (!m_document.snapshot())
        return tr("Open or record a run to see what its memory holds");
    if (!m_focus.moment())
        return tr("There is no memory event to show");
    if (!m_query.isIdle())
        return {};
    return m_restricted && m_all.value > 0 ? tr("The filter leaves nothing of the %1 alive: %2")
                                                 .arg(toQString(formatBytes(m_all)), m_focus.aliveOnly())
                                           : tr("Nothing is allocated here at this moment");
}

void TreemapView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.setFont(Theme::tableFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const std::vector<Crumb> path = crumbs();
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool last = i + 1 == path.size();
        painter.setPen(last ? colors.text : colors.accent);
        painter.drawText(path[i].rect, Qt::AlignLeft | Qt::AlignVCenter, path[i].text);
        painter.setPen(colors.secondaryText);
        if (!last)
            painter.drawText(QRectF(path[i].rect.right(), 0, 30, kCrumbs), Qt::AlignLeft | Qt::AlignVCenter,
                             QStringLiteral(" › "));
    }
    const MemoryTreeNode* node = shownNode();
    const Bytes shown = node ? node->bytes : Bytes();
    const std::int64_t count = node ? node->allocations : 0;
    if (count > 0)
        painter.drawText(
            QRectF(0, 0, width() - Metrics::kSpace2, kCrumbs), Qt::AlignRight | Qt::AlignVCenter,
            (m_restricted ? tr("%1 of %2 shown, %3 blocks")
                                .arg(toQString(formatBytes(shown)), toQString(formatBytes(m_all)))
                          : tr("%1 in %2 blocks").arg(toQString(formatBytes(shown))))
                .arg(toQString(formatGrouped(count))));
    if (m_cells.empty()) {
        painter.drawText(mapRect(), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    for (const TreemapCell& cell : m_cells)
        paintCell(painter, cell);
    const auto frame = [&](std::size_t i, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        const double inset = width / 2;
        painter.drawRect(m_cells[i].rect.adjusted(inset, inset, -inset, -inset));
    };
    if (m_hovered)
        frame(*m_hovered, colors.text, 1);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        if (m_cells[i].allocation && m_cells[i].allocation == m_focus.selected())
            frame(i, colors.accent, 2);
    }
    if (m_current && hasFocus())
        frame(*m_current, colors.accent, 2);
}

void TreemapView::paintCell(QPainter& painter, const TreemapCell& cell) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = cell.rest ? colors.equal : Theme::categoryColor(cell.category);
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    if (cell.group) {
        painter.fillRect(cell.rect.adjusted(0, 0, -1, -1), colors.raised);
        painter.fillRect(QRectF(cell.rect.left(), cell.rect.top(), 3, cell.rect.height() - 1), color);
        if (cell.title <= 0)
            return;
        font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        const QFontMetricsF metrics(font, painter.device());
        painter.setPen(colors.text);
        const QRectF strip(cell.rect.left() + 8, cell.rect.top(), cell.rect.width() - 14, cell.title);
        const QString size = toQString(formatBytes(cell.bytes));
        const double sizeWidth = metrics.horizontalAdvance(size) + 8;
        painter.drawText(
            strip, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(cell.name, Qt::ElideRight, std::max(30.0, strip.width() - sizeWidth)));
        if (strip.width() > sizeWidth + 40) {
            painter.setPen(colors.secondaryText);
            painter.drawText(strip, Qt::AlignRight | Qt::AlignVCenter, size);
        }
        return;
    }
    const QRectF inside =
        cell.rect.adjusted(0, 0, cell.rect.width() > 3 ? -1 : 0, cell.rect.height() > 3 ? -1 : 0);
    painter.fillRect(inside, color);
    if (inside.width() < 38 || inside.height() < 15)
        return;
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    painter.setPen(Theme::textOn(color));
    const QRectF text = inside.adjusted(5, 2, -4, -2);
    painter.drawText(QRectF(text.left(), text.top(), text.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                     fittingName(cell.name, metrics, text.width()));
    const QString size = toQString(formatBytes(cell.bytes));
    if (text.height() >= 28 && metrics.horizontalAdvance(size) <= text.width()) {
        painter.drawText(QRectF(text.left(), text.top() + 14, text.width(), 14),
                         Qt::AlignLeft | Qt::AlignVCenter, size);
    }
}

QString TreemapView::toolTipOf(const TreemapCell& cell) const {
    if (cell.allocation && m_focus.knows(*cell.allocation))
        return allocationToolTip(describeAllocation(m_document.memory(), *cell.allocation),
                                 m_document.snapshot()->range().end);
    const double share = static_cast<double>(cell.bytes.value) /
                         static_cast<double>(std::max<std::int64_t>(1, m_tree.bytes.value));
    return QStringLiteral("<b>%1</b><br>%2 · %3<br>%4")
        .arg(cell.name.toHtmlEscaped(), toQString(formatBytes(cell.bytes)),
             tr("%1 of what is alive").arg(toQString(formatPercent(share))),
             cell.allocations == 1 ? tr("1 allocation, %1").arg(toQString(formatBytesExact(cell.bytes)))
                                   : tr("%1 allocations, %2")
                                         .arg(toQString(formatGrouped(cell.allocations)),
                                              toQString(formatBytesExact(cell.bytes))));
}

bool TreemapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto cell = cellAt(QPointF(help->pos())))
            QToolTip::showText(help->globalPos(), toolTipOf(m_cells[*cell]), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TreemapView::mouseMoveEvent(QMouseEvent* event) {
    const auto hovered = cellAt(event->position());
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    update();
}

void TreemapView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        return goUp();
    if (event->button() != Qt::LeftButton)
        return;
    for (const Crumb& crumb : crumbs()) {
        if (crumb.rect.contains(event->position()))
            return goTo(crumb.depth);
    }
    if (const auto cell = cellAt(event->position()))
        enter(*cell);
}

void TreemapView::moveCurrent(int key) {
    // Cells that hold no others, by their middles: the nearest in that direction, sideways counting double.
    std::optional<std::size_t> best;
    double bestDistance = 0;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool holds =
            m_cells[i].group && i + 1 < m_cells.size() && !m_cells[i + 1].group && !m_cells[i + 1].rest;
        if (holds || m_current == i)
            continue;
        double distance = m_cells[i].rect.left() + m_cells[i].rect.top();
        if (m_current) {
            const QPointF d = m_cells[i].rect.center() - m_cells[*m_current].rect.center();
            const double ahead = key == Qt::Key_Left    ? -d.x()
                                 : key == Qt::Key_Right ? d.x()
                                 : key == Qt::Key_Up    ? -d.y()
                                                        : d.y();
            const double aside =
                key == Qt::Key_Left || key == Qt::Key_Right ? std::abs(d.y()) : std::abs(d.x());
            if (ahead <= 0.5)
                continue;
            distance = ahead + 2 * aside;
        }
        if (!best || distance < bestDistance) {
            best = i;
            bestDistance = distance;
        }
    }
    if (best)
        m_current = best;
    update();
}

void TreemapView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return moveCurrent(event->key());
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_current)
                enter(*m_current);
            return;
        case Qt::Key_Backspace:
            return goUp();
        case Qt::Key_Escape:
            if (m_path.depth() > 0)
                return goUp();
            m_current.reset();
            m_focus.setSelected(std::nullopt);
            return update();
        default:
            QWidget::keyPressEvent(event);
    }
}

void TreemapView::leaveEvent(QEvent* event) {
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void TreemapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void TreemapView::refreshNow() {
    m_query.runNow();
    layOut();
}

void TreemapView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
}

void TreemapView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
