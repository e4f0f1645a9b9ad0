#include "tests/bench/ui/frame_meter.h"

#include <QEvent>
#include <QWidget>
#include <utility>

namespace warpglass::app {
namespace {

double milliseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

}  // namespace

void FrameMeter::begin(ui::RunDocument& document, std::shared_ptr<TraceFeed> feed, const QWidget* timeline,
                       const QWidget* memory) {
    m_document = &document;
    m_feed = std::move(feed);
    m_timeline = timeline;
    m_memory = memory;
    m_takenEpoch = m_shownEpoch = m_memoryEpoch =
        document.snapshot() ? document.snapshot()->epoch() : std::uint64_t{0};
    m_haveLast = false;
    m_takingIn = m_busy = 0;
    m_frames.clear();
    m_events.clear();
    m_memoryFrames = 0;
    m_where.clear();
}

bool FrameMeter::notify(QObject* receiver, QEvent* event) {
    const bool outermost = m_depth == 0;
    const auto began = Clock::now();
    if (event->type() == QEvent::Paint) {
        m_timelinePainted = m_timelinePainted || !m_timeline || receiver == m_timeline;
        m_memoryPainted = m_memoryPainted || receiver == m_memory;
    }
    // Before it is handled: the receiver may not be there afterwards.
    QString what;
    if (m_document)
        what = QString::fromLatin1(receiver->metaObject()->className()).section("::", -1) +
               (event->type() == QEvent::Paint ? QStringLiteral(" paints") : QString());
    const double withinOuter = std::exchange(m_within, 0);
    ++m_depth;
    const bool handled = QApplication::notify(receiver, event);
    --m_depth;
    const double took = milliseconds(Clock::now() - began);
    if (!what.isEmpty())
        m_where[what] += took - m_within;
    m_within = withinOuter + took;
    if (outermost && m_document)
        finishEvent(began);
    if (outermost)
        m_timelinePainted = m_memoryPainted = false;
    return handled;
}

void FrameMeter::finishEvent(Clock::time_point began) {
    const auto ended = Clock::now();
    const double took = milliseconds(ended - began);
    m_busy += took;
    if (took >= 0.1)
        m_events.push_back(took);
    const auto& shown = m_document->snapshot();
    if (!shown)
        return;
    const std::uint64_t epoch = shown->epoch();
    if (epoch != m_takenEpoch) {
        m_takenEpoch = epoch;
        m_takingIn += took;
    }
    if (m_memoryPainted && epoch != m_memoryEpoch) {
        m_memoryEpoch = epoch;
        ++m_memoryFrames;
    }
    if (!m_timelinePainted || epoch == m_shownEpoch)
        return;
    m_shownEpoch = epoch;
    if (m_haveLast) {
        const auto newest = m_feed->latest();
        m_frames.push_back({milliseconds(ended - m_lastFrame), m_takingIn + took, took,
                            static_cast<double>((newest->range().end - shown->range().end).value) / 1e6});
    }
    m_takingIn = 0;
    m_lastFrame = ended;
    m_haveLast = true;
}

}  // namespace warpglass::app
