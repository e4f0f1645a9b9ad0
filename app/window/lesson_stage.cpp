#include "app/window/lesson_stage.h"

#include <QLabel>
#include <QTabWidget>
#include <utility>

#include "app/window/evidence_bar.h"
#include "app/window/inspector_drawer.h"
#include "app/window/lesson_library.h"
#include "app/window/lesson_parts.h"
#include "app/window/session_controller.h"
#include "app/window/shown_row.h"
#include "app/window/window_pages.h"
#include "engine/lessons/lesson_place.h"
#include "engine/query/spans/spans_at.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/run_filter.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/op_table.h"
#include "ui/panels/share_card.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

constexpr std::int64_t kMarginOfRange = 40;  // a fortieth of it on either side shows where it ends
constexpr int kRoomAtMoment = 6;             // logical pixels to either side of a moment that is pointed at

QString pathOf(const LessonRun& run) {
    return QString::fromStdString(run.path.string());
}

}  // namespace

LessonStage::LessonStage(SessionController& controller, WindowPages& pages, QObject* parent)
    : QObject(parent),
      m_controller(controller),
      m_pages(pages),
      m_pointer(new LessonPointer(this)),
      m_parts(new LessonParts(pages.workspace(), this)) {
    connect(&pages, &WindowPages::aboutToLeave, m_parts, &LessonParts::restore);
    connect(&controller.opening(), &RunOpening::ended, this, &LessonStage::onRunsOpened);
    connect(m_pointer, &LessonPointer::found, this, [this] {
        if (std::exchange(m_lacksPoint, false))
            emit mended();
    });
    connect(m_pointer, &LessonPointer::notFound, this, [this] {
        m_lacksPoint = true;
        const LessonWord& name = m_step->point.name;
        fail(name.line > 0 ? name.line : m_step->line,
             name.empty() ? tr("What the step points at is not in the view.")
                          : tr("There is no \"%1\" in the view that the step opens.")
                                .arg(QString::fromStdString(name.text)));
    });
}

void LessonStage::open(const std::string& file, const LessonStep& step) {
    m_file = file;
    m_step = step;
    m_brought = false;
    m_lacksPoint = false;
    m_span.reset();
    m_pointer->clear();
    restoreParts();  // whether or not the step's runs can be opened
    // What a step selects is pointed at; where there is little room the plots keep theirs.
    m_pages.workspace().inspectorDrawer().setHeld(true);
    openRuns();
}

void LessonStage::leave() {
    restoreParts();
    m_pages.workspace().inspectorDrawer().setHeld(false);
    m_step.reset();
    m_waits = false;
    m_pointer->clear();
}

void LessonStage::restoreParts() {
    if (m_parts->folds())
        emit m_pages.workspace().otherViewWanted();
}

void LessonStage::openRuns() {
    QStringList missing;
    for (const LessonRun* run : {&m_step->run, m_step->against ? &*m_step->against : &m_step->run}) {
        if (m_controller.runs().ofFile(pathOf(*run)) < 0 && !missing.contains(pathOf(*run)))
            missing << pathOf(*run);
    }
    m_waits = !missing.isEmpty();
    if (m_waits)
        m_controller.openFiles(missing, SessionController::Show::kBehind);
    else
        showPlace();
}

/// Also of openings that others have asked for.
void LessonStage::onRunsOpened() {
    if (!m_waits || m_controller.opening().isOpening())
        return;
    m_waits = false;
    for (const LessonRun* run : {&m_step->run, m_step->against ? &*m_step->against : &m_step->run}) {
        if (m_controller.runs().ofFile(pathOf(*run)) < 0)
            return fail(run->word.line, tr("The run %1 could not be opened.").arg(pathOf(*run)));
    }
    showPlace();
}

void LessonStage::showPlace() {
    m_step->against ? showComparison() : showRun();
    emit opened();
}

void LessonStage::showRun() {
    const int index = m_controller.runs().ofFile(pathOf(m_step->run));
    if (index != m_controller.currentRun())
        m_controller.showRun(index);
    m_pages.showRun(index);  // also where a comparison or a sweep is in front of it
    const std::shared_ptr<const Snapshot> run = m_controller.run(index).snapshot;
    m_pages.workspace().evidence().clear();
    m_pages.workspace().filter().reset();
    // A warm-up step that the lesson shows is not faded as one that does not count.
    if (const auto range = lessonRange(*run, *m_step); range && range->begin < averagedRange(*run).begin)
        m_pages.workspace().filter().setSteps(ui::RunFilter::State::Steps::kAll);
    m_controller.axis().setPinnedCursor({});
    showStretch(*run);
    showView();
    showParts();
    if (const auto count = lessonCount(*run, *m_step); !count) {
        fail(m_step->only.line, ui::toQString(count.message()));
    } else if (count->phase) {
        m_pages.workspace().filter().setPhase(count->phase);
    } else if (!count->module.empty()) {
        m_pages.workspace().filter().setModule(count->module);
    }
    showPoint(*run);
}

