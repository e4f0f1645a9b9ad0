#include "engine/tables/latex.h"

#include <array>
#include <utility>

namespace warpglass {
namespace {

using Sign = std::pair<std::string_view, std::string_view>;
constexpr auto kSigns = std::to_array<Sign>({
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\"", "''"},
    {"\u00a0", "~"},
    {"\u202f", "\\,"},
    {"\u2013", "--"},
    {"\u2014", "---"},
    {"\u2026", "\\ldots{}"},
    {"\u00b7", "$\\cdot$"},
    {"\u00d7", "$\\times$"},
    {"\u00b1", "$\\pm$"},
    {"\u00b2", "$^2$"},
    {"\u00b3", "$^3$"},
    {"\u00b5", "$\\mu$"},
    {"\u03bc", "$\\mu$"},
    {"\u2192", "$\\to$"},
    {"\u2212", "$-$"},
    {"\u221d", "$\\propto$"},
    {"\u221a", "$\\surd$"},
    {"\u2248", "$\\approx$"},
    {"\u2260", "$\\neq$"},
    {"\u2264", "$\\leq$"},
    {"\u2265", "$\\geq$"},
});

}  // namespace

std::string latexText(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string_view from = text.substr(0, 1), to = from;
        for (const auto& [sign, command] : kSigns) {
            if (text.starts_with(sign)) {
                from = sign;
                to = command;
                break;
            }
        }
        out += to;
        text.remove_prefix(from.size());
    }
    return out;
}

}  // namespace warpglass
