#include "ui/models/steps_model.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return StepsModel::tr(text); };
    using FirstSort = TableModel::FirstSort;
    std::vector<TableModel::Column> all = {
        {tr("Step"), {}, tr("Steps count from 0, warm-up steps first"), true, 52, FirstSort::kLeast},
        {tr("Kind"), {}, tr("A warm-up step and one that was cut off count in no mean"), false, 84},
        {tr("Duration"), tr("Duration (ns)"), tr("From the step's beginning to its end, on the CPU"), true,
         132},
        {tr("Peak memory"), tr("Peak memory (bytes)"), tr("The most memory while it ran"), true, 96}};
    for (const Phase phase : StepsModel::kPhaseColumns) {
        const QString name = toQString(phaseName(phase));
        all.push_back({name, name + tr(" (ns)"), tr("Time in the phase %1").arg(name), true, 84});
    }
    all.push_back(
        {tr("Others' cores"), tr("Cores used by others"),
         tr("Cores that other programs kept busy on this machine while the step ran, on average. Sampled "
            "about ten times a second"),
         true, 96});
    all.push_back({tr("Waited"), tr("Waited for a core (share)"),
                   tr("Share of the step's time in which the run's thread was ready to run and had no core"),
                   true, 72});
    all.push_back({tr("SM clock"), tr("SM clock (MHz)"), tr("The GPU's clock while the step ran, on average"),
                   true, 84});
    return all;
}

/// What held the GPU's clock down.
std::uint64_t heldDownBy(const StepRow& row) {
    return holdingDown(row.conditions.clockReasons.value_or(0));
}

}  // namespace

StepsModel::StepsModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void StepsModel::setRows(std::vector<StepRow> rows, bool peaksAreLeast) {
    m_peaksAreLeast = peaksAreLeast;
    m_longest = Nanoseconds();
    for (const StepRow& row : rows)
        m_longest = std::max(m_longest, row.range.duration());
    replaceRows(std::move(rows));
}

bool StepsModel::hasPhase(Phase phase) const {
    for (int i = 0; i < rowCount(); ++i) {
        if (rowAt(i).phases[static_cast<std::size_t>(phase)])
            return true;
    }
    return false;
}

std::optional<Nanoseconds> StepsModel::timeOf(std::size_t i, int column) const {
    if (column == kDuration)
        return row(i).range.duration();
    if (column < kFirstPhase || column >= kOthersCores)
        return std::nullopt;
    return row(i)
        .phases[static_cast<std::size_t>(kPhaseColumns[static_cast<std::size_t>(column - kFirstPhase)])];
}

bool StepsModel::hasCondition(Column column) const {
    for (int i = 0; i < rowCount(); ++i) {
        if (conditionOf(static_cast<std::size_t>(i), column))
            return true;
    }
    return false;
}

std::optional<double> StepsModel::conditionOf(std::size_t i, int column) const {
    const Conditions& conditions = row(i).conditions;
    return column == kOthersCores ? conditions.othersCores
           : column == kWaited    ? conditions.waitedShare
           : column == kSmClock   ? conditions.smClock
                                  : std::nullopt;
}

QString StepsModel::text(std::size_t i, int column) const {
    const StepRow& r = row(i);
    switch (column) {
        case kStep:
            return QString::number(r.step);
        case kState:
            return r.state == StepState::kWarmup   ? tr("warm-up")
                   : r.state == StepState::kCutOff ? tr("cut off")
                                                   : tr("measured");
        case kPeak:
            return r.peak ? leastMark(m_peaksAreLeast) + toQString(formatBytes(*r.peak))
                          : QStringLiteral("–");
        case kOthersCores:
        case kWaited:
        case kSmClock: {
            const auto condition = conditionOf(i, column);
            if (!condition)
                return QStringLiteral("–");
            return column == kOthersCores ? QString::number(*condition, 'f', 1)
                   : column == kWaited    ? toQString(formatPercent(*condition))
                                       : tr("%1 MHz").arg(toQString(formatGrouped(std::llround(*condition))));
        }
        default: {
            const auto time = timeOf(i, column);
            return time ? toQString(formatDuration(*time)) : QStringLiteral("–");
        }
    }
}

QString StepsModel::exactText(std::size_t i, int column) const {
    if (const auto time = timeOf(i, column))
        return tr("%1 ns").arg(toQString(formatGrouped(time->value)));
    if (column == kPeak && row(i).peak)
        return leastMark(m_peaksAreLeast) + toQString(formatBytesExact(*row(i).peak));
    if (column == kSmClock && heldDownBy(row(i)) != 0)
        return tr("%1, held down by: %2")
            .arg(text(i, column), toQString(clockReasonsInWords(heldDownBy(row(i)))));
    return text(i, column);
}

QVariant StepsModel::plainValue(std::size_t i, int column) const {
    const StepRow& r = row(i);
    if (column == kStep)
        return r.step;
    if (column == kState)
        return text(i, column);
    if (column == kPeak)
        return r.peak ? QVariant(static_cast<qlonglong>(r.peak->value)) : QVariant(QString());
    if (column >= kOthersCores) {
        const auto condition = conditionOf(i, column);
        return condition ? QVariant(*condition) : QVariant(QString());
    }
    const auto time = timeOf(i, column);
    return time ? QVariant(static_cast<qlonglong>(time->value)) : QVariant(QString());
}

QVariant StepsModel::shareBar(std::size_t i, int column) const {
    if (column != kDuration || m_longest.value <= 0)
        return {};
    return QVariant::fromValue(ShareBar{
        static_cast<double>(row(i).range.duration().value) / static_cast<double>(m_longest.value), {}});
}

}  // namespace warpglass::ui
