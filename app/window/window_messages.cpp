#include "app/window/window_messages.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

#include "app/window/banner.h"
#include "app/window/calm_strip.h"
#include "app/window/mark_notice.h"
#include "app/window/open_sweeps.h"
#include "app/window/run_words.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/status_place.h"
#include "app/window/trial_runs.h"
#include "app/window/window_pages.h"
#include "app/window/work_bar.h"
#include "ui/compare/comparison_view.h"
#include "ui/panels/run_panel.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// Long enough to read a sentence with a path twice.
constexpr int kReadMilliseconds = 8000;
/// Damage is known when it is read: as of the shown run, whose document tells it as often.
constexpr int kDamageMilliseconds = 300;

}  // namespace

WindowMessages::WindowMessages(SessionController& controller, WindowPages& pages, TrialRuns& trials,
                               ui::RunPanel& panel, StatusPlace& place, QWidget& parent)
    : QObject(&parent),
      m_controller(controller),
      m_pages(pages),
      m_trials(trials),
      m_panel(panel),
      m_place(place),
      m_strip(new CalmStrip(pages, &parent)),
      m_problems(new Banner(&parent)),
      m_copyNotice(new Banner(&parent)),
      m_warnings(new Banner(&parent)),
      m_message(new QLabel(&place.bar())),
      m_work(new WorkBar(&place.bar())),
      m_markNotice(new MarkNotice(controller.marks(), &place.bar())) {
    buildBanners();
    buildStatusBar();
    connectRun();
    connectFiles();
    connectMarks();
    connect(&pages, &WindowPages::runShown, this, &WindowMessages::onRunShown);
    for (const auto& shown : {&WindowPages::sweepShown, &WindowPages::experimentShown})
        connect(&pages, shown, this, &WindowMessages::onOthersShown);
    connect(&pages, &WindowPages::comparisonShown, this, &WindowMessages::onOthersShown);
    connect(&pages.sweeps(), &OpenSweeps::changed, this, &WindowMessages::showWarnings);
    connect(&pages.comparison(), &ui::ComparisonView::swapped, this, &WindowMessages::showWarnings);
    connect(&controller, &SessionController::runsChanged, this, &WindowMessages::showWarnings);
    connect(&controller.document(), &ui::RunDocument::warningsChanged, this, &WindowMessages::showWarnings);
    m_damage.setInterval(kDamageMilliseconds);
    connect(&m_damage, &QTimer::timeout, this, &WindowMessages::showWarnings);
    connect(&pages, &QStackedWidget::currentChanged, &m_damage,
            [this] { m_pages.compares() ? m_damage.start() : m_damage.stop(); });
    connect(&trials, &TrialRuns::refused, this, &WindowMessages::complain);
}

QWidget& WindowMessages::banners() const {
    return *m_strip;
}

void WindowMessages::buildBanners() {
    m_problems->setObjectName(QStringLiteral("openProblems"));
    auto* dismiss = m_problems->addButton(tr("Dismiss"), tr("Hides these sentences"));
    dismiss->show();
    connect(dismiss, &QPushButton::clicked, this, [this] { showProblems({}, false); });

    m_copyNotice->setObjectName(QStringLiteral("markedCopyNotice"));
    auto* openCopy = m_copyNotice->addButton(tr("Open the Copy"),
                                             tr("Shows the copy with your marks in the sample's place"));
    openCopy->setObjectName(QStringLiteral("openMarkedCopy"));
    openCopy->show();
    connect(openCopy, &QPushButton::clicked, this, [this] {
        if (m_controller.shownRun())
            m_controller.openMarkedCopy(m_controller.currentRun());
    });

    m_warnings->setObjectName(QStringLiteral("banner"));
    m_save = m_warnings->addButton(tr("Save As…"), tr("Saves this run to a file (Ctrl+S)"));
    m_save->setObjectName(QStringLiteral("saveFromBanner"));
    connect(m_save, &QPushButton::clicked, this, &WindowMessages::saveRequested);

    for (Banner* banner : {&m_trials.outcome(), m_problems, m_copyNotice, m_warnings})
        m_strip->add(banner);
}

