// The blocks of a model taken together: "blocks.7.attn" and its siblings are "blocks.*.attn".
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// The path with a block's number replaced by *; any other path as it is.
std::string moduleGroup(std::string_view modulePath);

}  // namespace warpglass
