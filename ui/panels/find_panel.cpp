#include "ui/panels/find_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/query/statistics/time_sentences.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/family_legend.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/find_bar.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The first page: more than a screen of rows, found in a few milliseconds.
constexpr std::size_t kFirstPage = 200;
constexpr std::uint64_t kFirstRows = 500'000;
/// A mark a pixel of a wide window.
constexpr std::size_t kTickColumns = 1600;
/// The height from which the panel has the names over their instances.
constexpr int kHighEnough = 420;
constexpr int kSpareHeight = 12, kCaption = 32;

}  // namespace

FindPanel::FindPanel(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_bar(new FindBar(this)),
      m_groupTable(new DataTable(this)),
      m_families(new FamilyKey(m_groups, m_groups.column("name"), this)),
      m_table(new DataTable(this)),
      m_distribution(new DistributionPane(this)),
      m_canceled(std::make_shared<std::atomic<bool>>(false)),
      m_query([this] { return makeJob(); }),
      m_groupQuery([this] { return makeGroupJob(); }),
      m_tickQuery([this] { return makeTickJob(); }),
      m_steps(new FindSteps(document, axis, filter, this)) {
    for (const DeferredQuery* query : {&m_query, &m_groupQuery, &m_tickQuery})
        showFailures(this, *query);
    connect(m_steps, &FindSteps::searchWanted, this, [this] { m_query.setActive(true); });
    connect(m_steps, &FindSteps::stepped, this, &FindPanel::showRowOf);
    setObjectName(QStringLiteral("findPanel"));
    build();
    setNames(m_table, "findRows", tr("Matches"));
    m_model.setClockOf(m_axis);
    m_table->setTable(&m_model, m_model.column("start_ns"), Qt::AscendingOrder);
    connect(m_table, &DataTable::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row < m_model.rowCount() && !m_selecting)
            m_steps->goTo(m_model.rowAt(row));
    });
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {  // Enter on the current row, too
        if (row >= 0 && row < m_model.rowCount())
            m_steps->goTo(m_model.rowAt(row));
    });
    connect(m_distribution, &DistributionPane::spanRequested, m_steps, &FindSteps::select);
    connectRun();
    offerScope();
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void FindPanel::connectRun() {
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_search.reset();
        m_steps->setSearch(nullptr);
        m_group.reset();  // the other run has other names of the same ids
        m_all = {};
        giveUp();
        m_model.show({});
        m_groups.show({});
        offerScope();
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] {
        offerScope();  // its first measured step may have begun
        m_query.invalidate(Cause::kGrowth);
    });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        if (m_search)
            m_tickQuery.invalidate(Cause::kPerson);
    });
    connect(&m_filter, &RunFilter::changed, this, [this] {
        const bool was = m_bar->isWithin();
        offerScope();
        if (was || m_bar->isWithin())
            restart();
        else
            m_query.invalidate(Cause::kGrowth);  // it may say other things of the same matches
    });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] {
        if (m_bar->isWithin())
            m_query.invalidate(Cause::kGrowth);
    });
}

void FindPanel::build() {
    connect(m_bar, &FindBar::changed, this, &FindPanel::restart);
    connect(m_bar, &FindBar::stepRequested, m_steps, &FindSteps::step);
    connect(m_bar, &FindBar::listRequested, this, [this] {
        m_table->setFocus();
        if (!m_table->currentIndex().isValid())
            m_table->selectRow(0);
    });
    setNames(m_groupTable, "findNames", tr("Matches by name"));
    m_groupTable->setTable(&m_groups, m_groups.column("total_ns"), Qt::DescendingOrder);
    connect(m_groupTable, &DataTable::currentRowChanged, this, &FindPanel::chooseGroup);
    auto* instances = new QWidget(this);
    auto* line = hairline(Qt::Vertical, instances);
    m_instancesOf = named(new ElidedLabel(instances), "findInstancesOf");
    m_instancesOf->setFont(Theme::strongFont());
    m_instancesOf->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    m_instancesOf->setFixedHeight(kCaption);
    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    list->addWidget(m_instancesOf);
    list->addWidget(m_table, 1);
    auto* beside = spaced(new QHBoxLayout(instances), {}, 0);
    beside->addLayout(list, 1);
    addAll(beside, {line, m_distribution});
    setBesideTable(*line);
    setBesideTable(*m_distribution);
    m_body = divided(named(new QSplitter(Qt::Horizontal, this), "findBody"));
    connect(m_body, &QSplitter::splitterMoved, this, [this] { m_sizesChosen = true; });
    addAll(m_body, {m_groupTable, instances});
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    addAll(layout, {m_bar, m_families});
    layout->addWidget(m_body, 1);
}

