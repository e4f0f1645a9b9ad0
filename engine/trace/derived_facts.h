// What queries have derived from one snapshot, computed by the first who asks and kept as long as the
// snapshot: a run's roofs, the work of its products and its GPUs' idle times are asked for by a dozen views,
// and each takes a pass over all kernels.
//
// Only what depends on nothing but the snapshot and holds no reference to it. What was derived before more of
// a file was found damaged is derived anew; so is, once, what found the damage itself. Thread-safe: whoever
// asks while another computes the same waits for it. What is being computed may ask for facts of other types.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>

namespace warpglass {

class DerivedFacts {
public:
    /// make()'s value, by its type and by `variant` where there are several of one type; anew where it was
    /// made for another `version`.
    template <class T, class Make>
    std::shared_ptr<const T> get(std::string variant, std::size_t version, Make&& make) {
        const std::shared_ptr<Fact> fact = factOf({typeid(T), std::move(variant)});
        const std::lock_guard lock(fact->mutex);
        if (!fact->value || fact->version != version) {
            fact->value = std::make_shared<const T>(make());
            fact->version = version;
        }
        return std::static_pointer_cast<const T>(fact->value);
    }

private:
    struct Fact {
        std::mutex mutex;
        std::shared_ptr<const void> value;
        std::size_t version = 0;
    };
    using Key = std::pair<std::type_index, std::string>;

    std::shared_ptr<Fact> factOf(const Key& key) {
        const std::lock_guard lock(m_mutex);
        std::shared_ptr<Fact>& fact = m_facts[key];
        if (!fact)
            fact = std::make_shared<Fact>();
        return fact;
    }

    std::mutex m_mutex;
    std::map<Key, std::shared_ptr<Fact>> m_facts;
};

}  // namespace warpglass
