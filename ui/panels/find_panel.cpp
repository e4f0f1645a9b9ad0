#include "ui/panels/find_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPointer>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/statistics/time_sentences.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/find_bar.h"
#include "ui/theme/data_table.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The first page: more than a screen of rows, found in a few milliseconds.
constexpr std::size_t kFirstPage = 200;
constexpr std::uint64_t kFirstRows = 500'000;
/// A mark a pixel of a wide window.
constexpr std::size_t kTickColumns = 1600;
/// A match narrower than this share of the view is zoomed to, until it is that wide.
constexpr double kLeastShare = 1.0 / 150, kZoomedShare = 1.0 / 12;

}  // namespace

/// Of one search, made by a worker.
struct FindPanel::Outcome {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const SpanSearch> search;
    SearchResult result;
    QString problem;
    /// What it was looked for in; empty for everywhere.
    QString within;
};

FindPanel::FindPanel(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_filter(filter),
      m_bar(new FindBar(this)),
      m_table(new DataTable(this)),
      m_distribution(new DistributionPane(this)),
      m_canceled(std::make_shared<std::atomic<bool>>(false)),
      m_query([this] { return makeJob(); }),
      m_tickQuery([this] { return makeTickJob(); }),
      m_stepQuery([this] { return makeStepJob(); }) {
    showFailures(this, m_query);
    showFailures(this, m_tickQuery);
    showFailures(this, m_stepQuery);
    m_stepQuery.setActive(true);  // F3 steps also where the panel is not seen
    setObjectName(QStringLiteral("findPanel"));
    build();
    m_table->setObjectName(QStringLiteral("findRows"));
    m_table->setAccessibleName(tr("Matches"));
    m_model.setClockOf(m_axis);
    m_table->setTable(&m_model, m_model.column("start_ns"), Qt::AscendingOrder);
    m_table->setColumnPriority(m_model.columns({"name", "start_ns", "duration_ns", "kind", "where", "step"}));
    connect(m_table, &DataTable::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row < m_model.rowCount() && !m_selecting)
            goTo(m_model.rowAt(row));
    });
    // Enter on the row that is current already, too.
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (row >= 0 && row < m_model.rowCount())
            goTo(m_model.rowAt(row));
    });
    connect(m_distribution, &DistributionPane::spanRequested, this, &FindPanel::select);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_search.reset();
        giveUp();
        m_model.show({});
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
    offerScope();
    m_query.invalidate(Cause::kOtherRun);
}

void FindPanel::build() {
    connect(m_bar, &FindBar::changed, this, &FindPanel::restart);
    connect(m_bar, &FindBar::stepRequested, this, &FindPanel::step);
    connect(m_bar, &FindBar::listRequested, this, [this] {
        m_table->setFocus();
        if (!m_table->currentIndex().isValid())
            m_table->selectRow(0);
    });
    auto* line = new QFrame(this);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedWidth(1);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_table, 1);
    body->addWidget(line);
    body->addWidget(m_distribution);
    setBesideTable(*line);
    setBesideTable(*m_distribution);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addLayout(body, 1);
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
    m_current.reset();
    m_steps = 0;
    m_found = false;
    m_stepPutOff.reset();
}

QString FindPanel::filterWords() const {
    using Condition = RunFilter::Condition;
    return m_filter.wordsOf(
        {Condition::kModule, Condition::kPhase, Condition::kName, Condition::kSelection, Condition::kSteps});
}

