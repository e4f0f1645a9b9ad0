#include "ui/panels/run_properties.h"

#include <QStringList>
#include <cmath>
#include <optional>
#include <string>

#include "engine/base/format.h"
#include "engine/plan/settings.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Before a number of what is there, where the rest is missing.
QString leastMark(bool isLeast) {
    return isLeast ? QStringLiteral("≥ ") : QString();
}

void addConfiguration(std::vector<Property>& rows, const RunSummary& run, const RunDocument& document) {
    if (!run.config)
        return;
    const RunConfig& config = *run.config;
    const std::string device = document.snapshot()->info().get("device.name");
    for (const Setting& setting : settings()) {
        if (!setting.isShown(setting.property, config) && !setting.isDimension(config))
            continue;
        const QString heading = toQString(setting.name()), words = toQString(setting.wordsWithUnit(config));
        // The device by the name that its maker gave it.
        if (std::holds_alternative<DeviceName>(setting.kind))
            rows.push_back({heading, device.empty() ? words : toQString(device), words});
        else
            rows.push_back({heading, words, {}});
    }
}

/// MFU: of the ceiling that was measured on the device, and of the maker's data sheet.
void addUtilization(std::vector<Property>& rows, const std::optional<ModelUtilization>& utilization) {
    if (!utilization)
        return;
    const auto rate = [](double flopsPerSecond) {
        return toQString(formatFlops(Flops(std::llround(flopsPerSecond)))) + Inspector::tr("/s");
    };
    QString label = Inspector::tr("MFU");
    const auto add = [&](const std::optional<double>& share, const std::optional<double>& ceiling,
                         const QString& value, const QString& toolTip) {
        if (!share || !ceiling)
            return;
        rows.push_back({label, value.arg(toQString(formatPercent(*share))),
                        toolTip.arg(rate(utilization->flopsPerSecond), rate(*ceiling))});
        label.clear();  // once for both
    };
    const RunCeilings& ceilings = utilization->ceilings;
    if (ceilings.isReached())
        add(utilization->ofMeasured(), ceilings.measured.flopsPerSecond, Inspector::tr("%1 of best reached"),
            Inspector::tr(
                "GEMM rate of the model, %1, against the %2 that a run has reached on this device"));
    else
        add(utilization->ofMeasured(), ceilings.measured.flopsPerSecond, Inspector::tr("%1 of measured"),
            Inspector::tr("GEMM rate of the model, %1, against the %2 measured on this device"));
    add(utilization->ofDataSheet(), ceilings.dataSheet.flopsPerSecond, Inspector::tr("%1 of data sheet"),
        Inspector::tr("The model's GEMMs, %1, of the %2 of the ") + toQString(ceilings.source));
}

/// Of its steps: how many, and how fast.
void addPace(std::vector<Property>& rows, const RunSummary& run) {
    rows.push_back({Inspector::tr("Steps"),
                    Inspector::tr("%1 + %2 warm-up").arg(run.measuredSteps).arg(run.warmupSteps),
                    {}});
    if (run.stepMean) {
        const QString mean = shortDuration(Nanoseconds(std::llround(*run.stepMean)));
        const QString spread =
            run.stepStandardDeviation
                ? QStringLiteral(" ± ") + shortDuration(Nanoseconds(std::llround(*run.stepStandardDeviation)))
                : QString();
        rows.push_back({Inspector::tr("Step"), mean + spread,
                        Inspector::tr("mean ± standard deviation over %1")
                            .arg(run.averagedSteps == 1 ? Inspector::tr("1 step")
                                                        : Inspector::tr("%1 steps").arg(run.averagedSteps))});
    }
    if (run.tokensPerSecond)
        rows.push_back(
            {Inspector::tr("Speed"),
             Inspector::tr("%1 tokens/s").arg(toQString(formatCount(std::llround(*run.tokensPerSecond)))),
             {}});
    if (run.utilization)
        rows.push_back({Inspector::tr("Throughput"),
                        toQString(formatFlops(Flops(std::llround(run.utilization->flopsPerSecond)))) +
                            Inspector::tr("/s"),
                        Inspector::tr("The GEMMs that the model needs, over the time of a step")});
    addUtilization(rows, run.utilization);
}

/// How many records of a kind there are; what is missing from the file was not nothing.
Property amountOf(const QString& label, std::uint64_t count, bool partIsMissing) {
    if (!partIsMissing)
        return {label, groupedCount(count), {}};
    return {label, count == 0 ? QStringLiteral("–") : leastMark(true) + groupedCount(count),
            count == 0 ? Inspector::tr("Their records are missing from the file")
                       : Inspector::tr("The others are missing from the file")};
}

void addAmounts(std::vector<Property>& rows, const RunSummary& run, const MissingRecords& missing) {
    const auto lacks = [&missing](RecordKind kind) { return missing.lacks(kind); };
    rows.push_back({Inspector::tr("Duration"), shortDuration(run.duration), exactDuration(run.duration)});
    rows.push_back(amountOf(Inspector::tr("Ops"), run.ops, lacks(RecordKind::kOps)));
    if (run.kernels > 0 || lacks(RecordKind::kKernels))
        rows.push_back(amountOf(Inspector::tr("Kernels"), run.kernels, lacks(RecordKind::kKernels)));
    rows.push_back(amountOf(Inspector::tr("Allocations"), run.allocations, lacks(RecordKind::kAllocations)));
    if (!run.peak)
        return;
    const QString least = leastMark(lacks(RecordKind::kMemoryEvents) || lacks(RecordKind::kAllocations));
    rows.push_back({Inspector::tr("Peak"), least + shortBytes(sumOf(run.peak->bytes)),
                    least + exactBytes(sumOf(run.peak->bytes))});
}

void addLosses(std::vector<Property>& rows, const RunSummary& run, const RunDocument& document) {
    std::int64_t lost = 0;
    QStringList losses;
    for (const LossCount& loss : run.losses) {
        lost += static_cast<std::int64_t>(loss.count);
        losses << QStringLiteral("%1: %2").arg(toQString(loss.name)).arg(loss.count);
    }
    // What a damaged file lacks is in no count of the recorder's.
    rows.push_back({Inspector::tr("Records"),
                    lost > 0                  ? Inspector::tr("%1 lost").arg(toQString(formatGrouped(lost)))
                    : document.isIncomplete() ? Inspector::tr("some are missing")
                                              : Inspector::tr("none lost"),
                    losses.join(QLatin1Char('\n'))});
}

}  // namespace

std::vector<Property> runProperties(const RunSummary& run, const MissingRecords& missing,
                                    const RunDocument& document) {
    std::vector<Property> rows;
    addConfiguration(rows, run, document);
    rows.push_back({Inspector::tr("State"),
                    document.isLive() ? Inspector::tr("recording") : toQString(stateInWords(run)),
                    toQString(run.stateMessage)});
    addPace(rows, run);
    addAmounts(rows, run, missing);
    addLosses(rows, run, document);
    return rows;
}

}  // namespace warpglass::ui
