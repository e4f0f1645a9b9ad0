#include "engine/query/findings/weight_casts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/parameters.h"
#include "engine/plan/saturating.h"

namespace warpglass {
namespace {

/// How many numbers a thread of LibTorch's copies takes.
constexpr std::array<std::int64_t, 2> kPerThread = {8, 4};

struct WeightSizes {
    std::int64_t weight = 0, input = 0, output = 0;  // in numbers
};
using SizesByModule = std::unordered_map<std::string_view, WeightSizes>;

SizesByModule sizesOf(const std::vector<ParameterTensor>& weights, const RunConfig& config) {
    const Saturating tokens = Saturating(config.batch) * config.context;
    SizesByModule sizes;
    for (const ParameterTensor& weight : weights) {
        if (isOfProduct(weight))
            sizes.emplace(weight.module, WeightSizes{weight.count(), (tokens * weight.columns).value(),
                                                     (tokens * weight.rows).value()});
    }
    return sizes;
}

/// A grid of one dimension whose last block is the first that is not filled by fewer numbers.
bool covers(const SpanDetail& detail, std::int64_t numbers, std::int64_t perThread) {
    const std::int64_t ofBlock = std::int64_t{detail.block[0]} * perThread;
    return ofBlock > 0 && detail.grid[1] == 1 && detail.grid[2] == 1 && numbers > 0 &&
           std::int64_t{detail.grid[0]} == (numbers - 1) / ofBlock + 1;
}

/// Casts of one module with its sizes.
struct Cast {
    RunFacts::PlacedKernel copy;
    WeightSizes sizes;
};

std::vector<Cast> castsIn(const RunFacts& facts, const SizesByModule& sizes) {
    std::vector<Cast> casts;
    for (const RunFacts::PlacedKernel& copy : facts.copyKernels()) {
        const auto found = sizes.find(facts.snapshot().name(copy.place.module));
        if (found != sizes.end() &&
            (copy.place.phase == Phase::kForward || copy.place.phase == Phase::kBackward))
            casts.push_back({copy, found->second});
    }
    return casts;
}

/// By a kernel's full name, the index in kPerThread that accounts for most of its time.
std::unordered_map<std::uint32_t, std::size_t> perThreadOf(const std::vector<Cast>& casts) {
    std::unordered_map<std::uint32_t, std::array<double, kPerThread.size()>> explained;
    for (const Cast& cast : casts) {
        const SpanDetail& detail = cast.copy.detail;
        for (std::size_t i = 0; i < kPerThread.size(); ++i) {
            if (covers(detail, cast.sizes.weight, kPerThread[i]) ||
                covers(detail, cast.sizes.input, kPerThread[i]) ||
                covers(detail, cast.sizes.output, kPerThread[i]))
                explained[detail.fullName.value][i] += cast.copy.time;
        }
    }
    std::unordered_map<std::uint32_t, std::size_t> best;
    for (const auto& [name, times] : explained)
        best[name] = static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
    return best;
}

void timeCasts(const RunFacts& facts, const SizesByModule& sizes, WeightCasts& found) {
    const std::vector<Cast> casts = castsIn(facts, sizes);
    const auto perThread = perThreadOf(casts);
    struct Sum {
        double time = 0, calls = 0;
    };
    // The casts of one module and pass are added up, whatever kernels they are and whatever part of the
    // module they are in: one of them is the weight's.
    std::map<std::pair<std::uint32_t, Phase>, Sum> byModule;
    for (const Cast& cast : casts) {
        const auto known = perThread.find(cast.copy.detail.fullName.value);
        if (known == perThread.end() ||
            !covers(cast.copy.detail, cast.sizes.weight, kPerThread[known->second]))
            continue;
        Sum& sum = byModule[{cast.copy.place.module.value, cast.copy.place.phase}];
        sum.time += cast.copy.time;
        sum.calls += cast.copy.calls;
    }
    for (const auto& [place, sum] : byModule) {
        found.time += sum.time / std::max(1.0, sum.calls);
        found.gradients = found.gradients || place.second == Phase::kBackward;
    }
}

void findCopies(const RunFacts& facts, WeightCasts& found) {
    for (const RunFacts::Alive& alive : facts.alive()) {
        if (alive.row.category != Category::kWeightCopies)
            continue;
        found.bytes += Bytes(alive.row.bytes);
        found.copies.push_back(alive.id);
    }
}

}  // namespace

std::string weightCastRemedy(const WeightCasts& casts) {
    std::string most = casts.time > 0 ? inWords(casts.time) + " of GPU time per step" : std::string();
    if (casts.bytes.value > 0)
        most += (most.empty() ? "" : " and ") + formatBytes(casts.bytes) + " at the peak";
    return "Keeping the weights in 16 bits, with fp32 master copies in the optimizer only, avoids these "
           "copies and their casts: at most " +
           most + ".";
}

WeightCasts weightCasts(const RunFacts& facts) {
    WeightCasts found;
    if (!facts.config() || !isMixed(facts.config()->precision))
        return found;
    const std::vector<ParameterTensor> weights = parameterTensors(facts.config()->shape);
    const SizesByModule sizes = sizesOf(weights, *facts.config());
    timeCasts(facts, sizes, found);
    findCopies(facts, found);
    return found;
}

}  // namespace warpglass