void FindPanel::offerScope() {
    using Condition = RunFilter::Condition;
    const bool conditions =
        m_filter.state().steps == RunFilter::Steps::kInView ||
        !m_filter.wordsOf({Condition::kModule, Condition::kPhase, Condition::kName, Condition::kSelection})
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
    if (!snapshot || text.isEmpty()) {
        return {[this]() -> DeferredQuery::Apply {
            return [this] { showOutcome({m_document.snapshot(), nullptr, {}, {}, {}}); };
        }};
    }
    // A list that grows keeps its rows until there are all of the new ones.
    const bool pageFirst = snapshot->spanCount() > DeferredQuery::kHeavySpans &&
                           m_query.cause() != DeferredQuery::Cause::kGrowth;
    auto work = [this, self = QPointer<FindPanel>(this), snapshot, text, kinds = m_bar->kinds(),
                 expression = m_bar->isExpression(), canceled = m_canceled,
                 within = m_bar->isWithin() ? filterWords() : QString(), filter = m_filter.spanFilter(),
                 pageFirst]() -> DeferredQuery::Apply {
        QRegularExpression pattern(expression ? text : QRegularExpression::escape(text),
                                   QRegularExpression::CaseInsensitiveOption);
        if (!pattern.isValid()) {
            const QString problem = tr("Not a regular expression: %1, at character %2")
                                        .arg(pattern.errorString())
                                        .arg(pattern.patternErrorOffset() + 1);
            return [this, problem] { showOutcome({m_document.snapshot(), nullptr, {}, problem, {}}); };
        }
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
        if (tooSlow) {
            const QString problem =
                tr("This expression takes too long on the names of this run: make it simpler");
            return [this, problem] { showOutcome({m_document.snapshot(), nullptr, {}, problem, {}}); };
        }
        if (pageFirst) {
            Outcome first{
                snapshot, search, firstMatches(*snapshot, *search, kFirstPage, kFirstRows), {}, within};
            QMetaObject::invokeMethod(
                qApp,
                [self, canceled, first = std::move(first)] {
                    if (self && !canceled->load() && !self->m_query.isIdle())
                        self->showOutcome(first);
                },
                Qt::QueuedConnection);
        }
        Outcome outcome{snapshot, search, searchSpans(*snapshot, *search, canceled.get()), {}, within};
        return [this, outcome = std::move(outcome), canceled] {
            // What has been given up is not shown: the next one is on its way.
            if (!canceled->load())
                showOutcome(outcome);
        };
    };
    // A regular expression may be slow on few names, too.
    return {std::move(work), true};
}

bool FindPanel::tablesCountMeasured(const Outcome& outcome) const {
    return outcome.within.isEmpty() && m_filter.spanFilter().measuredOnly &&
           outcome.result.measured.count < outcome.result.count;
}

namespace {

/// "54.3 ms"; of matches on both "CPU 54.3 ms, GPU 12.1 ms", which run side by side and have no sum.
QString timeOf(Nanoseconds total, Nanoseconds onGpu, QString (*words)(Nanoseconds)) {
    if (onGpu.value <= 0 || onGpu == total)
        return words(total);
    return FindPanel::tr("CPU %1, GPU %2").arg(words(total - onGpu), words(onGpu));
}

QString inWords(Nanoseconds time) {
    return toQString(formatDuration(time));
}

QString exactly(Nanoseconds time) {
    return FindPanel::tr("%1 ns").arg(toQString(formatGrouped(time.value)));
}

}  // namespace

/// "1,055 matches · 54.3 ms · 528 of them, 27.1 ms, in measured steps".
QString FindPanel::summaryOf(const Outcome& outcome) const {
    const SearchResult& found = outcome.result;
    const auto count = [](std::int64_t n) { return toQString(formatGrouped(n)); };
    QStringList parts;
    if (!outcome.within.isEmpty())
        parts << tr("within %1: %2 of %3").arg(outcome.within, count(found.count), count(found.everywhere));
    else
        parts << (found.count == 1 ? tr("1 match") : tr("%1 matches").arg(count(found.count)));
    parts << timeOf(found.total, found.onGpu, inWords);
    if (tablesCountMeasured(outcome))
        parts << tr("%1 of them, %2, in measured steps")
                     .arg(count(found.measured.count),
                          timeOf(found.measured.total, found.measured.onGpu, inWords));
    if (found.count > std::ssize(found.matches))
        parts << tr("the %1 longest are listed").arg(count(std::ssize(found.matches)));
    return parts.join(QStringLiteral(" · "));
}

