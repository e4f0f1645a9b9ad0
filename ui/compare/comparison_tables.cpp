#include "ui/compare/comparison_tables.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>
#include <string>

#include "ui/compare/comparison_total.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/elided_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Wide enough for the words over the table in its header.
constexpr int kWideFigure = 1100;

/// Both a table and that of memory with all their columns, and names as wide as a table has them.
constexpr int kRoomForTwo = 2200;

}  // namespace

ComparisonTables::ComparisonTables(QWidget* parent) : QWidget(parent) {
    // On a ground of its own: it is of what is selected above, and no title of the table.
    m_selected = new QFrame(this);
    m_selected->setProperty("ground", true);
    m_line = named(new ElidedLabel(m_selected), "comparisonMessage");
    m_line->setFont(Theme::tableFont());
    spaced(new QVBoxLayout(m_selected), Metrics::kBarMargins, 0)->addWidget(m_line);
    m_bar = new ComparisonBar(this);  // before the table: so Tab goes down the page
    connectBar();
    m_table = addTable(QStringLiteral("comparisonRows"), m_model);
    m_table->setAccessibleName(tr("Differences"));
    m_memoryTable = addTable(QStringLiteral("comparisonMemoryRows"), m_memory);
    m_memoryTable->setAccessibleName(tr("Differences in memory"));
    m_memoryTable->setEmptyText(tr("Neither run has any of these"));
    const auto memoryChosen = [this](const QModelIndex& index) {
        chooseMemory(m_memory, m_memoryTable->proxy()->mapToSource(index).row());
    };
    connect(m_memoryTable, &QAbstractItemView::clicked, this, memoryChosen);
    connect(m_memoryTable, &DataTable::rowActivated, this, [this](int row) { chooseMemory(m_memory, row); });
    const auto chosen = [this](const QModelIndex& index) {
        chooseRow(m_table->proxy()->mapToSource(index).row());
    };
    connect(m_table, &QAbstractItemView::clicked, this, chosen);
    connect(m_table, &DataTable::rowActivated, this, &ComparisonTables::chooseRow);
    m_split = divided(named(new QSplitter(Qt::Horizontal, this), "comparisonMemorySplitter"));
    m_split->addWidget(m_table);
    auto* column = spaced(new QVBoxLayout(this), {}, 0);
    addAll(column, {m_selected, m_bar});
    auto* tables = new QHBoxLayout;
    tables->setSpacing(Metrics::kSpace4);
    tables->addWidget(m_split, 1);
    tables->addWidget(m_memoryTable, 1);
    column->addLayout(tables, 1);
    m_total = new ComparisonTotal(*m_table, this);
    column->addWidget(m_total);
    m_table->proxy()->setFilterRole(kPlainRole);  // the whole name, of which a cell may show less
    setMessage({});
    showMemory();
}

void ComparisonTables::connectBar() {
    connect(m_bar, &ComparisonBar::tableChosen, this, [this] {
        showTable();
        showChart();
        emit memoryLeft();
    });
    connect(m_bar, &ComparisonBar::filterChanged, this, &ComparisonTables::showFilter);
    connect(m_bar, &ComparisonBar::stepped, this, &ComparisonTables::step);
    connect(m_bar, &ComparisonBar::rowsWanted, this, [this] {
        m_table->setFocus(Qt::OtherFocusReason);
        if (!m_table->currentIndex().isValid())
            m_table->selectRow(0);
    });
}

DataTable* ComparisonTables::addTable(const QString& name, ComparisonModel& model) {
    auto* table = new DataTable(this);
    table->setObjectName(name);
    table->setTable(&model, model.column("difference"), Qt::DescendingOrder);
    table->setColumnPriority(model.priority(false));
    return table;
}

ComparisonTables::Choices ComparisonTables::choices() const {
    return {m_bar->tableIndex(), m_bar->steps(), m_bar->perToken(), m_table->place()};
}

void ComparisonTables::restore(const Choices& choices) {
    m_bar->setTableIndex(choices.table);
    m_bar->setSteps(choices.steps);
    m_bar->setPerToken(choices.perToken);
    showTable();
    showChart();
    m_table->restorePlace(choices.place);
}

void ComparisonTables::setChart(QWidget* chart) {
    m_chart = chart;
    if (chart)
        m_split->insertWidget(0, chart);
    showChart();
}

void ComparisonTables::showChart() {
    if (m_chart && m_split->isAncestorOf(m_chart))
        m_chart->setVisible(shownTable() == ComparedTable::kMemory);
}

void ComparisonTables::setMessage(const QString& text) {
    m_message = text;
    m_line->setText(!text.isEmpty() ? text
                                    : tr("Click a block in either timeline to see here how long both runs "
                                         "took for it; its row is selected if the table has one"));
    m_selected->setVisible(!text.isEmpty() || !m_inFigure);
    restyle(*m_line, "secondary", text.isEmpty());
}

void ComparisonTables::setFigures(std::shared_ptr<const ComparisonFigures> figures) {
    m_figures = std::move(figures);
    showTable();
}

void ComparisonTables::setNone(const QString& why) {
    m_figures.reset();
    m_table->setEmptyText(why);
    showTable();
}

