// What the maker says that a GPU can do: peak rates of dense GEMMs and of memory, by the name that
// the driver gives the device. A table of constants; any thread.
//
// From NVIDIA's data sheets and architecture white papers, named with each row. Dense figures: where a sheet
// states those with sparsity, half of them. fp16 and bf16 with sums in fp32, as LibTorch computes them
// (GeForce cards do fp16 sums faster).
#pragma once

#include <optional>
#include <string_view>

#include "engine/plan/run_config.h"

namespace warpglass {

struct DataSheet {
    /// As the driver names it: "NVIDIA H200".
    std::string_view device;
    /// Operations a second, a multiply-add being two; 0 where the device has no such arithmetic.
    double fp32 = 0, tf32 = 0, bf16 = 0, fp16 = 0;
    double bytesPerSecond = 0;
    /// "NVIDIA H200 data sheet".
    std::string_view source;

    /// Nothing where the device has no such arithmetic.
    std::optional<double> flopsPerSecond(Precision precision) const;
};

/// Null for a device that is not in the table.
const DataSheet* dataSheetOf(std::string_view device);

}  // namespace warpglass
