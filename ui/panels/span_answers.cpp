#include "ui/panels/span_answers.h"

#include <algorithm>
#include <iterator>

#include "engine/query/model/occupancy_limit.h"
#include "engine/query/statistics/gpu_use_sentence.h"
#include "engine/query/statistics/span_sentences.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_text.h"
#include "ui/panels/span_properties.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

void addAnswer(std::vector<Property>& rows, const std::string& sentence) {
    if (!sentence.empty())
        rows.push_back(answerOf(toQString(sentence)));
}

AmongItsKind amongItsKind(const SpanAnswers& answers) {
    const KindStatistics& all = answers.statistics;
    return {answers.span.duration, all.median, all.instances, all.longer, all.shorter};
}

bool isWork(TrackKind kind) {
    return kind == TrackKind::kGpuStream || kind == TrackKind::kGpuCopies;
}

/// Whether the use of the GPU and the host's waits say something of it as a stretch of time.
bool isStretch(TrackKind kind) {
    return kind == TrackKind::kStep || kind == TrackKind::kPhase || kind == TrackKind::kGpuPhase ||
           kind == TrackKind::kModule || kind == TrackKind::kGpuSync;
}

/// What the GPU is said to have been busy for.
std::string stretchWords(TrackKind kind) {
    switch (kind) {
        case TrackKind::kStep:
            return "this step";
        case TrackKind::kModule:
            return "this time";
        case TrackKind::kGpuSync:
            return "this wait";
        default:
            return "this phase";
    }
}

void addGpuOf(SpanAnswers& answers, const Snapshot& snapshot) {
    const SpanDetails& span = answers.span;
    if (isWork(span.kind)) {
        const auto gpu = busyOf(snapshot, gpuOfTrack(span.track));
        if (gpu && span.start.value > 0)
            answers.before = gpu->at(span.start.value - 1);
        return;
    }
    if (!isStretch(span.kind) && span.kind != TrackKind::kCpuThread)
        return;
    answers.hostWaited = rangeActivity(snapshot, span.range()).hostWaited;
    if (!isStretch(span.kind) || gpusOf(snapshot).size() > 1)
        return;
    if (const auto gpu = busyOf(snapshot))
        answers.gpu = gpu->timesIn(span.start.value, span.range().end.value);
}

}  // namespace

SpanAnswers answersOf(const Snapshot& snapshot, SpanRef span, const SpanDetails& details) {
    SpanAnswers answers;
    answers.ref = span;
    answers.span = details;
    answers.statistics = kindStatistics(snapshot, details.kind, details.nameId, details.duration);
    if (details.kind == TrackKind::kGpuStream)
        answers.own = ownKernelSpan(snapshot, details.name, details.module, details.duration);
    answers.shared = sharingOf(snapshot, details);
    answers.roof = spanRoof(snapshot, span);
    if (details.gpu)
        answers.occupancyLimit =
            occupancyLimit(*details.gpu, snapshot.info().get("device.compute_capability"));
    // Anything shorter than a step is shorter than the time between two samples.
    if (details.kind == TrackKind::kStep)
        answers.conditions = ConditionSeries(snapshot).in(details.range());
    addGpuOf(answers, snapshot);
    const std::vector<StepSpan> steps = endedSteps(snapshot);
    const auto step = std::ranges::find(steps, details.step, &StepSpan::step);
    if (details.step != kNoStep && step != steps.end())
        answers.step = *step;
    return answers;
}

std::vector<Property> whatProperties(const SpanAnswers& answers, const StepClock& clock,
                                     const SpansAroundOne& around) {
    std::vector<Property> rows = spanProperties(answers.span, clock, around);
    if (answers.roof && !answers.roof->shape.empty()) {
        const bool gradient = answers.span.phase == Phase::kBackward;
        const QString shape = toQString(answers.roof->shape);
        rows.push_back(
            {Inspector::tr("M×N×K"), gradient ? Inspector::tr("gradient of %1").arg(shape) : shape,
             gradient ? Inspector::tr("Of the product that it is a gradient of: its own are the same three "
                                      "numbers in another order")
                      : Inspector::tr("Rows, columns and inner dimension of the GEMM, as planned")});
    }
    if (answers.own)
        std::ranges::move(ownKernelProperties(*answers.own), std::back_inserter(rows));
    if (answers.shared)
        rows.push_back(sharingProperty(*answers.shared));
    return rows;
}

std::vector<Property> waitProperties(const SpanAnswers& answers, std::optional<Nanoseconds> queued) {
    std::vector<Property> rows;
    const TrackKind kind = answers.span.kind;
    const QString exact = queued ? Inspector::tr("%1 from the start of the call to the start of the work")
                                       .arg(exactDuration(*queued))
                                 : QString();
    if (isWork(kind)) {
        if (const std::string sentence = workWaitSentence({queued, answers.before}); !sentence.empty())
            rows.push_back(answerOf(toQString(sentence), exact));
    } else {
        if (isStretch(kind))
            addAnswer(rows, gpuUseSentence(answers.gpu, "The GPU", stretchWords(kind)));
        if (kind != TrackKind::kGpuSync && kind != TrackKind::kGpuPhase)
            addAnswer(rows, hostWaitedSentence(answers.hostWaited, answers.span.duration));
        if (queued)
            rows.push_back({Inspector::tr("Queued"), shortDuration(*queued), exact});
    }
    return rows;
}

std::vector<Property> slowProperties(const SpanAnswers& answers) {
    const SpanDetails& span = answers.span;
    std::vector<Property> rows;
    if (answers.roof)
        addAnswer(rows, roofVerdict(answers.roof->share(), answers.roof->sentence()));
    addAnswer(rows, answers.roof ? kindSentence(amongItsKind(answers)) : kindVerdict(amongItsKind(answers)));
    if (answers.step && span.kind != TrackKind::kStep)
        addAnswer(rows, stepShareSentence(span.duration, answers.step->range.duration(), span.step));
    if (answers.roof)
        rows.push_back(
            {Inspector::tr("Best case"), shortDuration(answers.roof->bestCase(span.duration)),
             Inspector::tr("How long it would take at the %1").arg(toQString(answers.roof->peakInWords()))});
    std::ranges::move(kindProperties(span, answers.statistics), std::back_inserter(rows));
    std::ranges::move(launchProperties(span, answers.occupancyLimit), std::back_inserter(rows));
    std::ranges::move(conditionProperties(answers.conditions), std::back_inserter(rows));
    return rows;
}

}  // namespace warpglass::ui
