#include "engine/runner/ceilings.h"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>

#include "engine/base/median.h"
#include "engine/runner/safe_point.h"
#include "engine/runner/tf32_scope.h"

namespace warpglass {
namespace {

using Clock = std::chrono::steady_clock;

// Long against the few microseconds of a synchronization, short enough for a person to wait for all of it.
constexpr double kRepetitionSeconds = 0.05;
constexpr int kRepetitions = 7;
// A device that has been idle takes so long to come up to its clock rate under load.
constexpr double kWarmupSeconds = 0.25;
// What takes longer, a processor without arithmetic of that type, is done once and no larger product tried.
constexpr double kLongestSeconds = 2;
// A run does its products in bursts, at higher clocks than minutes of them leave a device: windows of so
// long, of which the fastest counts, each long against a synchronization still.
constexpr double kBurstSeconds = 0.005;
constexpr int kBursts = 6;
// Square products: each size that fits is tried. A GPU's largest caches hold none of them.
constexpr std::int64_t kGpuSizes[] = {4096, 8192, 16384};
constexpr std::int64_t kCpuSizes[] = {512, 1024, 2048};
// The presets' own products, at the default batch and these contexts; a processor takes seconds for the
// larger presets'.
constexpr std::int64_t kPresetBatch = 4;
constexpr std::int64_t kGpuContexts[] = {512, 2048};
constexpr std::int64_t kCpuContexts[] = {128};
constexpr std::int64_t kWidestOfCpu = 768;
// Well beyond any cache.
constexpr std::int64_t kGpuCopy = std::int64_t{1} << 30;
constexpr std::int64_t kCpuCopy = std::int64_t{256} << 20;
// Fewer than the 1,024 launches that a CUDA stream holds before a launch waits for the device.
constexpr int kLaunches = 500;
constexpr int kLaunchRepetitions = 21;

/// C = A·Bᵀ: rows × inner times (columns × inner)ᵀ.
struct ProductShape {
    std::int64_t rows = 0, columns = 0, inner = 0;
    auto operator<=>(const ProductShape&) const = default;

    double flops() const {
        return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(inner);
    }
    std::int64_t numbers() const { return rows * columns + rows * inner + columns * inner; }
};

/// Those that linear layers of the presets compute, forward and backward.
std::vector<ProductShape> presetShapes(bool gpu) {
    std::set<ProductShape> shapes;
    for (const ModelPreset& preset : modelPresets()) {
        const ModelShape& model = preset.shape;
        if (!gpu && model.dModel > kWidestOfCpu)
            continue;
        for (const std::int64_t context :
             gpu ? std::span<const std::int64_t>(kGpuContexts) : std::span<const std::int64_t>(kCpuContexts))
            for (const std::int64_t out : {model.dModel, model.dFf, model.vocabulary}) {
                const std::int64_t tokens = kPresetBatch * context;
                shapes.insert({tokens, out, model.dModel});  // forward
                shapes.insert({tokens, model.dModel, out});  // the input's gradient; w2 forward
                shapes.insert({out, model.dModel, tokens});  // the weight's gradient
            }
    }
    return {shapes.begin(), shapes.end()};
}

class Measurement {
public:
    Measurement(const DeviceInfo& device, Gpu* gpu, RunControl& control)
        : m_info(device), m_gpu(gpu), m_control(control), m_device(device.id) {
        m_result.device = device.name;
        m_result.driver = device.driver;
    }

    DeviceCeilings run() {
        const std::vector<Precision> precisions = measurable();
        const std::span<const std::int64_t> sizes =
            m_gpu ? std::span<const std::int64_t>(kGpuSizes) : std::span<const std::int64_t>(kCpuSizes);
        m_control.step = 0;
        // The presets' products of a precision are one step.
        m_control.totalSteps =
            static_cast<std::int64_t>(precisions.size() * (sizes.size() + 1)) + (m_gpu ? 5 : 2);
        for (const Precision precision : precisions)
            products(precision, sizes);
        copies();
        launches();
        return std::move(m_result);
    }

private:
    std::vector<Precision> measurable() const {
        if (!m_gpu)
            return {Precision::kFp32, Precision::kBf16};
        // TensorFloat-32 and bfloat16 came with compute capability 8.0; before, LibTorch uses fp32.
        bool ampere = true;
        for (const auto& [key, value] : m_gpu->information()) {
            if (key == "device.compute_capability")
                ampere = std::atof(value.c_str()) >= 8;
        }
        if (!ampere)
            return {Precision::kFp32, Precision::kFp16};
        return {Precision::kFp32, Precision::kTf32, Precision::kBf16, Precision::kFp16};
    }

