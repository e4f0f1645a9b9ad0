#include "ui/timeline/read_ahead.h"

#include <QThreadPool>
#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <ranges>
#include <utility>

#include "ui/models/worker_pool.h"

namespace warpglass::ui {

struct ReadAhead::State {
    struct Request {
        std::shared_ptr<const Snapshot> snapshot;
        std::vector<LaneId> lanes;
        TimeRange visible;
    };

    std::mutex mutex;
    std::optional<Request> next;
    bool given = false;  // what is being read is no longer wanted
    bool running = false;

    bool isWanted() {
        const std::lock_guard lock(mutex);
        return !given;
    }

    /// The next request; nothing ends the job.
    std::optional<Request> take() {
        const std::lock_guard lock(mutex);
        given = false;
        running = next.has_value();
        return std::exchange(next, std::nullopt);
    }

    void work() {
        while (const auto request = take()) {
            try {
                read(*request);
            } catch (const std::exception&) {
                // Out of memory: frames read what they need themselves. Out of here it would end the program.
            }
        }
    }

    void read(const Request& request) {
        // First everything in view, then what is beside it.
        std::vector<std::vector<std::size_t>> chunks;
        std::size_t most = 0;
        for (const LaneId lane : request.lanes) {
            chunks.push_back(chunksFor(request.snapshot->lane(lane), request.visible));
            most = std::max(most, chunks.back().size());
        }
        for (std::size_t i = 0; i < most; ++i) {
            for (std::size_t lane = 0; lane < chunks.size(); ++lane) {
                if (!isWanted())
                    return;
                if (i < chunks[lane].size())
                    request.snapshot->lane(request.lanes[lane]).chunk(chunks[lane][i]);
            }
        }
    }
};

ReadAhead::ReadAhead() : m_state(std::make_shared<State>()) {}

ReadAhead::~ReadAhead() {
    giveUp();
}

void ReadAhead::giveUp() {
    const std::lock_guard lock(m_state->mutex);
    m_state->next.reset();
    m_state->given = true;
}

void ReadAhead::request(std::shared_ptr<const Snapshot> snapshot, std::vector<LaneId> lanes,
                        TimeRange visible) {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->next = State::Request{std::move(snapshot), std::move(lanes), visible};
        m_state->given = true;
        if (std::exchange(m_state->running, true))
            return;
    }
    workerPool().start([state = m_state] { state->work(); });
}

std::vector<std::size_t> ReadAhead::chunksFor(const SpanLane& lane, TimeRange visible) {
    std::vector<std::size_t> chunks;
    const std::size_t count = lane.chunkCount();
    // Their ranges are in order.
    const auto all = std::views::iota(std::size_t{0}, count);
    const auto firstAfter = [&](auto&& isBefore) {
        return static_cast<std::size_t>(std::ranges::partition_point(all, isBefore) - all.begin());
    };
    const std::size_t first =
        firstAfter([&](std::size_t i) { return lane.chunkRange(i).end <= visible.begin; });
    const std::size_t last =
        firstAfter([&](std::size_t i) { return lane.chunkRange(i).begin < visible.end; });
    if (count == 0 || last > first + kMostInView)
        return chunks;
    for (std::size_t i = first; i < last; ++i)
        chunks.push_back(i);
    if (last < count)
        chunks.push_back(std::max(last, first));
    if (first > 0)
        chunks.push_back(first - 1);
    return chunks;
}

}  // namespace warpglass::ui
