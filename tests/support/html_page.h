// A page of HTML read strictly, for tests of ours: every element closed, every attribute quoted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::test {

struct HtmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::vector<HtmlElement> children;
    /// Its own text and that of its children, in order, with entities read.
    std::string text;

    std::string attribute(const std::string& key) const {
        const auto found = attributes.find(key);
        return found == attributes.end() ? std::string() : found->second;
    }
    bool has(const std::string& key) const { return attributes.contains(key); }
    /// Those below it of that name, in the order of the page; every one for "".
    std::vector<const HtmlElement*> all(std::string_view name = {}) const;
};

/// The element "html". What no strict reader takes is thrown as a std::runtime_error that says where.
HtmlElement readHtml(std::string_view page);

}  // namespace warpglass::test
