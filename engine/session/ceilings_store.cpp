#include "engine/session/ceilings_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>

#include "engine/base/system_error.h"
#include "engine/io/exclusive_file.h"
#include "engine/plan/settings.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised when the file's layout changes; another one is measured anew.
constexpr int kVersion = 1;
// Hundreds of devices: what is larger is not this file, and is not taken into memory.
constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 20;

Json toJson(const DeviceCeilings& ceilings) {
    Json products = Json::array();
    for (const DeviceCeilings::Product& product : ceilings.products) {
        products.push_back({{"precision", precisionName(product.precision)},
                            {"flops_per_second", product.flopsPerSecond},
                            {"rows", product.rows},
                            {"columns", product.columns},
                            {"inner", product.inner},
                            {"source", product.source}});
        if (product.measuredBefore > 0)
            products.back()["measured_flops_per_second"] = product.measuredBefore;
    }
    return {{"device", ceilings.device},
            {"driver", ceilings.driver},
            {"torch", ceilings.torch},
            {"measured", ceilings.measured},
            {"products", std::move(products)},
            {"copy_bytes_per_second", ceilings.copyBytesPerSecond},
            {"host_to_device_bytes_per_second", ceilings.hostToDeviceBytesPerSecond},
            {"device_to_host_bytes_per_second", ceilings.deviceToHostBytesPerSecond},
            {"copy_bytes", ceilings.copySize.value},
            {"launch_ns", ceilings.launchNs},
            {"kernel_to_kernel_ns", ceilings.kernelToKernelNs}};
}

/// A rate or a time: finite and not negative. Throws Json::exception for anything but a number.
double numberAt(const Json& object, const char* key) {
    const auto value = object.at(key).get<double>();
    return std::isfinite(value) && value > 0 ? value : 0;
}

/// Throws Json::exception for what is missing or of another type.
DeviceCeilings fromJson(const Json& object) {
    DeviceCeilings ceilings;
    ceilings.device = object.at("device").get<std::string>();
    ceilings.driver = object.at("driver").get<std::string>();
    ceilings.torch = object.at("torch").get<std::string>();
    ceilings.measured = object.at("measured").get<std::string>();
    for (const Json& product : object.at("products")) {
        RunConfig measured;
        if (!takeSetting("precision", product.at("precision").get<std::string>(), measured))
            continue;
        ceilings.products.push_back(
            {measured.precision, numberAt(product, "flops_per_second"),
             product.at("rows").get<std::int64_t>(), product.at("columns").get<std::int64_t>(),
             product.at("inner").get<std::int64_t>(),
             // Older files have neither.
             product.value("source", std::string()),
             product.contains("measured_flops_per_second") ? numberAt(product, "measured_flops_per_second")
                                                           : 0});
    }
    ceilings.copyBytesPerSecond = numberAt(object, "copy_bytes_per_second");
    ceilings.hostToDeviceBytesPerSecond = numberAt(object, "host_to_device_bytes_per_second");
    ceilings.deviceToHostBytesPerSecond = numberAt(object, "device_to_host_bytes_per_second");
    ceilings.copySize = Bytes(object.at("copy_bytes").get<std::int64_t>());
    ceilings.launchNs = numberAt(object, "launch_ns");
    ceilings.kernelToKernelNs = numberAt(object, "kernel_to_kernel_ns");
    return ceilings;
}

Error damaged(const fs::path& file) {
    return Error{"The file of measured ceilings, " + file.string() +
                 ", is damaged and is not used; `warpglass-cli devices --measure` makes it anew and keeps "
                 "this one as " +
                 file.filename().string() + ".bad."};
}

Error cannotKeep(const fs::path& file, const std::string& why) {
    return Error{"The measured ceilings cannot be kept in " + file.string() + ": " + why + "."};
}

bool sameKey(const DeviceCeilings& a, const DeviceCeilings& b) {
    return a.device == b.device && a.driver == b.driver && a.torch == b.torch;
}

/// Held by who reads the file to write it anew. On a file beside it that stays: the file itself is replaced,
/// and its folder cannot be locked on a network's file system. Two of one process exclude one another too.
class StoreLock {
public:
    explicit StoreLock(const fs::path& file) {
        if (file.empty()) {
            m_status =
                Error{"The measured ceilings cannot be kept: neither XDG_DATA_HOME nor HOME names a folder."};
            return;
        }
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
        if (error) {
            m_status = cannotKeep(file, error.message());
            return;
        }
        const std::string name = file.string() + ".lock";
        m_descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (m_descriptor < 0) {
            m_status = cannotKeep(file, "it cannot be locked, " + lastSystemCause());
            return;
        }
        for (int i = 0; ::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0; ++i) {
            if (errno != EWOULDBLOCK && errno != EINTR) {
                m_status = cannotKeep(file, "it cannot be locked, " + lastSystemCause());
                return;
            }
            if (i == kTries) {
                m_status = cannotKeep(file, "another process has been writing it for seconds");
                return;
            }
            std::this_thread::sleep_for(kBetweenTries);
        }
    }
    ~StoreLock() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;
    const Status& status() const { return m_status; }

private:
    // A writer is done within milliseconds; one that was halted is not waited for.
    static constexpr int kTries = 1000;
    static constexpr std::chrono::milliseconds kBetweenTries{5};
    int m_descriptor = -1;
    Status m_status;
};

}  // namespace

