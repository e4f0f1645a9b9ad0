#include "engine/query/model/shared_work.h"

#include <algorithm>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/own_parts.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {
namespace {

/// Sums of bytes and their products with a time are beyond 64 bits.
__extension__ typedef unsigned __int128 Wide;

Wide bytesOf(const ServedModules& modules) {
    Wide all = 0;
    for (const ServedModule& served : modules)
        all += static_cast<std::uint64_t>(served.moved.value);
    return all;
}

/// Nothing of no modules, and of bytes that no run can have moved.
std::optional<Sharing> sharingBy(ServedModules modules, const Implementation& implementation, bool ofOp) {
    if (modules.empty() || bytesOf(modules) > static_cast<Wide>(Saturating::kMax))
        return std::nullopt;
    return Sharing{std::move(modules), implementation.split, ofOp};
}

}  // namespace

std::vector<std::int64_t> splitByBytes(std::int64_t time, const ServedModules& modules) {
    // Each part ends where the exact one does, rounded down, so that none is lost and none depends on the
    // others' rounding.
    const Wide whole = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0)), all = bytesOf(modules);
    std::vector<std::int64_t> parts;
    parts.reserve(modules.size());
    Wide bytes = 0, begin = 0;
    for (const ServedModule& served : modules) {
        bytes += static_cast<std::uint64_t>(served.moved.value);
        const Wide end = whole * bytes / all;
        parts.push_back(static_cast<std::int64_t>(end - begin));
        begin = end;
    }
    return parts;
}

std::optional<Sharing> sharingOf(const RunConfig& config, Phase phase, std::string_view module,
                                 std::string_view op, std::string_view kernel) {
    if (config.isAttention())
        return std::nullopt;
    if (const auto own = ownKernel(config, kernel)) {
        const auto& [implementation, described] = *own;
        const auto work = described->serves ? described->work(config, module) : std::nullopt;
        return work ? sharingBy(described->serves(config, module), *implementation, work->launches > 1)
                    : std::nullopt;
    }
    const OptimizerPlan& optimizer = planOf(config.optimizer);
    const auto update = std::ranges::find(optimizer.ops, op, &UpdateOp::name);
    if (phase != Phase::kOptimizer || !module.empty() || update == optimizer.ops.end())
        return std::nullopt;
    return sharingBy(update->serves(config), optimizer.is, !kernel.empty());
}

bool hasSharedWork(const Snapshot& snapshot) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    for (std::size_t i = 0; config && !config->isAttention() && i < snapshot.nameCount(); ++i) {
        const std::string_view name = snapshot.name(NameId(i));
        const auto own = ownKernel(*config, name);
        const auto& updates = planOf(config->optimizer).ops;
        if ((own && own->kernel->serves) ||
            std::ranges::find(updates, name, &UpdateOp::name) != updates.end())
            return true;
    }
    return false;
}

WorkScope withAllModules(WorkScope scope) {
    scope.filter.modulePath.clear();
    return scope;
}

SharedWork::SharedWork(const Snapshot& snapshot) : m_snapshot(snapshot), m_config(configOfRun(snapshot)) {}

const Sharing* SharedWork::of(PlaceId place, NameId op, NameId kernel) {
    if (!m_config)
        return nullptr;
    const auto [found, fresh] = m_found.try_emplace({place, op, kernel});
    if (fresh && m_modules <= kMostModules) {
        const Place at = m_snapshot.place(place);
        found->second = sharingOf(*m_config, at.phase, m_snapshot.name(at.module), m_snapshot.name(op),
                                  m_snapshot.name(kernel));
        m_modules += found->second ? found->second->modules.size() : 0;
    }
    return found->second ? &*found->second : nullptr;
}

std::vector<SharedWork::Share> SharedWork::sharesOf(const WorkRow& row, std::string_view within) {
    const Sharing* const shared = of(row.place, row.op, row.kernel);
    std::vector<Share> shares;
    const auto add = [&](std::string_view module, std::int64_t time) {
        if (within.empty() || isWithin(module, within))
            shares.push_back({module, time, shared != nullptr});
    };
    if (!shared) {
        add(m_snapshot.name(m_snapshot.place(row.place).module), row.time);
        return shares;
    }
    const std::vector<std::int64_t> parts = splitByBytes(row.time, shared->modules);
    for (std::size_t i = 0; i < parts.size(); ++i)
        add(shared->modules[i].module, parts[i]);
    if (!shares.empty())
        m_sentences.emplace(shared->split);
    return shares;
}

std::vector<std::string> SharedWork::sentences() const {
    std::vector<std::string> all(m_sentences.begin(), m_sentences.end());
    if (m_modules > kMostModules)
        all.emplace_back(
            "The rest of what works for several modules stays where it was recorded: it is for too "
            "many of them.");
    return all;
}

std::string modulesInWords(const ServedModules& modules, std::size_t most) {
    auto largest = mapped<const ServedModule*>(modules, [&](const ServedModule& served) { return &served; });
    std::ranges::stable_sort(largest, std::ranges::greater(),
                             [](const ServedModule* served) { return served->moved.value; });
    const auto all = static_cast<double>(bytesOf(modules));
    // One that is left out takes as much room as "1 more".
    const std::size_t named = largest.size() <= most + 1 ? largest.size() : most;
    std::string words = std::to_string(largest.size()) + (largest.size() == 1 ? " module: " : " modules: ");
    for (std::size_t i = 0; i < named; ++i)
        words += (i > 0 ? ", " : "") + largest[i]->module + " " +
                 formatPercent(static_cast<double>(largest[i]->moved.value) / all);
    return named < largest.size() ? words + " and " + std::to_string(largest.size() - named) + " more"
                                  : words;
}

}  // namespace warpglass
