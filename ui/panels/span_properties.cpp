#include "ui/panels/span_properties.h"

#include <array>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"
#include "engine/query/model/clocked_kernel.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/statistics/span_sentences.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString dimensions(const std::array<std::uint32_t, 3>& d) {
    QString text = toQString(formatGrouped(d[0]));
    for (std::size_t i = 1; i < 3; ++i) {
        if (d[1] > 1 || d[2] > 1)
            text += QStringLiteral(" × ") + toQString(formatGrouped(d[i]));
    }
    return text;
}

/// What a kernel or a copy has beyond a span.
void addGpuRows(std::vector<Property>& rows, const SpanDetails& span) {
    const SpanDetail& gpu = *span.gpu;
    rows.push_back({Inspector::tr("Track"), toQString(span.track), {}});
    if (gpu.kind != DetailKind::kKernel) {
        rows.push_back({Inspector::tr("Size"), shortBytes(gpu.bytes), exactBytes(gpu.bytes)});
        if (span.duration.value > 0)
            rows.push_back({Inspector::tr("Speed"),
                            toQString(formatByteRate(1e9 * static_cast<double>(gpu.bytes) /
                                                     static_cast<double>(span.duration.value))),
                            {}});
    }
    if (isClockedName(span.fullName))
        rows.push_back(
            {Inspector::tr("From inside"), Inspector::tr("Charts › Clocks"),
             Inspector::tr("This call was made by a twin of the kernel that wrote when each of its "
                           "rounds ended, which makes it a tenth to a quarter slower")});
    if (gpu.graphNode != 0)
        rows.push_back({Inspector::tr("Graph node"), QString::number(gpu.graphNode), {}});
}

/// "6", or that there is none.
QString stepText(std::int32_t step) {
    return step == kNoStep ? Inspector::tr("outside any") : QString::number(step);
}

/// An op's is of its self time, as its table has it; any other's of the whole durations that stand below.
Property shareProperty(const SpanDetails& span, const KindStatistics& statistics) {
    const QString label = Inspector::tr("All calls");
    if (span.kind == TrackKind::kCpuThread)
        return {label, Inspector::tr("%1 of self time").arg(toQString(formatPercent(statistics.selfShare))),
                Inspector::tr("%1 self time of all instances").arg(exactDuration(statistics.self))};
    const QString share = toQString(formatPercent(statistics.timeShare));
    return {label,
            (span.gpu ? Inspector::tr("%1 of GPU time") : Inspector::tr("%1 of this track")).arg(share),
            Inspector::tr("%1 in all instances, over the time of all that ran on such tracks in the run")
                .arg(exactDuration(statistics.total))};
}

}  // namespace

QString headingOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::kStep:
            return Inspector::tr("Step");
        case TrackKind::kPhase:
            return Inspector::tr("Phase");
        case TrackKind::kModule:
            return Inspector::tr("Module");
        case TrackKind::kCpuThread:
            return Inspector::tr("Op");
        case TrackKind::kApiThread:
            return Inspector::tr("Call into CUDA");
        case TrackKind::kGpuStream:
            return Inspector::tr("Kernel");
        case TrackKind::kGpuCopies:
            return Inspector::tr("Copy");
        case TrackKind::kGpuPhase:
            return Inspector::tr("Phase on the GPU");
        case TrackKind::kGpuSync:
            return Inspector::tr("Wait for the GPU");
        case TrackKind::kProfiler:
            return Inspector::tr("Profiler's own time");
    }
    return {};
}

