#include "engine/trace/kernel_name.h"

namespace warpglass {
namespace {

/// Where the parenthesis or angle bracket that ends at `end` begins.
std::size_t openingOf(std::string_view text, std::size_t end, char open, char close) {
    int depth = 0;
    for (std::size_t i = end + 1; i-- > 0;) {
        if (text[i] == close)
            ++depth;
        else if (text[i] == open && --depth == 0)
            return i;
    }
    return std::string_view::npos;
}

/// A signature without return type and parameters, split before its template arguments; empty when it is
/// none.
struct Signature {
    std::string_view path;  // "cutlass::Kernel2"
    std::string_view arguments;
};

Signature signatureOf(std::string_view name) {
    std::string_view rest = name;
    // "[clone .kd]" and the like follow the parameters.
    if (const std::size_t clone = rest.rfind(" ["); clone != std::string_view::npos && rest.ends_with(']'))
        rest = rest.substr(0, clone);
    if (rest.ends_with(')')) {
        const std::size_t open = openingOf(rest, rest.size() - 1, '(', ')');
        if (open == std::string_view::npos || open == 0)
            return {};
        rest = rest.substr(0, open);
    }
    std::string_view arguments;
    if (rest.ends_with('>')) {
        const std::size_t open = openingOf(rest, rest.size() - 1, '<', '>');
        if (open == std::string_view::npos || open == 0)
            return {};
        arguments = rest.substr(open + 1, rest.size() - open - 2);
        rest = rest.substr(0, open);
    }
    if (const std::size_t space = rest.rfind(' '); space != std::string_view::npos)
        rest = rest.substr(space + 1);
    return {rest, arguments};
}

std::string_view lastPart(std::string_view path) {
    const std::size_t colon = path.rfind(':');
    return colon == std::string_view::npos ? path : path.substr(colon + 1);
}

/// CUTLASS starts every kernel through a few wrappers; what it is, is their template argument.
bool isWrapper(std::string_view path) {
    return path.starts_with("cutlass::") &&
           (lastPart(path) == "Kernel" || lastPart(path) == "Kernel2" || lastPart(path) == "device_kernel");
}

}  // namespace

std::string shortKernelName(std::string_view name) {
    const Signature signature = signatureOf(name);
    if (isWrapper(signature.path)) {
        const std::string_view wrapped =
            lastPart(signature.arguments.substr(0, signature.arguments.find_first_of("<,")));
        if (!wrapped.empty())
            return std::string(wrapped);
    }
    const std::string_view last = lastPart(signature.path);
    return std::string(last.empty() ? name : last);
}

}  // namespace warpglass
