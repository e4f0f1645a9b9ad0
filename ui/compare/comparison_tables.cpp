#include "ui/compare/comparison_tables.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string>

#include "ui/compare/bridge_line.h"
#include "ui/compare/comparison_total.h"
#include "ui/theme/cell_roles.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/icons.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr std::array kTableNames = {QT_TR_NOOP("Kernels"), QT_TR_NOOP("Ops"), QT_TR_NOOP("Modules"),
                                    QT_TR_NOOP("Phases"), QT_TR_NOOP("Memory")};

constexpr int kFilterWidth = 150;
/// Wide enough for both ways from A to B in one line, and for the words over the table in its header.
constexpr int kWideFigure = 1100;
constexpr QMargins kBarMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);

/// Both a table and that of memory with all their columns, and names as wide as a table has them.
constexpr int kRoomForTwo = 2200;

int indexOf(ComparedTable table) {
    return static_cast<int>(table);
}

QString withoutBrackets(QString text) {
    const auto open = text.indexOf(QLatin1String(" ("));
    const auto close = text.indexOf(QLatin1Char(')'), std::max<qsizetype>(0, open));
    return open < 0 || close < 0 ? text : text.remove(open, close + 1 - open);
}

}  // namespace

ComparisonTables::ComparisonTables(QWidget* parent) : QWidget(parent) {
    m_line = new ElidedLabel(this);
    m_line->setObjectName(QStringLiteral("comparisonMessage"));
    m_line->setFont(Theme::tableFont());
    m_line->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, 0);
    m_timeBridge = new BridgeLine(tr("Step time"), this);
    m_timeBridge->setObjectName(QStringLiteral("comparisonBridge"));
    m_memoryBridge = new BridgeLine(tr("Peak memory"), this);
    m_memoryBridge->setObjectName(QStringLiteral("comparisonMemoryBridge"));
    QLayout* bar = buildBar();  // before the table: so Tab goes down the page
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
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->setObjectName(QStringLiteral("comparisonMemorySplitter"));
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_bridges = new QVBoxLayout;
    m_bridges->setSpacing(0);
    m_bridges->addWidget(m_timeBridge, 3);
    m_bridges->addWidget(m_memoryBridge, 2);
    column->addLayout(m_bridges);
    column->addWidget(m_line);
    column->addLayout(bar);
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

DataTable* ComparisonTables::addTable(const QString& name, ComparisonModel& model) {
    auto* table = new DataTable(this);
    table->setObjectName(name);
    table->setTable(&model, model.column("difference"), Qt::DescendingOrder);
    table->setColumnPriority(model.priority(false));
    return table;
}

