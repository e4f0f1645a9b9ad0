#include "engine/query/spans/kernel_works.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/query/spans/kernel_title.h"

namespace warpglass {
namespace {

/// "vectorized_elementwise_kernel" of "void at::native::vectorized_elementwise_kernel<4, …".
std::string_view templateOf(std::string_view signature) {
    const std::string_view path = signature.substr(0, signature.find('<'));
    return path.substr(path.find_last_of(": ") + 1);
}

}  // namespace

KernelWorks::KernelWorks(const Snapshot& snapshot) : m_ofDetail(snapshot.detailCount()) {
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::unordered_map<std::uint32_t, std::uint32_t> ofSignature;
    for (std::size_t i = 0; i < m_ofDetail.size(); ++i) {
        const SpanDetail detail = snapshot.detail(DetailId(i)).value_or(SpanDetail());
        const std::string_view signature = snapshot.name(detail.fullName);
        if (detail.kind != DetailKind::kKernel || signature.empty())
            continue;
        const auto [found, fresh] = ofSignature.try_emplace(detail.fullName.value, 0);
        if (fresh)
            found->second = numbers
                                .try_emplace(kernelTitle(templateOf(signature), signature),
                                             static_cast<std::uint32_t>(numbers.size()) + 1)
                                .first->second;
        m_ofDetail[i] = found->second;
    }
    m_count = numbers.size() + 1;
}

}  // namespace warpglass
