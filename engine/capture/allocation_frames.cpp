#include "engine/capture/allocation_frames.h"

#include <torch/csrc/profiler/combined_traceback.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/capture/engine_wrapper.h"
#include "engine/capture/name_registry.h"
#include "engine/capture/open_ranges.h"
#include "engine/capture/torch_headers.h"

namespace warpglass {
namespace {

using torch::CapturedTraceback;

// A frame's kind: an op, or 1 + a RangeKind.
constexpr int kOp = 0;

int kindOf(const OpenRange& range) {
    return 1 + static_cast<int>(range.kind);
}

const char* wordOf(int kind) {
    return kind == kOp ? "op" : rangeKindWord(static_cast<RangeKind>(kind - 1));
}

/// LibTorch only hands these back; where Python's would have the address of its code, ours have a name.
CapturedTraceback::PyFrame frameOf(int kind, std::uint32_t name) {
    return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(name)), kind};
}

/// In which module an op ran, by the number that autograd gives to the node it makes, so the node finds it.
class ModulesOfNodes {
public:
    void set(std::int64_t sequence, std::uint32_t module) {
        const std::lock_guard lock(m_mutex);
        m_modules[sequence] = module;
    }
    /// Empty for a node that is not known.
    std::vector<OpenRange> of(std::int64_t sequence) const {
        const std::lock_guard lock(m_mutex);
        const auto found = m_modules.find(sequence);
        return found == m_modules.end() ? std::vector<OpenRange>()
                                        : std::vector<OpenRange>{{RangeKind::kModule, found->second}};
    }
    void clear() {
        const std::lock_guard lock(m_mutex);
        m_modules.clear();
    }

private:
    mutable std::mutex m_mutex;
    std::unordered_map<std::int64_t, std::uint32_t> m_modules;
};

ModulesOfNodes& modulesOfNodes() {
    static ModulesOfNodes modules;
    return modules;
}

struct OpenOp {
    std::uint32_t name;
    /// In the backward pass the node's number, otherwise -1.
    std::int64_t node;
    bool isWrapper;
};

std::vector<OpenOp>& openOps() {
    thread_local std::vector<OpenOp> ops;
    return ops;
}

std::unique_ptr<at::ObserverContext> pushOp(const at::RecordFunction& op) {
    const bool isBackward = op.scope() == at::RecordScope::BACKWARD_FUNCTION;
    openOps().push_back(
        {NameRegistry::idOf(op.name()), isBackward ? op.seqNr() : -1, isEngineWrapper(op.name())});
    if (isBackward || op.seqNr() < 0)
        return nullptr;
    // The last op that begins before the number goes up is the one whose node has it.
    const std::vector<OpenRange> ranges = OpenRanges::now();
    const auto module = std::find_if(ranges.rbegin(), ranges.rend(),
                                     [](const OpenRange& range) { return range.kind == RangeKind::kModule; });
    if (module != ranges.rend())
        modulesOfNodes().set(op.seqNr(), module->name);
    return nullptr;
}

void popOp(const at::RecordFunction&, at::ObserverContext*) {
    if (!openOps().empty())
        openOps().pop_back();
}

/// Stands where an interpreter's would.
class Frames final : public CapturedTraceback::Python {
public:
    bool canGather() override { return OpenRanges::areKept(); }

    std::vector<CapturedTraceback::PyFrame> gather() override {
        std::vector<CapturedTraceback::PyFrame> frames;
        if (!OpenRanges::areKept())
            return frames;
        std::int64_t node = -1;
        const std::vector<OpenOp>& ops = openOps();
        for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
            if (!op->isWrapper)
                frames.push_back(frameOf(kOp, op->name));
            if (node < 0)
                node = op->node;
        }
        std::vector<OpenRange> ranges = OpenRanges::now();
        if (node >= 0) {
            const std::vector<OpenRange> module = modulesOfNodes().of(node);
            ranges.insert(ranges.end(), module.begin(), module.end());
        }
        for (auto range = ranges.rbegin(); range != ranges.rend(); ++range)
            frames.push_back(frameOf(kindOf(*range), range->name));
        return frames;
    }

    void release(std::vector<CapturedTraceback::PyFrame>&) override {}

    void appendSymbolized(const std::vector<CapturedTraceback::PyFrame>& frames,
                          torch::SymbolizedTracebacks& symbolized) override {
        for (const CapturedTraceback::PyFrame& frame : frames) {
            const auto name = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(frame.code));
            torch::unwind::Frame named;
            named.filename = wordOf(frame.lasti);
            named.funcname = NameRegistry::textOf(name);
            named.lineno = 0;
            symbolized.tracebacks.push_back({symbolized.all_frames.size()});
            symbolized.all_frames.push_back(std::move(named));
        }
    }

    int traverse(std::vector<CapturedTraceback::PyFrame>&, CapturedTraceback::visitproc, void*) override {
        return 0;
    }
    int clear(std::vector<CapturedTraceback::PyFrame>&) override { return 0; }
};

}  // namespace

AllocationFrames::AllocationFrames() {
    static Frames* const frames = [] {
        auto* made = new Frames;  // LibTorch keeps it for ever
        CapturedTraceback::addPythonUnwinder(made);
        return made;
    }();
    static_cast<void>(frames);
    modulesOfNodes().clear();
    OpenRanges::keep(true);
    m_callback =
        at::addGlobalCallback(at::RecordFunctionCallback(pushOp, popOp)
                                  .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

AllocationFrames::~AllocationFrames() {
    at::removeCallback(m_callback);
    OpenRanges::keep(false);
}

}  // namespace warpglass
