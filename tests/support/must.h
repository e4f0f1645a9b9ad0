// What a test cannot go on without.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <utility>

#include "engine/base/result.h"

namespace warpglass::test {

/// What it holds. Where it holds nothing the test fails, saying where and why, and ends.
template <class T>
T must(Result<T> result, std::source_location at = std::source_location::current()) {
    if (result)
        return std::move(*result);
    ADD_FAILURE_AT(at.file_name(), static_cast<int>(at.line())) << result.message();
    throw std::runtime_error("the test cannot go on without it");
}
template <class T>
T must(std::optional<T> found, std::source_location at = std::source_location::current()) {
    return must(found ? Result<T>(std::move(*found)) : Error{"there is none"}, at);
}
/// What it points at is there.
template <class T>
T* must(T* found, std::source_location at = std::source_location::current()) {
    return must(found ? std::optional(found) : std::nullopt, at);
}
template <class T>
std::shared_ptr<T> must(std::shared_ptr<T> found, std::source_location at = std::source_location::current()) {
    return must(found ? std::optional(std::move(found)) : std::nullopt, at);
}

}  // namespace warpglass::test