/// What the time is of.
QString FindPanel::exactlyOf(const Outcome& outcome) const {
    const SearchResult& found = outcome.result;
    QString text = tr("%1 total").arg(timeOf(found.total, found.onGpu, exactly));
    if (found.nested > 0)
        text += tr("; %1 of the matches lie within another match, whose time includes theirs")
                    .arg(toQString(formatGrouped(found.nested)));
    if (tablesCountMeasured(outcome))
        text += tr("\n%1 of it in complete measured steps, which the tables count")
                    .arg(timeOf(found.measured.total, found.measured.onGpu, exactly));
    return text;
}

QString FindPanel::noNameWords() const {
    const QString text = m_bar->text();
    if (m_bar->isExpression())
        return tr("No name matches “%1”").arg(text);
    static const QRegularExpression signs(QStringLiteral(R"([\^$|*+?\\[\]{}]|\)$)"));
    return text.contains(signs) && QRegularExpression(text).isValid()
               ? tr("No name contains “%1”; switch on .* to search for it as a regular expression").arg(text)
               : tr("No name contains “%1”").arg(text);
}

void FindPanel::showOutcome(const Outcome& outcome) {
    const SearchResult& found = outcome.result;
    m_search = outcome.search;
    m_finding = outcome.search && found.complete
                    ? toQString(searchSentence(m_bar->text().toStdString(), found))
                    : QString();
    m_selecting = true;
    m_model.show(found.matches, {outcome.snapshot});
    m_selecting = false;
    if (!outcome.problem.isEmpty())
        m_bar->say(outcome.problem, true);
    else if (!outcome.search)
        m_bar->say({}, false);
    else if (!found.complete)
        m_bar->say(found.count == 1 ? tr("1 match so far…")
                                    : tr("%1 matches so far…").arg(toQString(formatGrouped(found.count))),
                   false);
    else if (found.everywhere == 0)
        m_bar->say(tr("No match"), false);
    else if (found.count == 0)
        m_bar->say(
            tr("within %1: none of %2").arg(outcome.within, toQString(formatGrouped(found.everywhere))),
            false);
    else
        m_bar->say(summaryOf(outcome), false, exactlyOf(outcome));
    m_table->setEmptyText(!outcome.snapshot ? m_document.noRunWords(tr("to search it"))
                          // What is wrong with it stands over the table.
                          : !outcome.problem.isEmpty() ? tr("Switch off .* to search for the text as it is")
                          : !outcome.search            ? tr("Type a name, or a part of one")
                          : found.everywhere > 0
                              ? tr("No match within %1, but %2 elsewhere: switch off searching within it")
                                    .arg(outcome.within, toQString(formatGrouped(found.everywhere)))
                              : noNameWords());
    if (found.complete && found.count > 0)
        m_distribution->showDistribution({}, found.durations);
    else if (found.complete)
        m_distribution->showSentence(tr("Durations of the matches"));
    const bool any = outcome.search && found.count > 0;
    m_bar->setStepsEnabled(any);
    m_tickQuery.setActive(true);
    m_tickQuery.invalidate(DeferredQuery::Cause::kPerson);
    if (found.complete)
        stepAsPutOff();
}

void FindPanel::stepAsPutOff() {
    m_found = true;
    m_query.setActive(isVisible());
    if (const auto forward = std::exchange(m_stepPutOff, std::nullopt))
        goToNext(*forward);
}

