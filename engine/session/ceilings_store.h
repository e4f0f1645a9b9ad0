// Where the measured ceilings of devices are kept between runs: a JSON file in the user's data folder, one
// entry for each device, driver and LibTorch version. The command line and the window share it.
//
// Any thread; every call reads the file anew. The file is written whole and renamed into place, so a reader
// never sees half a file. Writing takes a lock (a file beside it that stays), so two programs that write at
// the same time lose nothing of each other's.
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
    /// Nothing if they are unknown or the file is damaged.
    std::optional<DeviceCeilings> find(std::string_view device, std::string_view driver,
                                       std::string_view torch) const;
    /// Where keep() moves a file that cannot be read: it is kept, in place of one moved there before.
    std::filesystem::path setAside() const { return m_file.string() + ".bad"; }
    /// Replaces what was known for the same device, driver and LibTorch, except where that was better
    /// (bestOf()): a ceiling is the best ever seen. A damaged file is set aside and a new one is started.
    Status keep(const DeviceCeilings& ceilings) const;
    /// A run's best GEMM replaces what is known for the same device, driver and LibTorch if isFaster() says
    /// so. Nothing changes if it does not, or if the precision was not measured.
    Status raise(const DeviceCeilings& of, const DeviceCeilings::Product& best) const;

private:
    Status write(const std::vector<DeviceCeilings>& all) const;

    std::filesystem::path m_file;
};

}  // namespace warpglass
