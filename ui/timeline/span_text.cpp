#include "ui/timeline/span_text.h"

#include <QStringList>
#include <algorithm>
#include <numeric>

#include "engine/base/format.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/statistics/step_table.h"
#include "engine/trace/run_info.h"
#include "ui/controls/family_legend.h"
#include "ui/models/idle_details.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/name_text.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_navigation.h"

namespace warpglass::ui {

namespace {

QString durationText(std::int64_t nanoseconds) {
    return QString::fromStdString(formatDuration(Nanoseconds(nanoseconds)));
}

/// "4.06 µs (4,060 ns)".
QString exactDuration(std::int64_t nanoseconds) {
    return durationText(nanoseconds) + QStringLiteral(" (") +
           QString::fromStdString(formatGrouped(nanoseconds)) + QStringLiteral("\u202Fns)");
}

bool isNumber(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "blocks.7.attn · scores", "backward"; the parts that there are.
QString placeText(const Snapshot& snapshot, const Place& place) {
    QStringList parts;
    for (const NameId id : {place.module, place.part}) {
        if (const std::string_view name = snapshot.name(id); !name.empty())
            parts << toQString(name);
    }
    return parts.join(QStringLiteral(" · "));
}

QString stateText(const Snapshot& snapshot, std::int32_t step) {
    return toQString(kStepStateNames[static_cast<std::size_t>(stepState(snapshot, step))]);
}

QString stepText(const Snapshot& snapshot, std::int32_t step) {
    QString text = QString::number(step);
    if (snapshot.info().getInteger("config.warmup"))
        text += QStringLiteral(" · ") + stateText(snapshot, step);
    return text;
}

void addPlace(QStringList& lines, const Snapshot& snapshot, PlaceId id, std::int32_t step) {
    const Place place = snapshot.place(id);
    if (const QString where = placeText(snapshot, place); !where.isEmpty())
        lines << QStringLiteral("Module  ") + where;
    if (place.phase != Phase::kNone)
        lines << QStringLiteral("Phase  ") + toQString(phaseName(place.phase));
    if (step != kNoStep)
        lines << QStringLiteral("Step  ") + stepText(snapshot, step);
}

}  // namespace

std::string_view shortName(TrackKind kind, std::string_view name) {
    if (kind == TrackKind::kCpuThread) {
        for (const std::string_view prefix : {"autograd::engine::evaluate_function: ", "aten::"}) {
            if (name.starts_with(prefix))
                return name.substr(prefix.size());
        }
        return name;
    }
    if (kind != TrackKind::kModule)
        return name;
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return name;
    if (!isNumber(name.substr(dot + 1)))
        return name.substr(dot + 1);
    const auto before = dot == 0 ? std::string_view::npos : name.rfind('.', dot - 1);
    return before == std::string_view::npos ? name : name.substr(before + 1);
}

QString titleOf(const TimelineTrack& track) {
    QString title = toQString(track.label);
    if (!track.sublabel.empty())
        title += QLatin1Char(' ') + toQString(track.sublabel);
    return title;
}

QString barLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect) {
    const QString name = cutName(toQString(shortName(kind, snapshot.name(rect.name))));
    if (kind != TrackKind::kStep && kind != TrackKind::kPhase && kind != TrackKind::kGpuPhase)
        return name;
    const std::string state = snapshot.info().get("state");
    const bool goesOn = state.empty() || state == run_state::kRecording;
    const QString duration = !rect.open() ? durationText(rect.end - rect.begin)
                             : goesOn     ? QStringLiteral("running")
                                          : QStringLiteral("cut off");
    QStringList parts{name};
    if (kind != TrackKind::kStep)
        return (parts << duration).join(QStringLiteral(" · "));
    // Steps are called "step 0", "step 1", …; which of them warm up is in the run's information.
    const qsizetype space = name.lastIndexOf(QLatin1Char(' '));
    bool isStep = false;
    const int step = name.mid(space + 1).toInt(&isStep);
    if (isStep && snapshot.info().getInteger("config.warmup"))
        parts << stateText(snapshot, step);
    parts << duration;
    return parts.join(QStringLiteral(" · "));
}

NameId fullNameOf(const Snapshot& snapshot, const TimelineRow& row, const TimelineRect& rect) {
    if (row.kind != TrackKind::kGpuStream || rect.open())
        return NameId();
    const auto span = snapshot.lane(row.lane).row(rect.row);
    const auto detail = span ? snapshot.detail(span->detail) : std::nullopt;
    return detail && detail->kind == DetailKind::kKernel ? detail->fullName : NameId();
}

QString kernelLabel(const Snapshot& snapshot, NameId name, NameId fullName) {
    return cutName(toQString(kernelTitle(snapshot.name(name), snapshot.name(fullName))));
}

QString shortKernelLabel(const Snapshot& snapshot, NameId name, NameId fullName) {
    const QString title = kernelLabel(snapshot, name, fullName);
    const QString dot = QStringLiteral(" · ");
    const qsizetype at = title.indexOf(dot);
    return at < 0 ? shortenedName(title) : title.mid(at + dot.size());
}

QString leastKernelLabel(const Snapshot& snapshot, NameId name, NameId fullName) {
    if (kernelLabel(snapshot, name, fullName) == cutName(toQString(snapshot.name(name))))
        return {};
    return shortKernelLabel(snapshot, name, fullName)
        .section(QLatin1Char(' '), 0, 0)
        .remove(QLatin1Char(','));
}

QString shortBarLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect) {
    std::string_view name = shortName(kind, snapshot.name(rect.name));
    // Not "7" of "blocks.7": leastBarLabel() has that.
    if (const auto dot = name.rfind('.');
        kind == TrackKind::kModule && dot != std::string_view::npos && !isNumber(name.substr(dot + 1)))
        name = name.substr(dot + 1);
    // A kernel's without what all of its library have in common.
    return kind == TrackKind::kGpuStream ? shortenedName(toQString(name)) : cutName(toQString(name));
}

