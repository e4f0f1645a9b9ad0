// Paths of modules: which lie in which, the number of a block, the blocks of a model taken together
// ("blocks.7.attn" and its siblings are "blocks.*.attn"), and the largest parts of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// What tables call what lies in no module, in no phase, and what no op ran.
inline constexpr std::string_view kOutsideModel = "(outside the model)";
inline constexpr std::string_view kOutsidePhases = "(outside a phase)";
inline constexpr std::string_view kOutsideOps = "(outside any op)";

/// Whether `path` is `prefix` or lies under it ("blocks.7" holds "blocks.7.attn" and not "blocks.70").
bool isWithin(std::string_view path, std::string_view prefix);

/// 7 of "blocks.7" and of "blocks.7.attn"; nothing for what is in no block.
std::optional<std::int64_t> blockNumber(std::string_view modulePath);

/// The path with a block's number replaced by *; any other path as it is.
std::string moduleGroup(std::string_view modulePath);

/// The part of the model that a path lies in: "blocks.7" of "blocks.7.attn", "head" of "head.norm".
std::string_view moduleStem(std::string_view modulePath);

/// Which part of the model, all blocks taken together: "blocks.*.attn" of "blocks.7.attn.q_proj", "head" of
/// "head.norm".
std::string modulePart(std::string_view modulePath);

/// "blocks.*" beside "blocks.*.ffn" is what lies in none of the modules within it: "blocks.*" becomes
/// "blocks.* itself".
void nameBesideTheirOwn(const std::vector<std::string*>& paths);
inline constexpr std::string_view kItself = " itself";

/// No model's path is longer or has more levels. A crafted file's may be of megabytes, all of them dots.
inline constexpr std::size_t kLongestModulePath = 1000, kMostModuleLevels = 64;

/// "blocks", "blocks.7", "blocks.7.attn" of the last: the modules around what lies at a path, the outermost
/// first, and the path itself. For a longer or deeper path than the bounds above allow, those within the
/// bounds.
std::vector<std::string_view> modulesAround(std::string_view modulePath);

}  // namespace warpglass
