// The tensors of a step, made and freed on paper in the order in which the model makes and frees them: only
// sizes, no data. Each moment keeps what was alive when most was.
//
// A PaperTensor frees its bytes when the last copy of it goes, as an at::Tensor does, so that code over it
// reads like the model's and has its lifetimes. One thread. O(number of kinds) a tensor.
//
// Over an allocator the walk asks it for every tensor instead, and keeps no moments: what is given and taken
// depends on each allocation's place among all others, so it goes through every layer and step.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/plan/caching_allocator.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/saturating.h"

namespace warpglass {

class MemoryWalk {
public:
    /// What tensors are called that stand in one line of a breakdown.
    struct Kind {
        PlanCategory category = PlanCategory::kTemporaries;
        /// Must outlive the walk: a literal.
        std::string_view name;

        bool operator==(const Kind&) const = default;
    };
    struct Live {
        Kind kind;
        Saturating bytes;
    };

    /// `allocator` outlives the walk.
    explicit MemoryWalk(CachingAllocator* allocator = nullptr) : m_allocator(allocator) {}

    /// What is made and freed from now on belongs to this moment; what is alive stays.
    void begin(std::string_view phase, std::string_view name);
    /// Preconditions: begin() was called; no more is removed than was added.
    /// Gives the place that remove() wants; kNowhere without an allocator, and where it has no room.
    CachingAllocator::Address add(const Kind& kind, Saturating bytes);
    void remove(const Kind& kind, Saturating bytes, CachingAllocator::Address address = kNowhere);

    static constexpr CachingAllocator::Address kNowhere = -1;
    CachingAllocator* allocator() const { return m_allocator; }
    /// The allocator had no room for something: what is added from then on is nowhere.
    bool ranOut() const { return m_ranOut; }

    const std::vector<Live>& live() const { return m_live; }
    /// Does what has changed since `before` so many times more: one layer stands for all that are like it. No
    /// moment sees it; call begin() next. Where layers each change the total by the same amount, the first or
    /// the last has the peak, so what those in between made and freed need not be looked at.
    void repeatSince(const std::vector<Live>& before, std::int64_t times);

    /// Every moment so far, each at its fullest.
    std::vector<MemoryMoment> moments() const;

private:
    struct Moment {
        std::string_view phase;
        std::string_view name;
        Saturating peak;
        std::vector<Live> atPeak;
    };
    Live& find(const Kind& kind);
    void notePeak();

    CachingAllocator* m_allocator;
    bool m_ranOut = false;
    std::vector<Live> m_live;
    Saturating m_total;
    std::vector<Moment> m_moments;
};

/// A handle, like at::Tensor: copies share the storage.
class PaperTensor {
public:
    PaperTensor() = default;
    PaperTensor(MemoryWalk& walk, const MemoryWalk::Kind& kind, Saturating bytes)
        : m_storage(std::make_shared<Storage>(walk, kind, bytes)) {}

    /// Gives up this handle; the bytes are freed if it was the last.
    void reset() { m_storage.reset(); }
    bool holds() const { return m_storage != nullptr; }

private:
    struct Storage {
        Storage(MemoryWalk& w, const MemoryWalk::Kind& k, Saturating b) : walk(w), kind(k), bytes(b) {
            address = walk.add(kind, bytes);
        }
        ~Storage() { walk.remove(kind, bytes, address); }
        Storage(const Storage&) = delete;
        Storage& operator=(const Storage&) = delete;

        MemoryWalk& walk;
        MemoryWalk::Kind kind;
        Saturating bytes;
        CachingAllocator::Address address = MemoryWalk::kNowhere;
    };
    std::shared_ptr<Storage> m_storage;
};

}  // namespace warpglass