QString leastBarLabel(const Snapshot& snapshot, TrackKind kind, const TimelineRect& rect) {
    if (kind == TrackKind::kStep) {
        const QString name = toQString(snapshot.name(rect.name));
        return name.startsWith(QLatin1String("step ")) ? name.mid(5) : QString();
    }
    if (kind == TrackKind::kModule) {
        // The track's label says of what.
        const QString name = toQString(shortName(kind, snapshot.name(rect.name)));
        return !name.isEmpty() && name.back().isDigit() ? name.section(QLatin1Char('.'), -1) : QString();
    }
    if (kind == TrackKind::kGpuSync)
        return toQString(snapshot.name(rect.name)).section(QLatin1Char(' '), 0, 0);
    if (kind != TrackKind::kPhase && kind != TrackKind::kGpuPhase)
        return {};
    switch (snapshot.place(rect.place).phase) {
        case Phase::kForward:
            return QStringLiteral("fwd");
        case Phase::kBackward:
            return QStringLiteral("bwd");
        case Phase::kOptimizer:
            return QStringLiteral("opt");
        default:
            return {};
    }
}

QString tooltipText(const Snapshot& snapshot, const TimelineRow& row, const TimelineRect& rect,
                    const StepClock& clock) {
    QStringList lines;
    if (rect.open()) {
        lines << toQString(snapshot.name(rect.name));
        lines << QStringLiteral("Running for  ") + durationText(rect.end - rect.begin);
        addPlace(lines, snapshot, rect.place, kNoStep);
        return lines.join(QLatin1Char('\n'));
    }
    const SpanLane lane = snapshot.lane(row.lane);
    std::uint64_t shown = rect.row;
    if (rect.merged()) {
        const RunSummary run = summarizeRun(lane, rect.firstRow, rect.count);
        const std::int64_t extent = std::max<std::int64_t>(1, rect.end - rect.begin);
        lines << QStringLiteral("%1 spans in %2, busy %3 of it")
                     .arg(QString::fromStdString(formatGrouped(static_cast<std::int64_t>(rect.count))),
                          durationText(rect.end - rect.begin),
                          QString::fromStdString(formatPercent(static_cast<double>(run.busy.value) /
                                                               static_cast<double>(extent))));
        lines << QStringLiteral("Too narrow to show individually; zoom in to see them. The longest:");
        shown = run.longestRow;
    }
    const auto span = shown < lane.rows() ? lane.row(shown) : std::nullopt;
    if (!span)
        return lines.join(QLatin1Char('\n'));
    lines << cutName(toQString(snapshot.name(span->name)), kMostToolTipLetters);
    if (const auto detail = snapshot.detail(span->detail); detail && detail->kind == DetailKind::kKernel) {
        const std::string title = kernelTitle(snapshot.name(span->name), snapshot.name(detail->fullName));
        if (title != snapshot.name(span->name))
            lines << toQString(title);
        if (const std::string_view full = snapshot.name(detail->fullName);
            !full.empty() && full != snapshot.name(span->name))
            lines << cutName(toQString(full), kMostLetters);
    }
    lines << QStringLiteral("Duration  ") + exactDuration(span->duration);
    if (span->self != span->duration)
        lines << QStringLiteral("Self  ") + exactDuration(span->self);
    lines << QStringLiteral("Start  ") + clock.text(Nanoseconds(span->start));
    if (const auto detail = snapshot.detail(span->detail)) {
        if (const std::string_view op = snapshot.name(detail->op); !op.empty())
            lines << (detail->graphNode != 0 ? QStringLiteral("Captured in  ")
                                             : QStringLiteral("Launched by  ")) +
                         cutName(toQString(op));
        if (detail->bytes > 0)
            lines << QStringLiteral("Size  ") + QString::fromStdString(formatBytes(Bytes(detail->bytes)));
    }
    addPlace(lines, snapshot, span->place, span->step);
    return lines.join(QLatin1Char('\n'));
}

