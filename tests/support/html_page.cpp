#include "tests/support/html_page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace warpglass::test {
namespace {

constexpr std::array<std::string_view, 4> kVoid = {"meta", "br", "link", "img"};

std::string withoutEntities(std::string_view text) {
    static const std::map<std::string, std::string, std::less<>> entities = {
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}};
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '&') {
            out += text[at++];
            continue;
        }
        const std::size_t end = text.find(';', at);
        if (end == std::string_view::npos)
            throw std::runtime_error("an & that begins no entity");
        const auto found = entities.find(text.substr(at + 1, end - at - 1));
        if (found == entities.end())
            throw std::runtime_error("an unknown entity: " + std::string(text.substr(at, end - at + 1)));
        out += found->second;
        at = end + 1;
    }
    return out;
}

class Reader {
public:
    explicit Reader(std::string_view page) : m_page(page) {}

    HtmlElement read() {
        expect("<!DOCTYPE html>");
        skipSpace();
        HtmlElement root = element();
        skipSpace();
        if (m_at != m_page.size())
            fail("something after the last element");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at " + std::to_string(m_at) + ": " +
                                 std::string(m_page.substr(m_at, 60)));
    }
    bool isAt(std::string_view text) const { return m_page.substr(m_at, text.size()) == text; }
    void expect(std::string_view text) {
        if (!isAt(text))
            fail("expected " + std::string(text));
        m_at += text.size();
    }
    void skipSpace() {
        while (m_at < m_page.size() && std::isspace(static_cast<unsigned char>(m_page[m_at])))
            ++m_at;
    }
    std::string name() {
        std::string word;
        while (m_at < m_page.size() && (std::isalnum(static_cast<unsigned char>(m_page[m_at])) ||
                                        m_page[m_at] == '-' || m_page[m_at] == ':'))
            word += m_page[m_at++];
        if (word.empty())
            fail("expected a name");
        return word;
    }

    HtmlElement element() {
        expect("<");
        HtmlElement read{.name = name()};
        for (skipSpace(); !isAt(">") && !isAt("/>"); skipSpace()) {
            const std::string key = name();
            expect("=\"");
            const std::size_t end = m_page.find('"', m_at);
            if (end == std::string_view::npos)
                fail("an attribute that does not end");
            const std::string_view value = m_page.substr(m_at, end - m_at);
            if (value.find('<') != std::string_view::npos)
                fail("a < in an attribute");
            if (!read.attributes.emplace(key, withoutEntities(value)).second)
                fail("an attribute twice");
            m_at = end + 1;
        }
        if (isAt("/>")) {
            m_at += 2;
            return read;
        }
        expect(">");
        if (std::ranges::find(kVoid, read.name) == kVoid.end())
            content(read);
        return read;
    }

    void content(HtmlElement& into) {
        const std::string end = "</" + into.name + ">";
        if (into.name == "style") {
            const std::size_t until = m_page.find(end, m_at);
            if (until == std::string_view::npos)
                fail("a style sheet that does not end");
            into.text = m_page.substr(m_at, until - m_at);
            m_at = until;
        }
        while (!isAt(end)) {
            if (m_at >= m_page.size() || isAt("</"))
                fail("expected " + end);
            if (isAt("<")) {
                into.children.push_back(element());
                into.text += into.children.back().text;
                continue;
            }
            const std::size_t until = std::min(m_page.find('<', m_at), m_page.size());
            into.text += withoutEntities(m_page.substr(m_at, until - m_at));
            m_at = until;
        }
        m_at += end.size();
    }

    std::string_view m_page;
    std::size_t m_at = 0;
};

void collect(const HtmlElement& from, std::string_view name, std::vector<const HtmlElement*>& into) {
    for (const HtmlElement& child : from.children) {
        if (name.empty() || child.name == name)
            into.push_back(&child);
        collect(child, name, into);
    }
}

}  // namespace

std::vector<const HtmlElement*> HtmlElement::all(std::string_view of) const {
    std::vector<const HtmlElement*> found;
    collect(*this, of, found);
    return found;
}

HtmlElement readHtml(std::string_view page) {
    return Reader(page).read();
}

}  // namespace warpglass::test
