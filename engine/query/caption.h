// The caption of a figure: what was run, in one line, so that the figure still says it when it is alone.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace/run_info.h"

namespace warpglass {

/// "small, context 512, batch 4 · bf16 · sdpa-flash attention · training step, eager · NVIDIA H200 · LibTorch
/// 2.11.0, CUDA 13.0, Warpglass 0.1.0 · 2026-11-21". Sizes of a custom model are written out. What a run does
/// not state is left out; empty when it states nothing. kBrief is for little room: "small · context 512 ·
/// batch 4 · bf16 · sdpa-flash · H200", with "CUDA graph" of a run as one, and with what became of a run that
/// did not end well.
enum class CaptionLength : std::uint8_t { kFull, kBrief };
std::string runCaption(const RunInfo& info, CaptionLength length = CaptionLength::kFull);

}  // namespace warpglass
