#include "engine/query/completeness/unrecorded.h"

#include <algorithm>
#include <vector>

#include "engine/plan/recorded.h"
#include "engine/plan/run_config.h"
#include "engine/query/completeness/missing_records.h"
#include "engine/query/completeness/unsaid.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// The tracks that a feature's rows are on; memory's are on none.
TrackKind trackOf(Feature feature) {
    switch (feature) {
        case Feature::kKernels:
            return TrackKind::kGpuStream;
        case Feature::kCalls:
            return TrackKind::kApiThread;
        case Feature::kWaits:
            return TrackKind::kGpuSync;
        case Feature::kOps:
        case Feature::kMemory:
            break;
    }
    return TrackKind::kCpuThread;
}

class Records {
public:
    explicit Records(const Snapshot& run) : m_run(run) {
        const RunInfo& info = run.info();
        if (const auto stated = parseRecorded(info.get("config.record")); info.has("config.record") && stated)
            m_stated = *stated;
        // Without CUPTI there is nothing of the GPU but what LibTorch itself tells.
        if (!info.get("capture.problem").empty()) {
            for (const Feature feature : {Feature::kKernels, Feature::kCalls, Feature::kWaits})
                m_stated.set(feature, false);
        }
        const std::string state = info.get("state");
        m_hasEnded = !state.empty() && !run_state::isOpenEnded(state) &&
                     completedSteps(run).value_or(0) > 0 && !missingRecords(run).any();
    }

    bool lack(Feature feature) const { return (m_hasEnded || !m_stated.has(feature)) && !any(feature); }

private:
    bool any(Feature feature) const {
        if (feature == Feature::kMemory)
            return m_run.memoryEventCount() > 0;
        const std::vector<SpanLane> lanes = lanesOfKind(m_run, trackOf(feature));
        return std::any_of(lanes.begin(), lanes.end(), [](const SpanLane& lane) { return !lane.empty(); });
    }

    const Snapshot& m_run;
    Recorded m_stated;
    bool m_hasEnded = false;
};

}  // namespace

std::string unrecordedSentence(const Snapshot& snapshot) {
    const std::string device = snapshot.info().get("config.device");
    if (device.empty())
        return {};
    const bool gpu = device != "cpu";
    const Records records(snapshot);
    std::vector<std::string_view> without, unsaid;
    const auto add = [&](std::string_view what, std::string_view of) {
        without.push_back(what);
        unsaid.push_back(of);
    };
    // Without the calls it is not known of which step, place and op a kernel is, nor when it was launched.
    if (gpu && records.lack(Feature::kKernels))
        add("kernels", kGpuTimeUnsaid);
    else if (gpu && records.lack(Feature::kCalls))
        add("CUDA calls", kGpuTimeUnsaid);
    else if (records.lack(Feature::kOps))
        add("ops", gpu ? "of the ops that the GPU's time goes to" : "of what a step's time goes to");
    if (records.lack(Feature::kMemory))
        add("memory", kMemoryUnsaid);
    if (without.empty())
        return {};
    return "The run was recorded without " + joinedByAnd(without) + ": figures and findings say nothing " +
           joinedByAnd(unsaid) + ".";
}

std::string unrecordedOps(const Snapshot& snapshot) {
    return Records(snapshot).lack(Feature::kOps) ? "The run was recorded without ops" : "";
}

std::string unrecordedWork(const Snapshot& snapshot) {
    const std::string device = snapshot.info().get("config.device");
    const Records records(snapshot);
    if (device.empty() || device == "cpu" || !records.lack(Feature::kOps))
        return unrecordedOps(snapshot);
    return records.lack(Feature::kKernels) ? "The run was recorded without kernels and ops" : "";
}

}  // namespace warpglass