QLayout* ComparisonTables::buildBar() {
    QStringList names;
    for (const char* name : kTableNames)
        names << tr(name);
    m_tables = new SegmentedControl(names, this);
    m_tables->setObjectName(QStringLiteral("comparisonTables"));
    m_tables->setAccessibleName(tr("What is compared"));
    m_tables->button(indexOf(ComparedTable::kKernels))
        ->setToolTip(tr("By launching op and by name; where names differ, by op alone"));
    m_tables->button(indexOf(ComparedTable::kOps))
        ->setToolTip(tr("By op; on a GPU, the time of the kernels that it launched. Memory: what it had "
                        "requested that was live at the peak"));
    m_tables->button(indexOf(ComparedTable::kModules))
        ->setToolTip(tr("By module, including the modules within it. Memory: what they had requested that "
                        "was live at the peak"));
    m_tables->button(indexOf(ComparedTable::kPhases))
        ->setToolTip(tr("By phase; on a GPU, the time of what the phase launched (0 if nothing), and for a "
                        "step of everything. Memory: the peak while the phase ran, in the same steps"));
    m_tables->button(indexOf(ComparedTable::kMemory))->setToolTip(tr("Categories at each run's peak"));
    connect(m_tables, &SegmentedControl::chosen, this, [this] {
        showTable();
        showChart();
        emit memoryLeft();
    });
    m_steps = new SegmentedControl({tr("Mean"), tr("Sum"), tr("One step")}, this);
    m_steps->setObjectName(QStringLiteral("comparedSteps"));
    m_steps->setAccessibleName(tr("Which steps are compared"));
    m_steps->button(0)->setToolTip(tr("The mean of the measured steps"));
    m_steps->button(1)->setToolTip(tr("The sum over the measured steps"));
    m_steps->button(2)->setToolTip(tr("The two steps that are aligned"));
    m_steps->setCurrent(0);
    connect(m_steps, &SegmentedControl::chosen, this, &ComparisonTables::scopeChanged);
    for (SegmentedControl* choice : {m_tables, m_steps})
        setFigureWords(*choice, {});  // the line beside them says it
    // It stands beside the choices, and looks as one of them.
    m_tokens = new QFrame(this);
    m_tokens->setProperty("segments", true);
    m_perToken = new QToolButton(m_tokens);
    m_perToken->setObjectName(QStringLiteral("comparedPerToken"));
    m_perToken->setText(tr("Per token"));
    m_perToken->setProperty("segment", true);
    m_perToken->setAutoRaise(true);
    m_perToken->setFont(Theme::tableFont());
    m_perToken->setCheckable(true);
    m_perToken->setFocusPolicy(Qt::StrongFocus);
    m_perToken->setToolTip(tr(
        "Divides times by the tokens of the steps (batch × context), for runs whose steps differ in size"));
    connect(m_perToken, &QToolButton::clicked, this, &ComparisonTables::scopeChanged);
    auto* tokens = new QHBoxLayout(m_tokens);
    tokens->setContentsMargins(2, 2, 2, 2);
    tokens->addWidget(m_perToken);
    m_tokens->setFixedHeight(Metrics::kControlHeight);
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("comparisonFilter"));
    m_filter->setPlaceholderText(tr("Find a name"));
    m_filter->setAccessibleName(tr("Find rows by name"));
    m_filter->setToolTip(
        tr("Shows only rows whose name contains this text, in either run (Ctrl+F). Enter and F3 show the "
           "next one in both timelines; Esc shows all rows again"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFont(Theme::tableFont());
    m_filter->setMaximumWidth(kFilterWidth);
    m_filter->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &ComparisonTables::showFilter);
    m_words = new ElidedLabel(this);
    m_words->setObjectName(QStringLiteral("comparedWords"));
    m_words->setFont(Theme::tableFont());
    m_words->setProperty("secondary", true);
    auto* bar = new QHBoxLayout;
    m_bar = bar;
    bar->setContentsMargins(kBarMargins);
    bar->setSpacing(Metrics::kSpace2);
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps, m_tokens})
        bar->addWidget(control);
    bar->addWidget(m_words, 1);
    bar->addWidget(m_filter);
    return bar;
}

ComparedTable ComparisonTables::shownTable() const {
    return static_cast<ComparedTable>(
        std::clamp(m_tables->current(), 0, static_cast<int>(kTableNames.size()) - 1));
}

void ComparisonTables::setKernels(bool ofA, bool ofB) {
    const bool any = ofA || ofB, compare = ofA && ofB;
    m_tables->button(indexOf(ComparedTable::kKernels))->setEnabled(any);
    // Two runs swapped stay as they are chosen.
    const bool leave = !any || (!compare && m_kernelsCompare);
    m_kernelsCompare = compare;
    if (m_tables->current() < 0 || (leave && shownTable() == ComparedTable::kKernels))
        m_tables->setCurrent(indexOf(compare ? ComparedTable::kKernels : ComparedTable::kOps));
}

void ComparisonTables::setTokensKnown(bool known) {
    m_perToken->setEnabled(known);
    if (!known)
        m_perToken->setChecked(false);
}

ComparisonScope::Steps ComparisonTables::steps() const {
    return static_cast<ComparisonScope::Steps>(std::max(0, m_steps->current()));
}

void ComparisonTables::setSteps(ComparisonScope::Steps steps) {
    m_steps->setCurrent(static_cast<int>(steps));
}

ComparisonTables::Choices ComparisonTables::choices() const {
    return {m_tables->current(), steps(), perToken(), m_table->place()};
}

void ComparisonTables::restore(const Choices& choices) {
    m_tables->setCurrent(choices.table);
    setSteps(choices.steps);
    m_perToken->setChecked(choices.perToken);
    showTable();
    showChart();
    m_table->restorePlace(choices.place);
}

bool ComparisonTables::perToken() const {
    return m_perToken->isChecked();
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
    showLines();
    m_line->setProperty("secondary", text.isEmpty());
    m_line->style()->unpolish(m_line);
    m_line->style()->polish(m_line);
}

void ComparisonTables::setRoomy(bool roomy) {
    m_roomy = roomy;
    showLines();
}

