#include "ui/compare/comparison_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "engine/base/format.h"
#include "ui/compare/comparison_text.h"

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

const ComparisonRow kNothing;

QString figure(double value, ComparisonModel::Unit unit) {
    if (unit == ComparisonModel::Unit::kNanoseconds && value != std::round(value) &&
        std::abs(value) < kFewNanoseconds)
        return QStringLiteral("%1\u202Fns").arg(value, 0, 'f', std::abs(value) < 1 ? 3 : 1);
    const auto whole = std::llround(value);
    return toQString(unit == ComparisonModel::Unit::kBytes ? formatBytes(Bytes(whole))
                                                           : formatDuration(Nanoseconds(whole)));
}

/// Before what is at least, or at most, because one of them ended too early.
QString boundText(const ComparisonRow& r) {
    return r.atLeastA == r.atLeastB ? QString() : r.atLeastB ? QStringLiteral("≥ ") : QStringLiteral("≤ ");
}

QString differenceText(const ComparisonRow& r, ComparisonModel::Unit unit) {
    if (r.isUnknown() || (!r.inA && !r.inB))
        return QStringLiteral("–");
    return boundText(r) +
           (r.difference() > 0   ? QStringLiteral("+")
            : r.difference() < 0 ? QStringLiteral("−")
                                 : QString()) +
           figure(std::abs(r.difference()), unit);
}

QString ratioText(const ComparisonRow& r, bool completeSteps) {
    if (!r.inA && !r.inB)
        return QStringLiteral("–");
    if (r.isUnknown())
        return stepsLost(r)    ? ComparisonModel::tr("not in file")
               : completeSteps ? ComparisonModel::tr("no complete step")
                               : ComparisonModel::tr("not reached");
    if (r.a == 0 && r.b == 0)
        return QStringLiteral("–");
    if (!r.inA || r.a == 0)
        return ComparisonModel::tr("new");
    if (!r.inB)
        return ComparisonModel::tr("gone");
    return boundText(r) + timesText(r.ratio());
}

/// As the ratio reads: from what is gone to what is new, and under them what has none.
double sortedRatio(const ComparisonRow& r) {
    if (r.isUnknown() || (r.a == 0 && r.b == 0))
        return -1;
    return r.a == 0 ? std::numeric_limits<double>::infinity() : r.ratio();
}

QString whyUnknown(const ComparisonRow& r, bool completeSteps) {
    if (recordsLost(r))
        return ComparisonModel::tr(
                   "Records of this are missing from the file of %1: what it took in all is not known")
            .arg(!r.recordsLostB   ? ComparisonModel::tr("A")
                 : !r.recordsLostA ? ComparisonModel::tr("B")
                                   : ComparisonModel::tr("A and that of B"));
    return (stepsLost(r)
                ? ComparisonModel::tr("%1 has no complete step in the file: what it took is not known")
            : completeSteps
                ? ComparisonModel::tr("%1 has no complete step: what it ran of one is not comparable")
                : ComparisonModel::tr("%1 ended before it: what it would have taken is not known"))
        .arg(r.inA ? ComparisonModel::tr("B") : ComparisonModel::tr("A"));
}

