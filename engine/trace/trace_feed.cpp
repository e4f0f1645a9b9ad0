#include "engine/trace/trace_feed.h"

#include "engine/trace/snapshot.h"

namespace warpglass {

TraceFeed::~TraceFeed() {
    delete m_mailbox.load(std::memory_order_relaxed);
}

void TraceFeed::publish(std::shared_ptr<const Snapshot> snapshot) {
    const std::uint64_t epoch = snapshot->epoch();
    delete m_mailbox.exchange(new Letter(std::move(snapshot)), std::memory_order_acq_rel);
    m_epoch.store(epoch, std::memory_order_release);
}

std::shared_ptr<const Snapshot> TraceFeed::latest() const {
    const std::lock_guard lock(m_readers);
    if (const std::unique_ptr<Letter> letter{m_mailbox.exchange(nullptr, std::memory_order_acq_rel)})
        m_latest = std::move(*letter);
    return m_latest;
}

}  // namespace warpglass
