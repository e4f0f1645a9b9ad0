// The engine's text, which is UTF-8, as the window's.
//
// Pure; any thread.
#pragma once

#include <QString>
#include <string_view>

namespace warpglass::ui {

inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace warpglass::ui
