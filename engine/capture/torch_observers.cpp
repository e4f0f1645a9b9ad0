#include "engine/capture/torch_observers.h"

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "engine/capture/capture_stream.h"
#include "engine/capture/engine_wrapper.h"
#include "engine/capture/name_registry.h"
#include "engine/capture/op_types.h"
#include "engine/capture/torch_headers.h"
#include "engine/trace/span_detail.h"

namespace warpglass {
namespace {

/// An operator's own name stays at its schema's address, since no operator is taken back: no look at the
/// text. Other names, those of autograd's nodes, lie where another may lie next time.
std::uint32_t idOfName(const at::RecordFunction& op, const char* name) {
    struct Entry {
        const char* name = nullptr;
        std::uint32_t id = 0;
    };
    constexpr std::size_t kEntries = 1024;  // several times the operators of a step
    thread_local std::array<Entry, kEntries> entries{};
    const auto address = reinterpret_cast<std::uintptr_t>(name);
    Entry& entry = entries[((address >> 4) ^ (address >> 13)) % kEntries];
    if (entry.name == name)
        return entry.id;
    const std::uint32_t id = NameRegistry::idOfRecurring(name);  // copied: a node's name lives in `op`
    if (!entry.name && op.operator_name())
        entry = {name, id};
    return id;
}

/// Whether what ends is an op that began in this recording.
bool endsOp(CaptureStream::ThreadState& thread, const at::RecordFunction& scope) {
    switch (thread.observed.end()) {
        case ObservedScopes::Scope::kOp:
            return true;
        case ObservedScopes::Scope::kTooDeep:
            return !isEngineWrapper(scope.name());
        case ObservedScopes::Scope::kOther:
        case ObservedScopes::Scope::kNone:
            break;
    }
    return false;
}

std::unique_ptr<at::ObserverContext> onOpBegin(const at::RecordFunction& op) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return nullptr;
    CaptureStream::ThreadState& thread = stream.thread();
    const char* name = op.name();
    const bool isOp = !isEngineWrapper(name);
    thread.observed.begin(isOp);
    if (!isOp)
        return nullptr;
    const std::uint32_t id = idOfName(op, name);
    const std::uint16_t depth = thread.depth++;
    stream.emit(thread, CaptureKind::kOpBegin, [&](CaptureEvent& event) {
        event.name = id;
        event.sequence = op.seqNr();
        event.depth = depth;
        event.detail = op.scope() == at::RecordScope::BACKWARD_FUNCTION ? CaptureEvent::kBackwardNode : 0;
        event.time = stream.now();  // last, so that the span holds the least of our own work
    });
    return nullptr;
}

/// `typesAt` gives the name of what the op at a depth took and gave.
template <class TypesAt>
void endOp(const at::RecordFunction& op, TypesAt&& typesAt) {
    CaptureStream& stream = CaptureStream::instance();
    const std::int64_t time = stream.now();
    if (!stream.isOpen())
        return;
    CaptureStream::ThreadState& thread = stream.thread();
    if (!endsOp(thread, op) || thread.depth == 0)
        return;
    const std::uint16_t depth = --thread.depth;
    const std::uint32_t types = typesAt(depth);
    stream.emit(thread, CaptureKind::kOpEnd, [&](CaptureEvent& event) {
        event.time = time;
        event.depth = depth;
        event.name = types;
    });
}

void onOpEnd(const at::RecordFunction& op, at::ObserverContext*) {
    endOp(op, [](std::uint16_t) { return CaptureEvent().name; });
}

/// What the open ops of the calling thread were given, by depth: LibTorch shows it at an op's begin alone.
std::vector<std::string>& givenToOps() {
    thread_local std::vector<std::string> given;
    return given;
}

/// With the types of what ops take and give. Builds texts: for recordings that ask for them.
std::unique_ptr<at::ObserverContext> onTypedOpBegin(const at::RecordFunction& op) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return nullptr;
    if (!isEngineWrapper(op.name())) {
        std::vector<std::string>& given = givenToOps();
        const std::size_t depth = stream.thread().depth;
        if (given.size() <= depth)
            given.resize(depth + 1);
        given[depth].clear();
        appendInputs(given[depth], op);
    }
    return onOpBegin(op);
}

