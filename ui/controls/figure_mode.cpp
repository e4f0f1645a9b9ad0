#include "ui/controls/figure_mode.h"

#include <QAbstractButton>
#include <QAbstractItemDelegate>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyleOptionViewItem>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <map>

#include "engine/base/format.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr char kWords[] = "figureWords";
/// A widget with this property is left out with the tables.
constexpr char kNote[] = "figureNote";
constexpr char kSide[] = "figureSide";
constexpr char kBytes[] = "figureBytes";
/// In less height a chart and a table beneath it are both too small to read.
constexpr int kRoomForTable = 400;
/// In less width a table and what is beside it are.
constexpr int kRoomForSide = 560;

/// Rows of a table, where the height follows the content: at least so many, if it has them, and under a chart
/// at most. One with all the width is at most so often as high as it is wide: a figure, not a report. One
/// beside a chart is as high as that.
constexpr int kLeastRows = 10, kMostRowsUnderChart = 24, kMostTableHeight = 2;

/// The width of a column of shares, for its number and a bar beside it; and the least of the first column.
constexpr int kNarrowBar = 84, kLeastName = 72;

const QWidget* shownFigure = nullptr;

QString wordsOf(const QWidget& control) {
    QString text;
    if (const auto* segments = qobject_cast<const SegmentedControl*>(&control))
        text = segments->current() >= 0 ? segments->button(segments->current())->text() : QString();
    else if (const auto* box = qobject_cast<const QComboBox*>(&control))
        text = box->currentText();
    else if (const auto* other = dynamic_cast<const FigureControl*>(&control))
        return other->figureWords();
    const QVariant pattern = control.property(kWords);
    if (!pattern.isValid() || text.isEmpty())
        return text;
    return pattern.toString().isEmpty() ? QString() : pattern.toString().arg(text.toLower());
}

bool isChoice(const QWidget& widget) {
    return qobject_cast<const SegmentedControl*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           dynamic_cast<const FigureControl*>(&widget);
}

bool isControl(const QWidget& widget) {
    return isChoice(widget) || qobject_cast<const QAbstractButton*>(&widget) ||
           qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) || qobject_cast<const QScrollBar*>(&widget);
}

QList<QWidget*> controlsOf(const QWidget& view) {
    QList<QWidget*> controls;
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        // Those of a scroll area follow its policy.
        const bool managed = widget->parentWidget() && qobject_cast<QScrollBar*>(widget) &&
                             widget->parentWidget()->objectName().startsWith(QLatin1String("qt_scrollarea"));
        if (isControl(*widget) && !managed)
            controls << widget;
    }
    return controls;
}

bool isTable(const QWidget& widget) {
    return qobject_cast<const QTableView*>(&widget) || widget.findChild<QTableView*>();
}

/// The height of the line that says how many rows are left out: it has the place of a row.
int leftOutHeight() {
    return Metrics::kTableRow;
}

/// With all its rows, as far as a figure has them. `width`: the view's.
int tableHeight(const QTableView& table, int width, bool underChart) {
    const QHeaderView& down = *table.verticalHeader();
    const int row = std::max(1, down.defaultSectionSize());
    const int rows = table.model() ? table.model()->rowCount() : 0;
    const int head = table.height() - table.viewport()->height();
    const bool beside = table.width() < width * 3 / 4;
    const int most = beside ? table.height() : kMostTableHeight * table.width();
    const int fit = (most - head - leftOutHeight()) / row;
    const bool allFit = !underChart && rows <= (most - head) / row;
    const int shown =
        allFit ? rows : std::min(rows, underChart ? kMostRowsUnderChart : std::max(kLeastRows, fit));
    // One without any says so in a sentence.
    return head + (rows > 0 ? shown : 3) * row + (shown < rows ? leftOutHeight() : 0);
}

/// That nothing of a column is cut off, in the rows that a figure may have.
int widthOf(const QTableView& table, int column) {
    constexpr int kRows = 60;
    int width = table.horizontalHeader()->sectionSizeHint(column);
    const QStyleOptionViewItem option;
    for (int row = 0; row < std::min(kRows, table.model()->rowCount()); ++row) {
        const QModelIndex cell = table.model()->index(row, column);
        width = std::max(width, table.itemDelegateForIndex(cell)->sizeHint(option, cell).width());
    }
    return width;
}

/// What a column's rows hold but those from `first` to before `after`. In a tree, a node that is left out is
/// in the sum itself, and not what is within it.
Bytes bytesBeside(const QTableView& table, int column, int first, int after) {
    const QAbstractItemModel& model = *table.model();
    Bytes sum;
    bool nodeIsSeen = true;
    for (int row = 0; row < model.rowCount(); ++row) {
        bool within = false;
        for (int other = 0; other < model.columnCount() && !within; ++other)
            within = model.index(row, other).data(kDepthRole).toInt() > 0;
        const bool seen = row >= first && row < after;
        if (!seen && (!within || nodeIsSeen))
            sum += Bytes(model.index(row, column).data(kPlainRole).toLongLong());
        if (!within)
            nodeIsSeen = seen;
    }
    return sum;
}

}  // namespace

