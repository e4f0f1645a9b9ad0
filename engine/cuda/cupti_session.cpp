#include "engine/cuda/cupti_session.h"

#include <cupti.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

#include "engine/capture/capture_stream.h"
#include "engine/cuda/cuda_calls.h"
#include "engine/cuda/occupancy.h"

namespace warpglass {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
/// Taken before the first kernel, so that a burst is met without asking the system for memory.
constexpr std::size_t kBuffersAhead = 8;
/// CUPTI keeps timestamps in device memory until the host has read them; with these ahead of time (3.2 MB
/// each by default) a long run takes no more while it goes on.
constexpr std::size_t kDeviceBuffersAhead = 6;

constexpr std::pair<CUpti_ActivityKind, Feature> kKinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, Feature::kKernels},
    {CUPTI_ACTIVITY_KIND_MEMCPY, Feature::kKernels},
    {CUPTI_ACTIVITY_KIND_MEMSET, Feature::kKernels},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, Feature::kWaits}};

std::string resultText(CUptiResult result) {
    const char* text = nullptr;
    return cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text ? text : std::to_string(result);
}

std::uint64_t CUPTIAPI timestamp() {
    return static_cast<std::uint64_t>(CaptureClock::now());
}

CopyKind copyKindOf(std::uint8_t kind) {
    switch (static_cast<CUpti_ActivityMemcpyKind>(kind)) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
            return CopyKind::kHostToDevice;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
            return CopyKind::kDeviceToHost;
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
            return CopyKind::kHostToHost;
        case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
            return CopyKind::kPeerToPeer;
        case CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN:
            return CopyKind::kNone;
        default:
            return CopyKind::kDeviceToDevice;
    }
}

const char* overheadName(CUpti_ActivityOverheadKind kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
            return "driver compiles";
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
            return "CUPTI flushes buffers";
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
            return "CUPTI instruments";
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
            return "CUPTI makes room";
        case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
            return "module loading";
        case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
            return "function loading";
        case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
            return "launch queue full";
        case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
            return "CUPTI asks for a buffer";
        default:
            return "other overhead";
    }
}

void onGraphNode(CUpti_CallbackId id, const CUpti_ResourceData& resource) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return;
    const auto& graph = *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
    CaptureEvent event;
    event.time = stream.now();
    std::uint64_t node = 0, original = 0;
    if (cuptiGetGraphNodeId(graph.node, &node) != CUPTI_SUCCESS)
        return;
    if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
        event.kind = CaptureKind::kNodeMade;
        event.node = node;
    } else {
        if (cuptiGetGraphNodeId(graph.originalNode, &original) != CUPTI_SUCCESS)
            return;
        event.kind = CaptureKind::kNodeCloned;
        event.node = original;
        event.other = node;
    }
    // Not surely: the recorder's thread, which makes room, may itself be waiting for CUPTI.
    stream.push(event);
}

void CUPTIAPI onCallback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        CudaCalls::onCallback(id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        onGraphNode(id, *static_cast<const CUpti_ResourceData*>(data));
}

/// Buffers go round: CUPTI asks for one, fills it, hands it back, the recorder decodes it and clears it.
struct BufferPool {
    struct Filled {
        std::uint8_t* data;
        std::size_t bytes;
    };

    std::mutex mutex;  // held for a few instructions, and never while CUPTI is called
    std::vector<std::uint8_t*> empty;
    std::vector<Filled> filled;
    std::atomic<std::uint64_t> refused{0};

    // Room for 4 GiB of buffers ahead of time: CUPTI's threads must not meet an exception.
    BufferPool() {
        empty.reserve(1024);
        filled.reserve(1024);
    }
    static std::uint8_t* make() {
        void* data = std::aligned_alloc(64, kBufferBytes);
        if (data)
            std::memset(data, 0, kBufferBytes);
        return static_cast<std::uint8_t*>(data);
    }
    std::uint8_t* take() {
        {
            const std::lock_guard lock(mutex);
            if (!empty.empty()) {
                std::uint8_t* buffer = empty.back();
                empty.pop_back();
                return buffer;
            }
        }
        return make();
    }
    void giveBack(const Filled& buffer) noexcept {
        std::memset(buffer.data, 0, buffer.bytes);
        const std::lock_guard lock(mutex);
        if (empty.size() < empty.capacity())
            empty.push_back(buffer.data);
        else
            std::free(buffer.data);
    }
};

BufferPool& pool() {
    static BufferPool& buffers = *new BufferPool;
    return buffers;
}

void CUPTIAPI onBufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = pool().take();
    *size = *buffer ? kBufferBytes : 0;
    *maxRecords = 0;  // as many as fit
    if (!*buffer)
        pool().refused.fetch_add(1, std::memory_order_relaxed);
}

void CUPTIAPI onBufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                std::size_t valid) {
    const std::lock_guard lock(pool().mutex);
    if (buffer && pool().filled.size() < pool().filled.capacity()) {
        pool().filled.push_back({buffer, valid});
    } else if (buffer) {
        std::free(buffer);
        pool().refused.fetch_add(1, std::memory_order_relaxed);
    }
}