QString busyText(const Snapshot& snapshot, const GpuBusy& busy, std::uint32_t gpu,
                 const TimelineRect& stretch, TimeRange column, const StepClock& clock) {
    QStringList lines;
    const auto at = busy.at(stretch.begin);
    if (!at || at->part == GpuBusy::Part::kBusy) {
        lines << QStringLiteral("Busy for  ") + exactDuration(stretch.end - stretch.begin);
        lines << QStringLiteral("Start  ") + clock.text(Nanoseconds(stretch.begin));
    } else {
        lines << gpuPartName(at->part);
        for (const IdleFact& fact : idleFacts(describeIdle(snapshot, {gpu, *at}), clock)) {
            const bool isMoment = fact.kind == IdleFact::Kind::kBegin || fact.kind == IdleFact::Kind::kEnd;
            const bool isCause = fact.kind == IdleFact::Kind::kCause;
            lines << QStringLiteral("%1  %2").arg(
                fact.label, isCause ? fact.exact : cutName(fact.value, kMostToolTipLetters));
            if (!isCause && !isMoment && !fact.exact.isEmpty())
                lines.back() += QStringLiteral(" (%1)").arg(fact.exact);
        }
    }
    if (stretch.begin <= column.begin.value && stretch.end >= column.end.value)
        return lines.join(QLatin1Char('\n'));
    lines << QStringLiteral("In these %1:").arg(durationText(column.duration().value));
    const GpuBusy::Times times = busy.timesIn(column.begin.value, column.end.value);
    for (std::size_t part = 0; part < times.size(); ++part) {
        if (times[part] > 0)
            lines << QStringLiteral("%1  %2").arg(
                gpuPartName(static_cast<GpuBusy::Part>(part)),
                QString::fromStdString(
                    formatPercent(static_cast<double>(times[part]) /
                                  static_cast<double>(std::max<std::int64_t>(1, column.duration().value)))));
    }
    return lines.join(QLatin1Char('\n'));
}

QString stripText(const TimelineTrack& track, const ColumnStack& stack, Nanoseconds column) {
    const auto percent = [](float share) {
        return QString::fromStdString(formatPercent(static_cast<double>(share)));
    };
    QStringList lines{titleOf(track)};
    lines << QStringLiteral("Busy %1 of these %2")
                 .arg(percent(std::accumulate(stack.share.begin(), stack.share.end(), 0.0F)),
                      durationText(column.value));
    const bool families = colorsOf(track.kind).count == kOpFamilyCount;
    for (std::size_t family = 0; families && family < kOpFamilyCount; ++family) {
        if (stack.share[family] > 0)
            lines << QStringLiteral("%1  %2").arg(familyName(static_cast<OpFamily>(family)),
                                                  percent(stack.share[family]));
    }
    lines << QObject::tr("Click to expand: %1 levels").arg(track.laneCount);
    return lines.join(QLatin1Char('\n'));
}

QString rangeText(TimeRange range, const RangeActivity& activity) {
    const auto count = [](std::uint64_t n) {
        return QString::fromStdString(formatGrouped(static_cast<std::int64_t>(n)));
    };
    const auto bytes = [](std::int64_t n) { return QString::fromStdString(formatBytes(Bytes(n))); };
    const auto share = [&](Nanoseconds busy) {
        return QString::fromStdString(
            formatPercent(static_cast<double>(busy.value) /
                          static_cast<double>(std::max<std::int64_t>(1, range.duration().value))));
    };
    QStringList lines{QStringLiteral("Range  ") + exactDuration(range.duration().value)};
    if (activity.hasGpu) {
        lines << QStringLiteral("GPU busy  ") + share(activity.gpuBusy);
        lines << QStringLiteral("Kernels  ") + count(activity.kernels);
        std::int64_t copied = 0;
        for (const std::int64_t ofKind : activity.copiedBytes)
            copied = wrappingAdd(copied, ofKind);
        if (activity.copies > 0)
            lines << QStringLiteral("Copied  %1, copies: %2").arg(bytes(copied), count(activity.copies));
        if (activity.fills > 0)
            lines << QStringLiteral("Filled  %1, fills: %2")
                         .arg(bytes(activity.filledBytes), count(activity.fills));
    }
    lines << QStringLiteral("Ops  ") + count(activity.ops);
    lines << QStringLiteral("In ops  ") + share(activity.hostBusy);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace warpglass::ui
