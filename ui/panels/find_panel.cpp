#include "ui/panels/find_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "ui/panels/distribution_pane.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// The first page: more than a screen of rows, found in a few milliseconds.
constexpr std::size_t kFirstPage = 200;
constexpr std::uint64_t kFirstRows = 500'000;
/// A mark a pixel of a wide window.
constexpr std::size_t kTickColumns = 1600;
/// A match narrower than this share of the view is zoomed to, until it is that wide.
constexpr double kLeastShare = 1.0 / 150, kZoomedShare = 1.0 / 12;

QToolButton* barButton(const char* property, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty(property, true);
    button->setFont(Theme::tableFont());
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

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
      m_field(new QLineEdit(this)),
      m_expression(barButton("chip", this)),
      m_within(barButton("chip", this)),
      m_previous(barButton("segment", this)),
      m_next(barButton("segment", this)),
      m_summary(new ElidedLabel(this)),
      m_table(new DataTable(this)),
      m_distribution(new DistributionPane(this)),
      m_cancelled(std::make_shared<std::atomic<bool>>(false)),
      m_query([this] { return makeJob(); }),
      m_tickQuery([this] { return makeTickJob(); }),
      m_stepQuery([this] { return makeStepJob(); }) {
    showFailures(this, m_query);
    showFailures(this, m_tickQuery);
    showFailures(this, m_stepQuery);
    m_stepQuery.setActive(true);  // F3 steps also where the panel is not seen
    setObjectName(QStringLiteral("findPanel"));
    buildBar();
    m_table->setObjectName(QStringLiteral("findRows"));
    m_table->setAccessibleName(tr("Matches"));
    m_table->setTable(&m_model, MatchesModel::kStart, Qt::AscendingOrder);
    m_table->setColumnPriority({MatchesModel::kName, MatchesModel::kStart, MatchesModel::kDuration,
                                MatchesModel::kKind, MatchesModel::kWhere, MatchesModel::kStep});
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
        m_model.setMatches(nullptr, {});
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        if (m_search)
            m_tickQuery.invalidate(Cause::kPerson);
    });
    connect(&m_filter, &RunFilter::changed, this, [this] {
        showWithin();
        if (m_within->isChecked())
            restart();
    });
    connect(&m_filter, &RunFilter::viewMoved, this, [this] {
        if (m_within->isChecked())
            m_query.invalidate(Cause::kGrowth);
    });
    showWithin();
    m_query.invalidate(Cause::kOtherRun);
}

