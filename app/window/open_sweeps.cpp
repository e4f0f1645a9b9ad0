#include "app/window/open_sweeps.h"

#include <QDialog>
#include <QFileInfo>
#include <algorithm>

#include "app/window/run_words.h"
#include "app/window/stop_question.h"
#include "engine/sweep/sweep_file.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

OpenSweeps::OpenSweeps(QWidget& parent) : QObject(&parent), m_parent(parent) {}

int OpenSweeps::indexOf(const QWidget* page) const {
    const auto found = std::find(m_pages.begin(), m_pages.end(), page);
    return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
}

QString OpenSweeps::titleOf(int index) const {
    return QFileInfo(page(index).path()).completeBaseName();
}

void OpenSweeps::open(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    for (int i = 0; i < count(); ++i) {
        if (page(i).path() == whole)
            return emit opened(i, whole);
    }
    auto sweep = openSweep(nativePath(whole));
    if (!sweep)
        return emit failed(ui::toQString(sweep.message()));
    if (sweep->plan.axes.empty())
        return emit failed(tr("The sweep %1 states no plan.").arg(whole));
    emit opened(add(whole, std::make_shared<const Sweep>(std::move(*sweep))), whole);
}

void OpenSweeps::start(const SweepPlan& plan, const QString& path, const SweepRunOptions& options) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    auto file = SweepFile::create(nativePath(whole), plan);
    if (!file)
        return emit failed(ui::toQString(file.message()));
    const int index = add(whole, std::make_shared<const Sweep>((*file)->sweep()));
    page(index).follow(SweepRun::start(std::move(*file), options));
    emit opened(index, whole);
}

void OpenSweeps::goOn(ui::SweepPage& page) {
    auto file = SweepFile::resume(nativePath(page.path()));
    if (!file)
        return emit failed(ui::toQString(file.message()));
    page.follow(SweepRun::start(std::move(*file)));
}

int OpenSweeps::add(const QString& path, std::shared_ptr<const Sweep> sweep) {
    auto* page = new ui::SweepPage(path, std::move(sweep), &m_parent);
    page->hide();
    m_pages.push_back(page);
    connect(page, &ui::SweepPage::openRequested, this, &OpenSweeps::openRunRequested);
    connect(page, &ui::SweepPage::compareRequested, this, &OpenSweeps::compareRequested);
    connect(page, &ui::SweepPage::goOnRequested, this, [this, page] { goOn(*page); });
    connect(page, &ui::SweepPage::stateChanged, this, &OpenSweeps::changed);
    connect(page, &ui::SweepPage::ended, this, &OpenSweeps::ended);
    emit changed();
    return count() - 1;
}

QStringList OpenSweeps::running() const {
    QStringList titles;
    for (int i = 0; i < count(); ++i) {
        if (page(i).isRunning())
            titles << titleOf(i);
    }
    return titles;
}

void OpenSweeps::stopAll() {
    for (ui::SweepPage* page : m_pages)
        page->stop();
}

void OpenSweeps::close(int index) {
    ui::SweepPage* closing = &page(index);
    if (!closing->isRunning())
        return remove(*closing);
    if (m_question && m_question->isVisible())
        return m_question->raise();
    const auto stop = [this, closing = QPointer(closing)] {
        if (!closing || indexOf(closing) < 0)
            return;
        if (!closing->isRunning())
            return remove(*closing);
        // Queued: the page has more to do with its end.
        connect(
            closing, &ui::SweepPage::ended, this,
            [this, closing] {
                if (closing && indexOf(closing) >= 0)
                    remove(*closing);
            },
            Qt::QueuedConnection);
        closing->stop();
    };
    m_question = askToStop(&m_parent, {{RunningWork::Kind::kSweep, titleOf(index)}}, StopFor::kClose, stop);
}

void OpenSweeps::remove(ui::SweepPage& page) {
    std::erase(m_pages, &page);
    emit closed();
    emit changed();
    page.deleteLater();
}

}  // namespace warpglass::app
