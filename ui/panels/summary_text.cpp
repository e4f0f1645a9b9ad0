#include "ui/panels/summary_text.h"

#include <QCoreApplication>
#include <cmath>

#include "engine/base/format.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {
namespace {

Nanoseconds whole(double nanoseconds) {
    return Nanoseconds(std::llround(nanoseconds));
}

}  // namespace

QString meanText(double nanoseconds) {
    return toQString(formatDuration(whole(nanoseconds)));
}

QString meanExact(double nanoseconds) {
    return QCoreApplication::translate("warpglass::ui::SummaryPage", "%1 ns")
        .arg(toQString(formatGrouped(whole(nanoseconds).value)));
}

}  // namespace warpglass::ui
