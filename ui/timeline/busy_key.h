// What the arrangement of rows knows a GPU's Busy lane by (row_arrangement.h): it has no track of its own.
#pragma once

#include <string>

namespace warpglass::ui {

/// `gpu`: as gpusOf() calls it.
inline std::string busyKeyOf(const std::string& gpu) {
    return "gpu-busy:" + gpu;
}

}  // namespace warpglass::ui
