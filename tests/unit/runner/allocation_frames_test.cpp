// What an allocation's stack says in LibTorch's memory snapshots, asked of LibTorch at every allocation of
// the CPU, as its allocator for GPUs does.
#include "engine/capture/allocation_frames.h"

#include <gmock/gmock.h>
#include <torch/csrc/profiler/combined_traceback.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/capture/range_scope.h"
#include "engine/capture/torch_headers.h"

namespace warpglass::test::allocation_frames_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Stack = std::vector<std::string>;

/// Gathers a stack at every allocation of this many bytes while it lives.
class AllocationWatch final : public c10::MemoryReportingInfoBase {
public:
    explicit AllocationWatch(std::int64_t bytes) : m_bytes(bytes) {}

    bool memoryProfilingEnabled() const override { return true; }
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, at::Device) override {
        if (bytes != m_bytes)
            return;
        const std::lock_guard lock(m_mutex);
        m_gathered.push_back(torch::CapturedTraceback::gather(true, false, false));
    }

    /// "op aten::mm", from the inside out.
    std::vector<Stack> stacks() const {
        std::vector<torch::CapturedTraceback*> gathered;
        for (const auto& one : m_gathered)
            gathered.push_back(one.get());
        const torch::SymbolizedTracebacks symbolized = torch::symbolize(gathered);
        std::vector<Stack> stacks;
        for (const std::vector<std::uint64_t>& trace : symbolized.tracebacks) {
            Stack stack;
            for (const std::uint64_t frame : trace)
                stack.push_back(symbolized.all_frames[frame].filename + " " +
                                symbolized.all_frames[frame].funcname);
            stacks.push_back(std::move(stack));
        }
        return stacks;
    }

private:
    const std::int64_t m_bytes;
    std::mutex m_mutex;
    std::vector<std::shared_ptr<torch::CapturedTraceback>> m_gathered;
};

class Watched {
public:
    explicit Watched(std::int64_t bytes)
        : m_watch(std::make_shared<AllocationWatch>(bytes)),
          m_guard(c10::DebugInfoKind::PROFILER_STATE, m_watch) {}
    std::vector<Stack> stacks() const { return m_watch->stacks(); }

private:
    std::shared_ptr<AllocationWatch> m_watch;
    c10::DebugInfoGuard m_guard;
};

TEST(AllocationFrames, NameTheOpModulePhaseAndStepFromTheInsideOut) {
    const AllocationFrames frames;
    const Watched watched(64 * 4);
    {
        const StepScope step(3);
        const PhaseScope phase(Phase::kForward);
        const ModuleScope module(ModulePath("blocks.1.ffn"));
        at::empty({64});
    }
    EXPECT_THAT(watched.stacks(), ElementsAre(ElementsAre("op aten::empty", "module blocks.1.ffn",
                                                          "phase forward", "step step 3")));
}

TEST(AllocationFrames, GiveANodeOfTheBackwardPassTheModuleOfItsOp) {
    const AllocationFrames frames;
    at::Tensor first, second;
    {
        const PhaseScope phase(Phase::kSetup);
        first = at::randn({24, 24}).requires_grad_();
        second = at::randn({24, 7}).requires_grad_();
    }
    at::Tensor sum;
    {
        const PhaseScope phase(Phase::kForward);
        const at::Tensor input = at::randn({5, 24});
        at::Tensor hidden;
        {
            const ModuleScope module(ModulePath("first"));
            hidden = input.mm(first).relu();
        }
        const ModuleScope module(ModulePath("second"));
        sum = hidden.mm(second).sum();
    }
    // The size of the gradient of `first`, which is made after that of `second`.
    const Watched watched(24 * 24 * 4);
    {
        const PhaseScope phase(Phase::kBackward);
        sum.backward();
    }
    EXPECT_THAT(watched.stacks(),
                Contains(Stack{"op aten::mm", "op MmBackward0", "module first", "phase backward"}));
}

TEST(AllocationFrames, AreNoneOnceTheyHaveGone) {
    { const AllocationFrames frames; }
    const Watched watched(64 * 4);
    const PhaseScope phase(Phase::kForward);
    at::empty({64});
    EXPECT_THAT(watched.stacks(), ElementsAre(IsEmpty()));
}

}  // namespace warpglass::test::allocation_frames_test
