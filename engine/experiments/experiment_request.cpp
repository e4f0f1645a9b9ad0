#include "engine/experiments/experiment_request.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/sweep/grid.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised when a reader of an older version would misunderstand the file.
constexpr int kVersion = 1;
// A list of settings; what is larger is none.
constexpr std::uintmax_t kLargestRequest = 1u << 20;

std::vector<SweepAxis> sorted(std::vector<SweepAxis> axes) {
    std::sort(axes.begin(), axes.end(), [](const SweepAxis& a, const SweepAxis& b) { return a.key < b.key; });
    return axes;
}

/// An error is the end of a sentence that names the file.
Result<ExperimentRequest> requestOf(const Json& json) {
    if (json.at("version").get<int>() > kVersion)
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

}  // namespace

Status writeRequest(const ExperimentRequest& request, const fs::path& folder) {
    Json given = Json::object();
    for (const SweepAxis& axis : request.options.given)
        given[axis.key] = axis.values;
    const Json json = {{"version", kVersion},
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

}  // namespace warpglass