void WindowMessages::buildStatusBar() {
    m_message->setObjectName(QStringLiteral("message"));
    m_message->setTextFormat(Qt::PlainText);
    // A long sentence must not widen the window; its tool tip has it all.
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_work->setObjectName(QStringLiteral("work"));
    connect(m_work, &WorkBar::noticedChanged, this, &WindowMessages::showStatusBar);
    connect(m_work, &WorkBar::canceled, this, [this](WorkBar::Kind kind) {
        if (kind == WorkBar::Kind::kSaving)
            m_controller.saving().cancel();
        else
            m_controller.opening().cancel();
    });
    m_markNotice->setObjectName(QStringLiteral("markNotice"));
    connect(m_markNotice, &MarkNotice::noticeChanged, this, &WindowMessages::showStatusBar);
    connect(m_markNotice, &MarkNotice::leftByKeyboard, this,
            [this] { m_pages.workspace().focusView(m_pages.workspace().mainView()); });
    connect(&m_pages, &QStackedWidget::currentChanged, m_markNotice,
            [this] { m_markNotice->setMarksShown(m_pages.showsRun()); });
    m_place.bar().addWidget(m_markNotice);
    m_place.bar().addWidget(m_message, 1);
    m_place.bar().addPermanentWidget(m_work);
    connect(&m_place, &StatusPlace::floatsChanged, this, &WindowMessages::showStatusBar);
    m_toRead.setSingleShot(true);
    m_toRead.setInterval(kReadMilliseconds);
    connect(&m_toRead, &QTimer::timeout, this, &WindowMessages::showStatusBar);
    showStatusBar();
}

void WindowMessages::connectRun() {
    connect(&m_controller, &SessionController::runStarted, this, [this] {
        forgetRunProblem();
        m_runMessage = tr("Loading LibTorch and building the model…");
        say(m_runMessage);
    });
    connect(&m_controller.recording(), &RunRecording::progress, this, [this](int step, int total) {
        if (total <= 0 || m_stopping)
            return;
        m_runMessage = tr("Recording: %1 of %2 steps done").arg(qMin(step, total)).arg(total);
        sayOfRun();
    });
    connect(&m_controller, &SessionController::runEnded, this, &WindowMessages::showRunResult);
    connect(&m_panel, &ui::RunPanel::configEdited, this, [this] {
        // How a run of the former settings ended says nothing of these.
        forgetRunProblem();
        if (!m_controller.isRunning() && m_message->text() == m_runMessage)
            say({});
    });
}

