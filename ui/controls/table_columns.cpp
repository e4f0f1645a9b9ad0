#include "ui/controls/table_columns.h"

#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <algorithm>

#include "ui/controls/cell_roles.h"

namespace warpglass::ui {

namespace {

/// A wider column of names parts them from their numbers.
constexpr int kWidestName = 640;

}  // namespace

TableColumns::TableColumns(QTableView& table, const QAbstractItemModel& rows)
    : QObject(&table), m_table(table), m_rows(rows) {}

QVariant TableColumns::header(int column, int role) const {
    return m_rows.headerData(column, Qt::Horizontal, role);
}

QString TableColumns::titleOf(int column) const {
    return header(column, Qt::DisplayRole).toString();
}

QList<int> TableColumns::shown() const {
    QList<int> columns;
    for (int visual = 0; visual < m_table.horizontalHeader()->count(); ++visual) {
        const int logical = m_table.horizontalHeader()->logicalIndex(visual);
        if (!m_table.isColumnHidden(logical))
            columns << logical;
    }
    return columns;
}

void TableColumns::setPriority(const QList<int>& columns, int wide, int most) {
    m_priority = columns;
    m_most = most;
    m_wide = wide < 0 ? columns.front() : wide;
    m_table.horizontalHeader()->setStretchLastSection(false);
    m_table.horizontalHeader()->moveSection(m_table.horizontalHeader()->visualIndex(columns.front()), 0);
    fit();
}

QString TableColumns::nameOf(int column) const {
    const QString name = header(column, kColumnNameRole).toString();
    return name.isEmpty() ? titleOf(column) : name;
}

/// By its name, or by a title that an older layout knows it by.
bool TableColumns::isAmong(const QStringList& names, int column) const {
    const QString former = header(column, kFormerTitleRole).toString();
    const QStringList ways{nameOf(column), titleOf(column), former};
    // Whatever the case: a title may have been written otherwise when it was chosen.
    return std::any_of(ways.begin(), ways.end(), [&names](const QString& way) {
        return !way.isEmpty() && names.contains(way, Qt::CaseInsensitive);
    });
}

void TableColumns::setChosen(const QStringList& names) {
    m_chosen.clear();
    for (int column = 0; column < m_rows.columnCount(); ++column) {
        if (isAmong(names, column))
            m_chosen << nameOf(column);
    }
    fit();
}

QList<int> TableColumns::offered() const {
    QList<int> columns = m_priority;
    if (!columns.isEmpty()) {
        // As they stand in the table, whichever is shown first where there is little room.
        const QHeaderView* const header = m_table.horizontalHeader();
        std::sort(columns.begin(), columns.end(),
                  [header](int a, int b) { return header->visualIndex(a) < header->visualIndex(b); });
        return columns;
    }
    for (int c = 0; c < m_rows.columnCount(); ++c) {
        // One that the view itself leaves out is none to choose.
        if (!m_table.isColumnHidden(c) || m_leftOut.contains(nameOf(c)))
            columns << c;
    }
    return columns;
}

/// Where all of them are shown at first: only those that the person left out are hidden.
void TableColumns::hideLeftOut() {
    const QList<int> offered = this->offered();
    m_leftOut.clear();
    for (const int column : offered) {
        const bool shown =
            m_chosen.isEmpty() || column == offered.front() || m_chosen.contains(nameOf(column));
        if (!shown)
            m_leftOut << nameOf(column);
        m_table.setColumnHidden(column, !shown);
    }
}

bool TableColumns::isNumber(int column) const {
    return header(column, Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

void TableColumns::fit() {
    if (!m_table.model())
        return;
    if (m_priority.isEmpty()) {
        if (!m_chosen.isEmpty() || !m_leftOut.isEmpty())
            hideLeftOut();
        return;
    }
    const auto widthOf = [this](int column) { return header(column, kWidthRole).toInt(); };
    const int name = m_priority.front();
    int used = widthOf(name);
    bool room = true;
    for (const int column : m_priority) {
        bool shown = m_chosen.contains(nameOf(column));
        if (m_chosen.isEmpty()) {
            room = room && m_priority.indexOf(column) < m_most &&
                   (column == name || used + widthOf(column) <= m_table.viewport()->width());
            shown = room;
        }
        m_table.setColumnHidden(column, !shown && column != name);
        if (column != name && !m_table.isColumnHidden(column))
            used += m_chosen.isEmpty() ? widthOf(column) : m_table.columnWidth(column);
    }
    for (int column = 0; column < m_rows.columnCount(); ++column) {
        if (!m_priority.contains(column))
            m_table.setColumnHidden(column, true);
    }
    const int wide = m_table.isColumnHidden(m_wide) ? name : m_wide;
    if (wide != name && m_chosen.isEmpty())
        m_table.setColumnWidth(name, widthOf(name));  // it was the wide one while there was no room for that
    int left = m_table.viewport()->width();
    for (const int column : m_priority) {
        if (column == wide || m_table.isColumnHidden(column))
            continue;
        if (m_chosen.isEmpty())
            m_table.setColumnWidth(column, widthOf(column));  // it may have been wider, at the end
        left -= m_table.columnWidth(column);
    }
    // A text at the end is read whole before names get more than they need.
    if (const int last = shown().last();
        last != wide && m_chosen.isEmpty() && !isNumber(last) && left > widthOf(wide)) {
        const QAbstractItemView& view = m_table;
        const int needs = std::min(view.sizeHintForColumn(last), widthOf(last) + left - widthOf(wide));
        m_table.setColumnWidth(last, std::max(widthOf(last), needs));
        left -= m_table.columnWidth(last) - widthOf(last);
    }
    m_table.setColumnWidth(wide, std::max(widthOf(wide), std::min(left, kWidestName)));
}

void TableColumns::choose(int column, bool shown) {
    QStringList names;
    const QList<int> offered = this->offered();
    for (int c = 0; c < m_rows.columnCount(); ++c) {
        // Nothing was said of one that is not offered now: it stays as it was.
        const bool chosen = offered.contains(c) ? (c == column ? shown : !m_table.isColumnHidden(c))
                                                : m_chosen.isEmpty() || m_chosen.contains(nameOf(c));
        if (chosen)
            names << nameOf(c);
    }
    if (const int width = header(column, kWidthRole).toInt(); shown && width > 0)
        m_table.setColumnWidth(column, width);
    setChosen(names);
}

void TableColumns::fillMenu(QMenu& menu) {
    const QList<int> offered = this->offered();
    for (const int column : offered) {
        QAction* action = menu.addAction(titleOf(column));
        action->setCheckable(true);
        action->setChecked(!m_table.isColumnHidden(column));
        action->setEnabled(column != offered.front());
        action->setToolTip(header(column, Qt::ToolTipRole).toString());
        connect(action, &QAction::toggled, this, [this, column](bool on) { choose(column, on); });
    }
    menu.addSeparator();
    QAction* own = menu.addAction(m_priority.isEmpty() ? tr("All of Them") : tr("As Many as Fit"), this,
                                  [this] { setChosen({}); });
    own->setCheckable(true);
    own->setChecked(m_chosen.isEmpty());
    menu.setToolTipsVisible(true);
}

}  // namespace warpglass::ui
