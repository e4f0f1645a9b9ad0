// What the window says and where. How the shown run is damaged, or why it failed, over its views; what could
// not be opened or begun there too, until it is dismissed; the rest, and long work, in the status bar. Each
// once: elsewhere stands at most a word of it. Nothing of it waits for an answer.
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>

#include "app/window/banner.h"
#include "app/window/focus_mode.h"
#include "app/window/main_window.h"
#include "app/window/mark_notice.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/trial_runs.h"
#include "app/window/work_bar.h"
#include "ui/models/mark_list.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app {

namespace {
constexpr int kStatusBarHeight = 28;  // a button with room around it: the same whatever is said
}

void MainWindow::buildBanners(QWidget* parent) {
    m_openProblems = new Banner(parent);
    m_openProblems->setObjectName(QStringLiteral("openProblems"));
    auto* dismiss = m_openProblems->addButton(tr("Dismiss"), tr("Hides these sentences"));
    dismiss->show();
    connect(dismiss, &QPushButton::clicked, this, [this] { showProblems({}, false); });

    m_copyNotice = new Banner(parent);
    m_copyNotice->setObjectName(QStringLiteral("markedCopyNotice"));
    auto* openCopy = m_copyNotice->addButton(tr("Open the Copy"),
                                             tr("Shows the copy with your marks in the sample's place"));
    openCopy->setObjectName(QStringLiteral("openMarkedCopy"));
    openCopy->show();
    connect(openCopy, &QPushButton::clicked, this, [this] {
        if (m_controller.currentRun() >= 0)
            m_controller.openMarkedCopy(m_controller.currentRun());
    });

    m_banner = new Banner(parent);
    m_banner->setObjectName(QStringLiteral("banner"));
    m_saveFromBanner = m_banner->addButton(tr("Save As…"), tr("Saves this run to a file (Ctrl+S)"));
    m_saveFromBanner->setObjectName(QStringLiteral("saveFromBanner"));
    connect(m_saveFromBanner, &QPushButton::clicked, this, &MainWindow::saveWithDialog);
}

void MainWindow::buildStatusBar() {
    m_message = new QLabel(this);
    m_message->setObjectName(QStringLiteral("message"));
    m_message->setTextFormat(Qt::PlainText);
    // A long sentence must not widen the window; its tool tip has it all.
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_work = new WorkBar(this);
    m_work->setObjectName(QStringLiteral("work"));
    connect(m_work, &WorkBar::noticedChanged, this, &MainWindow::showStatusBar);
    connect(m_work, &WorkBar::cancelled, this, [this](WorkBar::Kind kind) {
        if (kind == WorkBar::Kind::kSaving)
            m_controller.cancelSave();
        else
            m_controller.cancelOpening();
    });
    m_markNotice = new MarkNotice(m_controller.marks(), this);
    m_markNotice->setObjectName(QStringLiteral("markNotice"));
    connect(m_markNotice, &MarkNotice::noticeChanged, this, &MainWindow::showStatusBar);
    connect(m_markNotice, &MarkNotice::leftByKeyboard, this,
            [this] { m_workspace->focusView(m_workspace->mainView()); });
    connect(m_pages, &QStackedWidget::currentChanged, m_markNotice,
            [this] { m_markNotice->setMarksShown(m_pages->currentWidget() == m_workspace); });
    connectMarks();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setFixedHeight(kStatusBarHeight);
    statusBar()->addWidget(m_markNotice);
    statusBar()->addWidget(m_message, 1);
    statusBar()->addPermanentWidget(m_work);
    showStatusBar();
}

void MainWindow::connectMarks() {
    const ui::MarkList& marks = m_controller.marks();
    const auto say = [this](const QString& sentence) {
        if (!m_message->property("problem").toBool())  // that the marks cannot be kept, it may be
            showMessage(sentence, false);
    };
    // Also a click beside the field keeps what was typed, in the run's file.
    connect(&marks, &ui::MarkList::added, this, [&marks, say](std::size_t index) {
        say(tr("The mark “%1” was made.").arg(marks.flagNoteOf(index)));
    });
    // What was said before would be read with the notice that it stands beside.
    connect(&marks, &ui::MarkList::removedChanged, this, [this, &marks, say] {
        if (marks.removed())
            say(m_controller.isRunning() ? m_runMessage : QString());
    });
}