void FindPanel::buildBar() {
    m_field->setObjectName(QStringLiteral("findField"));
    m_field->setAccessibleName(tr("Find"));
    m_field->setPlaceholderText(tr("Find kernels, ops, modules, calls"));
    m_field->setToolTip(
        tr("Names that contain this, whatever the case; a kernel's whole signature counts.\n"
           "Enter goes to the next match, Shift+Enter to the previous one"));
    m_field->setClearButtonEnabled(true);
    m_field->setFont(Theme::tableFont());
    m_field->setMinimumWidth(120);
    m_field->setMaximumWidth(280);
    m_field->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &FindPanel::restart);
    m_expression->setObjectName(QStringLiteral("findExpression"));
    m_expression->setText(QStringLiteral(".*"));
    m_expression->setAccessibleName(tr("Regular expression"));
    m_expression->setToolTip(tr("The text is a regular expression: gemm|mm, ^aten::.*_backward$"));
    m_expression->setCheckable(true);
    connect(m_expression, &QToolButton::toggled, this, &FindPanel::restart);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace3, Metrics::kSpace1);
    bar->setSpacing(Metrics::kSpace1);
    bar->addWidget(m_field, 2);
    bar->addWidget(m_expression);
    const std::pair<QString, QString> kinds[] = {
        {tr("Kernels"), tr("Kernels, copies and fills")},
        {tr("Ops"), tr("ATen ops")},
        {tr("Modules"), tr("Steps, phases, modules and their parts")},
        {tr("Calls"), tr("Calls into CUDA, and waits for it")}};
    for (const auto& [title, toolTip] : kinds) {
        auto* button = barButton("chip", this);
        button->setObjectName(QStringLiteral("findKind%1").arg(m_kinds.size()));
        button->setText(title);
        button->setToolTip(tr("Looks among these: %1").arg(toolTip));
        button->setCheckable(true);
        button->setChecked(true);
        connect(button, &QToolButton::toggled, this, &FindPanel::restart);
        bar->addWidget(button);
        m_kinds.push_back(button);
    }
    m_within->setObjectName(QStringLiteral("findWithin"));
    m_within->setText(tr("Within the filter"));
    m_within->setCheckable(true);
    m_within->setChecked(true);
    connect(m_within, &QToolButton::toggled, this, &FindPanel::restart);
    m_previous->setObjectName(QStringLiteral("findPrevious"));
    m_previous->setIcon(makeQuietIcon(Icon::kChevronUp));
    m_previous->setAccessibleName(tr("Previous match"));
    m_previous->setToolTip(tr("Previous match (Shift+F3)"));
    connect(m_previous, &QToolButton::clicked, this, &FindPanel::findPrevious);
    m_next->setObjectName(QStringLiteral("findNext"));
    m_next->setIcon(makeQuietIcon(Icon::kChevronDown));
    m_next->setAccessibleName(tr("Next match"));
    m_next->setToolTip(tr("Next match (F3)"));
    connect(m_next, &QToolButton::clicked, this, &FindPanel::findNext);
    m_summary->setObjectName(QStringLiteral("findSummary"));
    m_summary->setFont(Theme::tableFont());
    m_summary->setProperty("secondary", true);
    bar->addWidget(m_within);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    bar->addSpacing(Metrics::kSpace1);
    bar->addWidget(m_summary, 3);
    auto* line = new QFrame(this);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedWidth(1);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_table, 1);
    body->addWidget(line);
    body->addWidget(m_distribution);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(body, 1);
}

