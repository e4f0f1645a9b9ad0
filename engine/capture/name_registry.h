// Names of ops and modules as small numbers, so that an event carries four bytes and no pointer.
//
// One table for the process; an id is valid for ever and means the same text in every run. There are a few
// hundred names in a run and they are the same in the next, so nothing is ever removed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpglass {

class NameRegistry {
public:
    /// Any thread. A thread's second look-up of a name takes no lock.
    static std::uint32_t idOf(std::string_view text);
    /// The same, faster for a text that comes back at the same address, where another may lie by then.
    static std::uint32_t idOfRecurring(const char* text);
    /// Any thread; the reference stays valid for ever. Precondition: idOf() gave the id.
    static const std::string& textOf(std::uint32_t id);
};

/// A registered name; cheap to copy and to compare.
class RegisteredName {
public:
    RegisteredName() : RegisteredName("") {}
    explicit RegisteredName(std::string_view text) : m_id(NameRegistry::idOf(text)) {}

    std::uint32_t id() const { return m_id; }
    const std::string& text() const { return NameRegistry::textOf(m_id); }
    bool operator==(const RegisteredName&) const = default;

private:
    std::uint32_t m_id;
};

/// A module's dotted path, "blocks.7.attn".
using ModulePath = RegisteredName;

}  // namespace warpglass
