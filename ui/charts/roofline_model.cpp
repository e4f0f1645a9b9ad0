#include "ui/charts/roofline_model.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/plan_of_run.h"
#include "ui/charts/chart_text.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return RooflineModel::tr(text); };
    return {
        {tr("Phase"), {}, {}, false, 96},
        {tr("Products"), {}, tr("Those of all blocks together"), false, 200},
        {tr("Time"), tr("Time (ns)"), tr("Of their kernels (on the CPU of their ops), a step"), true, 120},
        {tr("FLOP/s"), {}, tr("FLOPs over time"), true, 96},
        {tr("Roof"), tr("Roof (FLOP/s)"),
         tr("What the ceilings allow at this intensity: memory's, or that of the arithmetic"), true, 156},
        {tr("Of the roof"), tr("Share of the roof"), {}, true, 116},
        {tr("Intensity"), tr("Intensity (FLOP/byte)"), tr("Operations a byte"), true, 76},
        {tr("FLOPs"), {}, tr("Of one step, what is computed twice counted twice"), true, 92},
        {tr("Moved"), tr("Moved (bytes)"), tr("The least that they must move"), true, 84}};
}

}  // namespace

RooflineModel::RooflineModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void RooflineModel::setPoints(const std::vector<RooflinePoint>& points, double ridge) {
    m_ridge = ridge;
    m_longest = 0;
    for (const RooflinePoint& point : points)
        m_longest = std::max(m_longest, point.time);
    replaceRows(points);
}

double RooflineModel::value(const RooflinePoint& r, int column) const {
    switch (column) {
        case kTime:
            return r.time;
        case kFlops:
            return static_cast<double>(r.flops.value);
        case kMoved:
            return static_cast<double>(r.bytes.value);
        case kIntensity:
            return r.intensity();
        case kRate:
            return r.flopsPerSecond();
        case kRoof:
            return r.attainableFlopsPerSecond.value_or(0);
        case kShare:
            return r.share().value_or(0);
        default:
            return 0;
    }
}

QString RooflineModel::text(std::size_t i, int column) const {
    const RooflinePoint& r = row(i);
    const double v = value(r, column);
    switch (column) {
        case kPhase:
            return toQString(planPhaseName(r.phase));
        case kName:
            return toQString(r.name);
        case kTime:
            return durationText(v);
        case kFlops:
            return flopsText(r.flops.value);
        case kMoved:
            return bytesText(r.bytes.value);
        case kIntensity:
            return QString::number(v, 'f', v < 10 ? 1 : 0);
        case kRate:
            return flopRateText(v);
        case kRoof:
            return !(v > 0) ? QStringLiteral("–")
                   : m_ridge > 0
                       ? QStringLiteral("%1 · %2").arg(
                             r.intensity() < m_ridge ? tr("memory") : tr("arithmetic"), flopRateText(v))
                       : flopRateText(v);
        case kShare:
            return v > 0 ? percentText(v) : QStringLiteral("–");
        default:
            return {};
    }
}

QString RooflineModel::exactText(std::size_t i, int column) const {
    const RooflinePoint& r = row(i);
    if (column == kTime)
        return durationExact(r.time);
    if (column == kFlops)
        return toQString(formatGrouped(r.flops.value));
    return column == kMoved ? toQString(formatBytesExact(r.bytes)) : text(i, column);
}

QVariant RooflineModel::plainValue(std::size_t i, int column) const {
    return column <= kName ? QVariant(text(i, column)) : QVariant(value(row(i), column));
}

QVariant RooflineModel::sortValue(std::size_t i, int column) const {
    return column == kPhase ? QVariant(ordinal(i)) : plainValue(i, column);
}

QVariant RooflineModel::swatch(std::size_t i, int column) const {
    if (column != kPhase)
        return {};
    return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(tracePhase(row(i).phase))});
}

QVariant RooflineModel::shareBar(std::size_t i, int column) const {
    if (column == kTime && m_longest > 0)
        return QVariant::fromValue(ShareBar{row(i).time / m_longest, {}});
    if (column == kShare && row(i).share())
        return QVariant::fromValue(ShareBar{std::min(1.0, *row(i).share()), {}});
    return {};
}

}  // namespace warpglass::ui