std::vector<Property> launchProperties(const SpanDetails& span, const std::string& limit) {
    if (!span.gpu || span.gpu->kind != DetailKind::kKernel)
        return {};
    const SpanDetail& gpu = *span.gpu;
    std::vector<Property> rows;
    rows.push_back({Inspector::tr("Grid"),
                    Inspector::tr("%1 blocks of %2").arg(dimensions(gpu.grid), dimensions(gpu.block)),
                    Inspector::tr("%1 blocks of %2 threads, in x, y, z")
                        .arg(dimensions(gpu.grid), dimensions(gpu.block))});
    const std::int64_t shared = gpu.staticShared + gpu.dynamicShared;
    rows.push_back(
        {Inspector::tr("Resources"),
         Inspector::tr("%1 registers · %2").arg(QString::number(gpu.registers), shortBytes(shared)),
         Inspector::tr("%1 registers per thread\n%2 static, %3 dynamic shared memory per block")
             .arg(QString::number(gpu.registers), exactBytes(gpu.staticShared),
                  exactBytes(gpu.dynamicShared))});
    if (gpu.occupancy > 0)
        rows.push_back({Inspector::tr("Occupancy"),
                        toQString(formatPercent(static_cast<double>(gpu.occupancy))),
                        Inspector::tr("The share of a multiprocessor's threads that fit at once, in theory. "
                                      "GEMMs of large tiles need few threads")});
    if (!limit.empty())
        rows.push_back({Inspector::tr("Limited by"), toQString(limit),
                        Inspector::tr("What leaves no room for another block on a multiprocessor")});
    return rows;
}

QString titleOf(const SpanDetails& span) {
    return toQString(span.gpu && span.gpu->kind == DetailKind::kKernel ? kernelTitle(span.name, span.fullName)
                                                                       : span.name);
}

std::vector<Property> spanProperties(const SpanDetails& span, const StepClock& clock,
                                     const SpansAroundOne& around) {
    const auto linkTo = [](const std::optional<SpanRef>& there, SpanLink link) {
        return there ? static_cast<int>(link) : -1;
    };
    const bool op = span.kind == TrackKind::kCpuThread;
    const QString exact = exactDuration(span.duration);
    std::vector<Property> rows{
        answerOf(toQString(subjectSentence({span.kind, span.family, span.duration, span.self})),
                 op ? Inspector::tr("%1, %2 of it its own").arg(exact, exactDuration(span.self)) : exact)};
    if (!span.op.empty() && !around.op)
        rows.push_back({span.gpu && span.gpu->graphNode != 0 ? Inspector::tr("Captured in")
                                                             : Inspector::tr("Launched by"),
                        toQString(span.op),
                        {}});
    if (!span.module.empty() && span.module != span.name && !around.module)
        rows.push_back({Inspector::tr("Module"), toQString(span.module), {}});
    if (!span.part.empty() && span.part != span.name && !around.part)
        rows.push_back({Inspector::tr("Part"), toQString(span.part), {}});
    if (span.phase != Phase::kNone && span.kind != TrackKind::kPhase && span.kind != TrackKind::kGpuPhase)
        rows.push_back({Inspector::tr("Phase"),
                        toQString(phaseName(span.phase)),
                        {},
                        linkTo(around.phase, SpanLink::kPhase)});
    // A start that is told from its step says which; work of the GPU may start in the next one's time.
    const StepClock::Step* const from = clock.at(span.start);
    const bool told = from && from->number == span.step && span.kind != TrackKind::kStep;
    const int toStep = linkTo(around.step, SpanLink::kStep);
    if (!told && span.kind != TrackKind::kStep)
        rows.push_back({Inspector::tr("Step"), stepText(span.step), {}, toStep});
    rows.push_back(
        {Inspector::tr("Start"), clock.text(span.start), exactMoment(span.start), told ? toStep : -1});
    if (op) {
        rows.push_back({Inspector::tr("Thread"), toQString(span.track), {}});
        if (!span.inputs.empty())
            rows.push_back({Inspector::tr("Inputs"), toQString(span.inputs), {}});
        if (!span.outputs.empty())
            rows.push_back({Inspector::tr("Outputs"), toQString(span.outputs), {}});
    }
    if (span.gpu)
        addGpuRows(rows, span);
    return rows;
}

std::vector<Property> ownKernelProperties(const OwnKernelSpan& kernel) {
    std::vector<Property> rows;
    if (kernel.work) {
        const KernelWork& work = *kernel.work;
        rows.push_back({Inspector::tr("FLOPs"), toQString(formatFlops(work.flops)),
                        toQString(formatGrouped(work.flops.value))});
        rows.push_back(
            {Inspector::tr("Least moved"), shortBytes(work.moved.value),
             Inspector::tr("%1, each tensor read once and written once").arg(exactBytes(work.moved.value))});
        if (kernel.bytesPerSecond) {
            // How much of what memory allows that is stands under "Is it slow?".
            rows.push_back({Inspector::tr("Speed"), toQString(formatByteRate(*kernel.bytesPerSecond)),
                            Inspector::tr("Bytes moved over its duration")});
        }
        rows.push_back({Inspector::tr("Not moved"), shortBytes(work.notMoved.value),
                        Inspector::tr("%1 that the library's ops would have moved besides")
                            .arg(exactBytes(work.notMoved.value))});
    }
    rows.push_back({toQString(kernel.sentence), {}, {}, -1, true});
    return rows;
}