void FindPanel::focusField() {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindPanel::setPattern(const QString& text, bool expression) {
    m_expression->setChecked(expression);
    m_field->setText(text);
}

QString FindPanel::summary() const {
    return m_summary->text();
}

QString FindPanel::figureWords() const {
    if (m_field->text().isEmpty())
        return {};
    QStringList kinds;
    for (const QToolButton* kind : m_kinds) {
        if (kind->isChecked())
            kinds << kind->text().toLower();
    }
    // A kernel's whole signature has no place to be broken at.
    const QString all = m_field->text();
    const QString text =
        QStringLiteral("“%1”").arg(all.size() <= 48 ? all : all.left(24) + QChar(0x2026) + all.right(20));
    return kinds.size() == std::ssize(m_kinds)
               ? text
               : tr("%1 among %2").arg(text, kinds.join(QStringLiteral(", ")));
}

void FindPanel::restart() {
    giveUp();
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

/// What is looked for has changed.
void FindPanel::giveUp() {
    m_cancelled->store(true);
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

/// Measured steps alone are what means are of, and nothing to be within.
bool FindPanel::hasFilter() const {
    using Condition = RunFilter::Condition;
    return m_filter.state().steps == RunFilter::Steps::kInView ||
           !m_filter.wordsOf({Condition::kModule, Condition::kPhase, Condition::kName, Condition::kSelection})
                .isEmpty();
}

void FindPanel::showWithin() {
    const QString words = filterWords();
    m_within->setVisible(hasFilter());
    m_within->setToolTip(tr("Looks only in what the filter takes: %1").arg(words));
    m_within->setAccessibleName(tr("Within the filter: %1").arg(words));
}

DeferredQuery::Job FindPanel::makeJob() {
    const auto snapshot = m_document.snapshot();
    const QString text = m_field->text();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    if (!snapshot || text.isEmpty()) {
        return {[this]() -> DeferredQuery::Apply {
            return [this] { showOutcome({m_document.snapshot(), nullptr, {}, {}, {}}); };
        }};
    }
    std::array<bool, kSearchKindCount> kinds{};
    for (std::size_t k = 0; k < kinds.size(); ++k)
        kinds[k] = m_kinds[k]->isChecked();
    // A list that grows keeps its rows until there are all of the new ones.
    const bool pageFirst = snapshot->spanCount() > DeferredQuery::kHeavySpans &&
                           m_query.cause() != DeferredQuery::Cause::kGrowth;
    auto work = [this, self = QPointer<FindPanel>(this), snapshot, text, kinds,
                 expression = m_expression->isChecked(), cancelled = m_cancelled,
                 within = m_within->isChecked() && hasFilter() ? filterWords() : QString(),
                 filter = m_filter.spanFilter(), pageFirst]() -> DeferredQuery::Apply {
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
            return !tooSlow && !cancelled->load();
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
                [self, cancelled, first = std::move(first)] {
                    if (self && !cancelled->load() && !self->m_query.isIdle())
                        self->showOutcome(first);
                },
                Qt::QueuedConnection);
        }
        Outcome outcome{snapshot, search, searchSpans(*snapshot, *search, cancelled.get()), {}, within};
        return [this, outcome = std::move(outcome), cancelled] {
            // What has been given up is not shown: the next one is on its way.
            if (!cancelled->load())
                showOutcome(outcome);
        };
    };
    // A regular expression may be slow on few names, too.
    return {std::move(work), true};
}

void FindPanel::say(const QString& sentence, bool problem) {
    m_summary->setProperty("secondary", !problem);
    m_summary->setProperty("problem", problem);
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
    m_summary->setText(sentence);
}

void FindPanel::showOutcome(const Outcome& outcome) {
    const SearchResult& found = outcome.result;
    m_search = outcome.search;
    m_selecting = true;
    m_model.setMatches(outcome.snapshot, found.matches);
    m_selecting = false;
    const QString listed =
        found.count > std::ssize(found.matches)
            ? tr(" · the %1 longest are listed").arg(toQString(formatGrouped(std::ssize(found.matches))))
            : QString();
    const QString count =
        found.count == 1 ? tr("1 match") : tr("%1 matches").arg(toQString(formatGrouped(found.count)));
    if (!outcome.problem.isEmpty())
        say(outcome.problem, true);
    else if (!outcome.search)
        say({}, false);
    else if (!found.complete)
        say(tr("%1 so far…").arg(count), false);
    else if (found.everywhere == 0)
        say(tr("No match"), false);
    else if (found.count == 0)
        say(tr("within %1: none of %2").arg(outcome.within, toQString(formatGrouped(found.everywhere))),
            false);
    else
        say(QStringLiteral("%1 · %2%3")
                .arg(outcome.within.isEmpty()
                         ? count
                         : tr("within %1: %2 of %3")
                               .arg(outcome.within, toQString(formatGrouped(found.count)),
                                    toQString(formatGrouped(found.everywhere))),
                     toQString(formatDuration(found.total)), listed),
            false);
    m_table->setEmptyText(!outcome.snapshot ? tr("Open or record a run to look for something in it")
                          : !outcome.problem.isEmpty() ? outcome.problem
                          : !outcome.search            ? tr("Type a name, or a part of one")
                          : found.everywhere > 0
                              ? tr("No match within %1; there are %2 elsewhere: switch off Within the filter")
                                    .arg(outcome.within, toQString(formatGrouped(found.everywhere)))
                              : tr("No name contains “%1”").arg(m_field->text()));
    if (found.complete && found.count > 0)
        m_distribution->showDistribution({}, found.durations);
    else if (found.complete)
        m_distribution->showSentence(tr("How long the matches take"));
    const bool any = outcome.search && found.count > 0;
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
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
    if (const int row = m_model.rowOf(match.at); row >= 0) {
        m_selecting = true;
        const QModelIndex shown = m_table->proxy()->mapFromSource(m_model.index(row, 0));
        m_table->setCurrentIndex(shown);
        m_table->scrollTo(shown);
        m_selecting = false;
    }
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

bool FindPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(!(key->modifiers() & Qt::ShiftModifier));
            return true;
        }
        if (key->key() == Qt::Key_Down) {
            m_table->setFocus();
            if (!m_table->currentIndex().isValid())
                m_table->selectRow(0);
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_field->text().isEmpty()) {
            m_field->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
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
