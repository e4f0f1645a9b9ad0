#include "ui/memory/treemap_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/memory/treemap_painting.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kCrumbs = 24;
constexpr std::size_t kMostAllocations = 500;

const MemoryTreeNode* childOf(const MemoryTreeNode& node, std::size_t key) {
    const auto found = std::ranges::find(node.children, key, &MemoryTreeNode::key);
    return found == node.children.end() ? nullptr : &*found;
}

}  // namespace

TreemapView::TreemapView(RunDocument& document, MemoryFocus& focus, QWidget* parent)
    : Canvas(parent), m_document(document), m_focus(focus), m_query([this] { return makeJob(); }) {
    draws(m_query);
    setNames(this, "treemapCells", tr("Treemap of live memory"));
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_path = {};
        m_tree = {};
        m_allocations = {};
        layOut();
        m_query.invalidate(Cause::kOtherRun);
        emit pathChanged();
    });
    connect(&m_focus, &MemoryFocus::momentChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::grown, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_focus, &MemoryFocus::filterChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::selectedChanged, this, qOverload<>(&QWidget::update));
    m_query.invalidate(Cause::kOtherRun);
}

std::vector<BreakdownKey> TreemapView::keys() const {
    using enum BreakdownKey;
    // Modules with all blocks together first: one by one those of many blocks are too small for their names.
    switch (m_grouping) {
        case Grouping::kCategory:
            break;
        case Grouping::kModule:
            return {kModulePart, kModuleGroup, kModule};
        case Grouping::kPhase:
            return {kPhase, kCategory};
        case Grouping::kOp:
            return {kOp, kModuleGroup, kModule};
    }
    return {kCategory, kModuleGroup, kModule};
}

void TreemapView::setGrouping(Grouping grouping) {
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_tree = {};  // its keys are the other grouping's
    goTo(0);
    setChosen(-1);
    layOut();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job TreemapView::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto moment = m_focus.moment();
    const std::vector<BreakdownKey> levels = keys();
    const std::vector<std::size_t> path = m_path.keys;
    const AllocationConditions conditions = m_focus.aliveConditions();
    return {[this, source, moment, levels, path, conditions] {
                MemoryTreeNode tree;
                TreemapAllocations alive;
                Bytes all;
                if (source.snapshot && moment) {
                    const auto memory = source.timeline();
                    tree = memoryTreeAt(*memory, *moment, levels, conditions);
                    all = Bytes(sumOf(memory->at(*moment)));
                    if (path.size() == levels.size()) {
                        const auto ids = allocationsUnder(*memory, *moment, levels, path, conditions);
                        alive.largest = largestAllocations(*memory, ids, kMostAllocations);
                        for (const AllocationId id : ids)
                            alive.restBytes += Bytes(source.snapshot->allocation(id)->bytes);
                        for (const AllocationDetail& detail : alive.largest)
                            alive.restBytes -= Bytes(detail.row.bytes);
                        alive.restCount = static_cast<std::int64_t>(ids.size() - alive.largest.size());
                    }
                }
                return [this, tree = std::move(tree), alive = std::move(alive), all, levels, path,
                        restricted = conditions.any()]() mutable {
                    // An answer about elsewhere: the one about here follows.
                    if (levels != keys() || path != m_path.keys)
                        return;
                    m_tree = std::move(tree);
                    m_allocations = std::move(alive);
                    m_all = all;
                    m_restricted = restricted;
                    layOut();
                };
            },
            source.isHeavy()};
}

QRectF TreemapView::mapRect() const {
    return QRectF(rect()).adjusted(Metrics::kSpace3, kCrumbs, -Metrics::kSpace3, -Metrics::kSpace2);
}

void TreemapView::layOut() {
    m_cells.clear();
    const QRectF area = mapRect();
    if (m_path.keys.size() == keys().size())
        m_cells = layOutAllocations(m_allocations, m_path.keys, area);
    else if (const MemoryTreeNode* node = shownNode())
        m_cells = layOutTree(*node, m_path.keys, area);
    invalidate();
}

void TreemapView::showOtherPath() {
    m_allocations = {};  // they are the other path's
    setChosen(-1);
    layOut();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
    emit pathChanged();
}

void TreemapView::goTo(int depth) {
    if (depth >= m_path.depth())
        return;
    m_path.keys.resize(static_cast<std::size_t>(std::max(depth, 0)));
    m_path.names.resize(m_path.keys.size());
    showOtherPath();
}

