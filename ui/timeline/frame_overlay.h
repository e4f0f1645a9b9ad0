// What a frame of the timeline costs, written in its corner while it is switched on: the last frame's time,
// the 95th percentile over the second before it, and how much was drawn. GUI thread only.
#pragma once

#include <QStringList>
#include <cstdint>
#include <deque>

class QPainter;
class QRect;

namespace warpglass::ui {

/// The times of the frames of the last second. Times in milliseconds of any clock that only rises.
class FrameTimes {
public:
    void add(double at, double took);
    std::size_t count() const { return m_frames.size(); }
    double last() const { return m_frames.empty() ? 0 : m_frames.back().took; }
    /// The smallest time that at least 95 of 100 frames stayed within (nearest rank); 0 without frames.
    double percentile95() const;

    static constexpr double kWindow = 1000;

private:
    struct Frame {
        double at = 0, took = 0;
    };
    std::deque<Frame> m_frames;
};

/// What a frame drew.
struct FrameLoad {
    std::uint64_t rects = 0;  // bars, spans and merged runs of them
    std::uint64_t spans = 0;  // in those bars
    std::uint64_t rows = 0;   // of the timeline, in view
    std::uint64_t allRows = 0;
};

/// The overlay's lines.
QStringList frameLines(const FrameTimes& times, const FrameLoad& load);

/// Draws them in the lower right corner of `area`, on a ground that bars do not shine through.
void paintFrameOverlay(QPainter& painter, const QRect& area, const QStringList& lines);

}  // namespace warpglass::ui
