#include "app/window/compare_with.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QMap>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "app/window/commands.h"
#include "app/window/recent_runs.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/window_files.h"
#include "app/window/window_pages.h"

namespace warpglass::app {

CompareWith::CompareWith(SessionController& controller, WindowPages& pages, WindowFiles& files,
                         QObject* parent)
    : QObject(parent), m_controller(controller), m_pages(pages), m_files(files) {
    connect(&controller, &SessionController::fileOpened, this, &CompareWith::onOpened);
    connect(&controller.opening(), &RunOpening::notOpened, this, [this] {
        m_toBeOpened.clear();
        m_with.reset();
    });
}

/// A run that is still being recorded cannot be compared.
bool CompareWith::canCompareShown() const {
    const OpenedRunEntry* shown = m_controller.shownRun();
    return shown && !m_pages.hasSweepOrExperiment() && shown->snapshot &&
           m_controller.currentRun() != m_controller.recordingRun();
}

int CompareWith::next() const {
    const int count = static_cast<int>(m_controller.runs().size()), shown = m_controller.currentRun();
    for (int by = 1; by < count && canCompareShown(); ++by) {
        const int other = (shown + by) % count;
        if (other != m_controller.recordingRun() && m_controller.run(other).snapshot)
            return other;
    }
    return -1;
}

void CompareWith::compareWithNext() {
    if (const int other = next(); other >= 0)
        m_pages.compare(m_controller.currentRun(), other);
}

void CompareWith::fillMenu(QMenu& menu) {
    if (!canCompareShown())
        return addNote(menu, m_pages.hasSweepOrExperiment() ? tr("Bring a run to the front first")
                                                            : tr("Open a run first, or drop two files"));
    const auto& runs = m_controller.runs();
    const std::uint64_t shown = m_controller.shownRun()->id;
    for (const OpenedRunEntry& run : runs) {
        if (run.id != shown && run.snapshot)
            menu.addAction(entryText(run.title), this,
                           [this, shown, other = run.id] { compare(shown, other); });
    }
    menu.addAction(tr("Itself, One Step with Another"), this, [this, shown] { compare(shown, shown); });
    menu.addSeparator();
    const QMap<QString, QString> titles = m_files.recent().titles();
    for (const QString& path : m_files.recent().paths()) {
        const bool open = std::any_of(runs.begin(), runs.end(), [&path](const OpenedRunEntry& run) {
            return !run.path.isEmpty() && QFileInfo(run.path) == QFileInfo(path);
        });
        if (open || kindOfFile(path) != FileKind::kRun)
            continue;
        const QString changed = QLocale().toString(QFileInfo(path).lastModified(), QLocale::ShortFormat);
        menu.addAction(entryText(tr("%1, recent, %2").arg(titles.value(path), changed)), this,
                       [this, path] { openAndCompare({path}); })
            ->setToolTip(path);
    }
    menu.addAction(tr("A File…"), this, [this] { openAndCompare(m_files.askForRunFiles()); });
}

/// A run may have gone while the menu was open: a recording that came to nothing leaves no run behind.
void CompareWith::compare(std::uint64_t a, std::uint64_t b) {
    const int first = m_controller.runs().indexOf(a), second = m_controller.runs().indexOf(b);
    if (first >= 0 && second >= 0)
        m_pages.compare(first, second);
}

void CompareWith::openDropped(const QStringList& paths) {
    m_toBeOpened = paths.size() == 2 ? paths : QStringList();
    m_with.reset();
    m_controller.openFiles(paths);
}

void CompareWith::openAndCompare(const QStringList& paths) {
    const OpenedRunEntry* shown = m_controller.shownRun();
    if (paths.isEmpty() || !shown)
        return;
    m_toBeOpened.clear();
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(m_toBeOpened),
                 [](const QString& path) { return kindOfFile(path) == FileKind::kRun; });
    m_with = shown->snapshot;
    m_controller.openFiles(paths, SessionController::Show::kBehind);
}

void CompareWith::onOpened(const QString& path) {
    // Other files may be opened at the same time.
    if (!m_toBeOpened.removeOne(path))
        return;
    const int opened = m_controller.runs().ofFile(path);
    if (!m_with && opened >= 0)
        m_with = m_controller.run(opened).snapshot;
    if (!m_toBeOpened.isEmpty())
        return;
    const int with = m_controller.runs().indexOf(std::exchange(m_with, nullptr));
    if (with < 0 || opened < 0)
        return;
    // A becomes the run in front, as where it is chosen in the menu: Esc leads back to it.
    if (m_controller.currentRun() != with)
        m_controller.showRun(with);
    m_pages.compare(with, opened);
}

}  // namespace warpglass::app
