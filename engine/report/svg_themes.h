// One SVG for both themes: the drawings of a figure in light and dark differ in colors alone, nearly always,
// so that one drawing with a variable for each pair of colors does for both.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/report/report_document.h"

namespace warpglass {

/// The pairs of colors of all figures of a page, each a variable of its style sheet. One thread at a time.
class ThemedColors {
public:
    /// "var(--f3)"; the color itself where both themes have the same.
    std::string of(const std::string& light, const std::string& dark);
    /// "--f0:#ffffff;--f1:…", of the light theme or the dark one.
    std::string declarations(bool dark) const;

private:
    std::map<std::pair<std::string, std::string>, std::size_t> m_names;
};

/// The drawing as elements of an HTML page: one <svg>, or, where the themes draw different shapes, one of
/// each in the classes "light" and "dark". `id` begins the ids within; `label` is its alternative text.
std::string inlineSvg(const ReportDrawing& drawing, std::string_view id, std::string_view label,
                      ThemedColors& colors);

}  // namespace warpglass
