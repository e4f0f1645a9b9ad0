#include "ui/charts/layer_words.h"

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/layers_chart.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString layerName(const LayerRow& row, bool ofTime) {
    const QString name = toQString(row.name);
    if (ofTime && row.name == kLayersRest && row.optimizer > row.time() / 2)
        return LayersChart::tr("optimizer");
    if (row.block)
        return name.section(QLatin1Char('.'), 1);
    if (name == QLatin1String("token_embeddings"))
        return LayersChart::tr("embed");
    if (name == QLatin1String("lm_head"))
        return LayersChart::tr("head");
    return name;
}

QString layerToolTip(const Layers& layers, const LayerRow& row) {
    const auto tr = [](const char* text) { return LayersChart::tr(text); };
    ToolTipTable tip(toQString(row.name));
    const Theme& theme = Theme::instance();
    const auto time = [&](const QString& name, double value, Phase phase) {
        if (value > 0)
            tip.add(name, durationText(value), durationExact(value), theme.phaseColor(phase));
    };
    time(row.module ? tr("forward") : tr("forward and other"), row.forward, Phase::kForward);
    time(tr("backward"), row.backward, Phase::kBackward);
    time(tr("optimizer"), row.optimizer, Phase::kOptimizer);
    if (row.shared > 0)
        tip.add(tr("of it shares of kernels"), durationText(row.shared), durationExact(row.shared));
    if (const double all = layers.time(); all > 0)
        tip.add(tr("share of the time"), percentText(row.time() / all));
    const QString flops = layers.ofRange ? tr("FLOPs") : tr("FLOPs per step");
    if (row.flops().value > 0)
        tip.add(flops, flopsText(row.flops().value), toQString(formatGrouped(row.flops().value)));
    if (!row.flopsKnown) {
        tip.add(flops, unknownWorkText());
        tip.say(unknownWorkWords());
    }
    if (!layers.unplanned.empty())
        tip.say(toQString(layers.unplanned));
    for (const std::string& sentence : layers.splits) {
        if (row.shared > 0)
            tip.say(toQString(sentence));
    }
    if (row.moved.value > 0)
        tip.add(tr("moved by GEMMs"), bytesText(row.moved.value), toQString(formatBytesExact(row.moved)));
    for (const Category category : kStackOrder) {
        const std::int64_t alive = row.alive[static_cast<std::size_t>(category)];
        if (alive > 0)
            tip.add(tr("%1 at the peak").arg(toQString(categoryName(category))), bytesText(alive),
                    toQString(formatBytesExact(Bytes(alive))), Theme::categoryColor(category));
    }
    for (const std::string& sentence : outlierSentences(layers, row))
        tip.say(toQString(sentence));
    return tip.html();
}

}  // namespace warpglass::ui
