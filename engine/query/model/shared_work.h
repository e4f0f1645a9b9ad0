// What works for several modules at once: kernels of ours that do what several of the library's ops do
// (engine/plan/kernel_work.h), and the ops by which an optimizer updates all parameters in one call
// (UpdateOp). Which modules these are, and how many bytes are moved for each, the run's configuration says,
// so that files of every version have it. Without one nothing is shared, nor in a run of attention alone:
// time then stays where it was recorded.
//
// Tables by module split the time of such work by the bytes. Parts are whole nanoseconds, each less than one
// off its exact share, and add up to what is split.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/plan/kernel_work.h"
#include "engine/plan/run_config.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// A time in parts by the modules' bytes, in their order; of a time below 0 all are 0.
std::vector<std::int64_t> splitByBytes(std::int64_t time, const ServedModules& modules);

/// Work for several modules.
struct Sharing {
    ServedModules modules;
    /// How its time is split, in one sentence.
    std::string_view split;
    /// They are those of its op, which may have taken several kernels: this one may be for some of them.
    bool ofOp = false;
};
/// What a kernel works for, or, without a kernel, an op of the CPU; by names, and the phase and module of its
/// place. Nothing where it works for that module alone.
std::optional<Sharing> sharingOf(const RunConfig& config, Phase phase, std::string_view module,
                                 std::string_view op, std::string_view kernel);

/// Whether a run has anything of that kind, by the names in it.
bool hasSharedWork(const Snapshot& snapshot);

/// The same scope for all modules: what runs in one may work for another, so that a filter's module is to
/// take shares and not rows.
WorkScope withAllModules(WorkScope scope);

class SharedWork {
public:
    explicit SharedWork(const Snapshot& snapshot);

    /// Null where it is for the module of its place alone. As long as this lives.
    const Sharing* of(PlaceId place, NameId op, NameId kernel);

    /// What a row's time counts for.
    struct Share {
        std::string_view module;
        std::int64_t time = 0;
        /// Whether it is a part of a row that is split.
        bool split = false;
    };
    /// By module, only of those in `within` or in modules within it; "" for all.
    std::vector<Share> sharesOf(const WorkRow& row, std::string_view within = {});
    /// How the rows were split of which it gave shares, a sentence for each kind, and whether some were not.
    std::vector<std::string> sentences() const;

    /// What works for more modules than that, all of it together, is not split. A run of a model of 4,096
    /// blocks has a tenth of that; a damaged file could ask for any number.
    static constexpr std::size_t kMostModules = 500'000;

private:
    const Snapshot& m_snapshot;
    std::optional<RunConfig> m_config;
    std::map<std::tuple<PlaceId, NameId, NameId>, std::optional<Sharing>> m_found;
    std::set<std::string, std::less<>> m_sentences;
    std::size_t m_modules = 0;  // of all that was found
};

/// "25 modules: lm_head 6.0%, token_embeddings 6.0%, blocks.0.ffn.w1 1.2% and 22 more", the largest first.
std::string modulesInWords(const ServedModules& modules, std::size_t most);

}  // namespace warpglass
