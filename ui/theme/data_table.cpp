#include "ui/theme/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "ui/theme/cell_delegate.h"
#include "ui/theme/cell_roles.h"
#include "ui/theme/table_header.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// A tab or a line break in a name would break the copied table.
QString tsvField(QString text) {
    for (QChar& c : text) {
        if (c == QLatin1Char('\t') || c == QLatin1Char('\n') || c == QLatin1Char('\r'))
            c = QLatin1Char(' ');
    }
    return text;
}

/// | separates cells, and a line is a row.
QString markdownField(const QString& text) {
    return tsvField(text).replace(QLatin1Char('|'), QLatin1String("\\|"));
}

/// Leaves the order of rows to a model that keeps groups together.
class TableProxy : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setSortedByModel(bool byModel) { m_byModel = byModel; }
    void sort(int column, Qt::SortOrder order) override {
        if (!m_byModel)
            return QSortFilterProxyModel::sort(column, order);
        sourceModel()->sort(column, order);
        QSortFilterProxyModel::sort(0, Qt::AscendingOrder);
    }

private:
    bool m_byModel = false;
};

}  // namespace

DataTable::DataTable(QWidget* parent)
    : QTableView(parent), m_proxy(new TableProxy(this)), m_delegate(new CellDelegate(this)) {
    setHorizontalHeader(new TableHeader(this));
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(Metrics::kTableRow);
    verticalHeader()->setDefaultSectionSize(Metrics::kTableRow);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);  // Tab leaves the table
    setMouseTracking(true);
    setItemDelegate(m_delegate);
    m_proxy->setSortRole(kSortRole);
    m_proxy->setDynamicSortFilter(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(this, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(m_proxy->mapToSource(index).row()); });
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (m_priority.isEmpty())
            return;
        QMenu menu(this);
        fillColumnMenu(menu);
        menu.exec(horizontalHeader()->mapToGlobal(at));
    });
}

void DataTable::setTable(QAbstractItemModel* model, int sortColumn, Qt::SortOrder order, Sorting sorting) {
    m_proxy->setSourceModel(model);
    static_cast<TableProxy*>(m_proxy)->setSortedByModel(sorting == Sorting::kByModel);
    setModel(m_proxy);
    for (int c = 0; c < model->columnCount(); ++c) {
        if (const int width = model->headerData(c, Qt::Horizontal, kWidthRole).toInt(); width > 0)
            setColumnWidth(c, width);
    }
    setSortingEnabled(true);
    sortByColumn(sortColumn, order);
    const auto repaintEmpty = [this] { viewport()->update(); };
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, repaintEmpty);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, repaintEmpty);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, repaintEmpty);
}

void DataTable::setFilter(int column, const QString& text) {
    m_proxy->setFilterKeyColumn(column);
    m_proxy->setFilterFixedString(text);
}

int DataTable::shownRows() const {
    return m_proxy->rowCount();
}

void DataTable::setEmptyText(const QString& sentence) {
    if (sentence == m_emptyText)
        return;
    m_emptyText = sentence;
    viewport()->update();
}

int DataTable::sourceRow(const QModelIndex& index) const {
    return m_proxy->mapToSource(index).row();
}

QList<int> DataTable::shownColumns() const {
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int logical = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(logical))
            columns << logical;
    }
    return columns;
}

QList<int> DataTable::rowsToCopy() const {
    QList<int> rows;
    if (selectionModel()) {
        for (const QModelIndex& index : selectionModel()->selectedRows())
            rows << index.row();
    }
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty()) {
        for (int r = 0; r < m_proxy->rowCount(); ++r)
            rows << r;
    }
    return rows;
}

QList<int> DataTable::selectedRows() const {
    QList<int> rows;
    if (selectionModel()) {
        for (const QModelIndex& index : selectionModel()->selectedRows())
            rows << sourceRow(index);
    }
    return rows;
}

