#include "engine/plan/device_ceilings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace warpglass {
namespace {

constexpr std::string_view kPrefix = "ceiling.";
constexpr const char* kMeasured = "ceiling.measured";

/// The keys of the plain figures, and where each is kept.
struct Figure {
    const char* key;
    double DeviceCeilings::*value;
};
constexpr Figure kFigures[] = {
    {"ceiling.copy_bytes_per_second", &DeviceCeilings::copyBytesPerSecond},
    {"ceiling.host_to_device_bytes_per_second", &DeviceCeilings::hostToDeviceBytesPerSecond},
    {"ceiling.device_to_host_bytes_per_second", &DeviceCeilings::deviceToHostBytesPerSecond},
    {"ceiling.launch_ns", &DeviceCeilings::launchNs},
    {"ceiling.kernel_to_kernel_ns", &DeviceCeilings::kernelToKernelNs},
};

std::string productKey(Precision precision) {
    return std::string(kPrefix) + std::string(precisionName(precision)) + "_flops_per_second";
}

std::string sourceKey(Precision precision) {
    return std::string(kPrefix) + std::string(precisionName(precision)) + "_source";
}

std::string measuredKey(Precision precision) {
    return std::string(kPrefix) + std::string(precisionName(precision)) + "_measured_flops_per_second";
}

/// How much more than was measured a run may reach.
constexpr double kBelieved = 1.5;

bool isBelieved(double flopsPerSecond, double measured) {
    return flopsPerSecond <= kBelieved * measured;
}

/// The faster of two of one precision, which remembers what was measured.
DeviceCeilings::Product fasterOf(const DeviceCeilings::Product& known, const DeviceCeilings::Product& fresh) {
    const double measured = std::max(known.measured(), fresh.measured());
    const bool keepsKnown =
        known.flopsPerSecond > fresh.flopsPerSecond &&
        (known.source.empty() || isBelieved(known.flopsPerSecond, measured) || !fresh.source.empty());
    DeviceCeilings::Product faster = keepsKnown ? known : fresh;
    if (!faster.source.empty())
        faster.measuredBefore = measured;
    return faster;
}

/// 2⁶² operations a second are more than any device will do: what a file says beyond that is not a number.
constexpr double kMost = 4.6e18;

double positive(const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole && value > 0 && value < kMost ? value : 0;
}

}  // namespace

const DeviceCeilings::Product* DeviceCeilings::product(Precision precision) const {
    const auto found = std::ranges::find(products, precision, &Product::precision);
    return found == products.end() ? nullptr : &*found;
}

bool isFaster(double flopsPerSecond, const DeviceCeilings::Product& known) {
    return flopsPerSecond > known.flopsPerSecond && isBelieved(flopsPerSecond, known.measured());
}

DeviceCeilings bestOf(const DeviceCeilings& known, DeviceCeilings fresh) {
    for (const DeviceCeilings::Product& product : known.products) {
        const auto same =
            std::ranges::find(fresh.products, product.precision, &DeviceCeilings::Product::precision);
        if (same == fresh.products.end())
            fresh.products.push_back(product);
        else
            *same = fasterOf(product, *same);
    }
    std::ranges::sort(fresh.products, {}, &DeviceCeilings::Product::precision);
    for (double DeviceCeilings::*rate :
         {&DeviceCeilings::copyBytesPerSecond, &DeviceCeilings::hostToDeviceBytesPerSecond,
          &DeviceCeilings::deviceToHostBytesPerSecond})
        fresh.*rate = std::max(fresh.*rate, known.*rate);
    return fresh;
}

std::vector<std::pair<std::string, std::string>> toPairs(const DeviceCeilings& ceilings) {
    std::vector<std::pair<std::string, std::string>> pairs{{kMeasured, ceilings.measured}};
    const auto add = [&](std::string key, double value) {
        if (value > 0 && value < kMost)
            pairs.emplace_back(std::move(key), std::to_string(std::llround(value)));
    };
    for (const DeviceCeilings::Product& product : ceilings.products)
        add(productKey(product.precision), product.flopsPerSecond);
    for (const DeviceCeilings::Product& product : ceilings.products) {
        if (product.source.empty())
            continue;
        pairs.emplace_back(sourceKey(product.precision), product.source);
        add(measuredKey(product.precision), product.measuredBefore);
    }
    for (const Figure& figure : kFigures)
        add(figure.key, ceilings.*figure.value);
    return pairs;
}

std::optional<DeviceCeilings> ceilingsFromPairs(
    std::span<const std::pair<std::string, std::string>> information) {
    DeviceCeilings ceilings;
    bool any = false;
    for (const auto& [key, value] : information) {
        if (!key.starts_with(kPrefix)) {
            if (key == "device.name")
                ceilings.device = value;
            else if (key == "torch.version")
                ceilings.torch = value;
            continue;
        }
        if (key == kMeasured)
            ceilings.measured = value;
        const double number = positive(value);
        for (const Figure& figure : kFigures) {
            if (key == figure.key) {
                ceilings.*figure.value = number;
                any = any || number > 0;
            }
        }
        for (std::size_t i = 0; i < kPrecisionNames.size(); ++i) {
            const auto precision = static_cast<Precision>(i);
            if (key == productKey(precision) && number > 0)
                ceilings.products.push_back({precision, number, 0, 0, 0, {}});
        }
    }
    for (DeviceCeilings::Product& product : ceilings.products) {
        for (const auto& [key, value] : information) {
            if (key == sourceKey(product.precision))
                product.source = value;
            else if (key == measuredKey(product.precision))
                product.measuredBefore = positive(value);
        }
        if (product.source.empty())
            product.measuredBefore = 0;
    }
    any = any || !ceilings.products.empty();
    std::ranges::sort(ceilings.products, {}, &DeviceCeilings::Product::precision);
    return any ? std::optional(std::move(ceilings)) : std::nullopt;
}

}  // namespace warpglass
