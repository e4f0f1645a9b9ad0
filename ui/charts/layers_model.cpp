#include "ui/charts/layers_model.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"

namespace warpglass::ui {

namespace {

std::vector<TableModel::Column> columns() {
    const auto tr = [](const char* text) { return LayersModel::tr(text); };
    return {
        {tr("Layer"), {}, tr("In the model's order"), false, 136},
        {tr("Time"), tr("Time (ns)"), tr("Forward, backward and optimizer together, a step"), true, 112},
        {tr("Forward"), tr("Forward (ns)"), tr("Of one step"), true, 72},
        {tr("Backward"), tr("Backward (ns)"), tr("Of one step"), true, 76},
        {tr("Optimizer"), tr("Optimizer (ns)"), tr("Of one step, where it was recorded by module"), true, 80},
        {tr("FLOPs"), tr("FLOPs"), tr("What one step computes by arithmetic"), true, 92},
        {tr("FLOP/s"), tr("FLOP/s"), tr("FLOPs over time"), true, 92},
        {tr("Moved"), tr("Moved (bytes)"),
         tr("The least that the matrix products of a step move: each operand read once, each result "
            "written once"),
         true, 76},
        {tr("Activations"), tr("Activations (bytes)"), tr("Kept by the forward pass, alive at the peak"),
         true, 116},
        {tr("Memory"), tr("Memory (bytes)"), tr("Alive at the peak, by category"), true, 116},
        {tr("Stands out"),
         {},
         tr("Farther than 3 × 1.4826 × MAD and 5 % from the median of all blocks"),
         false,
         132}};
}

LayerMeasure measureOf(int column) {
    return column == LayersModel::kBackward      ? LayerMeasure::kBackward
           : column == LayersModel::kOptimizer   ? LayerMeasure::kOptimizer
           : column == LayersModel::kActivations ? LayerMeasure::kActivations
                                                 : LayerMeasure::kForward;
}

bool isMeasure(int column) {
    return column == LayersModel::kForward || column == LayersModel::kBackward ||
           column == LayersModel::kOptimizer || column == LayersModel::kActivations;
}

}  // namespace

LayersModel::LayersModel(QObject* parent) : KeyedTableModel(columns(), parent) {}

void LayersModel::setLayers(const Layers& layers) {
    m_layers = layers;
    m_longest = 0;
    m_mostActivations = m_mostMemory = 0;
    for (const LayerRow& row : layers.rows) {
        // The longest of the layers has the longest bar; what belongs to none may be many times as long.
        if (row.name != "rest")
            m_longest = std::max(m_longest, row.time());
        m_mostActivations = std::max(m_mostActivations, row.activations().value);
        m_mostMemory = std::max(m_mostMemory, row.memory().value);
    }
    m_layers.rows.clear();
    replaceRows(layers.rows);
}

std::optional<double> LayersModel::amount(const LayerRow& r, int column) const {
    const auto of = [](auto quantity) { return static_cast<double>(quantity.value); };
    switch (column) {
        case kTime:
            return r.time();
        case kForward:
            return r.forward;
        case kBackward:
            return r.backward;
        case kOptimizer:
            return r.optimizer;
        case kFlops:
            return of(r.flops());
        case kRate:
            return r.time() > 0 && m_layers.rates ? of(r.flops()) / (r.time() / 1e9) : 0;
        case kMoved:
            return of(r.moved);
        case kActivations:
            return of(r.activations());
        case kMemory:
            return of(r.memory());
        default:
            return std::nullopt;
    }
}

bool LayersModel::isPlanned(int column) {
    return column == kFlops || column == kRate || column == kMoved;
}

bool LayersModel::isUnknown(std::size_t i, int column) const {
    return !row(i).flopsKnown && isPlanned(column);
}

QString LayersModel::text(std::size_t i, int column) const {
    const LayerRow& r = row(i);
    if (isUnknown(i, column))
        return unknownWorkText();
    if (column == kLayer)
        return toQString(r.name);
    if (column == kStandsOut) {
        QStringList words;
        for (std::size_t m = 0; m < kLayerMeasureCount; ++m) {
            if (!r.outlier[m])
                continue;
            const double value = r.value(static_cast<LayerMeasure>(m));
            const QString sign = value > m_layers.median[m] ? QStringLiteral("+") : QStringLiteral("−");
            words << (m_layers.median[m] > 0
                          ? tr("%1 %2%3").arg(toQString(kLayerMeasureNames[m]), sign,
                                              percentText(std::fabs(value / m_layers.median[m] - 1)))
                          : toQString(kLayerMeasureNames[m]));
        }
        return words.join(QStringLiteral(", "));
    }
    const double value = amount(r, column).value_or(0);
    if (value <= 0)
        return QStringLiteral("–");
    switch (column) {
        case kFlops:
            return flopsText(std::llround(value));
        case kRate:
            return flopRateText(value);
        case kMoved:
        case kActivations:
        case kMemory:
            return bytesText(std::llround(value));
        default:
            return durationText(value);
    }
}

QString LayersModel::exactText(std::size_t i, int column) const {
    const LayerRow& r = row(i);
    if (isUnknown(i, column))
        return unknownWorkWords();
    if (isPlanned(column) && !m_layers.unplanned.empty())
        return toQString(m_layers.unplanned);
    const double value = amount(r, column).value_or(0);
    QString exact = text(i, column);
    if (value > 0 && (column == kMoved || column == kActivations))
        exact = toQString(formatBytesExact(Bytes(std::llround(value))));
    else if (value > 0 && column >= kTime && column <= kOptimizer)
        exact = durationExact(value);
    else if (value > 0 && column == kFlops)
        exact = toQString(formatGrouped(std::llround(value)));
    else if (column == kMemory) {
        QStringList lines;
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            if (r.alive[c] != 0)
                lines << tr("%1: %2").arg(toQString(kCategoryNames[c]),
                                          toQString(formatBytesExact(Bytes(r.alive[c]))));
        }
        exact = lines.join(QLatin1Char('\n'));
    }
    if (column == kLayer || column == kStandsOut || trend(i, column) != 0) {
        for (const std::string& sentence : outlierSentences(m_layers, r))
            exact += QLatin1Char('\n') + toQString(sentence);
    }
    return exact;
}

