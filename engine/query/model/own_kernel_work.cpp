#include "engine/query/model/own_kernel_work.h"

#include "engine/plan/parts.h"
#include "engine/query/model/plan_of_run.h"

namespace warpglass {

OwnKernelWork::OwnKernelWork(const Snapshot& snapshot)
    : m_snapshot(snapshot), m_config(configOfRun(snapshot)) {
    if (!m_config || !m_config->onGpu())
        return;
    m_own.resize(snapshot.nameCount() + 1);
    const Implementation* const attention = &attentionPlan(*m_config).is;
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i) {
        const auto found = ownKernel(*m_config, snapshot.name(NameId(i)));
        if (!found)
            continue;
        m_own[i] = found->implementation == attention ? Own::kAttention : Own::kBetweenProducts;
        m_any = true;
    }
}

std::optional<OwnKernelWork::Known> OwnKernelWork::of(NameId kernel, PlaceId place,
                                                      std::int64_t launches) const {
    if (!isOwn(kernel))
        return std::nullopt;
    const std::string_view module = m_snapshot.name(m_snapshot.place(place).module);
    const OwnKernel* const described = ownKernel(*m_config, m_snapshot.name(kernel))->kernel;
    const std::optional<KernelWork> work = described->work(*m_config, module);
    if (!work || launches % work->launches != 0)
        return std::nullopt;
    const std::int64_t whole = launches / work->launches;
    const auto times = static_cast<double>(whole);
    const double flops = times * static_cast<double>(work->flops.value);
    return Known{flops, times * static_cast<double>(work->moved.value),
                 times * static_cast<double>(work->notMoved.value), described->isProduct ? flops : 0};
}

std::optional<double> memoryRoof(const RunCeilings& ceilings) {
    return ceilings.measured.bytesPerSecond ? ceilings.measured.bytesPerSecond
                                            : ceilings.dataSheet.bytesPerSecond;
}

std::optional<OwnKernelSpan> ownKernelSpan(const Snapshot& snapshot, std::string_view kernel,
                                           std::string_view module, Nanoseconds duration) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    const auto found = config ? ownKernel(*config, kernel) : std::nullopt;
    if (!found)
        return std::nullopt;
    OwnKernelSpan span{found->implementation->sentence,
                       found->kernel->work(*config, module),
                       found->kernel->isProduct,
                       {},
                       {}};
    if (span.work && span.work->launches > 1)
        span.work.reset();
    if (!span.work || span.isProduct || duration.value <= 0)
        return span;
    span.bytesPerSecond =
        static_cast<double>(span.work->moved.value) / (static_cast<double>(duration.value) / 1e9);
    if (const std::optional<double> roof = memoryRoof(ceilingsOf(snapshot)))
        span.shareOfRoof = std::min(1.0, *span.bytesPerSecond / *roof);
    return span;
}

}  // namespace warpglass