void setFigureWords(QWidget& choice, const QString& pattern) {
    choice.setProperty(kWords, pattern);
}

void setFigureBytes(QTableView& table, int column) {
    table.setProperty(kBytes, column);
}

void setBesideTable(QWidget& part) {
    part.setProperty(kSide, true);
}

bool FigureMode::holds(const QWidget& widget) {
    return shownFigure && (shownFigure == &widget || shownFigure->isAncestorOf(&widget));
}

FigureMode::FigureMode(QWidget& view, QSize size, bool follows)
    : m_view(view), m_follows(follows), m_focus(QApplication::focusWidget()) {
    QList<QWidget*> choices;
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        // One with words of its own is told also where the window had no room for it.
        const bool told = widget->isVisibleTo(&view) ||
                          (widget->property(kWords).isValid() && widget->parentWidget()->isVisibleTo(&view));
        if (isChoice(*widget) && told)
            choices << widget;
    }
    // As they are read.
    std::stable_sort(choices.begin(), choices.end(), [&view](const QWidget* a, const QWidget* b) {
        const QPoint left = a->mapTo(&view, QPoint()), right = b->mapTo(&view, QPoint());
        const bool oneRow = std::abs(left.y() - right.y()) < 12;
        return oneRow ? left.x() < right.x() : left.y() < right.y();
    });
    QStringList words;
    if (const auto* said = dynamic_cast<const FigureControl*>(&view))
        words << said->figureWords();
    for (const QWidget* choice : choices)
        words << wordsOf(*choice);
    words.removeAll(QString());
    m_words = words.join(QStringLiteral(" · "));
    if (!m_words.isEmpty())
        m_words[0] = m_words[0].toUpper();

    shownFigure = &view;
    for (auto* splitter : view.findChildren<QSplitter*>())
        later([splitter, state = splitter->saveState()] { splitter->restoreState(state); });
    QList<QAbstractScrollArea*> areas = view.findChildren<QAbstractScrollArea*>();
    if (auto* area = qobject_cast<QAbstractScrollArea*>(&view))
        areas << area;
    for (QAbstractScrollArea* area : std::as_const(areas)) {
        later([area, across = area->horizontalScrollBarPolicy(), down = area->verticalScrollBarPolicy()] {
            area->setHorizontalScrollBarPolicy(across);
            area->setVerticalScrollBarPolicy(down);
        });
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    for (QWidget* control : controlsOf(view))
        hide(control);
    hideTables(size.height());
    hideBesideTables(size.width());
    QList<QWidget*> parts = view.findChildren<QWidget*>();
    parts << &view;
    for (QWidget* widget : parts) {
        if (auto* part = dynamic_cast<FigurePart*>(widget)) {
            part->setInFigure(true);
            later([part] { part->setInFigure(false); });
        }
    }
}

FigureMode::~FigureMode() {
    shownFigure = nullptr;
    for (const auto& restore : m_restore)
        restore();
    if (m_focus && QApplication::focusWidget() != m_focus)
        m_focus->setFocus(Qt::OtherFocusReason);
}

void FigureMode::hide(QWidget* widget) {
    if (widget->isHidden())
        return;
    widget->hide();
    later([widget = QPointer(widget)] {
        if (widget)
            widget->show();
    });
}

/// Beside a chart, which has the room then.
void FigureMode::hideTables(int height) {
    if (height < kRoomForTable)
        hidePanes(kNote, Qt::Vertical, true);
}

/// What stands at the side of a table, which needs the width.
void FigureMode::hideBesideTables(int width) {
    if (width < kRoomForSide)
        hidePanes(kSide, Qt::Horizontal, false);
}

/// What has the property, and where something else is left in its splitter, the tables or all but those.
void FigureMode::hidePanes(const char* property, Qt::Orientation orientation, bool tables) {
    for (QWidget* widget : m_view.findChildren<QWidget*>()) {
        if (widget->property(property).toBool())
            hide(widget);
    }
    for (auto* splitter : m_view.findChildren<QSplitter*>()) {
        QList<QWidget*> panes;
        for (int i = 0; i < splitter->count(); ++i) {
            if (isTable(*splitter->widget(i)) == tables)
                panes << splitter->widget(i);
        }
        const bool own = tables && dynamic_cast<FigurePart*>(splitter);  // it knows better
        if (!own && splitter->orientation() == orientation && panes.size() < splitter->count()) {
            for (QWidget* pane : panes)
                hide(pane);
        }
    }
}

