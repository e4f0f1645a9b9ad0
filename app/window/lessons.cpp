#include "app/window/lessons.h"

#include <QDir>
#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>

#include "app/window/lesson_library.h"
#include "app/window/lesson_panel.h"
#include "app/window/lesson_stage.h"
#include "app/window/run_words.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/window_pages.h"
#include "engine/io/run_file.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

/// The file of the run that a figure names by its word, "" for the step's own.
QString fileOfFigure(const std::string& word, const LessonStep& step) {
    return word.empty() ? QString::fromStdString(step.run.path.string())
                        : QString::fromStdString((nativePath(sampleFolder()) / (word + ".wgrun")).string());
}

}  // namespace

const LessonFigures* LessonFigureStore::of(const QString& path, const std::shared_ptr<const Snapshot>& open) {
    if (const auto known = m_known.constFind(path); known != m_known.constEnd())
        return &known.value();
    if (m_asked.contains(path))
        return nullptr;
    m_asked.insert(path);
    auto* watcher = new QFutureWatcher<LessonFigures>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        watcher->deleteLater();
        m_known.insert(path, watcher->result());
        emit changed();
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [path, open] {
        if (open)
            return lessonFigures(open);
        const auto run = openRun(nativePath(path));
        return run ? lessonFigures(run->snapshot) : LessonFigures();
    }));
    return nullptr;
}

Lessons::Lessons(SessionController& controller, WindowPages& pages, QWidget& parent)
    : QObject(&parent),
      m_controller(controller),
      m_pages(pages),
      m_panel(new LessonPanel(&parent)),
      m_stage(new LessonStage(controller, pages, this)),
      m_figures(new LessonFigureStore(this)) {
    connect(m_panel, &LessonPanel::nextRequested, this, &Lessons::next);
    connect(m_panel, &LessonPanel::backRequested, this, &Lessons::back);
    connect(m_panel, &LessonPanel::placeRequested, this, &Lessons::showAgain);
    connect(m_panel, &LessonPanel::leaveRequested, this, &Lessons::leave);
    connect(m_panel, &LessonPanel::answerShown, this,
            [this] { m_answered[static_cast<std::size_t>(m_step)] = true; });
    connect(m_stage, &LessonStage::failed, m_panel, &LessonPanel::setProblem);
    connect(m_stage, &LessonStage::mended, m_panel, [this] { m_panel->setProblem({}); });
    // The views have taken the keyboard as they came to the front.
    connect(m_stage, &LessonStage::opened, m_panel, [this] { m_panel->setFocus(Qt::OtherFocusReason); });
    connect(m_figures, &LessonFigureStore::changed, this, [this] {
        if (m_lesson)
            say(false);
    });
}

void Lessons::open(const QString& path) {
    auto read = readLessonFile(path);
    if (!read)
        return emit failed(ui::toQString(read.message()));
    m_lesson = std::move(*read);
    m_answered.assign(m_lesson->steps.size(), false);
    askFigures();
    m_panel->show();
    goTo(0);
}

/// All at once: those of later steps are there before they are come to.
void Lessons::askFigures() {
    for (const LessonStep& step : m_lesson->steps) {
        for (const std::string* text : {&step.text, &step.question, &step.answer})
            warpglass::withFigures(*text,
                                   [this, &step](const std::string& word) { return figuresOf(word, step); });
    }
}

void Lessons::goTo(int step) {
    m_step = step;
    say(true);
    showAgain();
    emit changed();
}

void Lessons::next() {
    if (!m_lesson)
        return;
    if (m_step + 1 < static_cast<int>(m_lesson->steps.size()))
        goTo(m_step + 1);
    else
        leave();
}

void Lessons::back() {
    if (m_lesson && m_step > 0)
        goTo(m_step - 1);
}

void Lessons::showAgain() {
    if (!m_lesson)
        return;
    m_panel->setProblem({});
    m_stage->open(m_lesson->file, m_lesson->steps[static_cast<std::size_t>(m_step)]);
}

void Lessons::showAnswer() {
    if (m_lesson)
        m_panel->showAnswer();
}

void Lessons::leave() {
    if (!m_lesson)
        return;
    const bool focused = m_panel->hasFocus() || m_panel->isAncestorOf(m_panel->window()->focusWidget());
    m_stage->leave();
    m_lesson.reset();
    m_panel->hide();
    if (focused && m_pages.showsRun())
        m_pages.workspace().focusView(m_pages.workspace().mainView());
    emit changed();
}

void Lessons::say(bool anew) {
    const LessonStep& step = m_lesson->steps[static_cast<std::size_t>(m_step)];
    const LessonPanel::Said said{ui::toQString(m_lesson->title),
                                 m_step,
                                 static_cast<int>(m_lesson->steps.size()),
                                 ui::toQString(step.heading),
                                 withFigures(step.text),
                                 withFigures(step.question),
                                 withFigures(step.answer)};
    if (anew)
        m_panel->say(said, m_answered[static_cast<std::size_t>(m_step)]);
    else
        m_panel->update(said);
}

QString Lessons::withFigures(const std::string& text) {
    const LessonStep& step = m_lesson->steps[static_cast<std::size_t>(m_step)];
    return ui::toQString(warpglass::withFigures(
        text, [this, &step](const std::string& word) { return figuresOf(word, step); }));
}

const LessonFigures* Lessons::figuresOf(const std::string& word, const LessonStep& step) {
    const QString file = fileOfFigure(word, step);
    const int open = m_controller.runs().ofFile(file);
    return m_figures->of(file, open < 0 ? nullptr : m_controller.run(open).snapshot);
}

bool Lessons::figuresKnown() const {
    return !m_figures->isWorking();
}

}  // namespace warpglass::app
