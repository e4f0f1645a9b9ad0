#include "engine/base/nvidia_driver.h"

#include <array>
#include <cstdio>
#include <string>

namespace warpglass {
namespace {

/// "GPU-8d0ce9bd-…", as the management library writes it.
std::string text(const NvidiaUuid& uuid) {
    std::string out = "GPU-";
    for (std::size_t i = 0; i < 16; ++i) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", uuid.bytes[i]);
        out += digits.data();
        if (i == 3 || i == 5 || i == 7 || i == 9)
            out += '-';
    }
    return out;
}

}  // namespace

NvidiaDriver::NvidiaDriver() {
    m_usable = init && count && device && name && totalMemory && attribute && init(0) == 0;
    m_managed = m_usable && uuid && handleByUuid && memory && nvmlVersion && nvmlInit && nvmlInit() == 0;
}

void* NvidiaDriver::managedDevice(int index) const {
    int number = 0;
    NvidiaUuid id{};
    void* handle = nullptr;
    if (!m_managed || device(&number, index) != 0 || uuid(&id, number) != 0 ||
        handleByUuid(text(id).c_str(), &handle) != 0)
        return nullptr;
    return handle;
}

const NvidiaDriver& nvidiaDriver() {
    static const NvidiaDriver driver;
    return driver;
}

}  // namespace warpglass