std::optional<Sharing> sharingOf(const Snapshot& snapshot, const SpanDetails& span) {
    const bool op = span.kind == TrackKind::kCpuThread;
    const auto config = op || span.gpu ? configOfRun(snapshot) : std::nullopt;
    if (!config)
        return std::nullopt;
    return op ? sharingOf(*config, span.phase, span.module, span.name, {})
              : sharingOf(*config, span.phase, span.module, span.op, span.name);
}

Property sharingProperty(const Sharing& shared) {
    constexpr std::size_t kShown = 3, kOnHover = 24;
    const QString words = toQString(modulesInWords(shared.modules, kShown));
    return {
        shared.ofOp ? Inspector::tr("Its op works for %1.").arg(words)
                    : Inspector::tr("Works for %1.").arg(words),
        {},
        toQString(modulesInWords(shared.modules, kOnHover)) + QStringLiteral(". ") + toQString(shared.split),
        -1,
        true};
}

std::vector<Property> kindProperties(const SpanDetails& span, const KindStatistics& statistics) {
    std::vector<Property> rows;
    rows.push_back(shareProperty(span, statistics));
    if (statistics.instances > 1) {
        // The 99th percentile of a few is the longest of them.
        constexpr std::int64_t kLeastForP99 = 20;
        if (statistics.instances >= kLeastForP99)
            rows.push_back({Inspector::tr("P99"), shortDuration(statistics.durations.percentiles[3]),
                            exactDuration(statistics.durations.percentiles[3])});
        rows.push_back({Inspector::tr("Min · Max"),
                        QStringLiteral("%1 · %2").arg(shortDuration(statistics.durations.min),
                                                      shortDuration(statistics.durations.max)),
                        QStringLiteral("%1 · %2").arg(exactDuration(statistics.durations.min),
                                                      exactDuration(statistics.durations.max))});
    }
    return rows;
}

std::vector<Property> conditionProperties(const Conditions& conditions) {
    std::vector<Property> rows;
    if (conditions.othersCores)
        rows.push_back({Inspector::tr("Others"),
                        Inspector::tr("%1 cores").arg(QString::number(*conditions.othersCores, 'f', 1)),
                        Inspector::tr("Cores that other programs kept busy meanwhile, on average")});
    if (conditions.waitedShare)
        rows.push_back(
            {Inspector::tr("Waited"), toQString(formatPercent(*conditions.waitedShare)),
             Inspector::tr("Share of the time in which the run's thread was ready to run and had no core")});
    if (conditions.throttledShare.value_or(0) > 0)
        rows.push_back({Inspector::tr("Held back"), toQString(formatPercent(*conditions.throttledShare)),
                        Inspector::tr("Share of the time in which a CPU quota held the process back")});
    if (conditions.smClock) {
        const std::string reasons = clockReasonsInWords(conditions.clockReasons.value_or(0));
        rows.push_back(
            {Inspector::tr("SM clock"),
             Inspector::tr("%1 MHz").arg(toQString(formatGrouped(std::llround(*conditions.smClock)))),
             reasons.empty() ? Inspector::tr("Nothing limited it")
                             : Inspector::tr("Decided by: %1").arg(toQString(reasons))});
    }
    if (conditions.temperature)
        rows.push_back(
            {Inspector::tr("Heat"), Inspector::tr("%1 °C").arg(std::llround(*conditions.temperature)), {}});
    if (conditions.power)
        rows.push_back(
            {Inspector::tr("Power"), Inspector::tr("%1 W").arg(std::llround(*conditions.power)), {}});
    return rows;
}

}  // namespace warpglass::ui
