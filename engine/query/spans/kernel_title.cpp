#include "engine/query/spans/kernel_title.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace warpglass {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The words of a signature, one after the other, each with what follows it.
class Words {
public:
    explicit Words(std::string_view text) : m_text(text) {}
    bool next() {
        while (m_at < m_text.size() && !isWord(m_text[m_at]))
            ++m_at;
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isWord(m_text[m_at]))
            ++m_at;
        m_word = m_text.substr(begin, m_at - begin);
        return !m_word.empty();
    }
    std::string_view word() const { return m_word; }
    char after() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

private:
    std::string_view m_text, m_word;
    std::size_t m_at = 0;
};

std::string_view typeName(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes = {{{"BFloat16", "bf16"},
                                                                                      {"complex", "complex"},
                                                                                      {"Half", "fp16"},
                                                                                      {"float", "fp32"},
                                                                                      {"double", "fp64"},
                                                                                      {"long", "int64"},
                                                                                      {"bool", "bool"}}};
    for (const auto& [word_, name] : kTypes) {
        if (word == word_)
            return name;
    }
    return {};
}

/// "compare eq" of "CompareEq", "silu backward" of "silu_backward".
std::string inWords(std::string_view name) {
    std::string words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool upper = std::isupper(static_cast<unsigned char>(name[i])) != 0;
        const bool begins = upper && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
        if (begins)
            words += ' ';
        words += name[i] == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return words;
}

/// These hold the functor that tells, after the types of what it is given.
bool isWrapper(std::string_view word) {
    return word == "AUnaryFunctor" || word == "BUnaryFunctor" || word == "BinaryFunctor";
}

/// What a word of the arguments says is done; nothing for a wrapper and for other words.
std::string_view workOf(std::string_view word, char after) {
    const auto without = [&](std::string_view end) {
        return word.size() > end.size() && word.ends_with(end) ? word.substr(0, word.size() - end.size())
                                                               : std::string_view();
    };
    for (const std::string_view functor : {"CUDAFunctor_", "CUDAFunctorOnSelf_", "CUDAFunctorOnOther_"}) {
        if (word.starts_with(functor))
            return word.substr(functor.size());
    }
    if (isWrapper(word))
        return {};
    if (after == '(') {
        for (const std::string_view end : {"_kernel_cuda", "_kernel_impl", "_kernel"}) {
            if (const auto work = without(end); !work.empty() && !work.starts_with("gpu"))
                return work;
        }
        return {};
    }
    for (const std::string_view end : {"MathFunctor", "Functor", "_functor", "Ops"}) {
        if (const auto work = without(end); !work.empty())
            return work;
    }
    return {};
}

struct Work {
    std::string words;
    std::string_view type;
};

std::optional<Work> workIn(std::string_view fullName) {
    const std::size_t open = fullName.find('<');
    if (open == std::string_view::npos)
        return std::nullopt;
    Words words(fullName.substr(open));
    bool wrapped = false;
    std::string_view given;
    while (words.next()) {
        wrapped = wrapped || isWrapper(words.word());
        if (wrapped && given.empty())
            given = typeName(words.word());
        const std::string_view found = workOf(words.word(), words.after());
        if (found.empty())
            continue;
        // Copies say what they convert to, or nothing: then it is what their lambda takes.
        if (found == "bfloat16_copy")
            return Work{"copy", "bf16"};
        if (found == "float16_copy")
            return Work{"copy", "fp16"};
        Work work{found == "direct_copy" ? "copy" : inWords(found), given};
        while (work.type.empty() && words.next())
            work.type = typeName(words.word());
        return work;
    }
    return std::nullopt;
}

/// "128×256" of "128x256", "tilesize128x64x8"; nothing for other parts.
std::string tileOf(std::string_view part) {
    while (!part.empty() && !isDigit(part.front()))
        part.remove_prefix(1);
    const auto digits = [&part] {
        const auto end = std::find_if_not(part.begin(), part.end(), isDigit);
        const std::string_view number = part.substr(0, static_cast<std::size_t>(end - part.begin()));
        part.remove_prefix(number.size());
        return number;
    };
    const std::string_view rows = digits();
    if (rows.empty() || !part.starts_with('x'))
        return {};
    part.remove_prefix(1);
    const std::string_view columns = digits();
    if (columns.empty() || (!part.empty() && part.front() != 'x'))
        return {};
    return std::string(rows) + "×" + std::string(columns);
}

bool isLayout(std::string_view part) {
    const auto made = [&](std::string_view letters) {
        return part.find_first_not_of(letters) == std::string_view::npos;
    };
    return (part.size() == 2 && (made("tn") || made("TN"))) || (part.size() == 3 && made("TN"));
}

/// The first tile, and how the operands lie.
std::string gemmTitle(std::string_view name) {
    std::string tile, layout;
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t end = std::min(name.find('_', from), name.size());
        const std::string_view part = name.substr(from, end - from);
        if (tile.empty() && !part.starts_with("warpsize"))
            tile = tileOf(part);
        if (isLayout(part))
            layout = part;
        from = end + 1;
    }
    if (tile.empty() || layout.empty())
        return {};
    for (char& c : layout)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return "gemm " + tile + ' ' + layout;
}

}  // namespace

std::string kernelTitle(std::string_view shortName, std::string_view fullName) {
    if (contains(shortName, "gemm") || shortName.starts_with("nvjet")) {
        if (std::string title = gemmTitle(shortName); !title.empty())
            return title;
    }
    std::string_view kind;
    if (contains(shortName, "elementwise"))
        kind = "elementwise";
    else if (shortName.starts_with("reduce_kernel"))
        kind = "reduce";
    else if (shortName.starts_with("multi_tensor_apply"))
        kind = "multi-tensor";
    const auto work = kind.empty() ? std::nullopt : workIn(fullName);
    if (!work)
        return std::string(shortName);
    std::string title = std::string(kind) + " · " + work->words;
    if (!work->type.empty())
        title += ' ' + std::string(work->type);
    return title;
}

}  // namespace warpglass
