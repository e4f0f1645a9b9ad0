#include "ui/panels/property_text.h"

#include "engine/base/format.h"
#include "ui/panels/property_list.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString shortDuration(Nanoseconds t) {
    return toQString(formatDuration(t));
}

QString exactDuration(Nanoseconds t) {
    return PropertyList::tr("%1 ns").arg(toQString(formatGrouped(t.value)));
}

QString exactMoment(Nanoseconds t) {
    return PropertyList::tr("%1 from the start of the run").arg(exactDuration(t));
}

QString shortBytes(std::int64_t bytes) {
    return toQString(formatBytes(Bytes(bytes)));
}

QString exactBytes(std::int64_t bytes) {
    return toQString(formatBytesExact(Bytes(bytes)));
}

QString groupedCount(std::uint64_t count) {
    return toQString(formatGrouped(static_cast<std::int64_t>(count)));
}

}  // namespace warpglass::ui