/// Who holds CUPTI: tools come into a process as libraries of known names.
std::string holder() {
    std::string loaded;
    if (const char* injected = std::getenv("CUDA_INJECTION64_PATH"))
        loaded = std::string(injected) + '\n';
    std::ifstream maps("/proc/self/maps");
    loaded.append(std::istreambuf_iterator<char>(maps), {});
    const auto has = [&loaded](std::string_view name) { return loaded.find(name) != std::string::npos; };
    if (has("ToolsInjection") || has("nsight-systems"))
        return "Nsight Systems";
    if (has("InterceptorInjection") || has("nsight-compute"))
        return "Nsight Compute";
    return "another tool in this process (Kineto, or one that was injected)";
}

std::string explain(CUptiResult result) {
    switch (result) {
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return holder() + " holds CUPTI";
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "this user may not profile on this machine";
        case CUPTI_ERROR_NOT_COMPATIBLE:
            return "the driver is too old for this CUPTI";
        default:
            return "CUPTI says: " + resultText(result);
    }
}

}  // namespace

struct CuptiSession::State {
    CUpti_SubscriberHandle subscriber = nullptr;
    std::vector<BufferPool::Filled> collected;
    CudaCalls calls;
    OccupancyTable occupancies;
    std::uint64_t dropped = 0;
    std::uint64_t refusedBefore = 0;
    std::uint64_t unreadable = 0;
    std::int64_t clockStart = 0;
    Recorded recorded;

    /// Switches on what is recorded, and all else off; the first refusal, if there is one.
    CUptiResult enable(Recorded wanted);
    void decodeBuffer(const BufferPool::Filled& buffer, const std::function<void(const GpuRecord&)>& take);
    bool recordOf(const CUpti_Activity& activity, GpuRecord& record);
    /// What records of every kind have, and those of what runs on the GPU.
    template <class Activity>
    void takeCommon(const Activity& activity, GpuRecord& record);
    template <class Activity>
    void takeWork(const Activity& activity, GpuRecord& record);
};

CuptiSession::CuptiSession(std::unique_ptr<State> state) : m_state(std::move(state)) {}
CuptiSession::~CuptiSession() = default;

CuptiSession* CuptiSession::instance(std::string& problem) {
    static CuptiSession* session = nullptr;
    if (session)
        return session;
    auto state = std::make_unique<State>();
    if (const CUptiResult result = cuptiSubscribe(&state->subscriber, onCallback, nullptr);
        result != CUPTI_SUCCESS) {
        problem = explain(result);
        return nullptr;
    }
    // The clock before anything is enabled, so that GPU records and capture events share it.
    CaptureClock::calibrate();
    CUptiResult result = cuptiActivityRegisterTimestampCallback(timestamp);
    if (result == CUPTI_SUCCESS)
        result = cuptiActivityRegisterCallbacks(onBufferRequested, onBufferCompleted);
    if (result != CUPTI_SUCCESS) {
        cuptiUnsubscribe(state->subscriber);
        problem = explain(result);
        return nullptr;
    }
    std::uint8_t zeroed = 1;
    std::size_t size = sizeof zeroed;
    cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    std::size_t ahead = kDeviceBuffersAhead;
    size = sizeof ahead;
    cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, &size, &ahead);

    state->calls.registerAll();
    for (std::size_t i = 0; i < kBuffersAhead; ++i) {
        if (std::uint8_t* buffer = BufferPool::make())
            pool().empty.push_back(buffer);
    }
    session = new CuptiSession(std::move(state));
    return session;
}

CUptiResult CuptiSession::State::enable(Recorded wanted) {
    CUptiResult problem = CUPTI_SUCCESS;
    const auto note = [&problem](CUptiResult result) {
        problem = problem == CUPTI_SUCCESS ? result : problem;
    };
    for (const auto& [kind, feature] : kKinds)
        note(wanted.has(feature) ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind));
    note(calls.enable(subscriber, wanted));
    const std::uint32_t on = wanted.has(Feature::kKernels) ? 1 : 0;
    for (const CUpti_CallbackId id :
         {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED})
        note(cuptiEnableCallback(on, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id));
    return problem;
}

std::string CuptiSession::begin(Recorded recorded) {
    m_state->recorded = recorded;
    if (const CUptiResult result = m_state->enable(recorded); result != CUPTI_SUCCESS) {
        m_state->enable(Recorded::none());
        return explain(result);
    }
    cuptiActivityFlushAll(0);
    collect();
    for (const BufferPool::Filled& buffer : m_state->collected)
        pool().giveBack(buffer);
    m_state->collected.clear();
    std::size_t before = 0;
    cuptiActivityGetNumDroppedRecords(nullptr, 0, &before);  // asking sets it back
    m_state->dropped = 0;
    m_state->unreadable = 0;
    m_state->refusedBefore = pool().refused.load(std::memory_order_relaxed);
    m_state->clockStart = 0;
    return {};
}

