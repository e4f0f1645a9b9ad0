#include "ui/panels/summary_shares.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/trace/stack_order.h"
#include "ui/panels/summary_text.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kLeastPart = 0.0005;  // of the whole; smaller parts would read 0.0x % and draw nothing

QString tr(const char* text) {
    return QCoreApplication::translate("warpglass::ui::SummaryPage", text);
}

ShareCard::Part timePart(const QColor& color, const QString& name, double nanoseconds) {
    return {color, name, nanoseconds, meanText(nanoseconds), meanExact(nanoseconds)};
}

}  // namespace

SummaryShares phaseShares(const RunOverview& run) {
    const Theme& theme = Theme::instance();
    SummaryShares shares;
    for (const RunOverview::PhaseTime& phase : run.phases)
        shares.parts.push_back(
            timePart(theme.phaseColor(phase.phase), toQString(phaseName(phase.phase)), phase.nsPerStep));
    const double least = kLeastPart * run.summary.stepMean.value_or(0);
    // The card's own surface, outlined: a gray would be that of the phases that have no color.
    if (!shares.parts.empty() && run.restOfStep > least)
        shares.parts.push_back(timePart(theme.colors().raised, tr("between phases"), run.restOfStep));
    if (run.summary.stepMean)
        shares.total = meanText(*run.summary.stepMean);
    shares.note = toQString(run.hostClock);
    if (!shares.note.isEmpty())
        shares.note[0] = shares.note[0].toUpper();
    return shares;
}

SummaryShares gpuShares(const RunOverview& run) {
    const GpuTimeUse& use = run.gpu;
    SummaryShares shares;
    if (use.wall.value <= 0)
        return shares;
    const double steps = std::max(1.0, static_cast<double>(use.steps));
    const auto add = [&](GpuBusy::Part part, Nanoseconds time) {
        shares.parts.push_back(
            timePart(gpuPartColor(part), gpuPartName(part), static_cast<double>(time.value) / steps));
    };
    for (const GpuBusy::Part part : kShownGpuParts)
        add(part, part == GpuBusy::Part::kBusy ? use.busy : use.idle[static_cast<std::size_t>(part) - 1]);
    shares.total = meanText(static_cast<double>(use.wall.value) / steps);
    return shares;
}

SummaryShares memoryShares(const RunOverview& run) {
    SummaryShares shares;
    if (run.missing.lacksMemory())
        shares.note = tr("At least: %1 are missing from the file")
                          .arg(toQString(missingInWords(
                              run.missing, {RecordKind::kMemoryEvents, RecordKind::kAllocations})));
    if (!run.summary.peak)
        return shares;
    const CategoryBytes& bytes = run.summary.peak->bytes;
    for (const Category category : kStackOrder) {
        const Bytes part(bytes[static_cast<std::size_t>(category)]);
        if (part.value > 0)
            shares.parts.push_back({Theme::categoryColor(category), toQString(categoryName(category)),
                                    static_cast<double>(part.value), toQString(formatBytes(part)),
                                    toQString(formatBytesExact(part))});
    }
    shares.total = toQString(formatBytes(Bytes(sumOf(bytes))));
    return shares;
}

}  // namespace warpglass::ui