template <class Names>
int placeIn(const Names& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

ComparisonModel::ComparisonModel(QObject* parent)
    : KeyedTableModel(
          {{tr("Name"), {}, {}, false, 120},
           {tr("A"), {}, tr("Run A, of the steps named above the table"), true, 80},
           {tr("B"), {}, tr("Run B, of the steps named above the table"), true, 80},
           {tr("Difference"), {}, tr("B less A: − where B takes less, + where it takes more"), true, 100},
           {tr("Ratio"), {}, tr("B over A; ≥ and ≤ of a run that ended too early"), true, 120},
           {tr("Memory A"), {}, tr("Run A, in bytes"), true, 88},
           {tr("Memory B"), {}, tr("Run B, in bytes"), true, 88},
           {tr("Memory difference"), {}, tr("B's bytes less A's"), true, 132},
           {tr("Memory ratio"), {}, tr("B's bytes over A's"), true, 104}},
          parent) {}

void ComparisonModel::setRows(const std::vector<ComparisonRow>& rows, Unit unit, bool code, int swatches,
                              bool completeSteps, const std::vector<ComparisonRow>& memory) {
    clear();  // rows of another kind keep nothing of these
    m_unit = unit;
    m_code = code;
    m_swatches = swatches;
    m_completeSteps = completeSteps;
    std::unordered_map<std::string, std::size_t> places;
    std::vector<ComparedRow> joined;
    joined.reserve(rows.size() + memory.size());
    for (const ComparisonRow& row : rows) {
        places.emplace(row.name, joined.size());
        joined.push_back({row, std::nullopt});
    }
    for (const ComparisonRow& row : memory) {
        const auto [place, isNew] = places.emplace(row.name, joined.size());
        if (isNew) {
            joined.emplace_back();
            joined.back().name = row.name;
        }
        joined[place->second].memory = row;
    }
    replaceRows(std::move(joined));
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

ComparisonModel::Cell ComparisonModel::cell(std::size_t i, int column) const {
    const ComparedRow& r = row(i);
    if (column < kMemoryA)
        return {&r, m_unit, column, m_completeSteps};
    return {r.memory ? &*r.memory : &kNothing, Unit::kBytes, column - kMemoryA + kA, false};
}

void ComparisonModel::setNameTitle(const QString& title) {
    if (title == m_nameTitle)
        return;
    m_nameTitle = title;
    emit headerDataChanged(Qt::Horizontal, kName, kName);
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section == kName && orientation == Qt::Horizontal && role == Qt::DisplayRole &&
        !m_nameTitle.isEmpty())
        return m_nameTitle;
    const QVariant title = KeyedTableModel::headerData(section, orientation, role);
    if (role == Qt::ToolTipRole && section >= kMemoryA && !m_memoryWords.isEmpty())
        return QStringLiteral("%1: %2").arg(title.toString(), m_memoryWords);
    const bool figures = section != kName && section != kRatio && section != kMemoryRatio;
    if (role != kPlainTitleRole || !figures || !title.isValid())
        return title;
    const bool bytes = section >= kMemoryA || m_unit == Unit::kBytes;
    return QStringLiteral("%1 (%2)").arg(title.toString(), bytes ? tr("bytes") : tr("ns"));
}

QString ComparisonModel::text(std::size_t i, int column) const {
    const Cell at = cell(i, column);
    const ComparisonRow& r = *at.row;
    switch (at.column) {
        case kA:
            return r.inA ? figure(r.a, at.unit) : QStringLiteral("–");
        case kB:
            return r.inB ? figure(r.b, at.unit) : QStringLiteral("–");
        case kDifference:
            return differenceText(r, at.unit);
        case kRatio:
            return ratioText(r, at.completeSteps);
        default:
            return toQString(r.name);
    }
}

QString ComparisonModel::exactText(std::size_t i, int column) const {
    const Cell at = cell(i, column);
    const ComparisonRow& r = *at.row;
    if ((at.column == kDifference || at.column == kRatio) && r.isUnknown())
        return whyUnknown(r, at.completeSteps);
    const bool absent = at.column == kA ? !r.inA : at.column == kB ? !r.inB : !r.inA && !r.inB;
    if (column != kName && column < kMemoryA && !r.inA && !r.inB && row(i).memory)
        return tr("Neither run has time of this in these steps: it has memory alone");
    if (at.column == kName || at.column == kRatio || absent)
        return text(i, column);
    const double value = at.column == kA ? r.a : at.column == kB ? r.b : r.difference();
    const bool parts =
        at.unit == Unit::kNanoseconds && value != std::round(value) && std::abs(value) < kFewNanoseconds;
    return tr("%1 %2").arg(
        parts ? QString::number(value, 'f', 3) : toQString(formatGrouped(std::llround(value))),
        at.unit == Unit::kBytes ? tr("bytes") : tr("ns"));
}

/// Nothing where there is none: a copied 0 would be a figure.
QVariant ComparisonModel::plainValue(std::size_t i, int column) const {
    const Cell at = cell(i, column);
    const ComparisonRow& r = *at.row;
    switch (at.column) {
        case kA:
            return r.inA ? QVariant(r.a) : QVariant();
        case kB:
            return r.inB ? QVariant(r.b) : QVariant();
        case kDifference:
            return (r.inA || r.inB) && !r.isUnknown() ? QVariant(r.difference()) : QVariant();
        case kRatio:
            return r.inA && r.inB && r.a != 0 && !r.isUnknown() ? QVariant(r.ratio()) : QVariant();
        default:
            return toQString(r.name);
    }
}

QVariant ComparisonModel::sortValue(std::size_t i, int column) const {
    const Cell at = cell(i, column);
    switch (at.column) {
        case kName:
            // In the order of the query where that has one (phases, categories).
            return m_swatches >= 0 ? QVariant(ordinal(i)) : QVariant(toQString(row(i).name));
        case kDifference:
            // The largest changes first, whichever way.
            return std::abs(at.row->difference());
        case kRatio:
            return sortedRatio(*at.row);
        default:
            return at.column == kA ? at.row->a : at.row->b;
    }
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
    const Cell at = cell(i, column);
    const ComparisonRow& r = *at.row;
    if ((at.column != kDifference && at.column != kRatio) || !r.isDecided())
        return 0;
    if (std::abs(r.difference()) <= kAlike * std::max(std::abs(r.a), std::abs(r.b)))
        return 0;
    return r.difference() < 0 ? -1 : 1;
}

bool ComparisonModel::isMono(int column) const {
    return m_code && column == kName;
}

}  // namespace warpglass::ui
