// The scopes of a thread whose beginning LibTorch has reported and whose end it has not, and which of them
// are ops, so that an end need not ask for the name again. A scope ends before those around it. All of it is
// in one word, without a memory access.
#pragma once

#include <cstdint>

namespace warpglass {

class ObservedScopes {
public:
    enum class Scope : unsigned char {
        kOp,
        kOther,
        kTooDeep,  // began inside of 64 others: not known
        kNone      // began before the first begin()
    };

    void begin(bool isOp) {
        if (m_count < kKnown) {
            const std::uint64_t bit = std::uint64_t{1} << m_count;
            m_others = isOp ? m_others & ~bit : m_others | bit;
        }
        ++m_count;
    }
    Scope end() {
        if (m_count == 0)
            return Scope::kNone;
        if (--m_count >= kKnown)
            return Scope::kTooDeep;
        return ((m_others >> m_count) & 1) != 0 ? Scope::kOther : Scope::kOp;
    }

private:
    static constexpr std::uint32_t kKnown = 64;
    std::uint64_t m_others = 0;
    std::uint32_t m_count = 0;
};

}  // namespace warpglass
