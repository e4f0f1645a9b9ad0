#include "engine/report/svg_themes.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "engine/report/html_text.h"

namespace warpglass {
namespace {

/// What stands between `="` and `"`, as "#1a2028".
constexpr std::size_t kColorLength = 7;

bool isColorAt(std::string_view svg, std::size_t at) {
    if (at + kColorLength >= svg.size() || svg[at] != '#' || svg[at + kColorLength] != '"' || at < 2 ||
        svg[at - 1] != '"' || svg[at - 2] != '=')
        return false;
    return std::all_of(svg.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       svg.begin() + static_cast<std::ptrdiff_t>(at + kColorLength),
                       [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

/// The text between the colors, and the colors.
struct Colored {
    std::vector<std::string_view> between;
    std::vector<std::string> colors;
};

Colored coloredOf(std::string_view svg) {
    Colored parts;
    std::size_t from = 0;
    for (std::size_t at = svg.find('#'); at != std::string_view::npos; at = svg.find('#', at + 1)) {
        if (!isColorAt(svg, at))
            continue;
        parts.between.push_back(svg.substr(from, at - from));
        parts.colors.emplace_back(svg.substr(at, kColorLength));
        from = at + kColorLength;
    }
    parts.between.push_back(svg.substr(from));
    return parts;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Without an element that is told in HTML beside it.
void removeElement(std::string& svg, std::string_view name) {
    const std::size_t at = svg.find("<" + std::string(name) + ">");
    const std::string end = "</" + std::string(name) + ">";
    const std::size_t until = svg.find(end, at == std::string::npos ? 0 : at);
    if (at != std::string::npos && until != std::string::npos)
        svg.erase(at, until + end.size() - at);
}

std::string attributeOf(std::string_view tag, std::string_view name) {
    const std::string before = std::string(name) + "=\"";
    const std::size_t at = tag.find(before);
    if (at == std::string_view::npos)
        return {};
    const std::size_t from = at + before.size();
    return std::string(tag.substr(from, tag.find('"', from) - from));
}

/// The children of the <svg>, its ids with `id` before them.
struct Body {
    std::string viewBox, content;
};

Body bodyOf(std::string svg, std::string_view id) {
    const std::size_t at = svg.find("<svg"), end = svg.find('>', at == std::string::npos ? 0 : at);
    const std::size_t last = svg.rfind("</svg>");
    if (at == std::string::npos || end == std::string::npos || last == std::string::npos || last < end)
        return {};
    Body body{attributeOf(std::string_view(svg).substr(at, end - at), "viewBox"),
              svg.substr(end + 1, last - end - 1)};
    for (const char* name : {"title", "desc"})
        removeElement(body.content, name);
    replaceAll(body.content, " xml:space=\"preserve\"", "");
    replaceAll(body.content, "xlink:href=", "href=");
    replaceAll(body.content, " font-family=\"Inter\"", "");
    const std::string prefix(id);
    replaceAll(body.content, " id=\"", " id=\"" + prefix + "-");
    replaceAll(body.content, "url(#", "url(#" + prefix + "-");
    return body;
}

/// "0 0 783 461": as wide and as high as that, until a style sheet says otherwise.
std::string opened(const std::string& viewBox, std::string_view label, const char* theme) {
    std::vector<std::string> numbers;
    std::string number;
    for (const char c : viewBox + " ") {
        if (c != ' ') {
            number += c;
        } else if (!number.empty()) {
            numbers.push_back(std::exchange(number, {}));
        }
    }
    std::string tag = "<svg";
    if (*theme)
        tag += std::string(" class=\"") + theme + "\"";
    if (numbers.size() == 4)
        tag += " width=\"" + numbers[2] + "\" height=\"" + numbers[3] + "\"";
    return tag + " viewBox=\"" + htmlText(viewBox) + "\" role=\"img\" aria-label=\"" + htmlText(label) +
           "\">";
}

}  // namespace

std::string ThemedColors::of(const std::string& light, const std::string& dark) {
    if (light == dark)
        return light;
    const std::size_t next = m_names.size();
    return "var(--f" + std::to_string(m_names.try_emplace({light, dark}, next).first->second) + ")";
}

std::string ThemedColors::declarations(bool dark) const {
    std::string text;
    for (const auto& [pair, name] : m_names)
        text += "--f" + std::to_string(name) + ":" + (dark ? pair.second : pair.first) + ";";
    return text;
}

std::string inlineSvg(const ReportDrawing& drawing, std::string_view id, std::string_view label,
                      ThemedColors& colors) {
    const Body light = bodyOf(drawing.light, id), dark = bodyOf(drawing.dark, id);
    if (dark.content.empty())
        return opened(light.viewBox, label, "") + light.content + "</svg>";
    const Colored inLight = coloredOf(light.content), inDark = coloredOf(dark.content);
    if (light.viewBox != dark.viewBox || inLight.between != inDark.between)
        return opened(light.viewBox, label, "light") + light.content + "</svg>" +
               opened(dark.viewBox, label, "dark") + bodyOf(drawing.dark, std::string(id) + "-dark").content +
               "</svg>";
    std::string svg = opened(light.viewBox, label, "");
    for (std::size_t i = 0; i < inLight.colors.size(); ++i)
        svg.append(inLight.between[i]).append(colors.of(inLight.colors[i], inDark.colors[i]));
    return svg.append(inLight.between.back()) + "</svg>";
}

}  // namespace warpglass