/// A part as it would be with all that is in it; what has no height of its own stays as it is.
int FigureMode::heightOf(const QWidget& part, bool underChart) const {
    if (auto* own = dynamic_cast<FigurePart*>(const_cast<QWidget*>(&part))) {
        if (const int height = own->figureHeight(part.width(), m_most); height > 0)
            return std::max({height, part.minimumHeight(), part.minimumSizeHint().height()});
    }
    if (const auto* table = qobject_cast<const QTableView*>(&part))
        return tableHeight(*table, m_view.width(), underChart);
    if (const auto* area = qobject_cast<const QScrollArea*>(&part); area && area->widget()) {
        const QWidget& page = *area->widget();
        const int width = area->viewport()->width();
        return page.layout() && page.layout()->hasHeightForWidth() ? page.layout()->heightForWidth(width)
                                                                   : page.sizeHint().height();
    }
    // What stands beside each other is as high as the highest of it: by their tops, what is now and would be.
    std::map<int, std::pair<int, int>> rows;
    const bool splits = qobject_cast<const QSplitter*>(&part);
    bool chartBefore = underChart;
    for (const QObject* object : part.children()) {
        const auto* child = qobject_cast<const QWidget*>(object);
        if (!child || child->isWindow() || child->isHidden() || qobject_cast<const QSplitterHandle*>(child))
            continue;
        auto& [now, wanted] = rows[child->y()];
        now = std::max(now, child->height());
        wanted = std::max(wanted, heightOf(*child, chartBefore));
        chartBefore = chartBefore || (splits && !isTable(*child));
    }
    int height = part.height();
    for (const auto& [top, row] : rows)
        height += row.second - row.first;
    return height;
}

int FigureMode::contentHeight(int most) {
    m_most = most;
    return heightOf(m_view, false);
}

/// Between a chart and the table under it, as contentHeight() has counted.
void FigureMode::shareRoom() {
    for (auto* splitter : m_view.findChildren<QSplitter*>()) {
        if (splitter->orientation() != Qt::Vertical || !splitter->isVisibleTo(&m_view) ||
            dynamic_cast<FigurePart*>(splitter))
            continue;
        QList<int> sizes = splitter->sizes();
        int tables = 0, charts = 0;
        for (int i = 0; i < splitter->count(); ++i) {
            if (splitter->widget(i)->isHidden())
                continue;
            if (!isTable(*splitter->widget(i))) {
                charts += sizes[i];
                continue;
            }
            const int wanted = heightOf(*splitter->widget(i), true);
            tables += sizes[i] - wanted;
            sizes[i] = wanted;
        }
        // What the tables leave, or take, is the first chart's.
        for (int i = 0; i < splitter->count() && charts > 0 && charts + tables > charts / 4; ++i) {
            if (splitter->widget(i)->isHidden() || isTable(*splitter->widget(i)))
                continue;
            sizes[i] += tables;
            splitter->setSizes(sizes);
            break;
        }
    }
}

void FigureMode::fit() {
    // What the view has shown for this size does not come back afterwards: at its own size it was not there.
    for (QWidget* control : controlsOf(m_view))
        control->hide();
    if (m_follows)
        shareRoom();
    // What a part leaves out is room for others in it: those around it first.
    QList<QWidget*> parts = m_view.findChildren<QWidget*>();
    parts.prepend(&m_view);
    for (QWidget* widget : parts) {
        if (auto* part = dynamic_cast<FigurePart*>(widget))
            part->fitInFigure();
    }
    for (auto* table : m_view.findChildren<QTableView*>()) {
        if (table->isVisibleTo(&m_view) && table->model())
            fitTable(*table);
    }
}

