// The caption of a figure: what was run, in one line, so that the figure says it even on its own.
#pragma once

#include <functional>
#include <string>

#include "engine/trace/run_info.h"

namespace warpglass {

/// "small, context 512, batch 4 · bf16 · sdpa-flash attention · training step, eager · NVIDIA H200 · LibTorch
/// 2.11.0, CUDA 13.0, Warpglass 0.1.0 · 2026-11-21", and what became of a run that did not end well. Sizes of
/// a custom model are written out. What a run does not state is left out; empty when it states nothing.
std::string runCaption(const RunInfo& info);
/// "LibTorch 2.11.0, CUDA 13.0, Warpglass 0.1.0": what is known of them, by the keys of a run's information.
std::string versionsText(const std::function<std::string(const char*)>& known);

}  // namespace warpglass
