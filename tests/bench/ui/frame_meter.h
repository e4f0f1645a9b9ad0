// Measures what the window's thread does, event by event, from where Qt hands events out.
//
// A frame is an outermost event in which the timeline was painted from a newer snapshot than before. What it
// took is the time of that event and of the one that took the snapshot in. Window's thread only.
#pragma once

#include <QApplication>
#include <QString>
#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "engine/trace/trace_feed.h"
#include "ui/models/run_document.h"

class QWidget;

namespace warpglass::app {

/// Milliseconds.
struct FrameSample {
    double interval = 0;  // since the frame before
    double refresh = 0;   // of the window's thread: the snapshot taken in, and the paint
    double paint = 0;
    double lag = 0;  // how much newer the newest snapshot was when the frame was done
};

class FrameMeter : public QApplication {
public:
    using QApplication::QApplication;

    /// Counts from now on: paints of `timeline`, where it is null of anything, that show more of `document`.
    /// The feed tells what is newest.
    void begin(ui::RunDocument& document, std::shared_ptr<TraceFeed> feed, const QWidget* timeline,
               const QWidget* memory);
    void end() { m_document = nullptr; }
    /// What happens until the next frame (a screenshot) is not counted.
    void skipInterval() { m_haveLast = false; }

    const std::vector<FrameSample>& frames() const { return m_frames; }
    /// The time of each outermost event that took at least 0.1 ms, frames among them.
    const std::vector<double>& events() const { return m_events; }
    int memoryFrames() const { return m_memoryFrames; }
    /// The time that the window's thread spent in events.
    double busy() const { return m_busy; }
    /// By class and kind of event ("TimelineView paints"): the time of its events without those within them.
    const std::map<QString, double>& where() const { return m_where; }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    using Clock = std::chrono::steady_clock;
    void finishEvent(Clock::time_point began);

    ui::RunDocument* m_document = nullptr;
    std::shared_ptr<TraceFeed> m_feed;
    const QWidget* m_timeline = nullptr;
    const QWidget* m_memory = nullptr;
    int m_depth = 0;
    bool m_timelinePainted = false, m_memoryPainted = false;
    std::uint64_t m_takenEpoch = 0, m_shownEpoch = 0, m_memoryEpoch = 0;
    double m_takingIn = 0;
    Clock::time_point m_lastFrame;
    bool m_haveLast = false;
    std::vector<FrameSample> m_frames;
    std::vector<double> m_events;
    int m_memoryFrames = 0;
    double m_busy = 0;
    double m_within = 0;  // the events that the present one has handed on
    std::map<QString, double> m_where;
};

}  // namespace warpglass::app
