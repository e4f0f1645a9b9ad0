#include "ui/compare/comparison_tables.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/models/table_model.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr std::array kTableNames = {QT_TR_NOOP("Kernels"), QT_TR_NOOP("Ops"), QT_TR_NOOP("Modules"),
                                    QT_TR_NOOP("Phases"), QT_TR_NOOP("Memory")};

/// Behind the choices of ComparisonScope::Steps.
constexpr int kPerToken = 3;

/// Without what ran outside any phase: no step's.
std::vector<ComparisonRow> withoutNoPhase(std::vector<ComparisonRow> rows) {
    std::erase_if(rows, [](const ComparisonRow& row) {
        return row.name == kPhaseNames[static_cast<std::size_t>(Phase::kNone)];
    });
    return rows;
}

std::vector<ComparisonRow> kernelRows(const std::vector<KernelMatch>& matches) {
    std::vector<ComparisonRow> rows;
    rows.reserve(matches.size());
    for (const KernelMatch& match : matches)
        rows.push_back({match.name(), match.a, match.b, !match.namesA.empty(), !match.namesB.empty()});
    return rows;
}

Phase phaseNamed(const std::string& name) {
    const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), name);
    return found == kPhaseNames.end() ? Phase::kNone : static_cast<Phase>(found - kPhaseNames.begin());
}

}  // namespace

ComparisonTables::ComparisonTables(QWidget* parent) : QWidget(parent) {
    QStringList names;
    for (const char* name : kTableNames)
        names << tr(name);
    m_tables = new SegmentedControl(names, this);
    m_tables->setObjectName(QStringLiteral("comparisonTables"));
    m_tables->setAccessibleName(tr("What is compared"));
    m_tables->button(kKernels)->setToolTip(
        tr("By the op that launched them and by name; where names differ, by the op alone"));
    m_tables->button(kOps)->setToolTip(tr("By op; on a GPU, the time of the kernels that it launched"));
    m_tables->button(kModules)->setToolTip(tr("By module, with the modules within it"));
    m_tables->button(kPhases)->setToolTip(tr("By phase; on a GPU, the time of what it launched"));
    m_tables->button(kMemory)->setToolTip(tr("Categories at each run's peak"));
    connect(m_tables, &SegmentedControl::chosen, this, &ComparisonTables::showTable);
    m_steps = new SegmentedControl({tr("Mean"), tr("Sum"), tr("One step"), tr("Per token")}, this);
    m_steps->setObjectName(QStringLiteral("comparedSteps"));
    m_steps->setAccessibleName(tr("Which steps are compared"));
    m_steps->button(0)->setToolTip(tr("The mean of the measured steps"));
    m_steps->button(1)->setToolTip(tr("The sum over the measured steps"));
    m_steps->button(2)->setToolTip(tr("The two steps that are aligned"));
    m_steps->button(kPerToken)->setToolTip(
        tr("The mean of the measured steps by batch × context: for runs whose steps differ in size"));
    m_steps->setCurrent(0);
    connect(m_steps, &SegmentedControl::chosen, this, &ComparisonTables::scopeChanged);
    for (SegmentedControl* choice : {m_tables, m_steps})
        setFigureWords(*choice, {});  // the line beside them says it
    m_words = new ElidedLabel(this);
    m_words->setObjectName(QStringLiteral("comparedWords"));
    m_words->setFont(Theme::tableFont());
    m_words->setProperty("secondary", true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace3);
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps})
        bar->addWidget(control);
    bar->addWidget(m_words, 1);
    m_table = new DataTable(this);
    m_table->setObjectName(QStringLiteral("comparisonRows"));
    m_table->setAccessibleName(tr("Differences"));
    m_table->setTable(&m_model, ComparisonModel::kDifference, Qt::DescendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(ComparisonModel::kName, QHeaderView::Stretch);
    const auto chosen = [this](const QModelIndex& index) {
        chooseRow(m_table->proxy()->mapToSource(index).row());
    };
    connect(m_table, &QAbstractItemView::clicked, this, chosen);
    connect(m_table, &DataTable::rowActivated, this, &ComparisonTables::chooseRow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
}

void ComparisonTables::setHasKernels(bool has) {
    m_tables->button(kKernels)->setEnabled(has);
    if (m_tables->current() < 0 || (!has && m_tables->current() == kKernels))
        m_tables->setCurrent(has ? kKernels : kOps);
}

void ComparisonTables::setTokensKnown(bool known) {
    m_steps->button(kPerToken)->setEnabled(known);
    if (!known && m_steps->current() == kPerToken)
        m_steps->setCurrent(0);
}

ComparisonScope::Steps ComparisonTables::steps() const {
    return perToken() ? ComparisonScope::Steps::kMean
                      : static_cast<ComparisonScope::Steps>(std::max(0, m_steps->current()));
}

bool ComparisonTables::perToken() const {
    return m_steps->current() == kPerToken;
}

void ComparisonTables::setFigures(std::shared_ptr<const ComparisonFigures> figures) {
    m_figures = std::move(figures);
    m_table->setEmptyText(tr("Neither run has any of these"));
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

void ComparisonTables::showTable() {
    if (!m_figures) {
        m_model.setRows({}, ComparisonModel::Unit::kNanoseconds, false, -1);
        return showWords();
    }
    const RunComparison& c = m_figures->rows;
    const bool gpu = c.gpuA && c.gpuB;
    const auto of = [&](const auto& mixed, const auto& onGpus, const auto& onHosts) {
        return c.mixed() ? mixed : gpu ? onGpus : onHosts;
    };
    using Unit = ComparisonModel::Unit;
    switch (m_tables->current()) {
        case kKernels:
            m_model.setRows(kernelRows(m_figures->kernels), Unit::kNanoseconds, true, -1);
            break;
        case kOps:
            m_model.setRows(of(c.mixedOps, c.gpuOps, c.ops), Unit::kNanoseconds, true, -1);
            break;
        case kModules:
            m_model.setRows(of(c.mixedModules, c.gpuModules, c.modules), Unit::kNanoseconds, true, -1);
            break;
        case kPhases:
            m_model.setRows(withoutNoPhase(of(c.mixedPhases, c.gpuPhases, c.phases)), Unit::kNanoseconds,
                            false, Swatch::kPhase);
            break;
        default:
            m_model.setRows(c.categories, Unit::kBytes, false, Swatch::kCategory);
    }
    showWords();
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
    return QStringLiteral("%1, %2").arg(what, toQString(m_figures->words));
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
    if (!m_figures || row < 0 || row >= m_model.rowCount() || m_tables->current() == kMemory)
        return;
    const ComparisonRow& chosen = m_model.rowAt(row);
    emit rowChosen(landmarkOf(chosen, true), landmarkOf(chosen, false), toQString(chosen.name));
}

void ComparisonTables::setFigure(bool figure) {
    for (QWidget* control : std::initializer_list<QWidget*>{m_tables, m_steps})
        control->setVisible(!figure);
    m_inFigure = figure;
    showWords();
}

}  // namespace warpglass::ui
