// A small sweep, and one by chance, for tests and benchmarks.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/sweep.h"

namespace warpglass::test {

/// contexts × attention × repeats.
inline SweepPlan smallPlan(std::int64_t contexts = 3, std::int64_t repeats = 2) {
    SweepPlan plan{.base = {.steps = 2}};
    SweepAxis context{"context", {}};
    for (std::int64_t i = 1; i <= contexts; ++i)
        context.values.push_back(std::to_string(16 * i));
    plan.axes = {context, {"attention", {"naive", "sdpa-flash"}}};
    plan.repeats = repeats;
    return plan;
}

/// A cell that is done, in a state and with figures by chance.
inline SweepCell doneCell(SweepCell cell, std::mt19937_64& random, std::size_t figures = 30) {
    constexpr CellState kStates[] = {CellState::kOk, CellState::kOutOfMemory, CellState::kFailed,
                                     CellState::kSkipped};
    cell.state = kStates[random() % 4];
    cell.message =
        cell.state == CellState::kOk ? "" : "It failed for reason " + std::to_string(random() % 100) + ".";
    cell.started = "2026-01-31T15:45:00Z";
    cell.took = Nanoseconds(static_cast<std::int64_t>(random() % 1'000'000'000));
    for (std::size_t i = 0; i < figures; ++i) {
        const std::string key =
            i < measures().size() ? measures()[i].key : "step_" + std::to_string(i) + "_ns";
        cell.figures[key] = static_cast<double>(random() % 1'000'000) / 7;
    }
    return cell;
}

}  // namespace warpglass::test
