// How far a span's color goes toward the background where it is not drawn in full.
#pragma once

namespace warpglass::ui {

/// A merged run: far enough to be told from a span at a glance, near enough to keep its family.
inline constexpr double kMergedFade = 0.38;
/// Wrappers leave the color to what they wrap.
inline constexpr double kWrapperFade = 0.55;

}  // namespace warpglass::ui
