// How a GPU's kernel is called in a trace.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace warpglass {

/// "void at::native::reduce_kernel<512, 1>(…)" as "reduce_kernel", nsys's short form: no return type,
/// namespace, template argument or parameter; of CUTLASS's wrappers what they wrap. A name that is no C++
/// signature stays as it is.
std::string shortKernelName(std::string_view demangled);
}  // namespace warpglass
