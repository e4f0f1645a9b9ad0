// The blocks of a model taken together: "blocks.7.attn" and its siblings are "blocks.*.attn"; and the largest
// parts of a model.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// The path with a block's number replaced by *; any other path as it is.
std::string moduleGroup(std::string_view modulePath);

/// What of the model a path lies in: "blocks.7" of "blocks.7.attn", "head" of "head.norm".
std::string_view moduleStem(std::string_view modulePath);

}  // namespace warpglass