/// Of what could not be opened, or of a run of which nothing was recorded.
void MainWindow::showProblems(const QStringList& sentences, bool ofRun) {
    m_openProblems->setSentences(sentences);
    m_problemsOfRun = ofRun && !sentences.isEmpty();
}

/// How a run ended that is no longer what the panel would run, or what is shown.
void MainWindow::forgetRunProblem() {
    if (m_problemsOfRun)
        showProblems({}, false);
}

void MainWindow::showRunResult(bool ok, const QString& sentence) {
    const int ended = m_controller.endedRun();
    m_runMessage = sentence;
    if (!ok) {
        // Over its views, or, where there are none, over all of them.
        m_runMessage.clear();
        if (ended < 0)
            showProblems({sentence}, true);
        else if (ended != m_controller.currentRun() || m_compared.first)
            m_runMessage =
                tr("The run %1 has failed.").arg(m_controller.runs()[static_cast<std::size_t>(ended)].title);
    }
    m_runPanel->setLastResult(ok ? sentence : tr("Failed."));
    if (ok)
        sayOfRun();
    else
        showMessage(m_runMessage, true);
}

/// How a run goes, the run panel says as well: a problem that was told meanwhile stays to be read.
void MainWindow::sayOfRun() {
    if (!m_message->property("problem").toBool() || m_message->text().isEmpty())
        showMessage(m_runMessage, false);
}

QStringList MainWindow::comparedWarnings() const {
    QStringList warnings;
    const auto add = [&](const std::shared_ptr<const Snapshot>& snapshot, const QString& letter) {
        QStringList sentences;
        for (const OpenedRunEntry& run : m_controller.runs()) {
            if (run.snapshot == snapshot)
                sentences = run.allWarnings();
        }
        for (const std::string& sentence : snapshot->damage().sentences()) {
            if (const QString text = QString::fromStdString(sentence); !sentences.contains(text))
                sentences << text;
        }
        for (const QString& sentence : sentences)
            warnings << tr("%1: %2").arg(letter, sentence);
    };
    add(m_compared.first, QStringLiteral("A"));
    add(m_compared.second, QStringLiteral("B"));
    return warnings;
}

void MainWindow::showWarnings() {
    // Dismissed or outdated while one view was alone, which brings back what it has hidden.
    for (Banner* banner : {m_openProblems, &m_trials->outcome()}) {
        if (banner->sentences().isEmpty())
            banner->hide();
    }
    m_trials->showOutcomesOf(m_compared.first ? m_compared.first : m_controller.document().snapshot(),
                             m_compared.second);
    m_banner->setSentences(m_compared.first ? comparedWarnings() : m_controller.document().warnings());
    const int shown = m_controller.currentRun();
    const QString copy = shown >= 0 && !m_compared.first
                             ? m_controller.runs()[static_cast<std::size_t>(shown)].markedCopy
                             : QString();
    m_copyNotice->setSentences(copy.isEmpty() ? QStringList()
                                              : QStringList(tr("You have marked this sample before: "
                                                               "your marks are in a copy of it, %1.")
                                                                .arg(QDir::toNativeSeparators(copy))));
    m_saveFromBanner->setVisible(shown >= 0 && m_controller.isUnsaved(shown));
}

void MainWindow::showMessage(const QString& sentence, bool problem) {
    if (m_message->text() == sentence)
        return;
    m_message->setText(sentence);
    m_message->setToolTip(plainToolTip(sentence));
    m_message->setProperty("problem", problem);
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
    showStatusBar();
}

/// Its room is kept while it says nothing: as it came and went, what stands above it would move under the
/// pointer. Of one view alone it is there for what cannot wait.
void MainWindow::showStatusBar() {
    const bool problem = m_message->property("problem").toBool() && !m_message->text().isEmpty();
    const bool urgent = problem || m_work->isNoticed() || m_markNotice->isFresh();
    statusBar()->setVisible(urgent || !m_focusMode->active());
}

}  // namespace warpglass::app
