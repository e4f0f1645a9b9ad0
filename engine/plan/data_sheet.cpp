#include "engine/plan/data_sheet.h"

#include <algorithm>
#include <iterator>

namespace warpglass {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

/// Rates in TFLOP/s and GB/s, as the sheets have them.
constexpr DataSheet sheet(std::string_view device, double fp32, double tf32, double bf16, double fp16,
                          double bandwidth, std::string_view source) {
    return {device, fp32 * kTera, tf32 * kTera, bf16 * kTera, fp16 * kTera, bandwidth * kGiga, source};
}

constexpr std::string_view kB200 = "NVIDIA HGX B200 data sheet, one of eight";
constexpr std::string_view kH200 = "NVIDIA H200 data sheet";
constexpr std::string_view kGH200 = "NVIDIA GH200 data sheet";
constexpr std::string_view kH100 = "NVIDIA H100 data sheet";
constexpr std::string_view kA100 = "NVIDIA A100 data sheet";
constexpr std::string_view kV100 = "NVIDIA V100 data sheet";
constexpr std::string_view kBlackwell = "NVIDIA RTX Blackwell white paper";
constexpr std::string_view kAda = "NVIDIA Ada white paper";
constexpr std::string_view kAmpere = "NVIDIA Ampere GA102 white paper";

constexpr DataSheet kSheets[] = {
    sheet("NVIDIA B200", 75, 1125, 2250, 2250, 8000, kB200),
    sheet("NVIDIA H200", 67, 494.7, 989.4, 989.4, 4800, kH200),
    sheet("NVIDIA H200 NVL", 60, 417.5, 835.5, 835.5, 4800, kH200),
    sheet("NVIDIA GH200 480GB", 67, 494.7, 989.4, 989.4, 4000, kGH200),
    sheet("NVIDIA H100 80GB HBM3", 67, 494.7, 989.4, 989.4, 3350, kH100),
    sheet("NVIDIA H100 PCIe", 51, 378, 756, 756, 2000, kH100),
    sheet("NVIDIA H100 NVL", 60, 417.5, 835.5, 835.5, 3900, kH100),
    sheet("NVIDIA A100-SXM4-80GB", 19.5, 156, 312, 312, 2039, kA100),
    sheet("NVIDIA A100-SXM4-40GB", 19.5, 156, 312, 312, 1555, kA100),
    sheet("NVIDIA A100 80GB PCIe", 19.5, 156, 312, 312, 1935, kA100),
    sheet("NVIDIA A100-PCIE-40GB", 19.5, 156, 312, 312, 1555, kA100),
    sheet("NVIDIA A30", 10.3, 82, 165, 165, 933, "NVIDIA A30 data sheet"),
    sheet("NVIDIA A40", 37.4, 74.8, 149.7, 149.7, 696, "NVIDIA A40 data sheet"),
    sheet("NVIDIA A10", 31.2, 62.5, 125, 125, 600, "NVIDIA A10 data sheet"),
    sheet("NVIDIA L40S", 91.6, 183, 362.05, 362.05, 864, "NVIDIA L40S data sheet"),
    sheet("NVIDIA L40", 90.5, 90.5, 181.05, 181.05, 864, "NVIDIA L40 data sheet"),
    sheet("NVIDIA L4", 30.3, 60, 121, 121, 300, "NVIDIA L4 data sheet"),
    sheet("NVIDIA RTX 6000 Ada Generation", 91.1, 182.1, 364.2, 364.2, 960, kAda),
    sheet("NVIDIA RTX A6000", 38.7, 77.4, 154.8, 154.8, 768, kAmpere),
    sheet("NVIDIA GeForce RTX 5090", 104.8, 104.8, 209.5, 209.5, 1792, kBlackwell),
    sheet("NVIDIA GeForce RTX 4090", 82.6, 82.6, 165.2, 165.2, 1008, kAda),
    sheet("NVIDIA GeForce RTX 3090", 35.6, 35.6, 71, 71, 936, kAmpere),
    sheet("NVIDIA GeForce RTX 3080", 29.8, 29.8, 59.5, 59.5, 760, kAmpere),
    // Volta and Turing have neither tf32 nor bf16.
    sheet("Tesla V100-SXM2-32GB", 15.7, 0, 0, 125, 900, kV100),
    sheet("Tesla V100-SXM2-16GB", 15.7, 0, 0, 125, 900, kV100),
    sheet("Tesla V100-PCIE-32GB", 14, 0, 0, 112, 900, kV100),
    sheet("Tesla V100-PCIE-16GB", 14, 0, 0, 112, 900, kV100),
    sheet("Tesla T4", 8.1, 0, 0, 65, 320, "NVIDIA T4 data sheet"),
};

}  // namespace

std::optional<double> DataSheet::flopsPerSecond(Precision precision) const {
    constexpr double DataSheet::*kRates[] = {&DataSheet::fp32, &DataSheet::tf32, &DataSheet::bf16,
                                             &DataSheet::fp16};
    const double rate = this->*kRates[static_cast<std::size_t>(precision)];
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

const DataSheet* dataSheetOf(std::string_view device) {
    const auto* found = std::find_if(std::begin(kSheets), std::end(kSheets),
                                     [&](const DataSheet& sheet) { return sheet.device == device; });
    return found == std::end(kSheets) ? nullptr : found;
}

}  // namespace warpglass
