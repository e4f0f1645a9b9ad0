// What the open sweeps and the open experiments have in common: pages of their own, of which some run. One
// that is closed is stopped first, after a question.
#pragma once

#include <QDialog>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <utility>
#include <vector>

#include "app/window/stop_question.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass::app {

/// `Pages` derives from it, and has the signals changed() and closed() and titleOf().
template <class Pages, class Page>
class OpenPages : public QObject {
public:
    int count() const { return static_cast<int>(m_pages.size()); }
    Page& page(int index) const { return *m_pages[static_cast<std::size_t>(index)]; }
    int indexOf(const QWidget* page) const {
        return indexWhere([page](const Page* each) { return each == page; });
    }
    bool isReading() const { return m_reading > 0; }
    /// Runs cells with another program than `warpglass-cli` beside this one (tests).
    void setRunOptions(SweepRunOptions options) { m_runOptions = std::move(options); }

    /// Asks first where it runs.
    void close(int index) {
        Page* closing = &page(index);
        if (!closing->isRunning())
            return remove(*closing);
        if (m_question && m_question->isVisible())
            return m_question->raise();
        const auto stop = [this, closing = QPointer(closing)] {
            if (!closing || indexOf(closing) < 0)
                return;
            if (!closing->isRunning())
                return remove(*closing);
            const auto removeEnded = [this, closing] {
                if (closing && indexOf(closing) >= 0)
                    remove(*closing);
            };
            // Queued: the page has more to do with its end.
            connect(closing, &Page::ended, this, removeEnded, Qt::QueuedConnection);
            closing->stop();
        };
        m_question = askToStop(&m_parent, {{m_kind, pages().titleOf(index)}}, StopFor::kClose, stop);
    }
    /// The titles of those that go on.
    QStringList running() const {
        QStringList titles;
        for (int i = 0; i < count(); ++i) {
            if (page(i).isRunning())
                titles << static_cast<const Pages&>(*this).titleOf(i);
        }
        return titles;
    }
    /// changed() follows as each has ended.
    void stopAll() {
        for (Page* page : m_pages)
            page->stop();
    }

protected:
    /// `parent` is the pages' parent, too.
    OpenPages(QWidget& parent, RunningWork::Kind kind) : QObject(&parent), m_parent(parent), m_kind(kind) {}

    template <class Test>
    int indexWhere(const Test& test) const {
        const auto found = std::find_if(m_pages.begin(), m_pages.end(), test);
        return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
    }
    void remove(Page& page) {
        std::erase(m_pages, &page);
        emit pages().closed();
        emit pages().changed();
        page.deleteLater();
    }

    QWidget& m_parent;
    std::vector<Page*> m_pages;
    SweepRunOptions m_runOptions;
    int m_reading = 0;

private:
    Pages& pages() { return static_cast<Pages&>(*this); }

    const RunningWork::Kind m_kind;
    QPointer<QDialog> m_question;
};

}  // namespace warpglass::app
