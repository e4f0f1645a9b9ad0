#include "engine/sweep/sweep_file_tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <random>

#include "engine/io/table_checksum.h"
#include "engine/plan/run_config.h"
#include "engine/sweep/grid.h"

namespace warpglass::sweep_file {
namespace {

/// By CellOrder and by TooLarge.
constexpr std::array<std::string_view, 3> kOrders = {"grid", "interleaved", "shuffled"};
constexpr std::array<std::string_view, 2> kTooLarge = {"skip", "try"};
constexpr std::array<std::string_view, 2> kNoYes = {"no", "yes"};

template <class Integer>
bool takeNumber(const std::map<std::string, std::string>& pairs, const std::string& key, Integer& to) {
    const auto found = pairs.find(key);
    if (found == pairs.end())
        return false;
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size();
}

template <class Enum, std::size_t count>
bool takeWord(const std::map<std::string, std::string>& pairs, const std::string& key,
              const std::array<std::string_view, count>& words, Enum& to) {
    const auto found = pairs.find(key);
    const auto word = found == pairs.end() ? words.end() : std::ranges::find(words, found->second);
    if (word == words.end())
        return false;
    to = static_cast<Enum>(word - words.begin());
    return true;
}

}  // namespace

Pairs planPairs(const SweepPlan& plan) {
    // An axis may vary the workload, so all of them matter.
    Pairs pairs = toPairs(plan.base, Written::kAll);
    std::random_device random;
    pairs.emplace_back("sweep.id", std::to_string(std::uint64_t{random()} << 32 | random()));
    pairs.emplace_back("sweep.repeats", std::to_string(plan.repeats));
    pairs.emplace_back("sweep.order", kOrders.at(static_cast<std::size_t>(plan.order)));
    pairs.emplace_back("sweep.shuffle_seed", std::to_string(plan.shuffleSeed));
    pairs.emplace_back("sweep.too_large", kTooLarge.at(static_cast<std::size_t>(plan.tooLarge)));
    pairs.emplace_back("sweep.time_limit_ns", std::to_string(plan.timeLimit.value));
    pairs.emplace_back("sweep.run_folder", plan.runFolder.string());
    pairs.emplace_back("sweep.memory_snapshots", kNoYes.at(plan.memorySnapshots ? 1 : 0));
    return pairs;
}

Result<SweepPlan> planOf(const Pairs& pairs, std::vector<SweepAxis> axes) {
    SweepPlan plan;
    plan.axes = std::move(axes);
    Result<RunConfig> base = configFromPairs(pairs, Written::kAll);
    if (!base)
        return base.error();
    plan.base = std::move(*base);
    const std::map<std::string, std::string> byKey(pairs.begin(), pairs.end());
    if (!takeNumber(byKey, "sweep.repeats", plan.repeats) ||
        !takeWord(byKey, "sweep.order", kOrders, plan.order) ||
        !takeNumber(byKey, "sweep.shuffle_seed", plan.shuffleSeed) ||
        !takeWord(byKey, "sweep.too_large", kTooLarge, plan.tooLarge) ||
        !takeNumber(byKey, "sweep.time_limit_ns", plan.timeLimit.value))
        return Error{"its plan is incomplete"};
    if (const auto folder = byKey.find("sweep.run_folder"); folder != byKey.end())
        plan.runFolder = folder->second;
    // Earlier versions did not write it.
    if (byKey.contains("sweep.memory_snapshots") &&
        !takeWord(byKey, "sweep.memory_snapshots", kNoYes, plan.memorySnapshots))
        return Error{"its plan is incomplete"};
    if (const Status checked = checkPlanOfFile(plan); !checked)
        return checked.error();
    return plan;
}

std::string planChecksum(const Pairs& pairs, const std::vector<SweepAxis>& axes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        run_file::RowHash row("plan");
        row.addInteger(1, static_cast<std::int64_t>(i));
        row.addText(2, pairs[i].first);
        row.addText(3, pairs[i].second);
        sum += row.value();
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        for (std::size_t i = 0; i < axes[axis].values.size(); ++i) {
            run_file::RowHash row("axes");
            row.addInteger(2, static_cast<std::int64_t>(axis));
            row.addInteger(3, static_cast<std::int64_t>(i));
            row.addText(4, axes[axis].key);
            row.addText(5, axes[axis].values[i]);
            sum += row.value();
        }
    }
    return std::to_string(sum);
}

std::uint64_t checksumOf(const SweepCell& cell) {
    run_file::RowHash row("cells");
    row.addInteger(1, cell.index);
    row.addText(2, cellStateName(cell.state));
    row.addText(3, cell.message);
    row.addText(4, cell.started);
    row.addInteger(5, cell.took.value);
    row.addText(6, cell.runFile.string());
    if (!cell.memorySnapshot.empty())
        row.addText(7, cell.memorySnapshot.string());
    std::uint64_t sum = row.value();
    for (const auto& [key, value] : cell.figures) {
        run_file::RowHash figure("figures");
        figure.addText(2, key);
        figure.addReal(3, value);
        sum += figure.value();
    }
    return sum;
}

std::uint64_t checksumOf(std::int64_t id, std::string_view key, std::string_view value) {
    run_file::RowHash row("information");
    row.addInteger(1, id);
    row.addText(2, key);
    row.addText(3, value);
    return row.value();
}

}  // namespace warpglass::sweep_file