void TreemapView::restore(const Path& path) {
    m_path = path;
    showOtherPath();
}

bool TreemapView::goOut() {
    if (m_path.depth() == 0)
        return false;
    int depth = m_path.depth() - 1;
    while (depth > 0 && m_path.names[static_cast<std::size_t>(depth) - 1].isEmpty())
        --depth;  // there is nothing to choose from
    goTo(depth);
    return true;
}

void TreemapView::activate(int mark) {
    const TreemapCell cell = this->cell(mark);
    if (cell.rest)
        return;
    if (cell.allocation)
        return m_focus.setSelected(cell.allocation);
    // One level, and those further in that have nothing to choose from.
    const MemoryTreeNode* node = shownNode();
    while (node && m_path.keys.size() < cell.path.size()) {
        const std::size_t key = cell.path[m_path.keys.size()];
        const MemoryTreeNode* child = childOf(*node, key);
        if (!child)
            break;
        m_path.keys.push_back(key);
        const bool passed = onlyChild(*child, m_path.keys.size()) != nullptr;
        m_path.names.push_back(passed ? QString() : treemapLabel(child->name, node->name));
        if (!passed)
            break;
        node = child;
    }
    showOtherPath();
}

std::vector<TreemapView::Crumb> TreemapView::crumbs() const {
    const QFontMetricsF metrics(Theme::tableFont());
    std::vector<Crumb> crumbs;
    double x = Metrics::kSpace3;
    const auto add = [&](const QString& text, int depth) {
        const double width = metrics.horizontalAdvance(text);
        crumbs.push_back({QRectF(x, 0, width, kCrumbs), text, depth});
        x += width + metrics.horizontalAdvance(QStringLiteral(" › "));
    };
    add(tr("All"), 0);
    for (std::size_t i = 0; i < m_path.keys.size(); ++i) {
        if (!m_path.names[i].isEmpty())
            add(m_path.names[i], static_cast<int>(i) + 1);
    }
    return crumbs;
}

const MemoryTreeNode* TreemapView::shownNode() const {
    const MemoryTreeNode* node = &m_tree;
    for (std::size_t i = 0; node && i < m_path.keys.size(); ++i)
        node = childOf(*node, m_path.keys[i]);
    return node;
}

QString TreemapView::whyEmpty() const {
    if (!m_document.snapshot())
        return m_document.noRunWords(tr("to see what its memory holds"));
    const std::string absent = Completeness(*m_document.snapshot()).why(DataKind::kMemory);
    if (!m_focus.moment() || !absent.empty())
        return toQString(absent);
    if (!m_query.isIdle())
        return {};
    if (!m_restricted || m_all.value == 0)
        return tr("Nothing is allocated here at this moment");
    if (m_path.depth() > 0)
        return tr("The filter hides everything here at this moment: %1").arg(m_focus.aliveOnly());
    return tr("The filter hides all %1 of live memory: %2. Back (Alt+Left) removes it")
        .arg(toQString(formatBytes(m_all)), m_focus.aliveOnly());
}

QString TreemapView::toolTipOf(int mark) const {
    const TreemapCell& cell = this->cell(mark);
    if (cell.allocation && m_focus.knows(*cell.allocation))
        return allocationToolTip(m_focus.detailOf(*cell.allocation), m_focus.clock());
    const double share =
        static_cast<double>(cell.bytes.value) / static_cast<double>(std::max<std::int64_t>(1, m_all.value));
    return QStringLiteral("<b>%1</b><br>%2 · %3<br>%4")
               .arg(cell.name.toHtmlEscaped(), toQString(formatBytes(cell.bytes)),
                    tr("%1 of live memory").arg(toQString(formatPercent(share))),
                    cell.allocations == 1
                        ? tr("1 allocation, %1").arg(toQString(formatBytesExact(cell.bytes)))
                        : tr("%1 allocations, %2")
                              .arg(toQString(formatGrouped(cell.allocations)),
                                   toQString(formatBytesExact(cell.bytes)))) +
           (cell.asked.value > 0 && cell.asked < cell.bytes
                ? tr("<br>%1 requested, %2 rounding")
                      .arg(toQString(formatBytes(cell.asked)),
                           toQString(formatBytes(cell.bytes - cell.asked)))
                : QString());
}

