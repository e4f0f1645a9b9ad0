#include "ui/theme/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
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

}  // namespace

DataTable::DataTable(QWidget* parent)
    : QTableView(parent), m_proxy(new QSortFilterProxyModel(this)), m_delegate(new CellDelegate(this)) {
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
}

void DataTable::setTable(QAbstractItemModel* model, int sortColumn, Qt::SortOrder order) {
    m_proxy->setSourceModel(model);
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

QString DataTable::asTsv() const {
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int logical = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(logical))
            columns << logical;
    }
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
    QStringList lines, fields;
    for (const int c : columns)
        fields << tsvField(m_proxy->headerData(c, Qt::Horizontal, kPlainTitleRole).toString());
    lines << fields.join(QLatin1Char('\t'));
    for (const int r : rows) {
        fields.clear();
        for (const int c : columns)
            fields << tsvField(m_proxy->index(r, c).data(kPlainRole).toString());
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void DataTable::copy() const {
    QApplication::clipboard()->setText(asTsv());
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

void DataTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    QTableView::keyPressEvent(event);
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
    const bool some = selectionModel() && selectionModel()->hasSelection();
    menu.addAction(some ? tr("Copy Rows") : tr("Copy Table"), QKeySequence::Copy, this, &DataTable::copy);
    menu.addAction(tr("Select All"), QKeySequence::SelectAll, this, &QAbstractItemView::selectAll);
    menu.exec(event->globalPos());
}

}  // namespace warpglass::ui
