// The Runner of libwarpglass-runner: refuses what cannot run, records what can, and turns every way in which
// a run can end into an outcome.
#pragma once

#include <atomic>

#include "engine/runner/runner_api.h"

namespace warpglass {

class TorchRunner : public Runner {
public:
    std::string torchVersion() const override;
    std::vector<DeviceInfo> devices() const override;
    Result<RunOutcome> run(const ValidConfig& config, RunControl& control,
                           const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) override;
    Result<RunOutcome> runUnrecorded(const ValidConfig& config, RunControl& control) override;
    Result<DeviceCeilings> measureCeilings(const std::string& device, RunControl& control) override;
    Result<std::vector<double>> accumulate(const Accumulation& way) override;
    Result<std::vector<NamedType>> autocastTypes(const std::string& device, Precision precision) override;

private:
    std::atomic<bool> m_busy{false};
};

}  // namespace warpglass
