#include "engine/runner/sibling_library.h"

#include <dlfcn.h>

#include <filesystem>

namespace warpglass {

SiblingLibrary loadSibling(const char* name) {
    SiblingLibrary library;
    library.path = name;
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&loadSibling), &info) != 0 && info.dli_fname) {
        std::error_code error;
        library.path = (std::filesystem::absolute(info.dli_fname, error).parent_path() / name).string();
    }
    library.handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library.handle) {
        const char* text = dlerror();
        library.problem = text ? text : "unknown error";
    }
    return library;
}

}  // namespace warpglass
