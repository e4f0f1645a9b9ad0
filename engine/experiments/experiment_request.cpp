#include "engine/experiments/experiment_request.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/experiments/experiment_folder.h"
#include "engine/io/target_file.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised when a reader of an older version would misunderstand the file.
constexpr int kRequestVersion = 1;
// A list of settings; what is larger is none.
constexpr std::uintmax_t kLargestRequest = 1u << 20;

std::vector<SweepAxis> sorted(std::vector<SweepAxis> axes) {
    std::ranges::sort(axes, {}, &SweepAxis::key);
    return axes;
}

/// An error is the end of a sentence that names the file.
Result<ExperimentRequest> requestOf(const Json& json) {
    if (json.at("version").get<int>() > kRequestVersion)
        return Error{"was written by a newer Warpglass"};
    const auto experiment = findExperiment(json.at("experiment").get<std::string>());
    if (!experiment)
        return Error{"asks for an experiment that this version does not know"};
    ExperimentRequest request{*experiment, {}};
    request.options.device = json.at("device").get<std::string>();
    for (const auto& [key, values] : json.at("given").items()) {
        Result<SweepAxis> axis = sweepAxis(key, values.get<std::vector<std::string>>());
        if (!axis)
            return Error{"has a setting that cannot be run: " + axis.message()};
        request.options.given.push_back(std::move(*axis));
    }
    return request;
}

/// No cell has a result, and nothing beside it is lost with the file.
bool cameToNothing(const Sweep& sweep, const fs::path& folder) {
    std::error_code error;
    const fs::path runs = folder / sweep.plan.runFolder;
    return !sweep.isBeingRun && sweep.count(CellState::kOk) + sweep.count(CellState::kOutOfMemory) == 0 &&
           (sweep.plan.runFolder.empty() || !fs::exists(runs, error) || fs::is_empty(runs, error));
}

enum class Came : std::uint8_t { kToSomething, kToNothingYet, kToNothing };

/// What became of a folder's sweeps. A file that cannot be read may hold anything.
Came outcomeOf(const ExperimentRequest& request, const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / kExperimentFile, error))
        return Came::kToSomething;
    Came came = Came::kToNothing;
    for (const NamedSweep& named : request.experiment->sweeps(request.options)) {
        if (!fs::exists(sweepPath(folder, named), error)) {
            came = Came::kToNothingYet;
            continue;
        }
        const Result<Sweep> sweep = openSweep(sweepPath(folder, named));
        if (!sweep || !sweep->warnings.empty() || !cameToNothing(*sweep, folder))
            return Came::kToSomething;
        if (sweep->count(CellState::kWaiting) > 0)
            came = Came::kToNothingYet;
    }
    return came;
}

}  // namespace

Status writeRequest(const ExperimentRequest& request, const fs::path& folder) {
    Json given = Json::object();
    for (const SweepAxis& axis : request.options.given)
        given[axis.key] = axis.values;
    const Json json = {{"version", kRequestVersion},
                       {"experiment", std::string(request.experiment->name)},
                       {"device", request.options.device},
                       {"given", std::move(given)}};
    const fs::path path = folder / kRequestFile;
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    file.flush();
    if (!file)
        return Error{"Cannot write " + path.string() + ": " + std::strerror(errno != 0 ? errno : EIO) + "."};
    return {};
}

Result<ExperimentRequest> readRequest(const fs::path& folder) {
    const fs::path path = folder / kRequestFile;
    const auto refuse = [&](const std::string& why) {
        return Error{"Cannot open " + path.string() + ": " + why + "."};
    };
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error)
        return refuse(error.message());
    if (size > kLargestRequest)
        return refuse("it is too large for what an experiment was asked");
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    try {
        Result<ExperimentRequest> request = requestOf(Json::parse(text));
        return request ? std::move(request) : Result<ExperimentRequest>(refuse("it " + request.message()));
    } catch (const Json::exception&) {
        return refuse("it is not as this version writes it");
    }
}

bool isSameRequest(const ExperimentRequest& a, const ExperimentRequest& b) {
    return a.experiment == b.experiment && a.options.device == b.options.device &&
           sorted(a.options.given) == sorted(b.options.given);
}

std::optional<ExperimentRequest> requestInTheWay(const ExperimentRequest& request, const fs::path& folder) {
    const auto kept = readRequest(folder);
    if (!kept || isSameRequest(*kept, request) || outcomeOf(*kept, folder) != Came::kToSomething)
        return std::nullopt;
    return *kept;
}

Status claimFolder(const ExperimentRequest& request, const fs::path& folder) {
    if (const auto other = requestInTheWay(request, folder))
        return Error{folder.string() + " holds " +
                     (other->experiment == request.experiment
                          ? "this experiment with other settings"
                          : "the experiment " + std::string(other->experiment->name)) +
                     ": choose another folder."};
    // One that cannot be read is replaced.
    if (const auto kept = readRequest(folder)) {
        const Came came = outcomeOf(*kept, folder);
        if (came == Came::kToNothing || (came == Came::kToNothingYet && !isSameRequest(*kept, request))) {
            for (const NamedSweep& named : kept->experiment->sweeps(kept->options))
                run_file::removeDatabase(sweepPath(folder, named));
        }
    }
    return writeRequest(request, folder);
}

}  // namespace warpglass
