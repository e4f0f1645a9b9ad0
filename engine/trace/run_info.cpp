#include "engine/trace/run_info.h"

#include <algorithm>
#include <charconv>

namespace warpglass {

void RunInfo::set(std::string_view key, std::string_view value) {
    for (auto& [k, v] : m_pairs) {
        if (k == key) {
            v = value;
            return;
        }
    }
    m_pairs.emplace_back(key, value);
}

std::string RunInfo::get(std::string_view key) const {
    for (const auto& [k, v] : m_pairs) {
        if (k == key)
            return v;
    }
    return {};
}

bool RunInfo::has(std::string_view key) const {
    return std::ranges::any_of(m_pairs, [&](const auto& pair) { return pair.first == key; });
}

std::optional<std::int64_t> RunInfo::getInteger(std::string_view key) const {
    const std::string text = get(key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

bool failedForWantOfMemory(const RunInfo& info) {
    if (info.get("state") != run_state::kFailed)
        return false;
    return info.has("allocator.request_bytes") ||
           info.getInteger("allocator.out_of_memory").value_or(0) > 0 ||
           info.get("state.message").find("needs more memory than") != std::string::npos;
}

}  // namespace warpglass
