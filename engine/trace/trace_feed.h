// Where the writer leaves its newest snapshot and readers find it.
//
// The writer exchanges one atomic pointer (a mailbox) and takes no lock, so no reader can hold it up. Readers
// lock each other out for the moment of taking a letter out.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace warpglass {

class Snapshot;

class TraceFeed {
public:
    TraceFeed() = default;
    TraceFeed(const TraceFeed&) = delete;
    TraceFeed& operator=(const TraceFeed&) = delete;
    ~TraceFeed();

    /// Writer only; wait-free.
    void publish(std::shared_ptr<const Snapshot> snapshot);
    /// Any thread. The newest published snapshot; null before the first.
    std::shared_ptr<const Snapshot> latest() const;
    /// Any thread. Rises with every published snapshot, 0 before the first: cheap enough to poll per frame.
    std::uint64_t epoch() const { return m_epoch.load(std::memory_order_acquire); }

private:
    using Letter = std::shared_ptr<const Snapshot>;
    mutable std::atomic<Letter*> m_mailbox{nullptr};
    std::atomic<std::uint64_t> m_epoch{0};
    mutable std::mutex m_readers;
    mutable Letter m_latest;  // guarded by m_readers
};

}  // namespace warpglass
