// What a run states about itself: configuration, seed, versions, device, how it ended. Ordered text pairs, so
// that a later version's keys survive in an earlier one. The keys in use are listed in ARCHITECTURE.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpglass {

class RunInfo {
public:
    void set(std::string_view key, std::string_view value);
    /// Empty when the key is absent.
    std::string get(std::string_view key) const;
    bool has(std::string_view key) const;
    std::optional<std::int64_t> getInteger(std::string_view key) const;

    /// In the order in which the keys were first set.
    const std::vector<std::pair<std::string, std::string>>& pairs() const { return m_pairs; }
    bool operator==(const RunInfo&) const = default;

private:
    std::vector<std::pair<std::string, std::string>> m_pairs;
};

/// Values of the key "state".
namespace run_state {
inline constexpr std::string_view kRecording = "recording";  // in a file, also of a run that was killed
/// Never in the file of a recording: what is said of one that states kRecording and that nobody writes any
/// more, as it is opened; "state.message" says up to when it goes.
inline constexpr std::string_view kCutOff = "cut off";
inline constexpr std::string_view kFinished = "finished";
inline constexpr std::string_view kStopped = "stopped";  // by the person, between two ops
inline constexpr std::string_view kFailed = "failed";    // "state.message" says why, in one sentence

/// A key that a copy has that was saved of a recording while it went on.
inline constexpr std::string_view kCopyOfRecording = "copy.of_recording";

/// Whether a run of this state has an end that was not recorded: it goes on, or was killed.
constexpr bool isOpenEnded(std::string_view state) {
    return state == kRecording || state == kCutOff;
}
}  // namespace run_state

/// Whether a run states that it ended for want of memory, on the GPU or the CPU.
bool failedForWantOfMemory(const RunInfo& info);

/// Something that should have been recorded and was not, counted by name.
struct LossCount {
    std::string name;
    std::uint64_t count = 0;

    bool operator==(const LossCount&) const = default;
};

}  // namespace warpglass