/// Columns that do not fit as wide as they are get as narrow as what is in them; those that still do not fit
/// are left out.
void FigureMode::fitTable(QTableView& table) {
    QHeaderView& across = *table.horizontalHeader();
    const int room = table.viewport()->width();
    const auto endOf = [&across](int column) {
        return across.sectionViewportPosition(column) + across.sectionSize(column);
    };
    QList<int> columns;
    for (int i = 0; i < across.count(); ++i) {
        if (const int column = across.logicalIndex(i); !across.isSectionHidden(column))
            columns << column;
    }
    if (columns.isEmpty())
        return;
    // A last column of numbers stretched to the edge would stand far from the others.
    const auto isNumber = [&table](int column) {
        return table.model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() &
               Qt::AlignRight;
    };
    const bool stretched = across.stretchLastSection() && isNumber(columns.last());
    if (stretched) {
        across.setStretchLastSection(false);
        later([&across] { across.setStretchLastSection(true); });
    }
    const bool crowded = endOf(columns.last()) > room ||
                         widthOf(table, columns.last()) > across.sectionSize(columns.last()) ||
                         (across.sectionResizeMode(columns.first()) == QHeaderView::Stretch &&
                          widthOf(table, columns.first()) > across.sectionSize(columns.first()));
    for (qsizetype i = columns.size() - 1; i > 0 && crowded; --i) {
        const int column = columns[i], before = across.sectionSize(column);
        if (across.sectionResizeMode(column) != QHeaderView::Interactive)
            continue;
        const bool hasBar = table.model()->index(0, column).data(kShareRole).isValid();
        const int needs = std::max(widthOf(table, column), hasBar ? kNarrowBar : 0);
        if (needs >= before)
            continue;
        across.resizeSection(column, needs);
        later([&across, column, before] { across.resizeSection(column, before); });
    }
    // The first one too, where the last, which takes what is left, would still be cut.
    if (const int column = columns.first(), before = across.sectionSize(column);
        crowded && !stretched && across.stretchLastSection() && widthOf(table, column) < before &&
        widthOf(table, columns.last()) > across.sectionSize(columns.last()) &&
        across.sectionResizeMode(column) == QHeaderView::Interactive) {
        across.resizeSection(column, widthOf(table, column));
        later([&across, column, before] { across.resizeSection(column, before); });
    }
    for (qsizetype i = columns.size() - 1; i > 0; --i) {
        const int column = columns[i];
        if (endOf(column) <= room)
            continue;
        table.setColumnHidden(column, true);
        later([&table, column] { table.setColumnHidden(column, false); });
        columns.removeAt(i);
    }
    // What is left goes to the last of the texts before the numbers.
    qsizetype texts = 1;
    while (texts < columns.size() && !isNumber(columns[texts]))
        ++texts;
    const int grows = columns[texts < columns.size() ? texts - 1 : 0];
    int left = room - endOf(columns.last());
    // A text at the end is read whole first.
    if (const int last = columns.last(), before = across.sectionSize(last);
        left > 0 && !isNumber(last) && last != grows && widthOf(table, last) > before) {
        across.resizeSection(last, std::min(widthOf(table, last), before + left));
        later([&across, last, before] { across.resizeSection(last, before); });
        left = room - endOf(last);
    }
    if (left != 0 && across.sectionResizeMode(grows) == QHeaderView::Interactive) {
        const int before = across.sectionSize(grows);
        across.resizeSection(grows, std::max(kLeastName, before + left));
        later([&across, grows, before] { across.resizeSection(grows, before); });
    }
    leaveOutRows(table);
}

/// Rows that are not there whole, but for the first; where there is room, a line in their place says how many
/// they are.
void FigureMode::leaveOutRows(QTableView& table) {
    const QHeaderView& down = *table.verticalHeader();
    QWidget* const viewport = table.viewport();
    const int rows = table.model()->rowCount(), first = down.logicalIndexAt(0);
    const auto bottomOf = [&down](int row) {
        return down.sectionViewportPosition(row) + down.sectionSize(row);
    };
    if (first < 0 || (first == 0 && bottomOf(rows - 1) <= viewport->height()))
        return;
    const auto afterWhole = [&](int height) {
        int row = first;
        while (row < rows && bottomOf(row) <= height)
            ++row;
        return row;
    };
    const int withLine = afterWhole(viewport->height() - leftOutHeight());
    const int after = withLine > first ? withLine : afterWhole(viewport->height());
    if (after == first)
        return;
    // Not hidden: the row after them would move up to stand in their place, cut as well.
    const int end = bottomOf(after - 1);
    viewport->setMask(QRegion(0, 0, viewport->width(), end));
    later([viewport] { viewport->clearMask(); });
    if (withLine == first)
        return;
    const int leftOut = rows - (after - first);
    QString text = leftOut == 1 ? QCoreApplication::translate("FigureMode", "1 more row")
                                : QCoreApplication::translate("FigureMode", "%1 more rows")
                                      .arg(QString::fromStdString(formatGrouped(leftOut)));
    if (const QVariant column = table.property(kBytes); column.isValid())
        text +=
            (leftOut == 1 ? QCoreApplication::translate("FigureMode", " holds %1")
                          : QCoreApplication::translate("FigureMode", " hold %1"))
                .arg(QString::fromStdString(formatBytes(bytesBeside(table, column.toInt(), first, after))));
    auto* line = new QLabel(text, &table);
    setSecondary(line);
    line->setGeometry(viewport->x() + Metrics::kSpace3, viewport->y() + end,
                      viewport->width() - Metrics::kSpace3, leftOutHeight());
    line->show();
    later([line = QPointer(line)] { delete line; });
}

}  // namespace warpglass::ui
