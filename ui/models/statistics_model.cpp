#include "ui/models/statistics_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/format.h"
#include "ui/models/duration_columns.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return StatisticsModel::tr(text); };
    using FirstSort = TableModel::FirstSort;
    return {
        {tr("Phase"), tr("Name"), {}, false, 148},
        {tr("Mean"), tr("Avg (ns)"), tr("Mean duration"), true, 76},
        {tr("± Std"), tr("StdDev (ns)"), tr("Sample standard deviation (n − 1)"), true, 76},
        {tr("Med"), tr("Med (ns)"), tr("Median duration"), true, 76},
        {tr("Min"), tr("Min (ns)"), tr("Shortest"), true, 76},
        {tr("Max"), tr("Max (ns)"), tr("Longest"), true, 76},
        {tr("Total time"), tr("Total time (ns)"), tr("Sum of all instances, nested work included"), true, 84},
        {tr("Instances"), {}, tr("How often it ran"), true, 80},
        {tr("Peak memory"), tr("Peak memory (bytes)"), tr("The most memory while it ran"), true, 104},
        {tr("Share"), {}, tr("Share of the steps' time"), false, 0, FirstSort::kMost}};
}

}  // namespace

StatisticsModel::StatisticsModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

bool StatisticsModel::isOutsideSteps(const StatisticsRow& row) {
    return row.name == phaseName(Phase::kSetup) || row.name == phaseName(Phase::kTeardown);
}

bool StatisticsModel::isStep(const StatisticsRow& row) {
    return row.name == "step";
}

void StatisticsModel::setRows(std::vector<StatisticsRow> rows, Peaks peaks, bool peaksAreLeast) {
    m_peaks = std::move(peaks);
    m_peaksAreLeast = peaksAreLeast;
    m_largestTimeShare = 0;
    for (const StatisticsRow& r : rows)
        m_largestTimeShare = std::max(m_largestTimeShare, r.timeShare);
    replaceRows(std::move(rows));
}

std::optional<std::int64_t> StatisticsModel::peakOf(std::size_t i) const {
    const auto found = m_peaks.find(row(i).name);
    return found == m_peaks.end() ? std::nullopt : std::optional(found->second);
}

QString StatisticsModel::text(std::size_t i, int column) const {
    const StatisticsRow& r = row(i);
    if (const auto ns = durationIn<StatisticsModel>(column, r)) {
        if (std::isnan(*ns))
            return QStringLiteral("–");
        return toQString(formatDuration(Nanoseconds(std::llround(*ns))));
    }
    switch (column) {
        case kTimeShare:
            return isOutsideSteps(r) ? tr("once, outside the steps") : toQString(formatPercent(r.timeShare));
        case kInstances:
            return toQString(formatGrouped(r.instances));
        case kPeak:
            return peakOf(i) ? leastMark(m_peaksAreLeast) + toQString(formatBytes(Bytes(*peakOf(i))))
                             : QStringLiteral("–");
        default:
            return toQString(r.name);
    }
}

QString StatisticsModel::exactText(std::size_t i, int column) const {
    const StatisticsRow& r = row(i);
    if (const auto ns = durationIn<StatisticsModel>(column, r); ns && !std::isnan(*ns))
        return tr("%1 ns").arg(toQString(formatGrouped(std::llround(*ns))));
    if (column == kPeak && peakOf(i))
        return leastMark(m_peaksAreLeast) + toQString(formatBytesExact(Bytes(*peakOf(i))));
    if (column == kTimeShare && !isOutsideSteps(r))
        return tr("%1 %").arg(100 * r.timeShare, 0, 'f', 3);
    return text(i, column);
}

QVariant StatisticsModel::plainValue(std::size_t i, int column) const {
    const StatisticsRow& r = row(i);
    if (const auto ns = durationIn<StatisticsModel>(column, r))
        return std::isnan(*ns) ? QVariant(QString()) : plainDuration<StatisticsModel>(column, *ns);
    switch (column) {
        case kTimeShare:
            return isOutsideSteps(r) ? QVariant(QString()) : QVariant(r.timeShare);
        case kInstances:
            return static_cast<qlonglong>(r.instances);
        case kPeak:
            return peakOf(i) ? QVariant(static_cast<qlonglong>(*peakOf(i))) : QVariant(QString());
        default:
            return toQString(r.name);
    }
}

QVariant StatisticsModel::sortValue(std::size_t i, int column) const {
    // Phases sort in the order of a step, not of the alphabet, and what they add up to comes last;
    // under it what no step has.
    if (column == kName)
        return isOutsideSteps(row(i)) ? rowCount() + 1 + ordinal(i)
               : isStep(row(i))       ? rowCount()
                                      : ordinal(i);
    if (column == kTimeShare)
        return row(i).timeShare;
    return plainValue(i, column);
}

QVariant StatisticsModel::swatch(std::size_t i, int column) const {
    if (column == kName) {
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            if (kPhaseNames[p] == row(i).name)
                return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(p)});
        }
        return QVariant::fromValue(Swatch{Swatch::kPhase, 0});  // so that "step" lines up with the phases
    }
    return {};
}

QVariant StatisticsModel::shareBar(std::size_t i, int column) const {
    if (column == kTimeShare && m_largestTimeShare > 0 && !isOutsideSteps(row(i)))
        return QVariant::fromValue(ShareBar{row(i).timeShare / m_largestTimeShare, {}});
    return {};
}

}  // namespace warpglass::ui
