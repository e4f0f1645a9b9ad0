#include "engine/capture/op_types.h"

#include <charconv>
#include <span>

namespace warpglass {
namespace {

// The optimizer takes hundreds at a time.
constexpr std::size_t kMostTensors = 8;

void appendNumber(std::string& text, std::int64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

void appendTensor(std::string& text, const at::Tensor& tensor) {
    text += typeName(tensor.scalar_type());
    text += '[';
    bool first = true;
    for (const std::int64_t size : tensor.sizes()) {
        if (!first)
            text += ',';
        first = false;
        appendNumber(text, size);
    }
    text += ']';
}

class Appender {
public:
    explicit Appender(std::string& text) : m_text(text) {}
    ~Appender() {
        if (m_count <= kMostTensors)
            return;
        m_text += " and ";
        appendNumber(m_text, static_cast<std::int64_t>(m_count - kMostTensors));
        m_text += " more";
    }
    Appender(const Appender&) = delete;
    Appender& operator=(const Appender&) = delete;

    void add(const at::Tensor& tensor) {
        if (!tensor.defined() || ++m_count > kMostTensors)
            return;
        if (m_count > 1)
            m_text += ", ";
        appendTensor(m_text, tensor);
    }

private:
    std::string& m_text;
    std::size_t m_count = 0;
};

void appendTypes(std::string& text, std::span<const c10::IValue> values) {
    Appender appender(text);
    for (const c10::IValue& value : values) {
        if (value.isTensor()) {
            appender.add(value.toTensor());
        } else if (value.isTensorList()) {
            for (const at::Tensor& tensor : value.toTensorList())
                appender.add(tensor);
        } else if (value.isList()) {
            for (const c10::IValue& item : value.toListRef()) {
                if (item.isTensor())
                    appender.add(item.toTensor());
            }
        }
    }
}

}  // namespace

const char* typeName(at::ScalarType type) {
    switch (type) {
        case at::kFloat:
            return "fp32";
        case at::kHalf:
            return "fp16";
        case at::kBFloat16:
            return "bf16";
        case at::kDouble:
            return "fp64";
        case at::kLong:
            return "int64";
        case at::kInt:
            return "int32";
        case at::kBool:
            return "bool";
        case at::kByte:
            return "uint8";
        default:
            return c10::toString(type);
    }
}

// LibTorch's header asserts here what only its debug build notes: this file is compiled with NDEBUG.
void appendInputs(std::string& text, const at::RecordFunction& op) {
    const auto inputs = op.inputs();
    appendTypes(text, std::span(inputs.data(), inputs.size()));
}

void appendOutputs(std::string& text, const at::RecordFunction& op) {
    appendTypes(text, op.outputs());
}

}  // namespace warpglass