void TreemapView::paintCrumbs(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font(), painter.device());
    const std::vector<Crumb> path = crumbs();
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool last = i + 1 == path.size();
        const double room = width() - Metrics::kSpace3 - path[i].rect.left();
        painter.setPen(last ? colors.text : colors.accent);
        painter.drawText(path[i].rect, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.horizontalAdvance(path[i].text) <= room
                             ? path[i].text
                             : metrics.elidedText(path[i].text, Qt::ElideMiddle, room));
        painter.setPen(colors.secondaryText);
        if (!last)
            painter.drawText(QRectF(path[i].rect.right(), 0, 30, path[i].rect.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral(" › "));
    }
}

/// Beside the path, with as much as there is room for.
void TreemapView::paintTotal(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font(), painter.device());
    const MemoryTreeNode* node = shownNode();
    const std::int64_t count = node ? node->allocations : 0;
    const QString allocations =
        count == 1 ? tr("1 allocation") : tr("%1 allocations").arg(toQString(formatGrouped(count)));
    const QString bytes = toQString(formatBytes(node ? node->bytes : Bytes()));
    const QRectF path = crumbs().back().rect;
    const QRectF beside(path.right() + Metrics::kSpace3, 0, width() - 2 * Metrics::kSpace3 - path.right(),
                        path.height());
    const QString of = tr("%1 of %2 shown").arg(bytes, toQString(formatBytes(m_all)));
    QStringList totals = m_restricted ? QStringList{tr("%1, %2").arg(of, allocations), of, bytes}
                                      : QStringList{tr("%1 in %2").arg(bytes, allocations), bytes};
    // Some of several equal tensors take more: the allocator leaves them what is too small to be split off.
    const Bytes rounding = node && node->asked.value > 0 ? node->bytes - node->asked : Bytes();
    if (rounding.value > 0)
        totals.prepend(tr("%1, %2 of it rounding").arg(totals.front(), toQString(formatBytes(rounding))));
    const auto total = std::ranges::find_if(
        totals, [&](const QString& text) { return metrics.horizontalAdvance(text) <= beside.width(); });
    painter.setPen(Theme::instance().colors().secondaryText);
    if (count > 0 && total != totals.end())
        painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, *total);
}

QColor TreemapView::ground() const {
    return Theme::instance().colors().panel;
}

void TreemapView::paintPicture(QPainter& painter) {
    painter.setFont(Theme::tableFont());
    paintCrumbs(painter);
    paintTotal(painter);
    if (m_cells.empty()) {
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.drawText(mapRect(), Qt::AlignCenter | Qt::TextWordWrap, whyEmpty());
    }
    paintTreemap(painter, m_cells);
}

bool TreemapView::isSelected(int mark) const {
    return cell(mark).allocation && cell(mark).allocation == m_focus.selected();
}

void TreemapView::paintHighlight(QPainter& painter, int mark, bool chosen) {
    if (chosen && !isSelected(mark) && !hasFocus()) {
        if (mark != hovered())
            return;
        chosen = false;  // the keyboard is elsewhere, the pointer is here
    }
    const ThemeColors& colors = Theme::instance().colors();
    const double width = chosen ? 2 : 1, inset = width / 2;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(chosen ? colors.accent : colors.text, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(markRect(mark).adjusted(inset, inset, -inset, -inset));
}

void TreemapView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        goOut();
    if (event->button() != Qt::LeftButton)
        return;
    for (const Crumb& crumb : crumbs()) {
        if (crumb.rect.contains(event->position()))
            return goTo(crumb.depth);
    }
    if (const int mark = markAt(event->position()); mark >= 0)
        activate(mark);
}

int TreemapView::neighbor(int mark, Qt::Key key) const {
    const auto next = cellTowards(m_cells, mark < 0 ? std::nullopt : std::optional<std::size_t>(mark), key);
    return next ? static_cast<int>(*next) : mark;
}

bool TreemapView::walk(Qt::Key key) {
    // The cells' order is none that one sees.
    return key != Qt::Key_Home && key != Qt::Key_End && Canvas::walk(key);
}

bool TreemapView::escape() {
    if (goOut())
        return true;
    const bool selected = m_focus.selected().has_value();
    setChosen(-1);
    m_focus.letGo();
    return selected;
}

void TreemapView::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    layOut();
}

void TreemapView::refreshNow() {
    m_query.runNow();
    layOut();
}

}  // namespace warpglass::ui