void WindowMessages::connectFiles() {
    SessionController* c = &m_controller;
    connect(c, &SessionController::failed, this, &WindowMessages::complain);
    connect(&c->markKeeping(), &MarkKeeping::sampleCopied, this, [this](const QString& file) {
        say(tr("A sample stays as it is: its marks are in a copy, %1").arg(file));
    });
    connect(&c->opening(), &RunOpening::began, this, [this] {
        if (!m_problemsOfRun)
            showProblems({}, false);
    });
    connect(&c->opening(), &RunOpening::notOpened, this, [this](const QStringList& sentences, bool canceled) {
        // Over the views, where the person looks, until it is dismissed.
        if (!sentences.isEmpty())
            showProblems(sentences, false);
        say(canceled ? tr("Opening was canceled.") : recordingMessage());
    });
    connect(&c->opening(), &RunOpening::progress, this, [this](const QString& path, int done, int count) {
        const QString name = QFileInfo(path).fileName();
        // How far it is within a file no one knows.
        if (count == 1)
            m_work->report(WorkBar::Kind::kOpening, tr("Opening %1…").arg(name), -1);
        else
            m_work->report(WorkBar::Kind::kOpening,
                           tr("Opening %1, %2 of %3…").arg(name).arg(done + 1).arg(count),
                           static_cast<double>(done) / count);
    });
    connect(&c->opening(), &RunOpening::ended, this, [this] { m_work->finish(WorkBar::Kind::kOpening); });
    connect(c, &SessionController::fileOpened, this, [this](const QString& path) {
        // Where a sample lies is no news.
        const QString samples = sampleFolder();
        if (samples.isEmpty() || QFileInfo(path).absolutePath() != QDir(samples).absolutePath())
            say(tr("Opened %1").arg(path));
    });
    connect(c, &SessionController::fileSaved, this,
            [this](const QString& path) { say(tr("Saved %1").arg(path)); });
    connect(&c->saving(), &RunSaving::progress, this, [this](double fraction) {
        if (fraction < 1)
            m_work->report(WorkBar::Kind::kSaving, tr("Saving the run…"), fraction);
    });
    // Also of one that failed or was canceled while other work goes on.
    connect(&c->saving(), &RunSaving::ended, this, [this] { m_work->finish(WorkBar::Kind::kSaving); });
}

void WindowMessages::connectMarks() {
    const ui::MarkList& marks = m_controller.marks();
    const auto tell = [this](const QString& sentence) {
        if (!m_message->property("problem").toBool())  // that the marks cannot be kept, it may be
            say(sentence);
    };
    // Also a click beside the field keeps what was typed, in the run's file.
    connect(&marks, &ui::MarkList::added, this, [&marks, tell](std::size_t index) {
        tell(tr("The mark “%1” was made.").arg(marks.flagNoteOf(index)));
    });
    // What was said before would be read with the notice that it stands beside.
    connect(&marks, &ui::MarkList::removedChanged, this, [this, &marks, tell] {
        if (marks.removed())
            tell(recordingMessage());
    });
}

/// What was said of the run shown before goes; what is said of a recording goes on.
void WindowMessages::onRunShown(bool again) {
    if (m_controller.isRunning() && m_controller.currentRun() == m_controller.recordingRun() && !again)
        sayOfRun();
    else
        say(recordingMessage());
    if (!m_controller.isRunning())
        m_panel.setLastResult({});
    forgetRunProblem();
    showWarnings();
    m_strip->settle();
}

/// Views other than those of one run.
void WindowMessages::onOthersShown() {
    showWarnings();
    // Everything moves anyway; again once the messages know how high they are in this width.
    m_strip->settle();
    QTimer::singleShot(0, m_strip, &CalmStrip::settle);
}

/// `ofRun`: these are not of files that could not be opened, but of a run of which nothing was recorded.
void WindowMessages::showProblems(const QStringList& sentences, bool ofRun) {
    m_problems->setSentences(sentences);
    m_problemsOfRun = ofRun && !sentences.isEmpty();
}

/// How a run ended that is no longer what the panel would run, or what is shown.
void WindowMessages::forgetRunProblem() {
    if (m_problemsOfRun)
        showProblems({}, false);
}

void WindowMessages::showRunResult(bool ok, const QString& sentence) {
    m_stopping = false;
    const int ended = m_controller.endedRun();
    m_runMessage = sentence;
    if (!ok) {
        // Over its views, or, where there are none, over all of them.
        m_runMessage.clear();
        if (ended < 0)
            showProblems({sentence}, true);
        else if (ended != m_controller.currentRun() || m_pages.compares())
            m_runMessage = tr("The run %1 has failed.").arg(m_controller.run(ended).title);
    }
    m_panel.setLastResult(ok ? sentence : tr("Failed."));
    if (ok)
        sayOfRun();
    else
        complain(m_runMessage);
}

/// How a run goes, the run panel says as well: a problem that was told meanwhile stays to be read.
void WindowMessages::sayOfRun() {
    if (!complains())
        say(m_runMessage);
}