fs::path CeilingsStore::userFile() {
    // As the XDG base directory specification has it: a relative path counts as none.
    if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
        return fs::path(data) / "warpglass" / "ceilings.json";
    if (const char* home = std::getenv("HOME"); home && *home)
        return fs::path(home) / ".local" / "share" / "warpglass" / "ceilings.json";
    return {};
}

CeilingsStore::CeilingsStore(fs::path file) : m_file(std::move(file)) {}

Result<std::vector<DeviceCeilings>> CeilingsStore::all() const {
    std::vector<DeviceCeilings> all;
    std::error_code error;
    if (m_file.empty() || !fs::exists(m_file, error))
        return all;
    const std::uintmax_t size = fs::is_regular_file(m_file, error) ? fs::file_size(m_file, error) : kLargest;
    std::ifstream stream(m_file, std::ios::binary);
    if (error || size >= kLargest || !stream)
        return damaged(m_file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    try {
        const Json document = Json::parse(text);
        if (document.at("version").get<int>() != kVersion)
            return damaged(m_file);
        for (const Json& device : document.at("devices"))
            all.push_back(fromJson(device));
    } catch (const Json::exception&) {
        return damaged(m_file);
    }
    return all;
}

std::optional<DeviceCeilings> CeilingsStore::find(std::string_view device, std::string_view driver,
                                                  std::string_view torch) const {
    const Result<std::vector<DeviceCeilings>> known = all();
    if (!known)
        return std::nullopt;
    for (const DeviceCeilings& ceilings : *known) {
        if (ceilings.device == device && ceilings.driver == driver && ceilings.torch == torch)
            return ceilings;
    }
    return std::nullopt;
}

Status CeilingsStore::keep(const DeviceCeilings& ceilings) const {
    const StoreLock lock(m_file);
    if (!lock.status())
        return lock.status();
    std::vector<DeviceCeilings> kept;
    Result<std::vector<DeviceCeilings>> known = all();
    if (!known) {
        // It may be another version's, or an edit gone wrong: not ours to destroy.
        std::error_code problem;
        if (!fs::is_regular_file(m_file, problem))
            return cannotKeep(m_file, "it is not a regular file");
        fs::rename(m_file, setAside(), problem);
        if (problem)
            return cannotKeep(m_file,
                              "what is there cannot be read, nor moved out of the way, " + problem.message());
    } else {
        kept = std::move(*known);
    }
    const auto same =
        std::ranges::find_if(kept, [&](const DeviceCeilings& other) { return sameKey(other, ceilings); });
    if (same != kept.end())
        *same = bestOf(*same, ceilings);
    else
        kept.push_back(ceilings);
    return write(kept);
}

Status CeilingsStore::raise(const DeviceCeilings& of, const DeviceCeilings::Product& best) const {
    const StoreLock lock(m_file);
    if (!lock.status())
        return lock.status();
    Result<std::vector<DeviceCeilings>> known = all();
    if (!known)
        return known.error();
    for (DeviceCeilings& device : *known) {
        const auto product =
            std::ranges::find(device.products, best.precision, &DeviceCeilings::Product::precision);
        if (!sameKey(device, of) || product == device.products.end() ||
            !isFaster(best.flopsPerSecond, *product))
            continue;
        const double measured = product->measured();
        *product = best;
        product->measuredBefore = measured;
        return write(*known);
    }
    return {};
}

/// The caller has the lock.
Status CeilingsStore::write(const std::vector<DeviceCeilings>& all) const {
    Json devices = Json::array();
    for (const DeviceCeilings& device : all)
        devices.push_back(toJson(device));
    const Json document = {{"version", kVersion}, {"devices", std::move(devices)}};

    const Result<fs::path> made = makeFileBeside(m_file);
    if (!made)
        return cannotKeep(m_file, made.message());
    const fs::path& fresh = *made;
    std::error_code error;
    {
        errno = 0;
        std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
        // Names of devices come from drivers: what is not UTF-8 is replaced.
        stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
        stream.close();
        if (!stream) {
            const std::string why = errno != 0 ? std::strerror(errno) : "it cannot be written";
            fs::remove(fresh, error);
            return cannotKeep(m_file, why);
        }
    }
    fs::rename(fresh, m_file, error);
    if (!error)
        return {};
    const std::string why = error.message();
    fs::remove(fresh, error);
    return cannotKeep(m_file, why);
}

}  // namespace warpglass
