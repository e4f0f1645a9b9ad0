#include "engine/query/spans/kernel_works.h"

#include <unordered_map>

#include "engine/base/collect.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/trace/kernel_name.h"

namespace warpglass {

KernelWorks::KernelWorks(const Snapshot& snapshot) : m_ofDetail(snapshot.detailCount()) {
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::unordered_map<std::uint32_t, std::uint32_t> ofSignature;
    for (std::size_t i = 0; i < m_ofDetail.size(); ++i) {
        const SpanDetail detail = snapshot.detail(DetailId(i)).value_or(SpanDetail());
        const std::string_view signature = snapshot.name(detail.fullName);
        if (detail.kind != DetailKind::kKernel || signature.empty())
            continue;
        const auto [found, fresh] = ofSignature.try_emplace(detail.fullName.value, 0);
        if (fresh) {
            const std::string name = shortKernelName(signature), title = kernelTitle(name, signature);
            m_apart[title].try_emplace(name);
            found->second =
                numbers.try_emplace(title, static_cast<std::uint32_t>(numbers.size()) + 1).first->second;
        }
        m_ofDetail[i] = found->second;
    }
    m_count = numbers.size() + 1;
    std::erase_if(m_apart, [](const auto& title) { return title.second.size() < 2; });
    for (auto& [title, byName] : m_apart) {
        auto names =
            mapped<std::string_view>(byName, [](const auto& each) { return std::string_view(each.first); });
        const std::vector<std::string> apart = whatTellsApart(names);
        auto next = apart.begin();
        for (auto& [name, words] : byName)
            words = *next++;
    }
}

std::string KernelWorks::titleOf(std::string_view shortName, std::string_view fullName) const {
    const std::string title = kernelTitle(shortName, fullName);
    const auto alike = m_apart.find(title);
    if (alike == m_apart.end())
        return title;
    const auto found = alike->second.find(shortName);
    return found == alike->second.end() || found->second.empty() ? title : title + ", " + found->second;
}

}  // namespace warpglass
