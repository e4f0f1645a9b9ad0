// A run that stands still for a while.
#pragma once

#include <semaphore>

#include "tests/support/fake_runner.h"

namespace warpglass::test {

/// Stays in a step until `go` is released, at the latest when this goes; then `begun` has been.
struct HeldRun {
    explicit HeldRun(std::int64_t step)
        : runner({.beforeStep = [this, step](std::int64_t now) {
              if (now != step)
                  return;
              begun.release();
              go.acquire();
          }}) {}
    ~HeldRun() { go.release(); }
    HeldRun(const HeldRun&) = delete;
    HeldRun& operator=(const HeldRun&) = delete;

    std::counting_semaphore<> begun{0}, go{0};
    FakeRunner runner;
};

}  // namespace warpglass::test
