#include "ui/compare/comparison_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/table_model.h"

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
        said += QStringLiteral(" (%1 ×)").arg(static_cast<double>(b) / static_cast<double>(a), 0, 'f', 2);
    return said;
}

}  // namespace

QString durationText(Nanoseconds duration) {
    return toQString(formatDuration(duration));
}

QString durationsText(Nanoseconds a, Nanoseconds b) {
    return bothText(a.value, b.value, [](std::int64_t ns) { return durationText(Nanoseconds(ns)); });
}

QString sizesText(std::int64_t a, std::int64_t b) {
    return bothText(a, b, [](std::int64_t bytes) { return toQString(formatBytes(Bytes(bytes))); });
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