    void synchronize() {
        if (!m_gpu)
            return;
        if (const Status done = m_gpu->synchronize(); !done)
            throw std::runtime_error(done.message());
    }

    /// The time of `count` calls, until the device has done them.
    double secondsOf(const std::function<void()>& work, std::int64_t count) {
        safePoint();
        synchronize();
        const auto begin = Clock::now();
        for (std::int64_t i = 0; i < count; ++i)
            work();
        synchronize();
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    /// The time of one call, in the fastest of a few bursts: what a run meets.
    double burstSeconds(const std::function<void()>& work) {
        double once = secondsOf(work, 1);  // libraries load, kernels are chosen
        if (once < kLongestSeconds)
            once = std::min(once, secondsOf(work, 1));
        const auto calls =
            std::clamp<std::int64_t>(std::llround(kBurstSeconds / std::max(once, 1e-7)), 1, 100000);
        double best = once;
        for (int i = 0; i < kBursts && once < kLongestSeconds; ++i)
            best = std::min(best, secondsOf(work, calls) / static_cast<double>(calls));
        return best;
    }

    /// The time of one call, over long: the median of the repetitions, after a warm-up.
    double secondsOf(const std::function<void()>& work) {
        double once = secondsOf(work, 1);  // libraries load, kernels are chosen
        if (once < kLongestSeconds)
            once = secondsOf(work, 1);
        if (once >= kLongestSeconds)
            return once;
        const auto count = [&](double seconds) {
            return std::clamp<std::int64_t>(std::llround(seconds / std::max(once, 1e-7)), 1, 100000);
        };
        once = secondsOf(work, count(kWarmupSeconds)) / static_cast<double>(count(kWarmupSeconds));
        const std::int64_t calls = count(kRepetitionSeconds);
        std::vector<double> repetitions;
        for (int i = 0; i < kRepetitions; ++i)
            repetitions.push_back(secondsOf(work, calls) / static_cast<double>(calls));
        return medianOf(std::move(repetitions));
    }

    bool fits(std::int64_t bytes) const {
        const Bytes free = m_info.available.value > 0 ? m_info.available : m_info.memory;
        return free.value <= 0 || bytes <= free.value / 2;
    }

    void countStep() { ++m_control.step; }

    void products(Precision precision, std::span<const std::int64_t> sizes) {
        const at::ScalarType type = precision == Precision::kBf16   ? at::kBFloat16
                                    : precision == Precision::kFp16 ? at::kHalf
                                                                    : at::kFloat;
        const Tf32Scope tf32(precision);
        DeviceCeilings::Product best{precision, 0, 0, 0, 0, {}};
        bool tooSlow = false;
        const auto tryShape = [&](const ProductShape& shape, bool longToo) {
            if (tooSlow || !fits(shape.numbers() * static_cast<std::int64_t>(c10::elementSize(type))))
                return;
            const double seconds = productSeconds(shape, type, longToo);
            const double rate = seconds > 0 ? shape.flops() / seconds : 0;
            if (rate > best.flopsPerSecond)
                best = {precision, rate, shape.rows, shape.columns, shape.inner, {}};
            tooSlow = seconds >= kLongestSeconds;
        };
        for (const std::int64_t n : sizes) {
            tryShape({n, n, n}, true);
            countStep();
        }
        for (const ProductShape& shape : presetShapes(m_gpu != nullptr))
            tryShape(shape, false);
        countStep();
        if (best.flopsPerSecond > 0)
            m_result.products.push_back(best);
    }

    /// C = A·Bᵀ, as a linear layer computes it, on normal numbers: a GPU draws less power, and so runs
    /// faster, on zeros. 0 when there is not the memory.
    double productSeconds(const ProductShape& shape, at::ScalarType type, bool longToo) {
        try {
            const auto options = at::TensorOptions().dtype(type).device(m_device);
            const at::Tensor a = at::randn({shape.rows, shape.inner}, options);
            const at::Tensor b = at::randn({shape.columns, shape.inner}, options).t();
            at::Tensor c = at::empty({shape.rows, shape.columns}, options);
            const auto multiply = [&] { at::mm_out(c, a, b); };
            const double burst = burstSeconds(multiply);
            return longToo && burst < kLongestSeconds ? std::min(burst, secondsOf(multiply)) : burst;
        } catch (const c10::OutOfMemoryError&) {
            return 0;
        }
    }

    at::Tensor buffer(std::int64_t bytes, bool onDevice, bool pinned = false) const {
        auto options =
            at::TensorOptions().dtype(at::kByte).device(onDevice ? m_device : at::Device(at::kCPU));
        if (pinned)
            options = options.pinned_memory(true);
        return at::empty({bytes}, options).fill_(1);  // written once, so that the system has given every page
    }

    void copies() {
        const Bytes free = m_info.available.value > 0 ? m_info.available : m_info.memory;
        std::int64_t bytes = m_gpu ? kGpuCopy : kCpuCopy;
        if (free.value > 0)
            bytes = std::min(bytes, free.value / 8);
        m_result.copySize = Bytes(bytes);
        try {
            measureCopies(bytes);
        } catch (const c10::Error&) {
            // There is no room for it: products stand by themselves.
            m_from.reset();
            m_to.reset();
        }
    }

    void measureCopies(std::int64_t bytes) {
        m_from = buffer(bytes, true);
        m_to = buffer(bytes, true);
        const auto rate = [&](const at::Tensor& from, at::Tensor& to, double passes) {
            const auto copy = [&] { to.copy_(from, true); };
            const double seconds = std::min(burstSeconds(copy), secondsOf(copy));
            countStep();
            return passes * static_cast<double>(bytes) / seconds;
        };
        m_result.copyBytesPerSecond = rate(m_from, m_to, 2);
        if (!m_gpu)
            return;
        at::Tensor host = buffer(bytes, false, true);
        m_result.hostToDeviceBytesPerSecond = rate(host, m_to, 1);
        m_result.deviceToHostBytesPerSecond = rate(m_from, host, 1);
        host.reset();
        at::getHostAllocator(at::kCUDA)->empty_cache();  // or it would stay pinned
    }

    void launches() {
        at::Tensor one = at::empty({1}, at::TensorOptions().dtype(at::kFloat).device(m_device));
        const auto launchAll = [&] {
            for (int i = 0; i < kLaunches; ++i)
                one.fill_(1);
        };
        std::vector<double> repetitions;
        for (int i = 0; i < kLaunchRepetitions; ++i) {
            safePoint();
            synchronize();
            const auto begin = Clock::now();
            launchAll();
            const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
            repetitions.push_back(taken.count() / kLaunches);
        }
        m_result.launchNs = medianOf(std::move(repetitions));
        countStep();
        if (!m_gpu)
            return;
        if (m_from.defined())  // the copies that it is hidden behind
            m_result.kernelToKernelNs = kernelToKernel(launchAll);
        countStep();
    }

    /// The kernels wait behind copies until all are launched, so that none waits for its launch. 0 if that
    /// cannot be had.
    double kernelToKernel(const std::function<void()>& launchAll) {
        const double copy =
            2.0 * static_cast<double>(m_from.numel()) / std::max(m_result.copyBytesPerSecond, 1.0);
        auto copies = static_cast<int>(3 * kLaunches * m_result.launchNs * 1e-9 / copy) + 1;
        const c10::impl::VirtualGuardImpl guard(m_device.type());
        const c10::Stream stream = guard.getStream(m_device);
        c10::Event begin(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);  // the flag: with times
        c10::Event end(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
        std::vector<double> repetitions;
        for (int tried = 0; tried < 3 * kRepetitions && repetitions.size() < kRepetitions; ++tried) {
            safePoint();
            synchronize();
            for (int i = 0; i < copies; ++i)
                m_to.copy_(m_from, true);
            begin.record(stream);
            launchAll();
            const bool waited = !begin.query();
            end.record(stream);
            synchronize();
            if (waited)
                repetitions.push_back(begin.elapsedTime(end) * 1e6 / kLaunches);
            else
                copies *= 2;
        }
        return repetitions.empty() ? 0 : medianOf(std::move(repetitions));
    }

    const DeviceInfo& m_info;
    Gpu* m_gpu;
    RunControl& m_control;
    at::Device m_device;
    at::Tensor m_from, m_to;
    DeviceCeilings m_result;
};

}  // namespace

DeviceCeilings measureCeilingsOf(const DeviceInfo& device, Gpu* gpu, RunControl& control) {
    const c10::InferenceMode noGradients;
    return Measurement(device, gpu, control).run();
}

}  // namespace warpglass
