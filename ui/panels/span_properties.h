// What the inspector shows for a span: its own properties, and how it compares with all spans of its kind.
#pragma once

#include <QString>
#include <vector>

#include "engine/query/activity/conditions.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/shared_work.h"
#include "ui/models/span_details.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// "Kernel", "Phase on the GPU".
QString headingOf(TrackKind kind);
/// What the lines that are links lead to.
enum class SpanLink { kPhase, kStep };
/// What it is in a sentence, where it belongs, and when it ran; for a kernel or a copy, what the GPU
/// reported. The phase and the step in `around` are links; its op, its module and its part there stand in the
/// chain of causes instead.
std::vector<Property> spanProperties(const SpanDetails& span, const StepClock& clock = {},
                                     const SpansAroundOne& around = {});
/// How a kernel was launched, and what that leaves room for; nothing for other spans.
std::vector<Property> launchProperties(const SpanDetails& span, const std::string& limit);
/// Its title: what a kernel does in a few words, else its name.
QString titleOf(const SpanDetails& span);
/// What a kernel of ours did and spared, and what it stands for.
std::vector<Property> ownKernelProperties(const OwnKernelSpan& kernel);
/// The modules that a kernel or an op works for; nothing for one that works for its own, and for other spans.
std::optional<Sharing> sharingOf(const Snapshot& snapshot, const SpanDetails& span);
/// "Works for 111 modules: ...", the largest shares; more of them on hover.
Property sharingProperty(const Sharing& shared);
/// `statistics` are those of `span`'s kind: how much they take together, and how far they spread; how many
/// they are and their median is said in a sentence (kindSentence()).
std::vector<Property> kindProperties(const SpanDetails& span, const KindStatistics& statistics);

/// What a step ran under; none of what was not recorded.
std::vector<Property> conditionProperties(const Conditions& conditions);

}  // namespace warpglass::ui
