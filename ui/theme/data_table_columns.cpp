// Which columns a table shows, and how wide: as many as fit, or those that the person chose.
#include <QHeaderView>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "ui/theme/cell_roles.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {

namespace {

/// A wider column of names parts them from their numbers.
constexpr int kWidestName = 640;

}  // namespace

void DataTable::setColumnPriority(const QList<int>& columns, int wide) {
    m_priority = columns;
    m_wide = wide < 0 ? columns.front() : wide;
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->moveSection(horizontalHeader()->visualIndex(columns.front()), 0);
    fitColumns();
}

QString DataTable::nameOf(int column) const {
    const QString name = m_proxy->headerData(column, Qt::Horizontal, kColumnNameRole).toString();
    return name.isEmpty() ? titleOf(column) : name;
}

/// By its name, or by a title that an older layout knows it by.
bool DataTable::isAmong(const QStringList& names, int column) const {
    const QString former = m_proxy->headerData(column, Qt::Horizontal, kFormerTitleRole).toString();
    const QStringList ways{nameOf(column), titleOf(column), former};
    // Whatever the case: a title may have been written otherwise when it was chosen.
    return std::any_of(ways.begin(), ways.end(), [&names](const QString& way) {
        return !way.isEmpty() && names.contains(way, Qt::CaseInsensitive);
    });
}

void DataTable::setChosenColumns(const QStringList& names) {
    m_chosenColumns.clear();
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
        if (isAmong(names, column))
            m_chosenColumns << nameOf(column);
    }
    fitColumns();
}

QList<int> DataTable::columnsOffered() const {
    QList<int> columns = m_priority;
    if (!columns.isEmpty()) {
        // As they stand in the table, whichever is shown first where there is little room.
        const QHeaderView* const header = horizontalHeader();
        std::sort(columns.begin(), columns.end(),
                  [header](int a, int b) { return header->visualIndex(a) < header->visualIndex(b); });
        return columns;
    }
    for (int c = 0; c < m_proxy->columnCount(); ++c) {
        // One that the view itself leaves out is none to choose.
        if (!isColumnHidden(c) || m_leftOut.contains(nameOf(c)))
            columns << c;
    }
    return columns;
}

/// Where all of them are shown at first: only those that the person left out are hidden.
void DataTable::hideLeftOut() {
    const QList<int> offered = columnsOffered();
    m_leftOut.clear();
    for (const int column : offered) {
        const bool shown = m_chosenColumns.isEmpty() || column == offered.front() ||
                           m_chosenColumns.contains(nameOf(column));
        if (!shown)
            m_leftOut << nameOf(column);
        setColumnHidden(column, !shown);
    }
}

bool DataTable::isNumber(int column) const {
    return m_proxy->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

void DataTable::fitColumns() {
    if (!model())
        return;
    if (m_priority.isEmpty()) {
        if (!m_chosenColumns.isEmpty() || !m_leftOut.isEmpty())
            hideLeftOut();
        return;
    }
    const auto widthOf = [this](int column) {
        return m_proxy->headerData(column, Qt::Horizontal, kWidthRole).toInt();
    };
    const int name = m_priority.front();
    int used = widthOf(name);
    bool room = true;
    for (const int column : m_priority) {
        bool shown = m_chosenColumns.contains(nameOf(column));
        if (m_chosenColumns.isEmpty()) {
            room = room && (column == name || used + widthOf(column) <= viewport()->width());
            shown = room;
        }
        setColumnHidden(column, !shown && column != name);
        if (column != name && !isColumnHidden(column))
            used += m_chosenColumns.isEmpty() ? widthOf(column) : columnWidth(column);
    }
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
        if (!m_priority.contains(column))
            setColumnHidden(column, true);
    }
    const int wide = isColumnHidden(m_wide) ? name : m_wide;
    if (wide != name && m_chosenColumns.isEmpty())
        setColumnWidth(name, widthOf(name));  // it was the wide one while there was no room for that
    int left = viewport()->width();
    for (const int column : m_priority) {
        if (column == wide || isColumnHidden(column))
            continue;
        if (m_chosenColumns.isEmpty())
            setColumnWidth(column, widthOf(column));  // it may have been wider, at the end
        left -= columnWidth(column);
    }
    // A text at the end is read whole before names get more than they need.
    if (const int last = shownColumns().last();
        last != wide && m_chosenColumns.isEmpty() && !isNumber(last) && left > widthOf(wide)) {
        const int needs = std::min(sizeHintForColumn(last), widthOf(last) + left - widthOf(wide));
        setColumnWidth(last, std::max(widthOf(last), needs));
        left -= columnWidth(last) - widthOf(last);
    }
    setColumnWidth(wide, std::max(widthOf(wide), std::min(left, kWidestName)));
}

void DataTable::chooseColumn(int column, bool shown) {
    QStringList names;
    const QList<int> offered = columnsOffered();
    for (int c = 0; c < m_proxy->columnCount(); ++c) {
        // Nothing was said of one that is not offered now: it stays as it was.
        const bool chosen = offered.contains(c)
                                ? (c == column ? shown : !isColumnHidden(c))
                                : m_chosenColumns.isEmpty() || m_chosenColumns.contains(nameOf(c));
        if (chosen)
            names << nameOf(c);
    }
    if (const int width = m_proxy->headerData(column, Qt::Horizontal, kWidthRole).toInt(); shown && width > 0)
        setColumnWidth(column, width);
    setChosenColumns(names);
    emit columnsChosen();
}

void DataTable::fillColumnMenu(QMenu& menu) {
    const QList<int> offered = columnsOffered();
    for (const int column : offered) {
        QAction* action = menu.addAction(titleOf(column));
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != offered.front());
        action->setToolTip(m_proxy->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        connect(action, &QAction::toggled, this, [this, column](bool on) { chooseColumn(column, on); });
    }
    menu.addSeparator();
    QAction* own =
        menu.addAction(m_priority.isEmpty() ? tr("All of Them") : tr("As Many as Fit"), this, [this] {
            setChosenColumns({});
            emit columnsChosen();
        });
    own->setCheckable(true);
    own->setChecked(m_chosenColumns.isEmpty());
    menu.setToolTipsVisible(true);
}

}  // namespace warpglass::ui
