#include "tests/bench/recording/event_cost.h"

#include <ATen/ATen.h>

#include <chrono>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "engine/capture/capture_clock.h"
#include "engine/capture/range_scope.h"
#include "engine/capture/recorder.h"
#include "engine/capture/torch_observers.h"
#include "tests/bench/recording/median_interval.h"

namespace warpglass::bench {
namespace {

constexpr int kBlocks = 60;
/// A fraction of the ring, which the recorder's thread empties in the pause after each block.
constexpr int kEventsInBlock = 20'000;
constexpr auto kPause = std::chrono::milliseconds(40);

/// With the pause also where nothing is recorded, so that the core is as warm.
double measure(const std::function<void(int)>& events) {
    std::vector<double> costs;
    for (int block = 0; block <= kBlocks; ++block) {
        const auto start = std::chrono::steady_clock::now();
        events(kEventsInBlock);
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
        if (block > 0)
            costs.push_back(taken.count() / kEventsInBlock);
        std::this_thread::sleep_for(kPause);
    }
    return medianInterval(costs).median;
}

}  // namespace

double eventCost(std::string_view kind, bool recorded) {
    static const RegisteredName kModule("module");
    const at::Tensor tensor = at::zeros({4, 4});
    const at::TensorOptions options(at::kFloat);
    const std::map<std::string_view, std::function<void(int)>> kinds = {
        {"op",
         [&](int n) {
             for (int i = 0; i < n; ++i)
                 at::Tensor view = at::alias(tensor);
         }},
        {"memory",
         [&](int n) {
             for (int i = 0; i < n; ++i)
                 at::Tensor made = at::detail::empty_cpu({64}, options);
         }},
        {"module",
         [&](int n) {
             for (int i = 0; i < n; ++i)
                 const ModuleScope module(kModule);
         }},
        {"phase", [&](int n) {
             for (int i = 0; i < n; ++i)
                 const PhaseScope phase(Phase::kForward);
         }}};
    const auto found = kinds.find(kind);
    if (found == kinds.end())
        return -1;
    if (!recorded)
        return measure(found->second);
    CaptureClock::calibrate();
    Recorder recorder({});
    recorder.start();
    double cost = 0;
    {
        const TorchObservers observers(-1, kind == "op" ? OpsObserved::kPlain : OpsObserved::kNone,
                                       kind == "memory");
        cost = measure(found->second);
    }
    recorder.finish({});
    return recorder.feed()->latest()->losses().empty() ? cost : -1;
}

}  // namespace warpglass::bench
