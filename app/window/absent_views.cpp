#include "app/window/absent_views.h"

#include <QStringList>

#include "engine/query/completeness/completeness.h"
#include "engine/query/model/clocked_kernel.h"

namespace warpglass::app {

std::string whyAbsent(const QString& view, const Snapshot& run) {
    static const QStringList kOfMemory{QStringLiteral("memory"),      QStringLiteral("breakdown"),
                                       QStringLiteral("allocations"), QStringLiteral("memory-map"),
                                       QStringLiteral("treemap"),     QStringLiteral("between"),
                                       QStringLiteral("flame-memory")},
        kOfWork{QStringLiteral("ops"), QStringLiteral("find"), QStringLiteral("flame"),
                QStringLiteral("roofline"), QStringLiteral("attention")};
    const Completeness complete(run);
    if (kOfMemory.contains(view))
        return complete.why(DataKind::kMemory);
    if (kOfWork.contains(view))
        return complete.why(DataKind::kWork);
    if (view == QLatin1String("segments"))
        return complete.why(DataKind::kSegments);
    if (view == QLatin1String("kernel-clocks"))
        return whyNoKernelClocks(run);
    // Layers have both times and memory.
    if (view == QLatin1String("layers") && !complete.why(DataKind::kMemory).empty())
        return complete.why(DataKind::kWork);
    return {};
}

}  // namespace warpglass::app