void CuptiSession::end() {
    m_state->enable(Recorded::none());
}

bool CuptiSession::tellsOfLaunches() const {
    return m_state->recorded.has(Feature::kCalls);
}

bool CuptiSession::tellsOfKernels() const {
    return m_state->recorded.has(Feature::kKernels);
}

void CuptiSession::flush(bool last) {
    cuptiActivityFlushAll(last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

bool CuptiSession::collect() {
    const std::lock_guard lock(pool().mutex);
    m_state->collected.insert(m_state->collected.end(), pool().filled.begin(), pool().filled.end());
    pool().filled.clear();
    return !m_state->collected.empty();
}

void CuptiSession::decode(const std::function<void(const GpuRecord&)>& take) {
    m_state->clockStart = CaptureStream::instance().startTime();
    /// However decoding ends, each buffer goes back once.
    struct Returned {
        std::vector<BufferPool::Filled> buffers;
        ~Returned() {
            for (const BufferPool::Filled& buffer : buffers)
                pool().giveBack(buffer);
        }
    };
    const Returned taken{std::exchange(m_state->collected, {})};
    for (const BufferPool::Filled& buffer : taken.buffers)
        m_state->decodeBuffer(buffer, take);
    std::size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS)
        m_state->dropped += dropped;
}

void CuptiSession::State::decodeBuffer(const BufferPool::Filled& buffer,
                                       const std::function<void(const GpuRecord&)>& take) {
    CUpti_Activity* activity = nullptr;
    CUptiResult result = CUPTI_SUCCESS;
    while ((result = cuptiActivityGetNextRecord(buffer.data, buffer.bytes, &activity)) == CUPTI_SUCCESS) {
        GpuRecord record;
        if (recordOf(*activity, record))
            take(record);
    }
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED)
        ++unreadable;
}

template <class Activity>
void CuptiSession::State::takeCommon(const Activity& activity, GpuRecord& record) {
    record.begin = activity.start == 0 ? 0 : static_cast<std::int64_t>(activity.start) - clockStart;
    record.end = activity.end == 0 ? 0 : static_cast<std::int64_t>(activity.end) - clockStart;
    record.correlation = activity.correlationId;
}

template <class Activity>
void CuptiSession::State::takeWork(const Activity& activity, GpuRecord& record) {
    takeCommon(activity, record);
    record.device = activity.deviceId;
    record.stream = activity.streamId;
    record.graphNode = activity.graphNodeId;
}

bool CuptiSession::State::recordOf(const CUpti_Activity& activity, GpuRecord& record) {
    switch (activity.kind) {
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto& k = reinterpret_cast<const CUpti_ActivityKernel10&>(activity);
            takeWork(k, record);
            record.kind = DetailKind::kKernel;
            record.symbol = k.name ? k.name : "";
            record.grid = {static_cast<std::uint32_t>(k.gridX), static_cast<std::uint32_t>(k.gridY),
                           static_cast<std::uint32_t>(k.gridZ)};
            record.block = {static_cast<std::uint32_t>(k.blockX), static_cast<std::uint32_t>(k.blockY),
                            static_cast<std::uint32_t>(k.blockZ)};
            record.registers = k.registersPerThread;
            record.staticShared = k.staticSharedMemory;
            record.dynamicShared = k.dynamicSharedMemory;
            record.occupancy = occupancies.of(record);
            return true;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity);
            takeWork(copy, record);
            record.kind = DetailKind::kCopy;
            record.copy = copyKindOf(copy.copyKind);
            record.bytes = static_cast<std::int64_t>(copy.bytes);
            return true;
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(activity);
            takeWork(fill, record);
            record.kind = DetailKind::kFill;
            record.bytes = static_cast<std::int64_t>(fill.bytes);
            return true;
        }
        case CUPTI_ACTIVITY_KIND_OVERHEAD: {
            const auto& overhead = reinterpret_cast<const CUpti_ActivityOverhead3&>(activity);
            takeCommon(overhead, record);
            record.kind = DetailKind::kOverhead;
            record.symbol = overheadName(overhead.overheadKind);
            std::free(overhead.overheadData);  // CUPTI's, and ours to free
            return true;
        }
        default:
            return false;
    }
}

std::vector<LossCount> CuptiSession::losses() const {
    std::vector<LossCount> losses;
    if (m_state->dropped > 0)
        losses.push_back({"GPU record dropped by CUPTI", m_state->dropped});
    if (const std::uint64_t refused = pool().refused.load(std::memory_order_relaxed) - m_state->refusedBefore)
        losses.push_back({"buffer for GPU records refused: no memory", refused});
    if (m_state->unreadable > 0)
        losses.push_back({"buffer of GPU records cut short", m_state->unreadable});
    return losses;
}

}  // namespace warpglass
