#include "ui/compare/comparison_tables.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/models/table_model.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/icons.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr std::array kTableNames = {QT_TR_NOOP("Kernels"), QT_TR_NOOP("Ops"), QT_TR_NOOP("Modules"),
                                    QT_TR_NOOP("Phases"), QT_TR_NOOP("Memory")};

constexpr int kFilterWidth = 150;

const QList<int> kTimeColumns = {ComparisonModel::kName, ComparisonModel::kA, ComparisonModel::kB,
                                 ComparisonModel::kDifference, ComparisonModel::kRatio};
const QList<int> kAllColumns =
    kTimeColumns + QList<int>{ComparisonModel::kMemoryA, ComparisonModel::kMemoryB,
                              ComparisonModel::kMemoryDifference, ComparisonModel::kMemoryRatio};

/// Without what ran outside any phase: no step's.
std::vector<ComparisonRow> withoutNoPhase(std::vector<ComparisonRow> rows) {
    std::erase_if(rows, [](const ComparisonRow& row) {
        return row.name == kPhaseNames[static_cast<std::size_t>(Phase::kNone)];
    });
    return rows;
}

std::vector<ComparisonRow> kernelRows(const ComparisonFigures& figures) {
    std::vector<ComparisonRow> rows;
    rows.reserve(figures.kernels.size());
    // Where records of kernels are missing, these rows say so.
    const std::vector<ComparisonRow>& sums = figures.rows.kernels;
    const bool lostA = !sums.empty() && sums.front().recordsLostA;
    const bool lostB = !sums.empty() && sums.front().recordsLostB;
    for (const KernelMatch& match : figures.kernels)
        rows.push_back({match.name(), match.a, match.b, !match.namesA.empty(), !match.namesB.empty(),
                        figures.rows.atLeastTimesA || lostA, figures.rows.atLeastTimesB || lostB,
                        figures.rows.stepsLostA, figures.rows.stepsLostB, lostA, lostB});
    return rows;
}

Phase phaseNamed(const std::string& name) {
    const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), name);
    return found == kPhaseNames.end() ? Phase::kNone : static_cast<Phase>(found - kPhaseNames.begin());
}

std::optional<Category> categoryNamed(const std::string& name) {
    const auto found = std::find(kCategoryNames.begin(), kCategoryNames.end(), name);
    return found == kCategoryNames.end()
               ? std::nullopt
               : std::optional(static_cast<Category>(found - kCategoryNames.begin()));
}

}  // namespace

ComparisonTables::ComparisonTables(QWidget* parent) : QWidget(parent) {
    m_line = new ElidedLabel(this);
    m_line->setObjectName(QStringLiteral("comparisonMessage"));
    m_line->setFont(Theme::tableFont());
    m_line->setContentsMargins(Metrics::kSpace3, Metrics::kSpace1, Metrics::kSpace3, 0);
    QLayout* bar = buildBar();  // before the table: so Tab goes down the page
    m_table = new DataTable(this);
    m_table->setObjectName(QStringLiteral("comparisonRows"));
    m_table->setAccessibleName(tr("Differences"));
    m_table->setTable(&m_model, ComparisonModel::kDifference, Qt::DescendingOrder);
    m_table->setColumnPriority(kTimeColumns);
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
    column->addWidget(m_line);
    column->addLayout(bar);
    column->addWidget(m_split, 1);
    setMessage({});
}

QLayout* ComparisonTables::buildBar() {
    QStringList names;
    for (const char* name : kTableNames)
        names << tr(name);
    m_tables = new SegmentedControl(names, this);
    m_tables->setObjectName(QStringLiteral("comparisonTables"));
    m_tables->setAccessibleName(tr("What is compared"));
    m_tables->button(kKernels)->setToolTip(
        tr("By the op that launched them and by name; where names differ, by the op alone"));
    m_tables->button(kOps)->setToolTip(
        tr("By op; on a GPU, the time of the kernels that it launched. Memory: "
           "what it had asked for and was alive at the peak"));
    m_tables->button(kModules)->setToolTip(
        tr("By module, with the modules within it. Memory: what they had "
           "asked for and was alive at the peak"));
    m_tables->button(kPhases)->setToolTip(
        tr("By phase; on a GPU, the time of what it launched. Memory: the "
           "most while the phase ran, of the same steps"));
    m_tables->button(kMemory)->setToolTip(tr("Categories at each run's peak"));
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
    m_perToken->setToolTip(
        tr("Times by the tokens of the steps, batch × context: for runs whose steps differ in size"));
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
        tr("Only rows whose name contains this, of either run (Ctrl+F). Enter and F3 show the "
           "next one in both timelines, Esc shows all again"));
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
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace2);
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps, m_tokens})
        bar->addWidget(control);
    bar->addWidget(m_words, 1);
    bar->addWidget(m_filter);
    return bar;
}

