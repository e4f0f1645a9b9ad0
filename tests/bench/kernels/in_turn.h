// Several ways to compute one thing, timed by CUDA events in one process and in turn.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpglass::bench {

struct Contender {
    std::string name;
    std::function<void()> call;
};

/// Milliseconds of a call of each, by round: a round times each over enough calls for some milliseconds.
std::vector<std::vector<double>> timedInTurn(const std::vector<Contender>& contenders, int rounds);

/// For each round: the second's time ÷ the first's.
std::vector<double> ratios(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace warpglass::bench