QString DataTable::asTsv() const {
    const QList<int> columns = shownColumns();
    QStringList lines, fields;
    for (const int c : columns)
        fields << tsvField(m_proxy->headerData(c, Qt::Horizontal, kPlainTitleRole).toString());
    lines << fields.join(QLatin1Char('\t'));
    for (const int r : rowsToCopy()) {
        fields.clear();
        for (const int c : columns)
            fields << tsvField(m_proxy->index(r, c).data(kPlainRole).toString());
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString DataTable::asMarkdown() const {
    const QList<int> columns = shownColumns();
    const auto line = [](const QStringList& fields) {
        return QStringLiteral("| ") + fields.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
    };
    QStringList titles, rules;
    for (const int c : columns) {
        titles << markdownField(m_proxy->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
        const int side = m_proxy->headerData(c, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        rules << (side & Qt::AlignRight ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    QString text = line(titles) + line(rules);
    for (const int r : rowsToCopy()) {
        QStringList fields;
        for (const int c : columns) {
            const QModelIndex cell = m_proxy->index(r, c);
            // Names of a tree are those that tell its rows apart.
            const bool tree = cell.data(kDepthRole).isValid() && cell.data(kDepthRole).toInt() >= 0;
            fields << markdownField(cell.data(tree ? int(kPlainRole) : int(Qt::DisplayRole)).toString());
        }
        text += line(fields);
    }
    return text;
}

void DataTable::copy() const {
    QApplication::clipboard()->setText(asTsv());
}

void DataTable::copyMarkdown() const {
    QApplication::clipboard()->setText(asMarkdown());
}

QString DataTable::titleOf(int column) const {
    return m_proxy->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

void DataTable::setColumnPriority(const QList<int>& columns) {
    m_priority = columns;
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->moveSection(horizontalHeader()->visualIndex(columns.front()), 0);
    fitColumns();
}

void DataTable::setChosenColumns(const QStringList& titles) {
    m_chosenColumns.clear();
    for (const int column : m_priority) {
        if (titles.contains(titleOf(column)))
            m_chosenColumns << titleOf(column);
    }
    fitColumns();
}

void DataTable::fitColumns() {
    if (m_priority.isEmpty() || !model())
        return;
    const auto widthOf = [this](int column) {
        return m_proxy->headerData(column, Qt::Horizontal, kWidthRole).toInt();
    };
    const int name = m_priority.front();
    int used = widthOf(name);
    bool room = true;
    for (const int column : m_priority) {
        bool shown = m_chosenColumns.contains(titleOf(column));
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
    setColumnWidth(name, std::max(widthOf(name), viewport()->width() - (used - widthOf(name))));
}

void DataTable::chooseColumn(int column, bool shown) {
    QStringList titles;
    for (const int c : m_priority) {
        if (c == column ? shown : !isColumnHidden(c))
            titles << titleOf(c);
    }
    if (shown)
        setColumnWidth(column, m_proxy->headerData(column, Qt::Horizontal, kWidthRole).toInt());
    setChosenColumns(titles);
    emit columnsChosen();
}

void DataTable::fillColumnMenu(QMenu& menu) {
    for (const int column : m_priority) {
        QAction* action = menu.addAction(titleOf(column));
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != m_priority.front());
        action->setToolTip(m_proxy->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        connect(action, &QAction::toggled, this, [this, column](bool on) { chooseColumn(column, on); });
    }
    menu.addSeparator();
    QAction* own = menu.addAction(tr("As Many as Fit"), this, [this] {
        setChosenColumns({});
        emit columnsChosen();
    });
    own->setCheckable(true);
    own->setChecked(m_chosenColumns.isEmpty());
    menu.setToolTipsVisible(true);
}

void DataTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void DataTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    emit currentRowChanged(current.isValid() ? sourceRow(current) : -1);
}

void DataTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_emptyText.isEmpty() || m_proxy->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setFont(Theme::tableFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    painter.drawText(viewport()->rect().adjusted(Metrics::kSpace4, 0, -Metrics::kSpace4, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

QModelIndex DataTable::treeCell(int row) const {
    for (const int column : shownColumns()) {
        const QModelIndex cell = m_proxy->index(row, column);
        if (const QVariant depth = cell.data(kDepthRole); depth.isValid() && depth.toInt() >= 0)
            return cell;
    }
    return {};
}

/// Right opens, Left closes, and goes to the group around where there is nothing to close.
bool DataTable::expandWithKey(const QKeyEvent& event) {
    if ((event.key() != Qt::Key_Right && event.key() != Qt::Key_Left) || event.modifiers() != Qt::NoModifier)
        return false;
    const QModelIndex cell = currentIndex().isValid() ? treeCell(currentIndex().row()) : QModelIndex();
    if (!cell.isValid())
        return false;
    const int expansion = cell.data(kExpansionRole).toInt();
    if (event.key() == Qt::Key_Right && expansion == kCollapsed) {
        emit expansionRequested(sourceRow(cell), true);
    } else if (event.key() == Qt::Key_Left && expansion == kExpanded) {
        emit expansionRequested(sourceRow(cell), false);
    } else if (event.key() == Qt::Key_Left) {
        const int depth = cell.data(kDepthRole).toInt();
        for (int row = cell.row() - 1; row >= 0; --row) {
            if (treeCell(row).data(kDepthRole).toInt() < depth) {
                setCurrentIndex(m_proxy->index(row, currentIndex().column()));
                break;
            }
        }
    }
    return true;
}

void DataTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        copyMarkdown();
        return;
    }
    if (event->key() == Qt::Key_Escape && selectionModel() && selectionModel()->hasSelection()) {
        clearSelection();
        setCurrentIndex({});
        return;
    }
    if (!expandWithKey(*event))
        QTableView::keyPressEvent(event);
}

void DataTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex cell = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && cell.isValid() && cell == treeCell(cell.row())) {
        const int expansion = cell.data(kExpansionRole).toInt();
        const QRect chevron = CellDelegate::chevronBox(visualRect(cell), cell.data(kDepthRole).toInt());
        if (expansion != kLeaf && event->position().x() <= chevron.right()) {
            emit expansionRequested(sourceRow(cell), expansion == kCollapsed);
            return;
        }
    }
    QTableView::mousePressEvent(event);
}

void DataTable::setHoveredRow(int row) {
    if (row == m_delegate->hoveredRow())
        return;
    m_delegate->setHoveredRow(row);
    viewport()->update();
}

void DataTable::mouseMoveEvent(QMouseEvent* event) {
    setHoveredRow(indexAt(event->position().toPoint()).row());
    QTableView::mouseMoveEvent(event);
}

void DataTable::leaveEvent(QEvent* event) {
    setHoveredRow(-1);
    QTableView::leaveEvent(event);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const QModelIndex at =
        event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    emit menuRequested(&menu, at.isValid() ? sourceRow(at) : -1);
    if (!menu.isEmpty())
        menu.addSeparator();
    const bool some = selectionModel() && selectionModel()->hasSelection();
    menu.addAction(some ? tr("Copy Rows") : tr("Copy Table"), QKeySequence::Copy, this, &DataTable::copy);
    menu.addAction(some ? tr("Copy Rows as Markdown") : tr("Copy Table as Markdown"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this, &DataTable::copyMarkdown);
    menu.addAction(tr("Select All"), QKeySequence::SelectAll, this, &QAbstractItemView::selectAll);
    menu.exec(event->reason() == QContextMenuEvent::Keyboard
                  ? viewport()->mapToGlobal(visualRect(at).bottomLeft())
                  : event->globalPos());
}

}  // namespace warpglass::ui
