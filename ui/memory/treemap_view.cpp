#include "ui/memory/treemap_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/memory/cell_keys.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kCrumbs = 24;
constexpr std::size_t kMostAllocations = 500;
/// Of a longer name so much is enough beside the size.
constexpr double kLongName = 90;

}  // namespace

TreemapView::TreemapView(RunDocument& document, MemoryFocus& focus, QWidget* parent)
    : QWidget(parent), m_document(document), m_focus(focus), m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    setObjectName(QStringLiteral("treemapCells"));
    setAccessibleName(tr("Treemap of live memory"));
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
    // Modules by the parts of the model: one by one those of many blocks are too small for their names.
    constexpr BreakdownKey kKeys[] = {BreakdownKey::kCategory, BreakdownKey::kModulePart,
                                      BreakdownKey::kPhase, BreakdownKey::kOp};
    return kKeys[static_cast<int>(m_grouping)];
}

BreakdownKey TreemapView::innerKey() const {
    constexpr BreakdownKey kKeys[] = {BreakdownKey::kModule, BreakdownKey::kModule, BreakdownKey::kCategory,
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
                TreemapAllocations alive;
                Bytes all;
                if (source.snapshot && moment) {
                    const auto memory = source.timeline();
                    tree = memoryTreeAt(*memory, *moment, outer, inner, conditions);
                    all = Bytes(sumOf(memory->at(*moment)));
                    if (path.inner) {
                        const auto ids = allocationsUnder(*memory, *moment, outer, *path.outer, inner,
                                                          path.inner, conditions);
                        alive.largest = largestAllocations(*memory, ids, kMostAllocations);
                        for (const AllocationId id : ids)
                            alive.restBytes += Bytes(source.snapshot->allocation(id)->bytes);
                        for (const AllocationDetail& detail : alive.largest)
                            alive.restBytes -= Bytes(detail.row.bytes);
                        alive.restCount = static_cast<std::int64_t>(ids.size() - alive.largest.size());
                    }
                }
                return [this, tree = std::move(tree), alive = std::move(alive), all, outer, path,
                        restricted = conditions.any()]() mutable {
                    // An answer about elsewhere: the one about here follows.
                    if (outer != outerKey() || path.outer != m_path.outer || path.inner != m_path.inner)
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
    m_hovered.reset();
    const QRectF area = mapRect();
    if (m_path.depth() == 2) {
        m_cells = layOutAllocations(m_allocations, *m_path.outer, *m_path.inner, area);
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
    m_allocations = {};
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

void TreemapView::restore(const Path& path) {
    m_path = path;
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
    double x = Metrics::kSpace3;
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

void TreemapView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.setFont(Theme::tableFont());
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
            painter.drawText(QRectF(path[i].rect.right(), 0, 30, kCrumbs), Qt::AlignLeft | Qt::AlignVCenter,
                             QStringLiteral(" › "));
    }
    const MemoryTreeNode* node = shownNode();
    const Bytes shown = node ? node->bytes : Bytes();
    const std::int64_t count = node ? node->allocations : 0;
    const QString allocations =
        count == 1 ? tr("1 allocation") : tr("%1 allocations").arg(toQString(formatGrouped(count)));
    const QString bytes = toQString(formatBytes(shown));
    // Beside the path, with as much as there is room for.
    const QRectF beside(path.back().rect.right() + Metrics::kSpace3, 0,
                        width() - 2 * Metrics::kSpace3 - path.back().rect.right(), kCrumbs);
    const QString of = tr("%1 of %2 shown").arg(bytes, toQString(formatBytes(m_all)));
    const QStringList totals = m_restricted ? QStringList{tr("%1, %2").arg(of, allocations), of, bytes}
                                            : QStringList{tr("%1 in %2").arg(bytes, allocations), bytes};
    const auto total = std::find_if(totals.begin(), totals.end(), [&](const QString& text) {
        return metrics.horizontalAdvance(text) <= beside.width();
    });
    if (count > 0 && total != totals.end())
        painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, *total);
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
    QColor color = Theme::categoryColor(cell.category);
    if (cell.rest)
        color = Theme::mixed(color, colors.panel, 0.55);
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
        // The name before the size: where there is not room for both, it has all of it.
        const bool both =
            strip.width() >= sizeWidth + std::min(metrics.horizontalAdvance(cell.name), kLongName);
        painter.drawText(
            strip, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(cell.name, Qt::ElideRight, strip.width() - (both ? sizeWidth : 0)));
        if (both) {
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
                     elidedName(metrics, cell.name, text.width()));
    const QString size = toQString(formatBytes(cell.bytes));
    if (text.height() >= 28 && metrics.horizontalAdvance(size) <= text.width()) {
        painter.drawText(QRectF(text.left(), text.top() + 14, text.width(), 14),
                         Qt::AlignLeft | Qt::AlignVCenter, size);
    }
}

QString TreemapView::toolTipOf(const TreemapCell& cell) const {
    if (cell.allocation && m_focus.knows(*cell.allocation))
        return allocationToolTip(m_focus.detailOf(*cell.allocation), m_document.snapshot()->range().end);
    const double share =
        static_cast<double>(cell.bytes.value) / static_cast<double>(std::max<std::int64_t>(1, m_all.value));
    return QStringLiteral("<b>%1</b><br>%2 · %3<br>%4")
        .arg(cell.name.toHtmlEscaped(), toQString(formatBytes(cell.bytes)),
             tr("%1 of live memory").arg(toQString(formatPercent(share))),
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

void TreemapView::keyPressEvent(QKeyEvent* event) {
    const bool taken = handleCellKey(*event, {[this](Qt::Key key) {
                                                  if (const auto next = cellTowards(m_cells, m_current, key))
                                                      m_current = next;
                                                  update();
                                              },
                                              [this] {
                                                  if (m_current)
                                                      enter(*m_current);
                                              },
                                              [this] { goUp(); },
                                              [this] {
                                                  if (m_path.depth() > 0) {
                                                      goUp();
                                                      return true;
                                                  }
                                                  m_current.reset();
                                                  update();
                                                  const bool selected = m_focus.selected().has_value();
                                                  m_focus.letGo();
                                                  return selected;
                                              }});
    if (!taken)
        QWidget::keyPressEvent(event);
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
