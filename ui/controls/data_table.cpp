#include "ui/controls/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <utility>

#include "engine/tables/cell.h"
#include "ui/controls/cell_delegate.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/table_columns.h"
#include "ui/controls/table_header.h"
#include "ui/controls/table_tree.h"
#include "ui/theme/name_text.h"
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

/// A number as scripts read it, a text as it is.
QString plainField(const QVariant& plain) {
    if (plain.userType() != QMetaType::Double)
        return tsvField(plain.toString());
    return QString::fromStdString(plainCell(plain.toDouble()));
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

protected:
    /// What is not known comes last, whichever way.
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
        const QVariant x = a.data(sortRole()), y = b.data(sortRole());
        if (x.isValid() != y.isValid())
            return x.isValid() == (sortOrder() == Qt::AscendingOrder);
        const bool numbers =
            x.userType() == QMetaType::Double && y.userType() == QMetaType::Double;  // most columns are
        return numbers ? x.toDouble() < y.toDouble() : QSortFilterProxyModel::lessThan(a, b);
    }

private:
    bool m_byModel = false;
};

}  // namespace

DataTable::DataTable(QWidget* parent)
    : QTableView(parent),
      m_proxy(new TableProxy(this)),
      m_delegate(new CellDelegate(this)),
      m_columns(new TableColumns(*this, *m_proxy)) {
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
    connect(new TableTree(*this), &TableTree::expansionRequested, this, [this](int row, bool expanded) {
        emit expansionRequested(sourceRow(m_proxy->index(row, 0)), expanded);
    });
    connect(this, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(m_proxy->mapToSource(index).row()); });
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    const auto repaintEmpty = [this] { viewport()->update(); };
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, repaintEmpty);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, repaintEmpty);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, repaintEmpty);
    // Queued: whoever fills the table is done with its rows and columns then.
    const auto filled = [this] { goToWantedPlace(); };
    connect(m_proxy, &QAbstractItemModel::modelReset, this, filled, Qt::QueuedConnection);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, filled, Qt::QueuedConnection);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
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
}

void DataTable::setColumnPriority(const QList<int>& columns, int wide, int most) {
    m_columns->setPriority(columns, wide, most);
}

QStringList DataTable::chosenColumns() const {
    return m_columns->chosen();
}

void DataTable::setChosenColumns(const QStringList& names) {
    m_columns->setChosen(names);
}

void DataTable::refitColumns() {
    m_columns->fit();
}

void DataTable::fillColumnMenu(QMenu& menu) {
    m_columns->fillMenu(menu);
}

void DataTable::setFilter(int column, const QString& text) {
    m_proxy->setFilterKeyColumn(column);
    m_proxy->setFilterFixedString(text);
}

int DataTable::shownRows() const {
    return m_proxy->rowCount();
}

void DataTable::setFinding(const QStringList& wordings) {
    static_cast<TableHeader*>(horizontalHeader())->setFinding(wordings);
}

void DataTable::setBarWords(const QStringList& darkAndPale) {
    static_cast<TableHeader*>(horizontalHeader())->setBarWords(darkAndPale);
}

