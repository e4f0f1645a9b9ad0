#include "ui/models/matches_model.h"

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/op_family.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return MatchesModel::tr(text); };
    using FirstSort = TableModel::FirstSort;
    return {{tr("Name"), {}, {}, false, 260},
            {tr("Kind"), {}, tr("What kind of row of the timeline it is in"), false, 72},
            {tr("Start"), tr("Start (ns)"), tr("When, since recording began"), true, 84, FirstSort::kLeast},
            {tr("Duration"), tr("Duration (ns)"), {}, true, 84},
            {tr("Step"), {}, tr("Steps count from 0; – is outside any"), true, 52, FirstSort::kLeast},
            {tr("Where"), {}, tr("Phase and module"), false, 180}};
}

QString kindName(TrackKind kind) {
    switch (kind) {
        case TrackKind::kStep:
            return MatchesModel::tr("step");
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
            return MatchesModel::tr("phase");
        case TrackKind::kModule:
            return MatchesModel::tr("module");
        case TrackKind::kCpuThread:
            return MatchesModel::tr("op");
        case TrackKind::kApiThread:
            return MatchesModel::tr("call");
        case TrackKind::kGpuStream:
            return MatchesModel::tr("kernel");
        case TrackKind::kGpuCopies:
            return MatchesModel::tr("copy");
        case TrackKind::kGpuSync:
            return MatchesModel::tr("wait");
        case TrackKind::kProfiler:
            return MatchesModel::tr("profiler");
    }
    return {};
}

}  // namespace

MatchesModel::MatchesModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void MatchesModel::setMatches(std::shared_ptr<const Snapshot> snapshot, std::vector<SearchMatch> matches) {
    m_snapshot = std::move(snapshot);
    replaceRows(std::move(matches));
}

int MatchesModel::rowOf(SpanPosition position) const {
    for (int i = 0; i < rowCount(); ++i) {
        if (rowAt(i).at == position)
            return i;
    }
    return -1;
}

QString MatchesModel::text(std::size_t i, int column) const {
    const SearchMatch& m = row(i);
    switch (column) {
        case kKind:
            return kindName(m.kind);
        case kStart:
            return toQString(formatMoment(Nanoseconds(m.start)));
        case kDuration:
            return toQString(formatDuration(Nanoseconds(m.duration)));
        case kStep:
            return m.step == kNoStep ? QStringLiteral("–") : QString::number(m.step);
        case kWhere: {
            const Place place = m_snapshot->place(m.place);
            QString where = place.phase == Phase::kNone ? QString() : toQString(phaseName(place.phase));
            for (const NameId part : {place.module, place.part}) {
                if (part.valid() && part != m.name)
                    where += (where.isEmpty() ? QString() : QStringLiteral(" · ")) +
                             toQString(m_snapshot->name(part));
            }
            return where.isEmpty() ? QStringLiteral("–") : where;
        }
        default:
            return toQString(m_snapshot->name(m.name));
    }
}

QString MatchesModel::exactText(std::size_t i, int column) const {
    const SearchMatch& m = row(i);
    if (column == kStart || column == kDuration)
        return tr("%1 ns").arg(toQString(formatGrouped(column == kStart ? m.start : m.duration)));
    return text(i, column);
}

QVariant MatchesModel::plainValue(std::size_t i, int column) const {
    const SearchMatch& m = row(i);
    switch (column) {
        case kStart:
            return static_cast<qlonglong>(m.start);
        case kDuration:
            return static_cast<qlonglong>(m.duration);
        case kStep:
            return m.step;
        default:
            return text(i, column);
    }
}

QVariant MatchesModel::swatch(std::size_t i, int column) const {
    const SearchMatch& m = row(i);
    if (column != kName)
        return {};
    const Phase phase = m_snapshot->place(m.place).phase;
    if (m.kind == TrackKind::kCpuThread || m.kind == TrackKind::kGpuStream)
        return QVariant::fromValue(
            Swatch{Swatch::kFamily, static_cast<std::uint8_t>(opFamily(m_snapshot->name(m.name), phase))});
    return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(phase)});
}

bool MatchesModel::isMono(int column) const {
    return column == kName;
}

}  // namespace warpglass::ui