void LessonStage::showComparison() {
    const int a = m_controller.runs().ofFile(pathOf(m_step->run));
    const int b = m_controller.runs().ofFile(pathOf(*m_step->against));
    if (a != m_controller.currentRun())
        m_controller.showRun(a);  // its tab is the one that is marked
    m_pages.compare(a, b);
    const std::shared_ptr<const Snapshot> run = m_controller.run(a).snapshot;
    if (!m_step->range.empty())
        showStretch(*run);
    showPoint(*run);
}

void LessonStage::showStretch(const Snapshot& run) {
    ui::TimeAxis& axis = m_pages.axis();
    const auto range = lessonRange(run, *m_step);
    if (!range) {
        axis.setVisibleRange(averagedRange(run));
        return fail(m_step->range.front().line, ui::toQString(range.message()));
    }
    const Nanoseconds margin(m_step->range.empty() ? 0 : range->duration().value / kMarginOfRange);
    axis.setVisibleRange({range->begin - margin, range->end + margin});
}

void LessonStage::showView() {
    Workspace& workspace = m_pages.workspace();
    workspace.showView(viewWidget());
    const QString word = QString::fromStdString(m_step->view.text);
    ui::OpTable& ops = workspace.ops();
    if (viewWidget() == &ops) {
        ops.setSubject(word == kKernelsView  ? ui::OpTable::Subject::kKernels
                       : word == kCopiesView ? ui::OpTable::Subject::kCopies
                                             : ui::OpTable::Subject::kOps);
        ops.setGrouping(SpanGrouping::kFlat);
    }
}

void LessonStage::showParts() {
    if (m_step->show.empty())
        return;
    if (m_pages.workspace().page() != Workspace::Page::kViews)
        return fail(m_step->show.front().line,
                    tr("\"show\" names parts of the page with the timeline, and the view %1 is on another.")
                        .arg(QString::fromStdString(m_step->view.text)));
    m_parts->show(m_step->show, *viewWidget());
}

QWidget* LessonStage::viewWidget() const {
    if (m_step->against)
        return &m_pages.comparison();
    const QString word = QString::fromStdString(m_step->view.text);
    Workspace& workspace = m_pages.workspace();
    return word == kKernelsView || word == kCopiesView ? &workspace.ops() : workspace.view(word);
}

void LessonStage::showPoint(const Snapshot& run) {
    switch (m_step->point.kind) {
        case LessonPoint::Kind::kView:
            return point([this]() -> LessonPointer::Place {
                QWidget* view = viewWidget();
                return {view, view->rect()};
            });
        case LessonPoint::Kind::kPeak:
            if (const auto peak = m_controller.document().memory().peakIn(m_controller.axis().visibleRange());
                peak && !m_step->against)
                m_controller.axis().setPinnedCursor(peak->time);
            return point([this] { return peak(); });
        case LessonPoint::Kind::kSpan: {
            // Not of what is visible, which is a little more: the next step's is not meant.
            const auto range = lessonRange(run, *m_step);
            const auto found = lessonSpan(run, *m_step, range ? *range : m_pages.axis().visibleRange());
            if (!found)
                return fail(m_step->point.name.line, ui::toQString(found.message()));
            m_span = *found;
            if (m_step->against)
                m_pages.axis().setSelectedSpan(*found);
            else
                m_pages.workspace().filter().look(*found);
            return point([this] { return span(); });
        }
        case LessonPoint::Kind::kRow:
            return point([this] { return row(); });
        case LessonPoint::Kind::kHeadline:
            return point([this]() -> LessonPointer::Place {
                auto* headline =
                    m_pages.comparison().findChild<QWidget*>(QStringLiteral("comparisonHeadline"));
                // In what it stands in: round its own edge the outline would cover letters.
                return m_step->against && headline
                           ? LessonPointer::Place{headline->parentWidget(), headline->geometry()}
                           : LessonPointer::Place();
            });
        case LessonPoint::Kind::kTile:
        case LessonPoint::Kind::kCard:
        case LessonPoint::Kind::kFinding:
            return point([this] { return onSummary(); });
    }
}

