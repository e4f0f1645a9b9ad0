#include "ui/charts/phases_model.h"

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return PhasesModel::tr(text); };
    return {{tr("Phase"), {}, tr("In the order in which a step goes through them"), false, 148},
            {tr("Mean"), tr("Mean (ns)"), tr("Over the steps that count"), true, 96},
            {tr("± Std"), tr("StdDev (ns)"), tr("Sample standard deviation (n − 1)"), true, 96},
            {tr("Varies by"), tr("Coefficient of variation"), tr("Standard deviation over mean"), true, 88},
            {tr("Med"), tr("Median (ns)"), tr("Median"), true, 88},
            {tr("Min"), tr("Min (ns)"), tr("Shortest"), true, 88},
            {tr("Max"), tr("Max (ns)"), tr("Longest"), true, 88},
            {tr("Steps"), {}, tr("How many count"), true, 72},
            {tr("First warm-up"), tr("First warm-up (ns)"), tr("The very first one, which loads and chooses"),
             true, 112}};
}

}  // namespace

PhasesModel::PhasesModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

double PhasesModel::value(const PhaseSamples& r, int column) const {
    switch (column) {
        case kMean:
            return r.mean;
        case kDeviation:
            return r.standardDeviation;
        case kVariation:
            return r.variation();
        case kMedian:
            return r.median;
        case kMin:
            return static_cast<double>(r.min.value);
        case kMax:
            return static_cast<double>(r.max.value);
        case kSteps:
            return static_cast<double>(r.counted);
        case kFirst:
            return !r.samples.empty() && r.samples.front().warmup
                       ? static_cast<double>(r.samples.front().duration.value)
                       : 0;
        default:
            return 0;
    }
}

QString PhasesModel::text(std::size_t i, int column) const {
    const PhaseSamples& r = row(i);
    if (column == kPhase)
        return toQString(r.name);
    if (column == kSteps)
        return toQString(formatGrouped(r.counted));
    const bool spread = column == kDeviation || column == kVariation;
    if (r.counted < (spread ? 2 : column == kFirst ? 0 : 1) || (column == kFirst && value(r, column) <= 0))
        return QStringLiteral("–");
    return column == kVariation ? percentText(value(r, column)) : durationText(value(r, column));
}

QString PhasesModel::exactText(std::size_t i, int column) const {
    const QString shown = text(i, column);
    if (column == kPhase || column == kSteps || column == kVariation || shown == QStringLiteral("–"))
        return shown;
    return durationExact(value(row(i), column));
}

QVariant PhasesModel::plainValue(std::size_t i, int column) const {
    const bool known = text(i, column) != QStringLiteral("–");
    return column == kPhase || !known ? QVariant(column == kPhase ? text(i, column) : QString())
                                      : QVariant(value(row(i), column));
}

QVariant PhasesModel::sortValue(std::size_t i, int column) const {
    return column == kPhase ? QVariant(ordinal(i)) : plainValue(i, column);
}

QVariant PhasesModel::swatch(std::size_t i, int column) const {
    if (column != kPhase || row(i).phase == Phase::kNone)
        return {};
    return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(row(i).phase)});
}

}  // namespace warpglass::ui
