#include "ui/models/statistics_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "engine/base/format.h"

namespace warpglass::ui {

namespace {

using Column = StatisticsModel::Column;

constexpr Column kOpColumns[] = {Column::kFamily,
                                 Column::kSelfShare,
                                 Column::kSelf,
                                 Column::kTimeShare,
                                 Column::kTotal,
                                 Column::kInstances,
                                 Column::kAverage,
                                 Column::kMedian,
                                 Column::kMin,
                                 Column::kMax,
                                 Column::kStandardDeviation,
                                 Column::kName};
constexpr Column kPhaseColumns[] = {
    Column::kName, Column::kAverage, Column::kStandardDeviation, Column::kMedian, Column::kMin,
    Column::kMax,  Column::kTotal,   Column::kInstances,         Column::kPeak,   Column::kTimeShare};

std::span<const Column> columnsOf(StatisticsModel::Kind kind) {
    if (kind == StatisticsModel::Kind::kOps)
        return kOpColumns;
    return kPhaseColumns;
}

TableModel::Column describe(Column column, StatisticsModel::Kind kind) {
    const auto tr = [](const char* text) { return StatisticsModel::tr(text); };
    const bool ops = kind == StatisticsModel::Kind::kOps;
    switch (column) {
        case Column::kFamily:
            return {tr("Family"), {}, tr("What kind of work it is"), false, 112};
        case Column::kSelfShare:
            return {tr("Self %"), tr("Self share"), tr("Share of all self time; these add up to 100 %"), true,
                    104};
        case Column::kSelf:
            return {tr("Self"), tr("Self (ns)"), tr("Time not spent in nested ops"), true, 76};
        case Column::kTimeShare:
            if (!ops)
                return {tr("Share"), {}, tr("Share of all time"), false, 0};
            return {tr("Time %"), tr("Time share"),
                    tr("Share of the sum of all total times, as nsys has it; nested ops count in their "
                       "parents too"),
                    true, 72};
        case Column::kPeak:
            return {tr("Peak Memory"), tr("Peak Memory (bytes)"), tr("The most memory while it ran"), true,
                    104};
        case Column::kTotal:
            return {tr("Total Time"), tr("Total Time (ns)"), tr("Sum of all instances, nested work included"),
                    true, 84};
        case Column::kInstances:
            return {tr("Instances"), {}, tr("How often it ran"), true, 80};
        case Column::kAverage:
            return {ops ? tr("Avg") : tr("Mean"), tr("Avg (ns)"), tr("Mean duration"), true, 76};
        case Column::kMedian:
            return {tr("Med"), tr("Med (ns)"), tr("Median duration"), true, 76};
        case Column::kMin:
            return {tr("Min"), tr("Min (ns)"), tr("Shortest"), true, 76};
        case Column::kMax:
            return {tr("Max"), tr("Max (ns)"), tr("Longest"), true, 76};
        case Column::kStandardDeviation:
            return {ops ? tr("StdDev") : tr("± Std"), tr("StdDev (ns)"),
                    tr("Sample standard deviation (n − 1)"), true, 76};
        case Column::kName:
            return {ops ? tr("Name") : tr("Phase"), tr("Name"), {}, false, ops ? 0 : 148};
    }
    return {};
}

std::vector<TableModel::Column> describeAll(StatisticsModel::Kind kind) {
    std::vector<TableModel::Column> all;
    for (const Column column : columnsOf(kind))
        all.push_back(describe(column, kind));
    return all;
}

/// The column's value in ns, for those that are durations.
std::optional<double> nanoseconds(const StatisticsRow& r, Column column) {
    const auto of = [](Nanoseconds t) { return static_cast<double>(t.value); };
    switch (column) {
        case Column::kSelf:
            return of(r.self);
        case Column::kTotal:
            return of(r.total);
        case Column::kAverage:
            return r.average;
        case Column::kMedian:
            return r.median;
        case Column::kMin:
            return of(r.min);
        case Column::kMax:
            return of(r.max);
        case Column::kStandardDeviation:
            return r.standardDeviation;
        default:
            return std::nullopt;
    }
}

std::string_view familyName(OpFamily family) {
    return kOpFamilyNames[static_cast<std::size_t>(family)];
}

}  // namespace

StatisticsModel::StatisticsModel(Kind kind, QObject* parent)
    : KeyedTableModel(describeAll(kind), parent), m_kind(kind) {}

void StatisticsModel::setRows(std::vector<StatisticsRow> rows, Peaks peaks) {
    m_peaks = std::move(peaks);
    m_largestSelfShare = m_largestTimeShare = 0;
    for (const StatisticsRow& r : rows) {
        m_largestSelfShare = std::max(m_largestSelfShare, r.selfShare);
        m_largestTimeShare = std::max(m_largestTimeShare, r.timeShare);
    }
    replaceRows(std::move(rows));
}

std::optional<std::int64_t> StatisticsModel::peakOf(std::size_t i) const {
    const auto found = m_peaks.find(row(i).name);
    return found == m_peaks.end() ? std::nullopt : std::optional(found->second);
}

StatisticsModel::Column StatisticsModel::columnAt(int position) const {
    return columnsOf(m_kind)[static_cast<std::size_t>(position)];
}

int StatisticsModel::position(Column column) const {
    const auto columns = columnsOf(m_kind);
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

QString StatisticsModel::text(std::size_t i, int position) const {
    const StatisticsRow& r = row(i);
    const Column column = columnAt(position);
    if (const auto ns = nanoseconds(r, column)) {
        if (column == kStandardDeviation && r.instances < 2)
            return QStringLiteral("–");
        return toQString(formatDuration(Nanoseconds(std::llround(*ns))));
    }
    switch (column) {
        case kFamily:
            return toQString(familyName(r.family));
        case kSelfShare:
            return toQString(formatPercent(r.selfShare));
        case kTimeShare:
            return toQString(formatPercent(r.timeShare));
        case kInstances:
            return toQString(formatGrouped(r.instances));
        case kPeak:
            return peakOf(i) ? toQString(formatBytes(Bytes(*peakOf(i)))) : QStringLiteral("–");
        default:
            return toQString(r.name);
    }
}

QString StatisticsModel::exactText(std::size_t i, int position) const {
    const StatisticsRow& r = row(i);
    const Column column = columnAt(position);
    if (const auto ns = nanoseconds(r, column))
        return tr("%1 ns").arg(toQString(formatGrouped(std::llround(*ns))));
    if (column == kPeak && peakOf(i))
        return toQString(formatBytesExact(Bytes(*peakOf(i))));
    if (column == kSelfShare || column == kTimeShare)
        return tr("%1 %").arg(100 * (column == kSelfShare ? r.selfShare : r.timeShare), 0, 'f', 3);
    return text(i, position);
}

QVariant StatisticsModel::plainValue(std::size_t i, int position) const {
    const StatisticsRow& r = row(i);
    const Column column = columnAt(position);
    if (const auto ns = nanoseconds(r, column)) {
        // Whole nanoseconds are whole in a copied table, not 1e+09.
        const bool whole = column != kAverage && column != kMedian && column != kStandardDeviation;
        return whole ? QVariant(static_cast<qlonglong>(*ns)) : QVariant(*ns);
    }
    switch (column) {
        case kFamily:
            return toQString(familyName(r.family));
        case kSelfShare:
            return r.selfShare;
        case kTimeShare:
            return r.timeShare;
        case kInstances:
            return static_cast<qlonglong>(r.instances);
        case kPeak:
            return peakOf(i) ? QVariant(static_cast<qlonglong>(*peakOf(i))) : QVariant(QString());
        default:
            return toQString(r.name);
    }
}

QVariant StatisticsModel::sortValue(std::size_t i, int position) const {
    // Phases sort in the order of a step, not of the alphabet.
    if (m_kind == Kind::kPhases && columnAt(position) == kName)
        return ordinal(i);
    return plainValue(i, position);
}

QVariant StatisticsModel::swatch(std::size_t i, int position) const {
    const Column column = columnAt(position);
    if (column == kFamily)
        return QVariant::fromValue(Swatch{Swatch::kFamily, static_cast<std::uint8_t>(row(i).family)});
    if (m_kind == Kind::kPhases && column == kName) {
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            if (kPhaseNames[p] == row(i).name)
                return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(p)});
        }
        return QVariant::fromValue(Swatch{Swatch::kPhase, 0});  // so that "step" lines up with the phases
    }
    return {};
}

QVariant StatisticsModel::shareBar(std::size_t i, int position) const {
    const Column column = columnAt(position);
    if (column == kSelfShare && m_largestSelfShare > 0)
        return QVariant::fromValue(ShareBar{row(i).selfShare / m_largestSelfShare, {}});
    if (column == kTimeShare && m_kind == Kind::kPhases && m_largestTimeShare > 0)
        return QVariant::fromValue(ShareBar{row(i).timeShare / m_largestTimeShare, {}});
    return {};
}

bool StatisticsModel::isMono(int position) const {
    return m_kind == Kind::kOps && columnAt(position) == kName;
}

}  // namespace warpglass::ui
