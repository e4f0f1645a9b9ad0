// Where the measured ceilings of devices are kept between runs: a JSON file in the user's data folder, one
// entry for each device, driver and LibTorch version. The command line and the window share it.
//
// Any thread; every call reads the file anew. Written whole and renamed into place, so that a reader never
// meets half a file; under a lock (a file beside it that stays), so that of two programs that write at once
// neither loses what the other kept.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/device_ceilings.h"

namespace warpglass {

class CeilingsStore {
public:
    /// $XDG_DATA_HOME or ~/.local/share, warpglass/ceilings.json; empty where neither is known.
    static std::filesystem::path userFile();
    /// With an empty path nothing is known and nothing can be kept.
    explicit CeilingsStore(std::filesystem::path file = userFile());

    /// Empty when there is no file; an error when there is one that cannot be read or is damaged.
    Result<std::vector<DeviceCeilings>> all() const;
    /// Nothing when they are not known, also when the file is damaged.
    std::optional<DeviceCeilings> find(std::string_view device, std::string_view driver,
                                       std::string_view torch) const;
    /// Where keep() moves a file that cannot be read: it is kept, in place of one moved there before.
    std::filesystem::path setAside() const;
    /// Takes the place of what was known of the same device, driver and LibTorch, except where that was
    /// better (bestOf()): a ceiling is the best ever seen. In place of a damaged file, which is set aside, a
    /// new one is begun.
    Status keep(const DeviceCeilings& ceilings) const;
    /// A run's best product takes the place of what is known of the same device, driver and LibTorch where
    /// isFaster() says so; nothing changes where it does not, or where the precision was not measured.
    Status raise(const DeviceCeilings& of, const DeviceCeilings::Product& best) const;

private:
    Status write(const std::vector<DeviceCeilings>& all) const;

    std::filesystem::path m_file;
};

}  // namespace warpglass