QString DataTable::finding() const {
    return static_cast<const TableHeader*>(horizontalHeader())->finding();
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

QString DataTable::textOf(int row) const {
    QStringList fields;
    for (int c = 0; c < m_proxy->columnCount(); ++c)
        fields << m_proxy->index(row, c).data(kPlainRole).toString();
    return fields.join(QLatin1Char('\t'));
}

DataTable::Place DataTable::place() const {
    if (m_wanted)
        return *m_wanted;  // it is not there yet
    const bool selected = selectionModel() && selectionModel()->hasSelection() && currentIndex().isValid();
    return {selected ? textOf(currentIndex().row()) : QString(), verticalScrollBar()->value()};
}

void DataTable::restorePlace(const Place& place) {
    m_wanted.reset();
    if (place.row.isEmpty() && place.top == 0)
        return;
    m_wanted = place;
    goToWantedPlace();
}

void DataTable::goToWantedPlace() {
    if (!m_wanted || m_proxy->rowCount() == 0)
        return;
    const Place place = *std::exchange(m_wanted, std::nullopt);
    int row = place.row.isEmpty() ? m_proxy->rowCount() : 0;
    while (row < m_proxy->rowCount() && textOf(row) != place.row)
        ++row;
    if (row < m_proxy->rowCount())
        selectRow(row);
    updateGeometries();  // the scroll bar's range is that of the rows from now on
    verticalScrollBar()->setValue(place.top);
}

QString DataTable::asTsv() const {
    const QList<int> columns = m_columns->shown();
    QStringList lines, fields;
    for (const int c : columns)
        fields << tsvField(m_proxy->headerData(c, Qt::Horizontal, kPlainTitleRole).toString());
    lines << fields.join(QLatin1Char('\t'));
    for (const int r : rowsToCopy()) {
        fields.clear();
        for (const int c : columns)
            fields << plainField(m_proxy->index(r, c).data(kPlainRole));
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString DataTable::asMarkdown() const {
    const QList<int> columns = m_columns->shown();
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
            const QString plain = cell.data(kPlainRole).toString(), text = cell.data().toString();
            // A title before the recorded name is for reading on the screen.
            const bool titled = text.contains(kAfterFirstName) && text.contains(plain);
            fields << markdownField(tree || titled ? plain : text);
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

void DataTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    m_columns->fit();
}

void DataTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.isValid())
        m_wanted.reset();  // someone has gone elsewhere meanwhile
    emit currentRowChanged(current.isValid() ? sourceRow(current) : -1);
}

/// Rows go on to the right edge, as the header's line does, where the columns end before it.
void DataTable::paintRowEnds(QPainter& painter) const {
    const int from = horizontalHeader()->length() - horizontalHeader()->offset();
    const int width = viewport()->width() - from;
    if (width <= 0)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    // A figure leaves rows out by a mask, which an SVG does not know.
    const QRegion mask = viewport()->mask();
    const int height = mask.isEmpty() ? viewport()->height() : mask.boundingRect().height() - 1;
    for (int row = std::max(0, rowAt(0)); row < m_proxy->rowCount(); ++row) {
        const QRect end(from, rowViewportPosition(row), width, rowHeight(row));
        if (end.top() > height)
            break;
        const bool selected = selectionModel()->isRowSelected(row);
        if (selected || row == m_delegate->hoveredRow())
            painter.fillRect(end, selected ? colors.hover : colors.raised);
        painter.fillRect(QRect(end.left(), end.bottom(), width, 1), colors.grid);
    }
}

void DataTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    if (m_proxy->rowCount() > 0)
        return paintRowEnds(painter);
    if (m_emptyText.isEmpty())
        return;
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
    if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        copyMarkdown();
        return;
    }
    if (event->key() == Qt::Key_Escape && selectionModel() && selectionModel()->hasSelection()) {
        clearSelection();
        setCurrentIndex({});
        return;
    }
    // Where the window system makes no context menu of these.
    if (event->key() == Qt::Key_Menu ||
        (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier)) {
        openMenuAtRow();
        return;
    }
    // Names are looked for by plain letters; with Shift a letter is a key of the window.
    if (event->modifiers() == Qt::ShiftModifier && !event->text().isEmpty() &&
        event->text().front().isLetterOrNumber())
        return event->ignore();
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

void DataTable::sortBy(int column) {
    const QHeaderView* header = horizontalHeader();
    const QVariant first = m_proxy->headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole);
    Qt::SortOrder order = first.isValid() ? static_cast<Qt::SortOrder>(first.toInt()) : Qt::AscendingOrder;
    if (header->sortIndicatorSection() == column)
        order = header->sortIndicatorOrder() == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
    sortByColumn(column, order);
}

void DataTable::fillMenu(QMenu& menu, const QModelIndex& at) {
    emit menuRequested(&menu, at.isValid() ? sourceRow(at) : -1);
    if (!menu.isEmpty())
        menu.addSeparator();
    // The table has these keys itself, and only while the keyboard is in it.
    const auto withKey = [](const QString& title, const QKeySequence& keys) {
        return title + QLatin1Char('\t') + keys.toString(QKeySequence::NativeText);
    };
    const bool some = selectionModel() && selectionModel()->hasSelection();
    menu.addAction(withKey(some ? tr("Copy Rows") : tr("Copy Table"), QKeySequence::Copy), this,
                   &DataTable::copy);
    menu.addAction(withKey(some ? tr("Copy Rows as Markdown") : tr("Copy Table as Markdown"),
                           Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                   this, &DataTable::copyMarkdown);
    menu.addAction(withKey(tr("Select All"), QKeySequence::SelectAll), this, &QAbstractItemView::selectAll);
    menu.addSeparator();
    QMenu* sorting = menu.addMenu(tr("Sort By"));
    for (const int column : m_columns->shown()) {
        QAction* action =
            sorting->addAction(m_columns->titleOf(column), this, [this, column] { sortBy(column); });
        makeCheckable(action, column == horizontalHeader()->sortIndicatorSection());
    }
    fillColumnMenu(*menu.addMenu(tr("Columns")));
}

/// Or at the top where there is none.
void DataTable::openMenuAtRow() {
    const QModelIndex at = currentIndex();
    const int bottom = at.isValid() ? rowViewportPosition(at.row()) + rowHeight(at.row()) : 0;
    openMenu(at,
             viewport()->mapToGlobal(QPoint(Metrics::kSpace3, std::clamp(bottom, 0, viewport()->height()))));
}

void DataTable::openMenu(const QModelIndex& at, QPoint globalPos) {
    QMenu menu(this);
    fillMenu(menu, at);
    menu.exec(globalPos);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Keyboard)
        openMenuAtRow();
    else
        openMenu(indexAt(event->pos()), event->globalPos());
}

}  // namespace warpglass::ui
