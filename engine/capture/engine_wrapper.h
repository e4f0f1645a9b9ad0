// A name of LibTorch's own making among those of ops.
#pragma once

#include <cstring>
#include <string_view>

namespace warpglass {

/// Autograd's engine wraps every node in a range of this name, which says no more than the node's own.
inline bool isEngineWrapper(const char* name) {
    constexpr std::string_view kWrapper = "autograd::engine";
    // Nearly every name begins with "aten::".
    return name[0] == 'a' && name[1] == 'u' && std::strncmp(name, kWrapper.data(), kWrapper.size()) == 0;
}

}  // namespace warpglass
