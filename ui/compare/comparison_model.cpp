#include "ui/compare/comparison_model.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"

namespace warpglass::ui {

namespace {

bool recordsLost(const ComparisonRow& r) {
    return r.recordsLostA || r.recordsLostB;
}

/// Of an unknown row: the run that lacks it has no step in its file, though it did not end early, or lacks
/// records of it.
bool stepsLost(const ComparisonRow& r) {
    return recordsLost(r) || (r.inA ? r.stepsLostB : r.stepsLostA);
}

/// Closer than this two measurements say the same.
constexpr double kAlike = 0.01;
/// Of a token a kernel may take less than the nanoseconds that durations are whole in: below this their parts
/// are shown.
constexpr double kFewNanoseconds = 100;

template <class Names>
int placeIn(const Names& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

ComparisonModel::ComparisonModel(QObject* parent)
    : KeyedTableModel(
          {{tr("Name"), {}, {}, false, 0},
           {tr("A"), {}, tr("Run A, of the steps named above the table"), true, 96},
           {tr("B"), {}, tr("Run B, of the steps named above the table"), true, 96},
           {tr("Difference"), {}, tr("B less A: − where B takes less, + where it takes more"), true, 104},
           {tr("Ratio"), {}, tr("B over A; ≥ and ≤ of a run that ended too early"), true, 92}},
          parent) {}

void ComparisonModel::setRows(std::vector<ComparisonRow> rows, Unit unit, bool code, int swatches,
                              bool completeSteps) {
    clear();  // rows of another kind keep nothing of these
    m_unit = unit;
    m_code = code;
    m_swatches = swatches;
    m_completeSteps = completeSteps;
    replaceRows(std::move(rows));
}

QString ComparisonModel::figure(double value) const {
    if (m_unit == Unit::kNanoseconds && value != std::round(value) && std::abs(value) < kFewNanoseconds)
        return QStringLiteral("%1\u202Fns").arg(value, 0, 'f', std::abs(value) < 1 ? 3 : 1);
    const auto whole = std::llround(value);
    return toQString(m_unit == Unit::kBytes ? formatBytes(Bytes(whole)) : formatDuration(Nanoseconds(whole)));
}

QString ComparisonModel::text(std::size_t i, int column) const {
    const ComparisonRow& r = row(i);
    switch (column) {
        case kA:
            return r.inA ? figure(r.a) : QStringLiteral("–");
        case kB:
            return r.inB ? figure(r.b) : QStringLiteral("–");
        case kDifference:
            if (r.isUnknown())
                return QStringLiteral("–");
            return (r.difference() > 0   ? QStringLiteral("+")
                    : r.difference() < 0 ? QStringLiteral("−")
                                         : QString()) +
                   figure(std::abs(r.difference()));
        case kRatio:
            if (!r.inA && !r.inB)
                return QStringLiteral("–");
            if (r.isUnknown())
                return stepsLost(r)      ? tr("not in file")
                       : m_completeSteps ? tr("no complete step")
                                         : tr("not reached");
            if (!r.inA || r.a == 0)
                return tr("new");
            if (!r.inB)
                return tr("gone");
            return (r.atLeastA == r.atLeastB ? QString()
                    : r.atLeastB             ? QStringLiteral("≥ ")
                                             : QStringLiteral("≤ ")) +
                   QStringLiteral("%1 ×").arg(r.ratio(), 0, 'f', r.ratio() >= 10 ? 1 : 2);
        default:
            return toQString(r.name);
    }
}

QString ComparisonModel::whyUnknown(const ComparisonRow& r) const {
    if (recordsLost(r))
        return tr("Records of this are missing from the file of %1: what it took in all is not known")
            .arg(!r.recordsLostB   ? tr("A")
                 : !r.recordsLostA ? tr("B")
                                   : tr("A and that of B"));
    return (stepsLost(r)      ? tr("%1 has no complete step in the file: what it took is not known")
            : m_completeSteps ? tr("%1 has no complete step: what it ran of one is not comparable")
                              : tr("%1 ended before it: what it would have taken is not known"))
        .arg(r.inA ? tr("B") : tr("A"));
}

QString ComparisonModel::exactText(std::size_t i, int column) const {
    const ComparisonRow& r = row(i);
    if ((column == kDifference || column == kRatio) && r.isUnknown())
        return whyUnknown(r);
    const bool absent = column == kA ? !r.inA : column == kB ? !r.inB : false;
    if (column == kName || column == kRatio || absent)
        return text(i, column);
    const double value = plainValue(i, column).toDouble();
    const bool parts =
        m_unit == Unit::kNanoseconds && value != std::round(value) && std::abs(value) < kFewNanoseconds;
    return tr("%1 %2").arg(
        parts ? QString::number(value, 'f', 3) : toQString(formatGrouped(std::llround(value))),
        m_unit == Unit::kBytes ? tr("bytes") : tr("ns"));
}

QVariant ComparisonModel::plainValue(std::size_t i, int column) const {
    const ComparisonRow& r = row(i);
    switch (column) {
        case kA:
            return r.a;
        case kB:
            return r.b;
        case kDifference:
            return r.difference();
        case kRatio:
            return r.ratio();
        default:
            return toQString(r.name);
    }
}

QVariant ComparisonModel::sortValue(std::size_t i, int column) const {
    // By name: in the order of the query where that has one (phases, categories).
    if (column == kName && m_swatches >= 0)
        return ordinal(i);
    // The largest changes first, whichever way.
    return column == kDifference ? QVariant(std::abs(row(i).difference())) : plainValue(i, column);
}

QVariant ComparisonModel::swatch(std::size_t i, int column) const {
    if (column != kName || m_swatches < 0)
        return {};
    const bool categories = m_swatches == Swatch::kCategory;
    const int place = categories ? placeIn(kCategoryNames, row(i).name) : placeIn(kPhaseNames, row(i).name);
    if (place < 0)
        return {};
    return QVariant::fromValue(
        Swatch{static_cast<Swatch::Kind>(m_swatches), static_cast<std::uint8_t>(place)});
}

int ComparisonModel::trend(std::size_t i, int column) const {
    const ComparisonRow& r = row(i);
    if ((column != kDifference && column != kRatio) || !r.isDecided())
        return 0;
    if (std::abs(r.difference()) <= kAlike * std::max(std::abs(r.a), std::abs(r.b)))
        return 0;
    return r.difference() < 0 ? -1 : 1;
}

bool ComparisonModel::isMono(int column) const {
    return m_code && column == kName;
}

}  // namespace warpglass::ui
