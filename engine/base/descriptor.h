// A file descriptor that is closed with its scope.
#pragma once

#include <unistd.h>

namespace warpglass {

class Descriptor {
public:
    /// Negative for none: what open() gives where it fails.
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }
    void close() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        m_descriptor = -1;
    }

private:
    int m_descriptor;
};

}  // namespace warpglass
