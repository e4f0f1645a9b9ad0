#include "engine/query/spans/op_types.h"

#include <algorithm>

namespace warpglass {

OpTypes::OpTypes(const Snapshot& snapshot) {
    for (std::size_t i = 0; i < snapshot.detailCount(); ++i) {
        const auto detail = snapshot.detail(DetailId(i));
        // A file from outside may name what it does not have.
        if (!detail || detail->kind != DetailKind::kOp || detail->fullName.index() >= snapshot.nameCount())
            continue;
        m_types.resize(i + 1);
        m_types[i] = detail->fullName;
    }
}

std::string typesText(const Snapshot& snapshot, NameId types) {
    std::string_view text = snapshot.name(types);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
}

}  // namespace warpglass
