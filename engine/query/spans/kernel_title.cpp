#include "engine/query/spans/kernel_title.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
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
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTypes = {
        {{"BFloat16", "bf16"},
         {"__nv_bfloat16", "bf16"},
         {"Half", "fp16"},
         {"__half", "fp16"},
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

/// The type that the words stand at; nothing for no type. A complex number's is its width, as LibTorch counts
/// it, and takes the word of its parts too.
std::string_view typeAt(Words& words) {
    if (words.word() != "complex")
        return typeName(words.word());
    while (words.next() && words.word() == "c10") {
    }
    return words.word() == "double" ? "complex128" : words.word() == "Half" ? "complex32" : "complex64";
}

/// "compare eq" of "CompareEq", "silu backward" of "silu_backward".
std::string wordsOfKind(std::string_view name) {
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

/// What LibTorch's copies do besides; nothing for other work. A conjugate or a negative is no more than a
/// mark on a tensor until something copies it, and then the kernel of the copy works it out.
std::optional<std::string> copyInWords(std::string_view work) {
    if (work == "direct_copy")
        return "copy";
    if (work == "conj")
        return "copy conjugated";
    return std::nullopt;
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
    if (word.ends_with("_and_transform"))
        return without("_and_transform");  // a distribution that numbers are drawn from
    if (after == '(') {
        for (const std::string_view end : {"_kernel_cuda", "_kernel_impl", "_kernel", "_cuda_out"}) {
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
    bool casts = false;
};

/// Not "copysign".
bool copies(const Work& work) {
    return work.words == "copy" || work.words.starts_with("copy ");
}

constexpr std::string_view kElementwise = "elementwise";

/// How the template of a library applies what its arguments say; nothing for other kernels.
std::string_view templateKind(std::string_view shortName) {
    if (shortName.starts_with("distribution_elementwise"))
        return "random";
    if (contains(shortName, kElementwise))
        return kElementwise;
    if (shortName.starts_with("reduce_kernel"))
        return "reduce";
    return shortName.starts_with("multi_tensor_apply") ? "multi-tensor" : std::string_view();
}

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
            given = typeAt(words);
        const std::string_view found = workOf(words.word(), words.after());
        if (found.empty())
            continue;
        Work work{copyInWords(found).value_or(wordsOfKind(found)), given};
        while (work.type.empty() && words.next())
            work.type = typeAt(words);
        // Some copies name the type that they convert to; their lambda takes the one that they convert from.
        const std::string_view to = found == "bfloat16_copy"  ? "bf16"
                                    : found == "float16_copy" ? "fp16"
                                                              : std::string_view();
        if (!to.empty())
            return Work{work.type.empty() ? "copy to" : "copy " + std::string(work.type) + " to", to};
        // A kernel that loads with a cast is started only where a type differs from that of the work.
        work.casts = contains(fullName, "LoadWithCast");
        if (work.casts && copies(work) && !work.type.empty())
            work.words += " to";
        return work;
    }
    return std::nullopt;
}

/// "128×256" of "128x256", "tilesize128x64x8"; nothing for other parts.
std::string tileOf(std::string_view part) {
    while (!part.empty() && !isDigit(part.front()))
        part.remove_prefix(1);
    const auto digits = [&part] {
        const auto end = std::ranges::find_if_not(part, isDigit);
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

/// The parts of a name between its underscores, in words.
std::vector<std::string> partsOf(std::string_view name) {
    // LibTorch starts this one for operands that are not contiguous, which its name does not say.
    if (name == "elementwise_kernel")
        name = "strided_elementwise_kernel";
    // A library's GEMM has its tile, its step along k with the stages of its pipeline, and its cluster.
    constexpr int kClusterPair = 3;
    std::vector<std::string> parts;
    int pairs = 0;
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t end = std::min(name.find('_', from), name.size());
        const std::string_view part = name.substr(from, end - from);
        const std::string pair = !part.empty() && isDigit(part.front()) ? tileOf(part) : std::string();
        const bool cluster = !pair.empty() && ++pairs == kClusterPair && name.starts_with("nvjet");
        parts.push_back((cluster ? "cluster " : "") + (pair.empty() ? std::string(part) : pair));
        from = end + 1;
    }
    return parts;
}

/// The template arguments of a signature; nothing for a name without any.
std::vector<std::string_view> argumentsOf(std::string_view fullName) {
    std::vector<std::string_view> arguments;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < fullName.size(); ++i) {
        const char c = fullName[i];
        const bool ends = depth == 1 && (c == ',' || c == '>');
        if (ends)
            arguments.push_back(fullName.substr(begin, i - begin));
        if (ends || (c == '<' && depth == 0))
            begin = std::min(fullName.find_first_not_of(' ', i + 1), fullName.size());
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (ends && depth == 0)
            return arguments;
        // The parentheses of "(anonymous namespace)" close before a template opens.
        if (depth < 0)
            return {};
    }
    return {};
}

/// A kernel, of a library or our own, whose name says what it does. Some do another work too, as an argument
/// of their template says: whether it is "true", or which function it is.
struct NamedKernel {
    std::string_view name, kind, work;
    int argument = -1;
    std::string_view otherwise = {}, otherArgument = "true";
};

constexpr NamedKernel kNamedKernels[] = {
    {"flash_fwd_kernel", "flash attention", "forward"},
    {"flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", "flash attention", "backward"},
    {"flash_bwd_dot_do_o_kernel", "flash attention", "backward, do·o"},
    {"flash_bwd_convert_dq_kernel", "flash attention", "backward, convert dq"},
    {"vectorized_layer_norm_kernel", "layer norm", "forward", 2, "rms norm"},
    {"layer_norm_grad_input_kernel_vectorized", "layer norm", "backward", 2, "rms norm"},
    {"GammaBetaBackwardCUDAKernelTemplate", "layer norm", "gradient of weights", 7, "rms norm"},
    {"softmax_warp_forward", "softmax", "forward", 4, "log softmax"},
    {"softmax_warp_backward", "softmax", "backward", 4, "log softmax"},
    {"cunn_SoftMaxForward", "softmax", "forward", 4, "log softmax", "LogSoftMax"},
    {"cunn_SoftMaxForwardSmem", "softmax", "forward", 4, "log softmax", "LogSoftMax"},
    {"cunn_SoftMaxForwardReg", "softmax", "forward", 3, "log softmax", "LogSoftMax"},
    {"cunn_SoftMaxBackward", "softmax", "backward", 4, "log softmax", "LogSoftMax"},
    {"cunn_SoftMaxBackwardSmem", "softmax", "backward", 4, "log softmax", "LogSoftMax"},
    {"nll_loss_forward_reduce_cuda_kernel_2d", "nll loss", "forward"},
    {"nll_loss_backward_reduce_cuda_kernel_2d", "nll loss", "backward"},
    {"embedding_backward_feature_kernel", "embedding", "backward"},
    {"splitKreduce_kernel", "gemm", "sum of split k"},
    {"flashForwardKernel", "flash attention", "forward"},
    {"flashForwardHopperKernel", "flash attention", "forward, Hopper"},
    {"flashForwardFp32Kernel", "flash attention", "forward fp32"},
    {"flashDeltaKernel", "flash attention", "backward, do·o"},
    {"flashBackwardKernel", "flash attention", "backward"},
    {"flashQueryGradientKernel", "flash attention", "backward, convert dq"},
    {"flashPrepareHopperKernel", "flash attention", "backward, do·o, Hopper"},
    {"flashBackwardHopperKernel", "flash attention", "backward, Hopper"},
    {"flashQueryGradientHopperKernel", "flash attention", "backward, convert dq, Hopper"},
    {"flashDeltaFp32Kernel", "flash attention", "backward, do·o fp32"},
    {"flashBackwardFp32Kernel", "flash attention", "backward, dk dv fp32"},
    {"flashQueryGradientFp32Kernel", "flash attention", "backward, dq fp32"},
    {"fusedNormKernel", "fused rms norm", "forward"},
    {"fusedNormGradientKernel", "fused rms norm", "backward"},
    {"fusedNormGradientOfWideRowKernel", "fused rms norm", "backward, wide rows"},
    {"fusedNormWeightGradientKernel", "fused rms norm", "backward, weights"},
    {"maskedSoftmaxKernel", "masked softmax", "forward"},
    {"maskedSoftmaxOfLongRowKernel", "masked softmax", "forward, long rows"},
    {"maskedSoftmaxGradientKernel", "masked softmax", "backward"},
    {"maskedSoftmaxGradientOfLongRowKernel", "masked softmax", "backward, long rows"},
    {"rotaryKernel", "rotary embedding", ""},
    {"swigluKernel", "swiglu", "forward"},
    {"swigluGradientKernel", "swiglu", "backward"},
    {"crossEntropyKernel", "cross entropy", "forward"},
    {"crossEntropyMeanKernel", "cross entropy", "mean"},
    {"crossEntropyGradientKernel", "cross entropy", "backward"},
    {"embeddingOrderKernel", "embedding", "backward, order of tokens"},
    {"embeddingGradientKernel", "embedding", "backward"},
    {"adamwKernel", "fused adamw fp32", ""},
};

std::string_view firstType(const std::vector<std::string_view>& arguments) {
    for (const std::string_view argument : arguments) {
        Words words(argument);
        while (words.next() && words.word() == "c10") {
        }
        if (const std::string_view type = typeAt(words); !type.empty())
            return type;
    }
    return {};
}

/// Nothing for other kernels, and for one of several works without the argument that tells.
std::string namedTitle(std::string_view shortName, std::string_view fullName) {
    const auto* const named = std::find_if(std::begin(kNamedKernels), std::end(kNamedKernels),
                                           [&](const NamedKernel& known) { return known.name == shortName; });
    if (named == std::end(kNamedKernels))
        return {};
    const std::vector<std::string_view> arguments = argumentsOf(fullName);
    std::string_view kind = named->kind;
    if (named->argument >= 0) {
        const auto at = static_cast<std::size_t>(named->argument);
        if (arguments.empty())
            return {};
        if (at < arguments.size() && contains(arguments[at], named->otherArgument))
            kind = named->otherwise;
    }
    std::string title(kind);
    if (!named->work.empty())
        title += " · " + std::string(named->work);
    // Some always compute in fp32, whatever their argument: that of AdamW is the type of the weights' copies.
    if (const std::string_view type = firstType(arguments); !type.empty() && !title.ends_with("fp32"))
        title += ' ' + std::string(type);
    return title;
}

}  // namespace

std::string kernelTitle(std::string_view shortName, std::string_view fullName) {
    if (contains(shortName, "gemm") || shortName.starts_with("nvjet")) {
        if (std::string title = gemmTitle(shortName); !title.empty())
            return title;
    }
    if (std::string title = namedTitle(shortName, fullName); !title.empty())
        return title;
    const std::string_view kind = templateKind(shortName);
    const auto work = kind.empty() ? std::nullopt : workIn(fullName);
    if (!work)
        return std::string(shortName);
    // That it is done element by element goes without saying.
    const bool plain = kind == kElementwise && copies(*work);
    std::string title = (plain ? "" : std::string(kind) + " · ") + work->words;
    if (!work->type.empty())
        title += ' ' + std::string(work->type);
    return work->casts && !copies(*work) ? title + ", casting" : title;
}

std::vector<std::string> whatTellsApart(std::span<const std::string_view> shortNames) {
    std::vector<std::vector<std::string>> own;
    std::map<std::string, std::size_t> holders;
    for (const std::string_view name : shortNames) {
        own.push_back(partsOf(name));
        for (const std::string& part : std::set(own.back().begin(), own.back().end()))
            ++holders[part];
    }
    std::size_t most = 0;
    for (std::vector<std::string>& parts : own) {
        std::erase_if(parts, [&](const std::string& part) { return holders[part] == shortNames.size(); });
        most = std::max(most, parts.size());
    }
    std::vector<std::string> words(shortNames.size());
    for (std::size_t count = 0; count < most; ++count) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (count < own[i].size())
                words[i] += (words[i].empty() ? "" : " ") + own[i][count];
        }
        if (std::set(words.begin(), words.end()).size() == words.size())
            return words;
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = '(' + std::to_string(i + 1) + ')';
    return words;
}

TemplateWork templateWork(std::string_view shortName, std::string_view fullName) {
    if (templateKind(shortName).empty())
        return TemplateWork::kNoTemplate;
    const auto work = workIn(fullName);
    if (!work)
        return TemplateWork::kUntold;
    const bool moves = copies(*work) || work->words == "fill" || work->words == "arange";
    return moves ? TemplateWork::kMoves : TemplateWork::kComputes;
}

std::string opTitle(std::string_view op) {
    constexpr std::string_view kNode = "torch::autograd::CppNode<", kFunction = "Function";
    if (!op.starts_with(kNode) || !op.ends_with('>'))
        return std::string(op);
    std::string_view function = op.substr(kNode.size(), op.size() - kNode.size() - 1);
    if (const std::size_t colons = function.rfind("::"); colons != std::string_view::npos)
        function.remove_prefix(colons + 2);
    if (function.size() > kFunction.size() && function.ends_with(kFunction))
        function.remove_suffix(kFunction.size());
    // A template's own arguments could hold the colons.
    if (function.empty() || !std::ranges::all_of(function, isWord))
        return std::string(op);
    return std::string(function) + ", backward";
}

}  // namespace warpglass