bool LessonStage::isInFront() const {
    if (m_step->against)
        return m_pages.compares();
    return m_pages.showsRun() && m_controller.currentRun() == m_controller.runs().ofFile(pathOf(m_step->run));
}

void LessonStage::point(LessonPointer::Find find) {
    m_pointer->pointAt(
        [this, find = std::move(find)] { return isInFront() ? find() : LessonPointer::Place(); });
}

LessonPointer::Place LessonStage::peak() const {
    auto* chart = qobject_cast<ui::MemoryChart*>(m_pages.workspace().viewHere(QStringLiteral("memory")));
    const auto found = m_controller.document().memory().peakIn(m_controller.axis().visibleRange());
    if (m_step->against || !chart || !found)
        return {};
    ui::MemoryPlot& plot = chart->plot();
    const QPoint at(qRound(plot.xOf(found->time)), qRound(plot.yOf(sumOf(found->bytes))));
    return {&plot,
            QRect(at - QPoint(kRoomAtMoment, kRoomAtMoment), at + QPoint(kRoomAtMoment, kRoomAtMoment))};
}

LessonPointer::Place LessonStage::span() const {
    ui::TimelineView* timeline =
        m_step->against ? m_pages.comparison().timelineOfA() : m_pages.workspace().timeline();
    const ui::TimeAxis& axis = m_pages.axis();
    const auto& run =
        m_step->against ? m_pages.comparison().sideA().snapshot : m_controller.document().snapshot();
    const auto row = m_span && run ? rowOf(*run, *m_span) : std::nullopt;
    const auto lane = row ? timeline->rows().rowOf(m_span->lane) : std::nullopt;
    if (!lane)
        return {};
    const ui::TimelineRow& shown = timeline->rows().rows()[*lane];
    const QRect plot = timeline->plotArea();
    const auto xOf = [&](std::int64_t time) {
        return plot.left() + qRound(ui::timeToPixel(Nanoseconds(time), axis.visibleRange(), plot.width()));
    };
    const QRect bar(QPoint(xOf(row->start), plot.top() + timeline->viewport().shownTop(shown.top)),
                    QPoint(xOf(row->start + row->duration),
                           plot.top() + timeline->viewport().shownTop(shown.top) + shown.height - 1));
    return {timeline, bar.intersected(plot)};
}

LessonPointer::Place LessonStage::row() {
    const auto found = shownRow(*viewWidget(), QString::fromStdString(m_step->point.name.text));
    if (!found)
        return {};
    // In a comparison a row that is chosen leads elsewhere.
    if (!m_brought && !m_step->against)
        found->table->setCurrentIndex(found->index);
    if (!m_brought)
        found->table->scrollTo(found->index);
    m_brought = true;
    QRect around = found->table->visualRect(found->index);
    around.setLeft(0);
    around.setRight(found->table->viewport()->width() - 1);
    return {found->table->viewport(), around.intersected(found->table->viewport()->rect())};
}

LessonPointer::Place LessonStage::onSummary() {
    ui::SummaryPage& summary = m_pages.workspace().summary();
    const QString name = QString::fromStdString(m_step->point.name.text);
    QWidget* found = nullptr;
    if (m_step->point.kind == LessonPoint::Kind::kCard) {
        const ui::ShareCard& card = name == QLatin1String("phases") ? summary.phases()
                                    : name == QLatin1String("gpu")  ? summary.gpu()
                                                                    : summary.memory();
        found = const_cast<ui::ShareCard*>(&card);
    } else if (m_step->point.kind == LessonPoint::Kind::kFinding) {
        for (ui::FindingCard* card : summary.findings()) {
            if (card->finding().rule == m_step->point.name.text)
                found = card;
        }
    } else {
        // Lessons that were written before may have the tile's former caption.
        const QString caption = name == QLatin1String("Step time") ? QStringLiteral("Time per step") : name;
        for (QFrame* tile : summary.findChildren<QFrame*>()) {
            if (tile->accessibleName() == caption)
                found = tile;
        }
    }
    // Before there are figures, cards have another height.
    if (m_step->against || !found || !summary.overview())
        return {};
    if (!m_brought)
        summary.ensureWidgetVisible(found);
    m_brought = true;
    return {found, found->rect()};
}

void LessonStage::fail(int line, const QString& sentence) {
    emit failed(QString::fromStdString(lessonProblem(m_file, line, sentence.toStdString())));
}

}  // namespace warpglass::app
