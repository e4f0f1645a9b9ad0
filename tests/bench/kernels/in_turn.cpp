#include "tests/bench/kernels/in_turn.h"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace warpglass::bench {
namespace {

/// A round of one contender takes about this long.
constexpr double kRoundMilliseconds = 6;

/// Milliseconds between two events around `calls` calls, for each of them.
double timeOf(const std::function<void()>& call, int calls) {
    cudaEvent_t begin{}, end{};
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, nullptr);
    for (int i = 0; i < calls; ++i)
        call();
    cudaEventRecord(end, nullptr);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return static_cast<double>(milliseconds) / calls;
}

}  // namespace

std::vector<std::vector<double>> timedInTurn(const std::vector<Contender>& contenders, int rounds) {
    std::vector<std::vector<double>> times(contenders.size());
    std::vector<int> calls;
    for (const Contender& each : contenders) {
        timeOf(each.call, 2);
        calls.push_back(std::max(1, static_cast<int>(kRoundMilliseconds / timeOf(each.call, 2))));
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i)
            times[i].push_back(timeOf(contenders[i].call, calls[i]));
    }
    return times;
}

std::vector<double> ratios(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<double> all;
    for (std::size_t round = 0; round < first.size(); ++round)
        all.push_back(second[round] / first[round]);
    return all;
}

}  // namespace warpglass::bench
