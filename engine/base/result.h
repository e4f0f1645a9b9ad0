// How failure travels in the engine: a value or one sentence. Nothing in engine/ prints, exits or throws
// across a public boundary; assertions (check.h) mark our own bugs only.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpglass {

/// One sentence that names the thing (file, setting, device) and the cause.
struct Error {
    std::string message;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Precondition: ok().
    T& value() { return std::get<0>(m_state); }
    const T& value() const { return std::get<0>(m_state); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// Precondition: !ok().
    const Error& error() const { return std::get<1>(m_state); }
    const std::string& message() const { return error().message; }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }

    /// Precondition: !ok().
    const Error& error() const { return *m_error; }
    const std::string& message() const { return m_error->message; }

private:
    std::optional<Error> m_error;
};

using Status = Result<void>;

}  // namespace warpglass
