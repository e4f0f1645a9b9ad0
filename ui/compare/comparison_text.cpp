#include "ui/compare/comparison_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/tables/comparison_columns.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("warpglass::ui::ComparisonView", text);
}

/// Figures of A and B, and how B stands to A.
template <class Text>
QString bothText(std::int64_t a, std::int64_t b, Text&& text) {
    const QString sign = b < a ? QStringLiteral("−") : a < b ? QStringLiteral("+") : QString();
    QString said = tr("A %1, B %2, %3%4").arg(text(a), text(b), sign, text(std::abs(b - a)));
    if (a > 0)
        said += QStringLiteral(" (%1)").arg(timesText(static_cast<double>(b) / static_cast<double>(a)));
    return said;
}

}  // namespace

QString durationText(Nanoseconds duration) {
    return toQString(formatDuration(duration));
}

QString timesText(double ratio) {
    return toQString(timesInWords(ratio));
}

QString durationsText(Nanoseconds a, Nanoseconds b) {
    return bothText(a.value, b.value, [](std::int64_t ns) { return durationText(Nanoseconds(ns)); });
}

QString sizesText(std::int64_t a, std::int64_t b) {
    return bothText(a, b, [](std::int64_t bytes) { return toQString(formatBytes(Bytes(bytes))); });
}

QString memoryText(const ComparisonRow& row, bool ofBoth) {
    const auto whole = [](double bytes) { return static_cast<std::int64_t>(std::llround(bytes)); };
    if (ofBoth && !row.isUnknown() && !row.atLeastA && !row.atLeastB)
        return sizesText(whole(row.a), whole(row.b));
    const auto size = [&whole](bool in, bool atLeast, double bytes) {
        return !in ? QStringLiteral("–")
                   : (atLeast ? QStringLiteral("≥ ") : QString()) +
                         toQString(formatBytes(Bytes(whole(bytes))));
    };
    return tr("A %1, B %2").arg(size(row.inA, row.atLeastA, row.a), size(row.inB, row.atLeastB, row.b));
}

QString activityText(const QString& run, TimeRange range, const RangeActivity& activity) {
    const auto share = [&range](Nanoseconds busy) {
        return toQString(
            formatPercent(static_cast<double>(busy.value) /
                          static_cast<double>(std::max<std::int64_t>(1, range.duration().value))));
    };
    const auto count = [](std::uint64_t number) {
        return toQString(formatGrouped(static_cast<std::int64_t>(number)));
    };
    return activity.hasGpu
               ? tr("%1 %2 kernels, GPU busy %3").arg(run, count(activity.kernels), share(activity.gpuBusy))
               : tr("%1 %2 ops, CPU busy %3").arg(run, count(activity.ops), share(activity.hostBusy));
}

QString briefName(const QString& name) {
    constexpr int kLongest = 64, kEnd = 24;
    return name.size() <= kLongest ? name
                                   : name.left(kLongest - kEnd - 1) + QStringLiteral("…") + name.right(kEnd);
}

QString hostNote(bool ofA, bool ofB) {
    return ofA && ofB ? tr(" (both: on the host)")
           : ofA      ? tr(" (A: on the host)")
           : ofB      ? tr(" (B: on the host)")
                      : QString();
}

QString placeText(const Landmark& landmark, Phase phase, const QString& steps, bool gpuOfA, bool gpuOfB) {
    using Kind = Landmark::Kind;
    const bool inPhase =
        phase != Phase::kNone && landmark.kind != Kind::kStep && landmark.kind != Kind::kPhase;
    const QString place = inPhase ? tr("%1 of %2").arg(toQString(phaseName(phase)), steps) : steps;
    const QString of = landmark.kind == Kind::kOp       ? tr("its first call in %1").arg(place)
                       : landmark.kind == Kind::kKernel ? tr("its first in %1").arg(place)
                                                        : place;
    return gpuOfA && gpuOfB ? tr("%1 on the GPU").arg(of)
           : gpuOfA         ? tr("%1, A on the GPU, B on the host").arg(of)
           : gpuOfB         ? tr("%1, A on the host, B on the GPU").arg(of)
                            : tr("%1 on the host").arg(of);
}

QString otherOpNote(const Snapshot& run, const Landmark& landmark, std::optional<SpanRef> found, bool inA) {
    if (!found || landmark.op.empty() || landmark.op.starts_with('('))
        return {};
    const auto row = run.lane(found->lane).row(found->row);
    const auto detail = row ? run.detail(row->detail) : std::nullopt;
    const std::string_view op = landmark.kind == Landmark::Kind::kOp
                                    ? run.name(row ? row->name : NameId())
                                    : run.name(detail ? detail->op : NameId());
    return op.empty() || op == landmark.op
               ? QString()
               : QStringLiteral(" (%1: %2)").arg(inA ? tr("A") : tr("B"), toQString(op));
}

}  // namespace warpglass::ui
