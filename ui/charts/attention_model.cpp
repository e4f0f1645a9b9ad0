#include "ui/charts/attention_model.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/plan_of_run.h"
#include "ui/charts/chart_text.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return AttentionModel::tr(text); };
    return {{tr("Phase"), {}, {}, false, 96},
            {tr("Part"), {}, tr("All blocks together"), false, 144},
            {tr("Time %"), tr("Time share"), tr("Share of attention's time in this phase"), true, 112},
            {tr("Time"), tr("Time (ns)"), tr("Of one step"), true, 76},
            {tr("FLOPs %"), tr("FLOPs share"), tr("Share of attention's FLOPs in this phase"), true, 112},
            {tr("FLOPs"), {}, tr("Matrix products and elementwise work of one step"), true, 92},
            {tr("FLOP/s"), {}, tr("FLOPs over time"), true, 96},
            {tr("Moved"), tr("Moved (bytes)"), tr("The least that the matrix products move"), true, 76},
            {tr("In products"), tr("In products (ns)"),
             tr("What of the time matrix products and fused kernels took"), true, 88},
            {tr("Instances"), {}, tr("Kernels, or ops on the CPU, of one step"), true, 80}};
}

}  // namespace

AttentionModel::AttentionModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void AttentionModel::setParts(const AttentionParts& parts) {
    m_rates = parts.rates;
    m_unplanned = toQString(parts.unplanned);
    m_sharesKnown = {parts.flopsKnown(PlanPhase::kForward), parts.flopsKnown(PlanPhase::kBackward)};
    m_largestTime = m_largestFlops = 0;
    for (const AttentionPartRow& row : parts.rows) {
        m_largestTime = std::max(m_largestTime, row.timeShare);
        m_largestFlops = std::max(m_largestFlops, row.flopsShare);
    }
    replaceRows(parts.rows);
}

double AttentionModel::value(const AttentionPartRow& r, int column) const {
    switch (column) {
        case kTimeShare:
            return r.timeShare;
        case kTime:
            return r.time;
        case kFlopsShare:
            return r.flopsShare;
        case kFlops:
            return static_cast<double>(r.flops.value);
        case kRate:
            return m_rates ? r.flopsPerSecond() : 0;
        case kMoved:
            return static_cast<double>(r.moved.value);
        case kProducts:
            return r.productTime;
        case kInstances:
            return r.instances;
        default:
            return 0;
    }
}

bool AttentionModel::isPlanned(int column) {
    return column == kFlopsShare || column == kFlops || column == kRate || column == kMoved;
}

bool AttentionModel::isUnknown(const AttentionPartRow& r, int column) const {
    if (column == kFlopsShare)
        return !m_sharesKnown[r.phase == PlanPhase::kForward ? 0 : 1];
    return !r.flopsKnown && isPlanned(column);
}

QString AttentionModel::text(std::size_t i, int column) const {
    const AttentionPartRow& r = row(i);
    if (isUnknown(r, column))
        return unknownWorkText();
    if (column == kPhase)
        return toQString(planPhaseName(r.phase));
    if (column == kPart)
        return toQString(kAttentionPartNames[static_cast<std::size_t>(r.part)]);
    const double v = value(r, column);
    if (v <= 0)
        return QStringLiteral("–");
    switch (column) {
        case kTimeShare:
        case kFlopsShare:
            return percentText(v);
        case kFlops:
            return flopsText(r.flops.value);
        case kRate:
            return flopRateText(v);
        case kMoved:
            return bytesText(r.moved.value);
        case kInstances:
            return toQString(formatMeanCount(r.instances));
        default:
            return durationText(v);
    }
}

QString AttentionModel::exactText(std::size_t i, int column) const {
    const AttentionPartRow& r = row(i);
    if (isUnknown(r, column))
        return unknownWorkWords();
    if (isPlanned(column) && !m_unplanned.isEmpty())
        return m_unplanned;
    if (column == kTime || column == kProducts)
        return durationExact(value(r, column));
    if (column == kFlops)
        return toQString(formatGrouped(r.flops.value));
    if (column == kMoved)
        return toQString(formatBytesExact(r.moved));
    return text(i, column);
}

QVariant AttentionModel::plainValue(std::size_t i, int column) const {
    if (column <= kPart)
        return text(i, column);
    // Nothing is planned there, or it is not known: no number.
    const double v = value(row(i), column);
    return isPlanned(column) && v <= 0 ? QVariant(QString()) : QVariant(v);
}

QVariant AttentionModel::sortValue(std::size_t i, int column) const {
    return column <= kPart ? QVariant(ordinal(i)) : QVariant(value(row(i), column));
}

QVariant AttentionModel::swatch(std::size_t i, int column) const {
    if (column != kPhase)
        return {};
    return QVariant::fromValue(Swatch{Swatch::kPhase, static_cast<std::uint8_t>(tracePhase(row(i).phase))});
}

QVariant AttentionModel::shareBar(std::size_t i, int column) const {
    const double largest = column == kTimeShare ? m_largestTime : column == kFlopsShare ? m_largestFlops : 0;
    if (largest <= 0)
        return {};
    return QVariant::fromValue(ShareBar{value(row(i), column) / largest, {}});
}

}  // namespace warpglass::ui