QString WindowMessages::recordingMessage() const {
    return m_controller.isRunning() ? m_runMessage : QString();
}

void WindowMessages::sayStopping() {
    m_stopping = true;
    say(tr("Stopping the run; what was recorded is kept…"));
}

void WindowMessages::sayWaiting() {
    say(tr("Finishing what is under way, then closing…"));
}

QStringList WindowMessages::warningsOf(const std::shared_ptr<const Snapshot>& run,
                                       const QString& letter) const {
    const int index = m_controller.runs().indexOf(run);
    QStringList sentences = index < 0 ? QStringList() : m_controller.run(index).allWarnings();
    for (const std::string& sentence : run->damage().sentences()) {
        if (const QString text = QString::fromStdString(sentence); !sentences.contains(text))
            sentences << text;
    }
    for (QString& sentence : sentences)
        sentence = tr("%1: %2").arg(letter, sentence);
    return sentences;
}

void WindowMessages::showWarnings() {
    // Dismissed or outdated while one view was alone, which brings back what it has hidden.
    for (Banner* banner : {m_problems, &m_trials.outcome()}) {
        if (banner->sentences().isEmpty())
            banner->hide();
    }
    if (m_pages.hasSweepOrExperiment()) {
        // What is said of the run behind it comes back with the run.
        const ui::SweepPage* sweep = m_pages.sweepInFront();
        m_warnings->setSentences(sweep ? sweep->problems() : QStringList());
        m_copyNotice->setSentences({});
        m_save->hide();
        return m_trials.showOutcomesOf(nullptr, nullptr);
    }
    const auto [a, b] = m_pages.compared();
    const OpenedRunEntry* shown = m_controller.shownRun();
    m_trials.showOutcomesOf(a ? a : m_controller.document().snapshot(), b);
    m_warnings->setSentences(a ? warningsOf(a, QStringLiteral("A")) + warningsOf(b, QStringLiteral("B"))
                               : m_controller.document().warnings());
    const QString copy = shown && !a ? shown->markedCopy : QString();
    m_copyNotice->setSentences(copy.isEmpty() ? QStringList()
                                              : QStringList(tr("You have marked this sample before: "
                                                               "your marks are in a copy of it, %1.")
                                                                .arg(QDir::toNativeSeparators(copy))));
    m_save->setVisible(shown && m_controller.runs().isUnsaved(m_controller.currentRun()));
}

void WindowMessages::show(const QString& sentence, bool problem) {
    if (m_message->text() == sentence)
        return;
    m_message->setText(sentence);
    m_message->setToolTip(plainToolTip(sentence));
    ui::restyle(*m_message, "problem", problem);
    m_toRead.start();
    showStatusBar();
}

bool WindowMessages::complains() const {
    return m_message->property("problem").toBool() && !m_message->text().isEmpty();
}

void WindowMessages::setAlone(bool alone) {
    m_alone = alone;
    if (!alone)
        showWarnings();
    showStatusBar();
}

/// Where it has room of its own, that is kept while it says nothing: as it came and went, what stands above
/// it would move under the pointer. Where it lies over the views, a sentence that is no problem goes once it
/// has been there to read. Beside one view alone it is there for what cannot wait.
void WindowMessages::showStatusBar() {
    const bool urgent = complains() || m_work->isNoticed() || m_markNotice->isFresh();
    const bool says = !m_place.floats() || (m_toRead.isActive() && !m_message->text().isEmpty());
    int width = m_message->fontMetrics().horizontalAdvance(m_message->text()) + 4 * ui::Metrics::kSpace4;
    if (m_work->isNoticed())
        width += m_work->sizeHint().width();
    if (m_markNotice->isFresh())
        width += m_markNotice->sizeHint().width();
    m_place.show(urgent || (says && !m_alone), width);
}

}  // namespace warpglass::app
