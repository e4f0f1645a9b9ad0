// Loading the libraries that lie beside this one and are not needed by every run.
#pragma once

#include <string>

namespace warpglass {

struct SiblingLibrary {
    /// As dlopen gave it, null with `problem` set; never closed.
    void* handle = nullptr;
    std::string path;
    std::string problem;
};

/// Loads `name` ("libwarpglass-cuda.so") from the folder that this library is in.
SiblingLibrary loadSibling(const char* name);

}  // namespace warpglass