/// Names over their instances where there is the height for both, else beside them.
void FindPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_families->setHeightOfView(height());
    arrange();
}

void FindPanel::arrange() {
    const bool over = height() >= kHighEnough;
    const Qt::Orientation orientation = over ? Qt::Vertical : Qt::Horizontal;
    if (m_body->orientation() != orientation)
        m_sizesChosen = false;
    m_body->setOrientation(orientation);
    m_instancesOf->setVisible(over && m_model.rowCount() > 0);
    nameInstances();
    if (m_sizesChosen)
        return;
    if (!over)
        return m_body->setSizes({width() * 2 / 5, width() * 3 / 5});
    // As many names as there are, up to half of it.
    const int rows =
        (m_groups.rowCount() + 1) * m_groupTable->verticalHeader()->defaultSectionSize() + kSpareHeight;
    const int names = std::min(rows, m_body->height() / 2);
    m_body->setSizes({names, m_body->height() - names});
}

void FindPanel::focusField() {
    m_bar->focusField();
}

void FindPanel::setPattern(const QString& text, bool expression) {
    m_bar->setPattern(text, expression);
}

QString FindPanel::summary() const {
    return m_bar->sentence();
}

QString FindPanel::figureWords() const {
    return m_bar->figureWords();
}

void FindPanel::restart() {
    giveUp();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

/// What is looked for has changed.
void FindPanel::giveUp() {
    m_canceled->store(true);
    m_steps->giveUp();
}

QString FindPanel::filterWords() const {
    using Condition = RunFilter::Condition;
    return m_filter.words().of(
        {Condition::kModule, Condition::kPhase, Condition::kName, Condition::kSelection, Condition::kSteps});
}

void FindPanel::offerScope() {
    using Condition = RunFilter::Condition;
    const bool conditions =
        m_filter.state().steps == RunFilter::Steps::kInView ||
        !m_filter.words()
             .of({Condition::kModule, Condition::kPhase, Condition::kName, Condition::kSelection})
             .isEmpty();
    m_bar->offerScope(conditions                           ? FindBar::Scope::kFilter
                      : m_filter.spanFilter().measuredOnly ? FindBar::Scope::kMeasuredSteps
                                                           : FindBar::Scope::kNone,
                      filterWords());
}

DeferredQuery::Job FindPanel::makeJob() {
    const auto snapshot = m_document.snapshot();
    const QString text = m_bar->text();
    m_canceled = std::make_shared<std::atomic<bool>>(false);
    const auto without = [this](const QString& problem) -> DeferredQuery::Apply {
        return [this, problem] { showOutcome({m_document.snapshot(), nullptr, {}, problem, {}}); };
    };
    if (!snapshot || text.isEmpty())
        return {[without] { return without({}); }};
    // A list that grows keeps its rows until there are all of the new ones.
    const bool pageFirst = snapshot->spanCount() > DeferredQuery::kHeavySpans &&
                           m_query.cause() != DeferredQuery::Cause::kGrowth;
    auto work = [this, self = QPointer<FindPanel>(this), without, snapshot, kinds = m_bar->kinds(),
                 pattern = wantedPattern(text, m_bar->isExpression()), canceled = m_canceled,
                 within = m_bar->isWithin() ? filterWords() : QString(), filter = m_filter.spanFilter(),
                 pageFirst]() -> DeferredQuery::Apply {
        if (!pattern.isValid())
            return without(patternProblem(pattern));
        QElapsedTimer timer;
        timer.start();
        bool tooSlow = false;
        const auto goOn = [&] {
            tooSlow = timer.elapsed() > kNameBudget;
            return !tooSlow && !canceled->load();
        };
        SpanSearch found = searchOf(
            *snapshot, kinds,
            [&](std::string_view name) { return pattern.match(toQString(name)).hasMatch(); }, goOn);
        if (!within.isEmpty())
            found.within = std::make_shared<const SpansWithin>(*snapshot, filter);
        const auto search = std::make_shared<const SpanSearch>(std::move(found));
        if (tooSlow)
            return without(tr("This expression takes too long on the names of this run: make it simpler"));
        FindOutcome outcome{snapshot, search, {}, {}, within};
        outcome.works = std::make_shared<const KernelWorks>(*snapshot);
        if (pageFirst) {
            outcome.result = firstMatches(*snapshot, *search, kFirstPage, kFirstRows);
            postPage(self, canceled, outcome);
        }
        outcome.result = searchSpans(*snapshot, *search, canceled.get());
        outcome.steps = within.isEmpty() ? 0 : wholeStepsOf(*snapshot, filter);
        return [this, outcome = std::move(outcome), canceled] {
            // What has been given up is not shown: the next one is on its way.
            if (!canceled->load())
                showOutcome(outcome);
        };
    };
    // A regular expression may be slow on few names, too.
    return {std::move(work), true};
}

void FindPanel::postPage(const QPointer<FindPanel>& panel, const std::shared_ptr<std::atomic<bool>>& canceled,
                         FindOutcome page) {
    QMetaObject::invokeMethod(
        qApp,
        [panel, canceled, page = std::move(page)] {
            if (panel && !canceled->load() && !panel->m_query.isIdle())
                panel->showOutcome(page);
        },
        Qt::QueuedConnection);
}

bool FindPanel::tablesCountMeasured(const FindOutcome& outcome) const {
    return outcome.within.isEmpty() && m_filter.spanFilter().measuredOnly &&
           outcome.result.measured.count < outcome.result.count;
}

void FindPanel::showOutcome(const FindOutcome& outcome) {
    const SearchResult& found = outcome.result;
    m_search = outcome.search;
    m_finding = outcome.search && found.complete
                    ? toQString(searchSentence(m_bar->text().toStdString(), found, outcome.steps))
                    : QString();
    if (outcome.search && !found.complete)
        showPage(outcome);
    else
        showNames(outcome);
    const bool countMeasured = tablesCountMeasured(outcome);
    m_bar->say(findSummary(outcome, countMeasured), !outcome.problem.isEmpty(),
               findExactly(outcome, countMeasured));
    m_table->setEmptyText(outcome.snapshot ? findNothing(outcome, m_bar->text(), m_bar->isExpression())
                                           : m_document.noRunWords(tr("to search it")));
    m_bar->setStepsEnabled(outcome.search && found.count > 0);
    m_tickQuery.setActive(true);
    m_tickQuery.invalidate(DeferredQuery::Cause::kPerson);
    if (!found.complete)
        return;
    m_query.setActive(isVisible());  // a step may have asked for it
    m_steps->setSearch(m_search);
}

/// A page says nothing of the names: they stay until all is found, as the one that is chosen does. Where the
/// page has none of it, its instances stay too.
void FindPanel::showPage(const FindOutcome& outcome) {
    SearchResult page = outcome.result;
    m_groupTable->setVisible(m_groups.rowCount() > 0);
    if (m_group) {
        std::erase_if(page.matches, [this](const SearchMatch& match) {
            return SearchName{match.kind, match.name} != *m_group;
        });
    }
    if (!m_group || !page.matches.empty())
        showInstances(page, outcome.shown());
}

/// The names, and the instances of the one that is chosen where it is still found, else of all.
void FindPanel::showNames(const FindOutcome& outcome) {
    const MatchesShown of = outcome.shown();
    m_all = outcome.result;
    m_selecting = true;
    m_groups.show(outcome.result.groups, of);
    columnsOfNames();
    m_selecting = false;
    m_groupTable->setVisible(m_groups.rowCount() > 0);
    const bool stays = m_group && std::ranges::any_of(outcome.result.groups, [&](const SearchGroup& group) {
                           return group.of == *m_group;
                       });
    if (!stays)
        m_group.reset();
    if (m_group)
        m_groupQuery.invalidate(DeferredQuery::Cause::kGrowth);
    else
        showInstances(m_all, of);
}

/// In one step, what there is per step is what there is.
void FindPanel::columnsOfNames() {
    QList<int> columns =
        m_groups.columns({"name", "count", "total_ns", "share", "mean_ns", "min_ns", "max_ns", "module"});
    if (m_groups.of().steps != 1)
        columns << m_groups.column("count_per_step");
    if (hasKinds())
        columns << m_groups.column("kind");
    m_groupTable->setColumnPriority(columns);
}

/// Where all matches are of one kind, none is told.
bool FindPanel::hasKinds() const {
    for (int row = 1; row < m_groups.rowCount(); ++row) {
        if (m_groups.rowAt(row).of.kind != m_groups.rowAt(0).of.kind)
            return true;
    }
    return false;
}

/// −1 where they are of several names.
int FindPanel::rowOfInstances() const {
    int row = m_groups.rowCount() - 1;
    while (row >= 0 && m_groups.rowCount() > 1 && m_groups.rowAt(row).of != m_group)
        --row;
    return row;
}

void FindPanel::showInstances(const SearchResult& found, const MatchesShown& of) {
    m_selecting = true;
    m_model.show(found.matches, of);
    m_selecting = false;
    // What a kernel does names it; the recorded name is in the tool tip.
    const int row = rowOfInstances();
    const QModelIndex cell = m_groups.index(row, m_groups.column("name"));
    const QString name = cell.data().toString().section(kAfterFirstName, 0, 0),
                  recorded = cell.data(Qt::ToolTipRole).toString();
    m_instancesOf->setText(row < 0 ? tr("All matches, in order of time")
                                   : tr("Each %1, in order of time").arg(name));
    m_instancesOf->setToolTip(recorded);
    arrange();
    m_table->refitColumns();  // to the places that it has now
    if (found.complete && found.count > 0)
        m_distribution->showDistribution(m_group ? name : QString(), found.durations, recorded);
    else if (found.complete)
        m_distribution->showSentence(tr("Durations of the matches"));
}

/// Those of one name do not repeat it; beside the names there is room for when and how long first.
void FindPanel::nameInstances() {
    const Naming naming = m_group || m_groups.rowCount() < 2      ? Naming::kNone
                          : m_body->orientation() != Qt::Vertical ? Naming::kAfter
                          : hasKinds()                            ? Naming::kFirstOfKinds
                                                                  : Naming::kFirst;
    if (m_naming == naming)
        return;
    m_naming = naming;
    if (naming == Naming::kFirst)
        m_table->setColumnPriority(m_model.columns({"name", "start_ns", "duration_ns", "where"}),
                                   m_model.column("name"));
    else if (naming == Naming::kFirstOfKinds)
        m_table->setColumnPriority(
            m_model.columns({"name", "start_ns", "duration_ns", "where", "step", "kind"}));
    else if (naming == Naming::kAfter)
        m_table->setColumnPriority(m_model.columns({"start_ns", "duration_ns", "name", "where"}),
                                   m_model.column("name"));
    else
        m_table->setColumnPriority(m_model.columns({"start_ns", "duration_ns", "step", "where"}),
                                   m_model.column("where"));
}

/// −1: all names.
void FindPanel::chooseGroup(int row) {
    if (m_selecting)
        return;
    m_group = row >= 0 && row < m_groups.rowCount() ? std::optional(m_groups.rowAt(row).of) : std::nullopt;
    m_groupQuery.setActive(true);
    m_groupQuery.invalidate(DeferredQuery::Cause::kPerson);
}

DeferredQuery::Job FindPanel::makeGroupJob() {
    const auto search = m_search;
    const MatchesShown of = m_groups.of();
    if (!of.snapshot || !search || !m_group)
        return {[this, of] { return [this, of] { showInstances(m_all, of); }; }};
    return {[this, of, search, group = *m_group] {
                SpanSearch narrow = *search;
                narrow.only = group;
                return [this, of, group, search, found = searchSpans(*of.snapshot, narrow)] {
                    if (search == m_search && m_group == group)
                        showInstances(found, of);
                };
            },
            of.snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

DeferredQuery::Job FindPanel::makeTickJob() {
    const auto snapshot = m_document.snapshot();
    const auto search = m_search;
    if (!snapshot || !search || isHidden())
        return {[this] { return [this] { emit ticksChanged({}, {}); }; }};
    const TimeRange range = m_axis.visibleRange();
    return {[this, snapshot, search, range] {
                auto columns = matchColumns(*snapshot, *search, range, kTickColumns);
                return [this, range, columns = std::move(columns)] { emit ticksChanged(range, columns); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void FindPanel::showRowOf(const SearchMatch& match) {
    int row = 0;
    while (row < m_model.rowCount() && m_model.rowAt(row).at != match.at)
        ++row;
    if (row == m_model.rowCount())
        return;
    m_selecting = true;
    const QModelIndex shown = m_table->proxy()->mapFromSource(m_model.index(row, 0));
    m_table->setCurrentIndex(shown);
    m_table->scrollTo(shown);
    m_selecting = false;
}

void FindPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F3)
        m_steps->step(!(event->modifiers() & Qt::ShiftModifier));
    else
        QWidget::keyPressEvent(event);
}

void FindPanel::refreshNow() {
    m_query.runNow();
    m_groupQuery.runNow();
    m_tickQuery.runNow();
}

void FindPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
    m_tickQuery.invalidate(DeferredQuery::Cause::kPerson);
}

void FindPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_steps->forgetPutOff();
    m_query.setActive(false);
    // Marks of a search that nobody sees would puzzle.
    emit ticksChanged({}, {});
}

}  // namespace warpglass::ui