QVariant LayersModel::plainValue(std::size_t i, int column) const {
    const auto value = amount(row(i), column);
    // Nothing is planned there, or it is not known: no number.
    if (isPlanned(column) && value.value_or(0) <= 0)
        return QString();
    return value ? QVariant(static_cast<qlonglong>(std::llround(*value))) : QVariant(text(i, column));
}

QVariant LayersModel::sortValue(std::size_t i, int column) const {
    // By name is the model's order: blocks.10 comes after blocks.9.
    if (column == kLayer)
        return ordinal(i);
    const auto value = amount(row(i), column);
    return value ? QVariant(*value) : QVariant(text(i, column));
}

QVariant LayersModel::shareBar(std::size_t i, int column) const {
    const LayerRow& r = row(i);
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    if (column == kTime)
        return QVariant::fromValue(ShareBar{std::min(1.0, share(r.time(), m_longest)), {}});
    if (column == kActivations) {
        ShareBar bar{
            share(static_cast<double>(r.activations().value), static_cast<double>(m_mostActivations)), {}};
        bar.parts[static_cast<std::size_t>(Category::kActivations)] = r.activations().value;
        return QVariant::fromValue(bar);
    }
    if (column == kMemory)
        return QVariant::fromValue(ShareBar{
            share(static_cast<double>(r.memory().value), static_cast<double>(m_mostMemory)), r.alive});
    return {};
}

int LayersModel::trend(std::size_t i, int column) const {
    if (!isMeasure(column))
        return 0;
    const auto m = static_cast<std::size_t>(measureOf(column));
    if (!row(i).outlier[m])
        return 0;
    return row(i).value(measureOf(column)) > m_layers.median[m] ? 1 : -1;
}

}  // namespace warpglass::ui