void onTypedOpEnd(const at::RecordFunction& op, at::ObserverContext*) {
    endOp(op, [&op](std::uint16_t depth) {
        std::vector<std::string>& given = givenToOps();
        if (depth >= given.size())
            return CaptureEvent().name;
        std::string& text = given[depth];
        text += kTypesArrow;
        appendOutputs(text, op);
        const std::uint32_t types = NameRegistry::idOf(text);
        text.clear();
        return types;
    });
}

class MemoryObserver : public c10::MemoryReportingInfoBase {
public:
    explicit MemoryObserver(at::Device device) : m_device(device) {}

    bool memoryProfilingEnabled() const override { return CaptureStream::instance().isOpen(); }

    /// `bytes` is negative for a free. `total` is what LibTorch counts as allocated after the event.
    /// A GPU's allocator calls under its own lock, so events come in its order, whichever thread they are of.
    void reportMemoryUsage(void* address, std::int64_t bytes, std::size_t total, std::size_t reserved,
                           at::Device device) override {
        if (device != m_device)
            return;
        CaptureStream& stream = CaptureStream::instance();
        const std::int64_t time = stream.now();
        const CaptureStream::ThreadState& thread = stream.thread();
        stream.emit(thread, bytes < 0 ? CaptureKind::kFree : CaptureKind::kAllocate,
                    [&](CaptureEvent& event) {
                        event.time = time;
                        event.address = reinterpret_cast<std::uintptr_t>(address);
                        event.bytes = bytes < 0 ? -bytes : bytes;
                        event.total = static_cast<std::int64_t>(total);
                        if (bytes > 0 && thread.requestAddress == event.address)
                            event.requested = thread.requested;
                    });
        if (!m_device.is_cpu() && reserved != m_reserved)
            reportReserved(reserved, time);
    }

    /// LibTorch throws its OutOfMemoryError next: there is time for a lock, unlike in the CPU's allocator.
    void reportOutOfMemory(std::int64_t bytes, std::size_t total, std::size_t reserved,
                           at::Device device) override {
        if (device != m_device)
            return;
        const std::lock_guard lock(m_refusing);
        m_refused = {bytes, static_cast<std::int64_t>(total), static_cast<std::int64_t>(reserved),
                     CaptureStream::instance().now()};
    }

    std::optional<RefusedAllocation> refused() const {
        const std::lock_guard lock(m_refusing);
        return m_refused;
    }

private:
    void reportReserved(std::size_t reserved, std::int64_t time) {
        static const RegisteredName kReserved("memory reserved");
        m_reserved = reserved;
        CaptureEvent event;
        event.kind = CaptureKind::kCounter;
        event.time = time;
        event.value = static_cast<double>(reserved);
        event.name = kReserved.id();
        CaptureStream::instance().push(event);
    }

    at::Device m_device;
    std::size_t m_reserved = 0;  // under the allocator's lock
    mutable std::mutex m_refusing;
    std::optional<RefusedAllocation> m_refused;
};

}  // namespace

struct TorchObservers::Attached {
    std::shared_ptr<MemoryObserver> observer;  // null when memory is not recorded
    std::optional<at::CallbackHandle> ops;
    std::optional<c10::DebugInfoGuard> memory;

    Attached(at::Device device, OpsObserved wanted, bool wantsMemory) {
        if (wantsMemory) {
            observer = std::make_shared<MemoryObserver>(device);
            memory.emplace(c10::DebugInfoKind::PROFILER_STATE, observer);
        }
        if (wanted == OpsObserved::kNone)
            return;
        const bool types = wanted == OpsObserved::kWithTypes;
        auto callback =
            at::RecordFunctionCallback(types ? onTypedOpBegin : onOpBegin, types ? onTypedOpEnd : onOpEnd)
                .needsInputs(types)
                .needsOutputs(types)
                .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION});
        ops = at::addGlobalCallback(callback);
    }
    ~Attached() {
        if (ops)
            at::removeCallback(*ops);
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;
};

TorchObservers::TorchObservers(int gpu, OpsObserved ops, bool memory)
    : m_attached(std::make_unique<Attached>(
          gpu < 0 ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<at::DeviceIndex>(gpu)), ops,
          memory)) {}
TorchObservers::~TorchObservers() = default;

std::optional<RefusedAllocation> TorchObservers::refused() const {
    return m_attached->observer ? m_attached->observer->refused() : std::nullopt;
}

}  // namespace warpglass