void ComparisonTables::setHasKernels(bool has) {
    m_tables->button(kKernels)->setEnabled(has);
    if (m_tables->current() < 0 || (!has && m_tables->current() == kKernels))
        m_tables->setCurrent(has ? kKernels : kOps);
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
        m_chart->setVisible(m_tables->current() == kMemory);
}

void ComparisonTables::setMessage(const QString& text) {
    m_message = text;
    m_line->setText(!text.isEmpty()
                        ? text
                        : tr("Click a block in either timeline: what both runs took for it stands "
                             "here, and its row is selected"));
    m_line->setProperty("secondary", text.isEmpty());
    m_line->style()->unpolish(m_line);
    m_line->style()->polish(m_line);
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

/// Whether a run's times in the tables are its GPU's.
bool ComparisonTables::onGpu(bool ofA) const {
    const RunComparison& c = m_figures->rows;
    return c.mixed() ? (ofA ? c.gpuA : c.gpuB) : c.gpuA;
}

/// Of whichever table, as it is compared; of kernels as they are matched.
std::vector<ComparisonRow> ComparisonTables::rowsOf(int table) const {
    const RunComparison& c = m_figures->rows;
    const bool gpu = c.gpuA && c.gpuB;
    const auto of = [&](const auto& mixed, const auto& onGpus, const auto& onHosts) {
        return c.mixed() ? mixed : gpu ? onGpus : onHosts;
    };
    switch (table) {
        case kKernels:
            return kernelRows(*m_figures);
        case kOps:
            return of(c.mixedOps, c.gpuOps, c.ops);
        case kModules:
            return of(c.mixedModules, c.gpuModules, c.modules);
        case kPhases:
            return withoutNoPhase(of(c.mixedPhases, c.gpuPhases, c.phases));
        default:
            return c.categories;
    }
}

/// Bytes of the same names; of kernels there are none.
std::vector<ComparisonRow> ComparisonTables::memoryOf(int table) const {
    const RunComparison& c = m_figures->rows;
    return table == kOps       ? c.opMemory
           : table == kModules ? c.moduleMemory
           : table == kPhases  ? c.phaseMemory
                               : std::vector<ComparisonRow>();
}

void ComparisonTables::showTable() {
    using Unit = ComparisonModel::Unit;
    if (!m_figures) {
        m_model.setRows({}, Unit::kNanoseconds, false, -1);
        return showWords();
    }
    const int table = m_tables->current();
    const std::vector<ComparisonRow> memory = memoryOf(table);
    m_table->setColumnPriority(memory.empty() ? kTimeColumns : kAllColumns);
    m_model.setMemoryWords(table == kPhases
                               ? tr("the most while the phase ran, of the steps named above the table")
                           : table == kModules ? tr("what the module had asked for and was alive at the peak")
                                               : tr("what the op had asked for and was alive at the peak"));
    m_model.setRows(rowsOf(table), table == kMemory ? Unit::kBytes : Unit::kNanoseconds,
                    table == kKernels || table == kOps || table == kModules,
                    table == kMemory   ? Swatch::kCategory
                    : table == kPhases ? Swatch::kPhase
                                       : -1,
                    table != kMemory && m_figures->scope.steps != ComparisonScope::Steps::kOne, memory);
    showFilter();
    showWords();
}

/// Where this table has no such row, how many the others have.
void ComparisonTables::showFilter() {
    const QString text = m_filter->text();
    m_table->setFilter(ComparisonModel::kName, text);
    if (!m_figures)
        return;
    if (text.isEmpty() || m_table->shownRows() > 0)
        return m_table->setEmptyText(tr("Neither run has any of these"));
    QStringList others;
    for (int table = 0; table < m_tables->count(); ++table) {
        const std::vector<ComparisonRow> rows =
            table == m_tables->current() ? std::vector<ComparisonRow>() : rowsOf(table);
        const auto count = std::count_if(rows.begin(), rows.end(), [&text](const ComparisonRow& row) {
            return toQString(row.name).contains(text, Qt::CaseInsensitive);
        });
        if (count > 0)
            others << tr("%1 in %2").arg(count).arg(m_tables->button(table)->text());
    }
    m_table->setEmptyText(others.isEmpty()
                              ? tr("Nothing of either run is called that")
                              : tr("None here is called that; %1").arg(others.join(QStringLiteral(", "))));
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
    std::string name;
    switch (m_tables->current()) {
        case kKernels: {
            const auto match =
                std::find_if(m_figures->kernels.begin(), m_figures->kernels.end(), [&](const KernelMatch& m) {
                    const auto& names = ofA ? m.namesA : m.namesB;
                    return landmark.kind == Landmark::Kind::kKernel && m.op == landmark.op &&
                           std::find(names.begin(), names.end(), kernel) != names.end();
                });
            name = match == m_figures->kernels.end() ? std::string() : match->name();
            break;
        }
        case kOps:
            name = landmark.op;
            break;
        case kModules:
            name = landmark.module;
            break;
        case kPhases:
            name = landmark.phase == Phase::kNone ? std::string() : std::string(phaseName(landmark.phase));
            break;
        default:
            break;
    }
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

/// Which table it is too, where no control says it.
void ComparisonTables::showWords() {
    const int table = std::clamp(m_tables->current(), 0, static_cast<int>(kTableNames.size()) - 1);
    const QString name = tr(kTableNames[static_cast<std::size_t>(table)]);
    const QString said = words();
    m_words->setText(!m_inFigure ? said : said.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, said));
}

/// "GPU time, mean of a measured step (3 of A, 3 of B)"; nothing without figures.
QString ComparisonTables::words() const {
    if (!m_figures)
        return {};
    const RunComparison& c = m_figures->rows;
    const bool one = m_figures->scope.steps == ComparisonScope::Steps::kOne;
    if (m_tables->current() == kMemory)
        return one ? tr("Bytes at the peak of each of the two steps")
                   : tr("Bytes at the peak of each run, whatever its steps");
    const QString what =
        m_tables->current() == kKernels ? tr("GPU time")
        : c.mixed() ? (c.gpuA ? tr("GPU time of A, CPU time of B") : tr("CPU time of A, GPU time of B"))
        : c.gpuA    ? tr("GPU time")
                    : tr("CPU time");
    const QString times = QStringLiteral("%1, %2").arg(what, toQString(m_figures->words));
    if (memoryOf(m_tables->current()).empty())
        return times;
    return m_tables->current() == kPhases ? tr("%1; memory: the most while it ran").arg(times)
           : one                          ? tr("%1; memory: at each step's peak").arg(times)
                                          : tr("%1; memory: at each run's peak").arg(times);
}

std::optional<Landmark> ComparisonTables::landmarkOf(const ComparisonRow& row, bool ofA) const {
    if (!(ofA ? row.inA : row.inB) || (m_tables->current() != kKernels && row.name.starts_with('(')))
        return std::nullopt;
    Landmark landmark;
    switch (m_tables->current()) {
        case kKernels: {
            const auto match = std::find_if(m_figures->kernels.begin(), m_figures->kernels.end(),
                                            [&row](const KernelMatch& m) { return m.name() == row.name; });
            if (match == m_figures->kernels.end())
                return std::nullopt;
            landmark.kind = Landmark::Kind::kKernel;
            landmark.op = match->op;
            landmark.kernels = ofA ? match->namesA : match->namesB;
            return landmark;
        }
        case kOps:
            landmark.kind = onGpu(ofA) ? Landmark::Kind::kKernel : Landmark::Kind::kOp;
            landmark.op = row.name;
            return landmark;
        case kModules:
            landmark.kind = Landmark::Kind::kModule;
            landmark.onGpu = onGpu(ofA);
            landmark.module = row.name;
            return landmark;
        case kPhases:
            landmark.phase = phaseNamed(row.name);
            if (landmark.phase != Phase::kNone)
                landmark.kind = Landmark::Kind::kPhase;
            landmark.onGpu = onGpu(ofA);
            return landmark;
        default:
            return std::nullopt;
    }
}

void ComparisonTables::chooseRow(int row) {
    if (!m_figures || row < 0 || row >= m_model.rowCount())
        return;
    const ComparisonRow chosen = m_model.rowAt(row);
    if (m_tables->current() == kMemory)
        return emit memoryChosen(chosen, categoryNamed(chosen.name));
    emit rowChosen(landmarkOf(chosen, true), landmarkOf(chosen, false), toQString(chosen.name));
}

void ComparisonTables::setFigure(bool figure) {
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps, m_tokens, m_filter})
        control->setVisible(!figure);
    m_line->setVisible(!figure || !m_message.isEmpty());
    m_inFigure = figure;
    showWords();
}

}  // namespace warpglass::ui
