#include "ui/panels/run_properties.h"

#include <QStringList>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_text.h"
#include "ui/panels/summary_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString percentText(double fraction) {
    return toQString(formatPercent(fraction));
}

void addStepTime(std::vector<Property>& rows, const RunSummary& run) {
    if (!run.stepMean) {
        rows.push_back({Inspector::tr("Steps"), Inspector::tr("none completed"), {}});
        rows.push_back({Inspector::tr("Duration"), shortDuration(run.duration), exactDuration(run.duration)});
        return;
    }
    const std::optional<double> spread = run.shownDeviation();
    const QString steps =
        run.averagedSteps == 1 ? Inspector::tr("1 step") : Inspector::tr("mean of %1").arg(run.averagedSteps);
    rows.push_back({Inspector::tr("Step"),
                    meanText(*run.stepMean) +
                        (spread ? QStringLiteral(" ± ") + meanText(*spread) : QStringLiteral(" · ") + steps),
                    spread ? Inspector::tr("%1, mean ± standard deviation of %2 steps")
                                 .arg(meanExact(*run.stepMean))
                                 .arg(run.averagedSteps)
                           : meanExact(*run.stepMean)});
}

/// How well its device was used: a GPU by its time; a CPU, of which idle time is not known, by its pace.
void addUse(std::vector<Property>& rows, const RunOverview& run) {
    const GpuTimeUse& use = run.gpu;
    if (use.wall.value > 0) {
        const double busy = static_cast<double>(use.busy.value) / static_cast<double>(use.wall.value);
        rows.push_back(
            {Inspector::tr("GPU busy"),
             Inspector::tr("%1 · %2 idle").arg(percentText(busy), percentText(1 - busy)),
             Inspector::tr("%1 per step in which a kernel, copy or fill ran")
                 .arg(meanExact(static_cast<double>(use.busy.value) / static_cast<double>(use.steps)))});
    } else if (run.missing.lacksGpuWork()) {
        rows.push_back(
            {Inspector::tr("GPU busy"), QStringLiteral("–"),
             Inspector::tr("%1 are missing from the file")
                 .arg(toQString(missingInWords(run.missing, {RecordKind::kKernels, RecordKind::kCopies})))});
    } else if (run.summary.tokensPerSecond) {
        rows.push_back({Inspector::tr("Pace"),
                        Inspector::tr("%1 tokens/s")
                            .arg(toQString(formatGrouped(std::llround(*run.summary.tokensPerSecond)))),
                        {}});
    } else if (run.summary.flopsPerSecond) {
        rows.push_back({Inspector::tr("Throughput"), toQString(formatFlopRate(*run.summary.flopsPerSecond)),
                        Inspector::tr("The FLOPs of the plan over the time of a step")});
    }
}

void addPeak(std::vector<Property>& rows, const RunOverview& run) {
    if (!run.summary.peak)
        return;
    const Bytes peak(sumOf(run.summary.peak->bytes));
    // What is missing from the file may have been more.
    QString text = (run.missing.lacksMemory() ? QStringLiteral("≥ ") : QString()) + shortBytes(peak.value);
    QString toolTip = exactBytes(peak.value);
    if (run.memoryLimit && run.memoryLimit->value > 0) {
        const QString share =
            percentText(static_cast<double>(peak.value) / static_cast<double>(run.memoryLimit->value));
        text += QStringLiteral(" · ") + share;
        toolTip += QLatin1Char('\n') + Inspector::tr("%1 of the %2 that the run may take")
                                           .arg(share, shortBytes(run.memoryLimit->value));
    }
    rows.push_back({Inspector::tr("Peak"), text, toolTip});
}

/// What would be wrong to keep quiet about: that it is not whole.
void addState(std::vector<Property>& rows, const RunOverview& run, const RunDocument& document) {
    const RunSummary& summary = run.summary;
    if (document.isLive() || summary.state != run_state::kFinished)
        rows.push_back({Inspector::tr("State"),
                        document.isLive() ? Inspector::tr("recording") : toQString(stateInWords(summary)),
                        toQString(summary.stateMessage)});
    std::uint64_t lost = 0;
    QStringList losses;
    for (const LossCount& loss : summary.losses) {
        lost += loss.count;
        losses << QStringLiteral("%1: %2").arg(toQString(loss.name)).arg(loss.count);
    }
    if (lost > 0 || document.isIncomplete())
        rows.push_back(
            {Inspector::tr("Records"),
             lost > 0 ? Inspector::tr("%1 lost").arg(groupedCount(lost)) : Inspector::tr("some are missing"),
             losses.join(QLatin1Char('\n'))});
}

}  // namespace

std::vector<Property> runProperties(const RunOverview& run, const RunDocument& document) {
    std::vector<Property> rows{answerOf(document.isLive() && run.findings.empty()
                                            ? Inspector::tr("Nothing stands out so far.")
                                            : toQString(verdictOn(run)))};
    addStepTime(rows, run.summary);
    addUse(rows, run);
    addPeak(rows, run);
    addState(rows, run, document);
    return rows;
}

std::vector<Finding> linkedFindings(const RunOverview& run) {
    std::vector<Finding> linked;
    if (!run.findings.empty())
        linked.push_back(run.findings.front());
    for (const auto& sight : {run.largestWork, run.highestMoment}) {
        if (sight)
            linked.push_back(sight->shown);
    }
    return linked;
}

std::vector<Property> runLinks(const RunOverview& run, const StepClock& clock) {
    std::vector<Property> rows;
    const auto add = [&rows](const QString& label, const QString& value, const Finding& shown) {
        rows.push_back({label, value, toQString(shown.sentence), static_cast<int>(rows.size())});
    };
    if (!run.findings.empty()) {
        const Finding& costliest = run.findings.front();
        const auto [cost, of] = costInWords(costliest);
        add(Inspector::tr("Finding"), cost + QLatin1Char(' ') + of, costliest);
    }
    if (run.largestWork)
        add(run.largestWork->shown.rule == "largest-op" ? Inspector::tr("Largest op")
                                                        : Inspector::tr("Top kernel"),
            toQString(run.largestWork->title), run.largestWork->shown);
    if (run.highestMoment)
        add(Inspector::tr("Peak"),
            clock.text(run.highestMoment->shown.evidence.moment.value_or(Nanoseconds(0))),
            run.highestMoment->shown);
    return rows;
}

}  // namespace warpglass::ui
