#include "ui/memory/between_model.h"

#include <algorithm>
#include <utility>

#include "engine/base/saturating_abs.h"

namespace warpglass::ui {

namespace {

/// Levels that stand open at first, and of what part of the largest change a row has to be for that.
constexpr int kOpenAtFirst = 2, kWorthOpening = 10;

std::string pathOf(const std::string& parent, const MemoryBetweenRow& row) {
    return parent + '\n' + row.name;
}

/// The row's own figures, without what is within it.
BetweenTableRow shownRow(const MemoryBetweenRow& row) {
    BetweenTableRow shown;
    shown.name = row.name;
    shown.key = row.key;
    shown.isTotal = row.isTotal;
    shown.allocated = row.allocated;
    shown.freed = row.freed;
    shown.kept = row.kept;
    shown.freedOlder = row.freedOlder;
    return shown;
}

}  // namespace

BetweenModel::BetweenModel(QObject* parent)
    : DescribedTableModel(betweenTable(), parent), m_sortColumn(column("change_bytes")) {}

void BetweenModel::setBetween(MemoryBetween between, bool sameGroups) {
    m_between = std::move(between);
    if (!sameGroups) {
        m_chosen = false;
        clear();  // "step" the op and "step" the module are not the same row
    }
    if (!m_chosen) {
        m_open.clear();
        openLargest(m_between.rows, 0, {});
    }
    sortRows(m_between.rows);
    rebuild();
}

void BetweenModel::openLargest(const std::vector<MemoryBetweenRow>& rows, int depth,
                               const std::string& path) {
    const auto sizeOf = [](const MemoryBetweenRow& row) { return saturatingAbs(row.change().value); };
    for (const MemoryBetweenRow& row : rows) {
        // They come largest first.
        if (depth >= kOpenAtFirst || sizeOf(row) < sizeOf(m_between.rows.front()) / kWorthOpening)
            return;
        m_open.insert(pathOf(path, row));
        openLargest(row.children, depth + 1, pathOf(path, row));
    }
}

void BetweenModel::rebuild() {
    std::vector<BetweenTableRow> rows;
    if (!m_between.rows.empty())
        rows.push_back(shownRow(m_between.total));
    flatten(m_between.rows, 0, {}, rows);
    show(std::move(rows));
}

void BetweenModel::flatten(const std::vector<MemoryBetweenRow>& rows, int depth, const std::string& path,
                           std::vector<BetweenTableRow>& into) const {
    for (const MemoryBetweenRow& row : rows) {
        BetweenTableRow& shown = into.emplace_back(shownRow(row));
        shown.depth = depth;
        shown.path = pathOf(path, row);
        const bool open = m_open.contains(shown.path);
        shown.expansion = row.children.empty() ? kLeaf : open ? kExpanded : kCollapsed;
        if (open)
            flatten(row.children, depth + 1, pathOf(path, row), into);
    }
}

void BetweenModel::setExpanded(int row, bool expanded) {
    if (row < 0 || row >= rowCount() || rowAt(row).expansion == kLeaf)
        return;
    const std::string path = rowAt(row).path;
    m_chosen = true;
    if (expanded ? m_open.insert(path).second : m_open.erase(path) > 0)
        rebuild();
}

void BetweenModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_order = order;
    sortRows(m_between.rows);
    rebuild();
}

void BetweenModel::sortRows(std::vector<MemoryBetweenRow>& rows) const {
    const auto& by = described(m_sortColumn);
    const auto cellOfRow = [&](const MemoryBetweenRow& row) {
        return (by.sort ? by.sort : by.value)(row, {});
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const MemoryBetweenRow& a, const MemoryBetweenRow& b) {
        return m_order == Qt::AscendingOrder ? cellOfRow(a) < cellOfRow(b) : cellOfRow(b) < cellOfRow(a);
    });
    for (MemoryBetweenRow& row : rows)
        sortRows(row.children);
}

QVariant BetweenModel::cell(std::size_t i, std::size_t c, int role) const {
    const BetweenTableRow& shown = row(i);
    const bool isName = static_cast<int>(c) == column("name");
    switch (role) {
        case kSortRole:
            return ordinal(i);  // the rows are sorted already; views keep their order
        case kDepthRole:
            return isName ? shown.depth : -1;
        case kExpansionRole:
            return isName ? shown.expansion : kLeaf;
        case kMonoRole:
            return isName && !shown.isTotal && shown.key != BreakdownKey::kCategory &&
                   shown.key != BreakdownKey::kPhase;
        default:
            return DescribedTableModel::cell(i, c, role);
    }
}

}  // namespace warpglass::ui