/// The way of what the table is of; in a figure, and where there is room, that of time and of memory.
void ComparisonTables::showLines() {
    const bool says = !m_message.isEmpty(), both = m_roomy || m_inFigure;
    const bool bytes = shownTable() == ComparedTable::kMemory;
    const BridgeLine& own = bytes ? *m_memoryBridge : *m_timeBridge;
    const bool bridge = own.hasBridge();
    m_timeBridge->setVisible(m_timeBridge->hasBridge() && (both || (!bytes && !says)));
    m_memoryBridge->setVisible(m_memoryBridge->hasBridge() && (both || (bytes && !says)));
    m_line->setVisible(says || (!m_inFigure && (m_roomy || !bridge)));
    m_bridges->setDirection(isWideFigure() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
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
        for (BridgeLine* bridge : {m_timeBridge, m_memoryBridge})
            bridge->setBridge(std::nullopt);
        showLines();
        return showWords();
    }
    const ComparedTable shown = shownTable();
    const bool bytes = shown == ComparedTable::kMemory, phases = shown == ComparedTable::kPhases;
    const std::vector<ComparisonRow> memory = memoryRowsOf(*m_figures, shown);
    m_table->setColumnPriority(m_model.priority(!memory.empty()));
    m_model.setMemoryWords(phases ? tr("the peak while the phase ran, in the steps named above the table")
                           : shown == ComparedTable::kModules
                               ? tr("what the module had requested that was live at the peak")
                               : tr("what the op had requested that was live at the peak"));
    ComparisonShown as;
    as.completeSteps = !bytes && m_figures->scope.steps != ComparisonScope::Steps::kOne;
    as.code = !bytes && !phases;
    if (!as.code)
        as.swatches = bytes ? Swatch::kCategory : Swatch::kPhase;
    m_timeBridge->setBridge(m_figures->time);
    m_memoryBridge->setBridge(m_figures->memory);
    showLines();
    m_total->setTotal(totalOf(*m_figures, shown), as);
    m_model.setRows(rowsOf(*m_figures, shown), bytes ? Unit::kBytes : Unit::kNanoseconds, as, memory);
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
    if (m_inFigure) {
        showLines();
        showWords();
    }
    const bool beside = m_memoryTable->isVisibleTo(this);
    if (beside == (width() >= kRoomForTwo))
        return;
    showMemory();
    if (beside)
        emit memoryLeft();
}

/// Where this table has no such row, how many the others have.
void ComparisonTables::showFilter() {
    const QString text = m_filter->text();
    m_table->setFilter(m_model.column("name"), text);
    if (!m_figures)
        return;
    if (text.isEmpty() || m_table->shownRows() > 0)
        return m_table->setEmptyText(tr("Neither run has any of these"));
    QStringList others;
    for (int other = 0; other < m_tables->count(); ++other) {
        if (other == m_tables->current())
            continue;
        if (const int named = namesWith(*m_figures, static_cast<ComparedTable>(other), text); named > 0)
            others << tr("%1 in %2").arg(named).arg(m_tables->button(other)->text());
    }
    m_table->setEmptyText(others.isEmpty()
                              ? tr("Neither run has this name")
                              : tr("No such name here; %1").arg(others.join(QStringLiteral(", "))));
}

void ComparisonTables::openFind() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
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

bool ComparisonTables::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    switch (key.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            step(key.modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        case Qt::Key_Down:
            m_table->setFocus(Qt::OtherFocusReason);
            if (!m_table->currentIndex().isValid())
                m_table->selectRow(0);
            return true;
        case Qt::Key_Escape:
            m_filter->clear();
            emit findLeft();
            return true;
        default:
            return false;
    }
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
    const QString name = tr(kTableNames[static_cast<std::size_t>(shownTable())]);
    const QString said = m_figures ? wordsOf(*m_figures, shownTable()) : QString();
    const QString both = said.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, said);
    const bool inHeader = isWideFigure() && m_figures;
    m_words->setText(m_inFigure ? both : said);
    m_words->setHidden(inHeader);
    m_bar->setContentsMargins(inHeader ? QMargins() : kBarMargins);
    m_model.setNameTitle(inHeader ? both : QString());
    // How many steps it was is the first to go, then what memory is of.
    QStringList shorter;
    if (!m_inFigure) {
        shorter << withoutBrackets(said);
        shorter << shorter.first().section(QLatin1Char(';'), 0, 0);
    }
    m_words->setShorterTexts(shorter);
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
