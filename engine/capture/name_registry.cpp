#include "engine/capture/name_registry.h"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace warpglass {
namespace {

struct Table {
    std::mutex mutex;
    std::deque<std::string> texts;  // never move, so that views into them stay valid
    std::unordered_map<std::string_view, std::uint32_t> ids;
};

// Never destroyed: threads may look names up while the process ends.
Table& table() {
    static Table& instance = *new Table;
    return instance;
}

std::uint32_t idInTable(std::string_view text, std::string_view& stored) {
    Table& t = table();
    const std::lock_guard lock(t.mutex);
    auto found = t.ids.find(text);
    if (found == t.ids.end()) {
        const std::string& kept = t.texts.emplace_back(text);
        found = t.ids.emplace(kept, static_cast<std::uint32_t>(t.texts.size() - 1)).first;
    }
    stored = found->first;
    return found->second;
}

}  // namespace

std::uint32_t NameRegistry::idOf(std::string_view text) {
    // By content, not by address: an autograd node's name lives in an object on the stack.
    thread_local std::unordered_map<std::string_view, std::uint32_t> cache;
    if (const auto found = cache.find(text); found != cache.end())
        return found->second;
    std::string_view stored;
    const std::uint32_t id = idInTable(text, stored);
    cache.emplace(stored, id);
    return id;
}

const std::string& NameRegistry::textOf(std::uint32_t id) {
    Table& t = table();
    const std::lock_guard lock(t.mutex);
    return t.texts[id];
}

}  // namespace warpglass
