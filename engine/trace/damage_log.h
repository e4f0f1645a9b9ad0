// What was found damaged in a run file after it was opened: chunks are read when they are needed, so a view
// may be the first to meet one. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warpglass {

class DamageLog {
public:
    void add(std::string sentence) {
        const std::lock_guard lock(m_mutex);
        m_sentences.push_back(std::move(sentence));
        m_count.store(m_sentences.size(), std::memory_order_release);
    }
    /// Cheap enough to ask on a timer.
    std::size_t count() const { return m_count.load(std::memory_order_acquire); }
    std::vector<std::string> sentences() const {
        const std::lock_guard lock(m_mutex);
        return m_sentences;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_sentences;
    std::atomic<std::size_t> m_count{0};
};

}  // namespace warpglass