DeferredQuery::Job FindPanel::makeTickJob() {
    const auto snapshot = m_document.snapshot();
    const auto search = m_search;
    if (!snapshot || !search || isHidden())
        return {[this]() -> DeferredQuery::Apply { return [this] { emit ticksChanged({}, {}); }; }};
    const TimeRange range = m_axis.visibleRange();
    return {[this, snapshot, search, range]() -> DeferredQuery::Apply {
                auto columns = matchColumns(*snapshot, *search, range, kTickColumns);
                return [this, range, columns = std::move(columns)] { emit ticksChanged(range, columns); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void FindPanel::findNext() {
    step(true);
}

void FindPanel::findPrevious() {
    step(false);
}

/// At once, or when what is looked for is found.
void FindPanel::step(bool forward) {
    if (m_found) {
        goToNext(forward);
        return;
    }
    m_stepPutOff = forward;
    m_query.setActive(true);
}

/// The match that is shown; else where the timeline is.
SearchMatch FindPanel::stepFrom(bool forward) const {
    if (m_current)
        return *m_current;
    const TimeRange visible = m_axis.visibleRange();
    SearchMatch from;
    from.start = forward ? visible.begin.value - 1 : visible.end.value;
    return from;
}

void FindPanel::goToNext(bool forward) {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot || !m_search)
        return;
    if (snapshot->spanCount() > DeferredQuery::kHeavySpans) {
        m_steps += forward ? 1 : -1;
        m_stepQuery.invalidate(DeferredQuery::Cause::kPerson);
        return;
    }
    if (const auto match = nextMatch(*snapshot, *m_search, stepFrom(forward), forward))
        showNext(*match);
}

DeferredQuery::Job FindPanel::makeStepJob() {
    const auto snapshot = m_document.snapshot();
    const auto search = m_search;
    const int steps = std::exchange(m_steps, 0);
    if (!snapshot || !search || steps == 0)
        return {[]() -> DeferredQuery::Apply { return {}; }};
    return {[this, snapshot, search, steps, from = stepFrom(steps > 0)]() -> DeferredQuery::Apply {
                std::optional<SearchMatch> match = from;
                for (int i = 0; i < std::abs(steps) && match; ++i)
                    match = nextMatch(*snapshot, *search, match, steps > 0);
                return [this, search, match] {
                    if (match && search == m_search)
                        showNext(*match);
                };
            },
            true};
}

void FindPanel::showNext(const SearchMatch& match) {
    goTo(match);
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

void FindPanel::select(SpanPosition position) {
    const auto& snapshot = m_document.snapshot();
    if (const auto match = snapshot && m_search ? matchAt(*snapshot, *m_search, position) : std::nullopt)
        goTo(*match);
}

void FindPanel::goTo(const SearchMatch& match) {
    m_current = match;
    const Nanoseconds start(match.start), duration(std::max<std::int64_t>(match.duration, 1));
    const TimeRange visible = m_axis.visibleRange();
    const auto width = static_cast<double>(visible.duration().value);
    const bool inside = visible.begin <= start && start + duration <= visible.end;
    const bool wide = static_cast<double>(duration.value) >= width * kLeastShare;
    if (!inside || !wide) {
        const double wanted = wide && static_cast<double>(duration.value) <= width
                                  ? width
                                  : static_cast<double>(duration.value) / kZoomedShare;
        const Nanoseconds half(static_cast<std::int64_t>(wanted / 2));
        const Nanoseconds middle = start + Nanoseconds(duration.value / 2);
        m_axis.setVisibleRange({middle - half, middle + half});
    }
    m_filter.look(SpanRef{match.at.lane, match.at.row});
    m_axis.setPinnedCursor(start);
}

void FindPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F3)
        step(!(event->modifiers() & Qt::ShiftModifier));
    else
        QWidget::keyPressEvent(event);
}

void FindPanel::refreshNow() {
    m_query.runNow();
    m_tickQuery.runNow();
}

void FindPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
    m_tickQuery.invalidate(DeferredQuery::Cause::kPerson);
}

void FindPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_stepPutOff.reset();
    m_query.setActive(false);
    // Marks of a search that nobody sees would puzzle.
    emit ticksChanged({}, {});
}

}  // namespace warpglass::ui