void ComparisonTables::showTable() {
    showMemory();
    if (!m_figures) {
        m_model.setRows({}, Unit::kNanoseconds, {});
        m_total->setTotal(std::nullopt, {});
        return showWords();
    }
    const ComparedTable shown = shownTable();
    const bool bytes = shown == ComparedTable::kMemory, phases = shown == ComparedTable::kPhases;
    const std::vector<ComparisonRow> memory = memoryRowsOf(*m_figures, shown);
    m_model.setMemoryWords(memory.empty() ? QString()
                           : phases ? tr("the peak while the phase ran, in the steps named above the table")
                           : shown == ComparedTable::kModules
                               ? tr("what the module had requested that was live at the peak")
                               : tr("what the op had requested that was live at the peak"));
    ComparisonShown as;
    as.completeSteps = !bytes && m_figures->scope.steps != ComparisonScope::Steps::kOne;
    as.code = !bytes && !phases;
    if (!as.code)
        as.swatches = bytes ? Swatch::kCategory : Swatch::kPhase;
    m_total->setTotal(totalOf(*m_figures, shown), as);
    m_model.setRows(rowsOf(*m_figures, shown), bytes ? Unit::kBytes : Unit::kNanoseconds, as, memory);
    m_table->setColumnPriority(m_model.priority(!memory.empty()));
    showFilter();
    showWords();
}

/// Where there is room for both, and it is not the table that is chosen.
void ComparisonTables::showMemory() {
    const bool beside =
        m_figures && !m_inFigure && width() >= kRoomForTwo && shownTable() != ComparedTable::kMemory;
    m_memory.setRows(beside ? rowsOf(*m_figures, ComparedTable::kMemory) : std::vector<ComparisonRow>(),
                     Unit::kBytes, {.swatches = Swatch::kCategory});
    if (beside)
        m_memory.setNameTitle(m_figures->scope.steps == ComparisonScope::Steps::kOne
                                  ? tr("Memory at the peak of each of the two steps")
                                  : tr("Memory at the peak of each run"));
    m_memoryTable->setVisible(beside);
}

void ComparisonTables::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_inFigure)
        showWords();
    const bool beside = m_memoryTable->isVisibleTo(this);
    if (beside == (width() >= kRoomForTwo))
        return;
    showMemory();
    if (beside)
        emit memoryLeft();
}

/// Where this table has no such row, how many the others have.
void ComparisonTables::showFilter() {
    const QString text = m_bar->filter();
    m_table->setFilter(m_model.column("name"), text);
    if (!m_figures)
        return;
    if (text.isEmpty() || m_table->shownRows() > 0)
        return m_table->setEmptyText(tr("Neither run has any of these"));
    QStringList others;
    for (const ComparedTable other : kComparedTables) {
        const int named = other == shownTable() ? 0 : namesWith(*m_figures, other, text);
        if (named > 0)
            others << tr("%1 in %2").arg(named).arg(ComparisonBar::nameOf(other));
    }
    m_table->setEmptyText(others.isEmpty()
                              ? tr("Neither run has this name")
                              : tr("No such name here; %1").arg(others.join(QStringLiteral(", "))));
}

void ComparisonTables::step(int by) {
    const int rows = m_table->shownRows();
    if (rows == 0)
        return;
    const QModelIndex current = m_table->currentIndex();
    const int from = current.isValid() ? current.row() : by > 0 ? -1 : 0;
    const QModelIndex next = m_table->proxy()->index((from + by + rows) % rows, 0);
    m_table->selectRow(next.row());
    m_table->scrollTo(next);
    chooseRow(m_table->proxy()->mapToSource(next).row());
}

void ComparisonTables::selectRowOf(const Landmark& landmark, const std::string& kernel, bool ofA) {
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    if (!m_figures)
        return;
    const std::string name = rowNameOf(*m_figures, shownTable(), landmark, kernel, ofA);
    for (int row = 0; row < m_model.rowCount() && !name.empty(); ++row) {
        if (m_model.rowAt(row).name != name)
            continue;
        const QModelIndex shown = m_table->proxy()->mapFromSource(m_model.index(row, 0));
        if (shown.isValid()) {
            m_table->selectRow(shown.row());
            m_table->scrollTo(shown);
        }
        return;
    }
}

bool ComparisonTables::isWideFigure() const {
    return m_inFigure && width() >= kWideFigure;
}

/// Which table it is too, where no control says it.
void ComparisonTables::showWords() {
    const QString name = ComparisonBar::nameOf(shownTable());
    const QString said = m_figures ? wordsOf(*m_figures, shownTable()) : QString();
    const QString both = said.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, said);
    const bool inHeader = isWideFigure() && m_figures;
    m_bar->setWords(m_inFigure ? both : said);
    m_bar->setHidden(inHeader);
    m_model.setNameTitle(inHeader ? both : QString());
}

void ComparisonTables::chooseRow(int row) {
    if (!m_figures || row < 0 || row >= m_model.rowCount())
        return;
    const ComparisonRow chosen = m_model.rowAt(row);
    if (shownTable() == ComparedTable::kMemory)
        return chooseMemory(m_model, row);
    if (m_memoryTable->isVisible()) {
        m_memoryTable->clearSelection();
        emit memoryLeft();  // or the chart would go on with the category that was chosen beside
    }
    emit rowChosen(landmarkOf(*m_figures, shownTable(), chosen, true),
                   landmarkOf(*m_figures, shownTable(), chosen, false), toQString(chosen.name));
}

void ComparisonTables::chooseMemory(const ComparisonModel& model, int row) {
    if (row < 0 || row >= model.rowCount())
        return;
    const ComparisonRow chosen = model.rowAt(row);  // what it leads to may replace the rows
    emit memoryChosen(chosen, categoryNamed(chosen.name));
}

}  // namespace warpglass::ui
