#include "engine/cuda/cuda_calls.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/capture/capture_stream.h"
#include "engine/capture/name_registry.h"

namespace warpglass {
namespace {

/// A call into the driver that is called back for.
struct CallKind {
    /// How its name begins.
    std::string_view prefix;
    /// As a row of the thread that calls.
    bool shown = true;
    /// What it waits for; null for a call that does not wait.
    const char* wait = nullptr;
};
constexpr CallKind kCallKinds[] = {{"cuLaunch"},
                                   {"cuGraphLaunch"},
                                   {"cuGraphInstantiate"},
                                   {"cuMemcpy"},
                                   {"cuMemset"},
                                   {"cuMemAlloc"},
                                   {"cuMemFree"},
                                   {"cuStreamSynchronize", true, "wait for a stream"},
                                   {"cuCtxSynchronize", true, "wait for the device"},
                                   {"cuEventSynchronize", true, "wait for an event"},
                                   {"cuStreamWaitEvent", false, "a stream waits for an event"}};

/// Calls into the runtime that may have it load a module first. CUPTI's record of that, one of its overheads,
/// comes only where the call is followed; nothing is done in the callback itself. A step makes a few dozen.
constexpr std::string_view kLoadingCalls[] = {"cudaFunc", "cudaOccupancy", "cudaGetSymbol",
                                              "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol"};

/// What a callback needs of a driver call, by callback id: no look-up on the launching thread.
struct DriverCall {
    std::uint32_t name = 0;  // registered
    bool shown = false;
    std::optional<std::uint32_t> wait;  // registered
};
/// Filled in before the first callback is switched on.
std::array<DriverCall, CUPTI_DRIVER_TRACE_CBID_SIZE> s_driverCalls;
/// These are for the recording at hand; they are set before callbacks are switched on for it.
std::atomic<bool> s_showsCalls{false}, s_tellsOfWaits{false};

bool isShown(const DriverCall& known) {
    return known.shown && s_showsCalls.load(std::memory_order_relaxed);
}

void onBegin(const DriverCall& known, const CUpti_CallbackData& call) {
    CaptureStream& stream = CaptureStream::instance();
    if (known.wait)
        *call.correlationData = 0;  // a word of CUPTI's for what the call's end has to know
    if (!stream.isOpen())
        return;
    const std::int64_t time = stream.now();
    if (known.wait)
        *call.correlationData = static_cast<std::uint64_t>(time) + 1;
    if (!isShown(known))
        return;
    stream.emit(stream.thread(), CaptureKind::kApiBegin, [&](CaptureEvent& event) {
        event.time = time;
        event.name = known.name;
        event.correlation = call.correlationId;
    });
}

void onEnd(const DriverCall& known, const CUpti_CallbackData& call) {
    CaptureStream& stream = CaptureStream::instance();
    if (!stream.isOpen())
        return;
    const std::int64_t time = stream.now();
    const CaptureStream::ThreadState& thread = stream.thread();
    if (known.wait && *call.correlationData != 0 && s_tellsOfWaits.load(std::memory_order_relaxed)) {
        stream.emit(thread, CaptureKind::kWait, [&](CaptureEvent& event) {
            event.time = static_cast<std::int64_t>(*call.correlationData - 1);
            event.end = time;
            event.name = *known.wait;
            event.correlation = call.correlationId;
        });
    }
    if (!isShown(known))
        return;
    // A call that failed makes nothing run.
    const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
    stream.emit(thread, CaptureKind::kApiEnd, [&](CaptureEvent& event) {
        event.time = time;
        event.correlation = call.correlationId;
        event.detail = result && *result != CUDA_SUCCESS ? CaptureEvent::kFailed : 0;
    });
}

/// Calls fn(id, name) for every callback id of a domain below `end` that has a name.
template <class Fn>
void forEachCall(CUpti_CallbackDomain domain, CUpti_CallbackId end, Fn&& fn) {
    for (CUpti_CallbackId id = 1; id < end; ++id) {
        const char* name = nullptr;
        if (cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name)
            fn(id, std::string_view(name));
    }
}

}  // namespace

void CudaCalls::registerAll() {
    forEachCall(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE,
                [this](CUpti_CallbackId id, std::string_view name) {
                    const auto kind = std::find_if(
                        std::begin(kCallKinds), std::end(kCallKinds),
                        [&](const CallKind& candidate) { return name.starts_with(candidate.prefix); });
                    if (kind == std::end(kCallKinds))
                        return;
                    DriverCall& call = s_driverCalls[id];
                    call.name = NameRegistry::idOf(name);
                    call.shown = kind->shown;
                    if (kind->wait)
                        call.wait = NameRegistry::idOf(kind->wait);
                    m_driverCalls.push_back(id);
                });
    forEachCall(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE,
                [this](CUpti_CallbackId id, std::string_view name) {
                    if (std::any_of(std::begin(kLoadingCalls), std::end(kLoadingCalls),
                                    [name](std::string_view prefix) { return name.starts_with(prefix); }))
                        m_loadingCalls.push_back(id);
                });
}

CUptiResult CudaCalls::enable(CUpti_SubscriberHandle subscriber, Recorded recorded) const {
    const bool calls = recorded.has(Feature::kCalls), waits = recorded.has(Feature::kWaits);
    s_showsCalls.store(calls, std::memory_order_relaxed);
    s_tellsOfWaits.store(waits, std::memory_order_relaxed);
    CUptiResult problem = CUPTI_SUCCESS;
    const auto set = [&](bool on, CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        const CUptiResult result = cuptiEnableCallback(on ? 1 : 0, subscriber, domain, id);
        problem = problem == CUPTI_SUCCESS ? result : problem;
    };
    for (const CUpti_CallbackId id : m_driverCalls) {
        const DriverCall& call = s_driverCalls[id];
        set((call.shown && calls) || (call.wait && waits), CUPTI_CB_DOMAIN_DRIVER_API, id);
    }
    for (const CUpti_CallbackId id : m_loadingCalls)
        set(waits, CUPTI_CB_DOMAIN_RUNTIME_API, id);
    return problem;
}

void CudaCalls::onCallback(CUpti_CallbackId id, const CUpti_CallbackData& call) {
    if (call.callbackSite == CUPTI_API_ENTER)
        onBegin(s_driverCalls[id], call);
    else
        onEnd(s_driverCalls[id], call);
}

}  // namespace warpglass
