#include "engine/query/model/model_sentences.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/format.h"
#include "engine/base/median.h"

namespace warpglass {

namespace {

/// Fused attention, or a part of it: not a product with weights.
bool isAttention(const RooflinePoint& point) {
    return point.name == "attn" || point.name.ends_with(".attn") || point.name.find('/') != std::string::npos;
}

struct Reached {
    double time = 0, atRoof = 0;

    void add(const RooflinePoint& point, double share) {
        time += point.time;
        atRoof += point.time * std::min(1.0, share);
    }
};

std::string layersOptimizerWords(const Layers& layers) {
    double optimizer = 0;
    for (const LayerRow& row : layers.rows)
        optimizer += row.optimizer;
    return optimizer > 0 ? "; the optimizer takes " + formatMeanDuration(optimizer) + " in total"
                         : std::string();
}

/// "softmax, rotation and layout": the part with an "and" of its own is last.
std::string partsInWords(const std::vector<AttentionPart>& parts) {
    std::vector<std::string> names;
    std::string rotation;
    for (const AttentionPart part : parts) {
        const std::string name(kAttentionPartNames[static_cast<std::size_t>(part)]);
        if (part == AttentionPart::kRotation)
            rotation = name;
        else
            names.push_back(name);
    }
    if (rotation.empty())
        return listed(names);
    std::string text;
    for (const std::string& name : names)
        text += name + ", ";
    return text + rotation;
}

}  // namespace

std::string rooflineSentence(std::span<const RooflinePoint> points) {
    Reached products, attention, own, update;
    for (const RooflinePoint& point : points) {
        if (const auto share = point.share())
            (point.isOwnKernel    ? own
             : point.isUpdate     ? update
             : isAttention(point) ? attention
                                  : products)
                .add(point, *share);
    }
    std::vector<std::string> parts;
    double lost = 0;
    for (const auto& [what, reached] : {std::pair<std::string, const Reached&>("GEMMs", products),
                                        {"attention", attention},
                                        {"our own kernels", own},
                                        {"the optimizer's update", update}}) {
        if (reached.time <= 0)
            continue;
        lost += reached.time - reached.atRoof;
        const std::string share = formatPercent(reached.atRoof / reached.time);
        const bool several = what.ends_with('s');
        parts.push_back(parts.empty() ? capitalized(what) + (several ? " reach " : " reaches ") + share +
                                            " of " + (several ? "their" : "its") + " roof"
                                      : what + " " + share);
    }
    if (parts.empty())
        return {};
    const std::string text = listed(parts);
    return lost < 1 ? text + "." : text + ": reaching it would save " + formatMeanDuration(lost) + ".";
}

std::string layersSentence(const Layers& layers) {
    std::vector<double> times;
    const LayerRow* farthest = nullptr;
    std::int64_t outliers = 0;
    for (const LayerRow& row : layers.rows) {
        if (row.block && layers.isWhole(row))
            times.push_back(row.time());
    }
    constexpr std::size_t kLeast = 2;
    if (times.size() < kLeast)
        return {};
    const double median = medianOf(times);
    if (median <= 0)
        return {};
    double spread = 0;
    for (const LayerRow& row : layers.rows) {
        if (!row.block || !layers.isWhole(row))
            continue;
        spread = std::max(spread, std::abs(row.time() / median - 1));
        outliers += row.standsOut() ? 1 : 0;
        if (row.standsOut() &&
            (!farthest || std::abs(row.time() - median) > std::abs(farthest->time() - median)))
            farthest = &row;
    }
    const std::string count = formatGrouped(static_cast<std::int64_t>(times.size()));
    std::string text;
    constexpr double kAlike = 0.25;  // where blocks scatter farther, none can stand out of them
    if (!farthest && spread >= kAlike) {
        text = "The " + count + " blocks scatter by up to " + formatPercent(spread) +
               " about their median, " + formatMeanDuration(median);
    } else if (!farthest) {
        text = "No block stands out: all " + count + " are within " + formatPercent(spread) +
               " of their median, " + formatMeanDuration(median);
    } else {
        text =
            (outliers == 1 ? "1 of " + count + " blocks stands out: "
                           : formatGrouped(outliers) + " of " + count + " blocks stand out, most of all ") +
            farthest->name + " with " + formatMeanDuration(farthest->time()) + " against a median of " +
            formatMeanDuration(median);
    }
    return text + layersOptimizerWords(layers) + ".";
}

std::string attentionSentence(const AttentionParts& parts) {
    constexpr double kWorthNaming = 0.05, kOutOfProportion = 3, kNextToNothing = 0.01;
    const AttentionPartRow* most = nullptr;
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        const std::string pass = phase == PlanPhase::kForward ? "forward" : "backward";
        std::vector<AttentionPart> costly;
        double time = 0, flops = 0;
        for (const AttentionPartRow& row : parts.rows) {
            if (row.phase != phase)
                continue;
            if (!most || row.time > most->time)
                most = &row;
            if (row.timeShare < kWorthNaming || row.timeShare < kOutOfProportion * row.flopsShare)
                continue;
            costly.push_back(row.part);
            time += row.timeShare;
            flops += row.flopsShare;
        }
        if (!costly.empty() && parts.rates && parts.flopsKnown(phase) && parts.flops(phase).value > 0) {
            const bool one = costly.size() == 1 &&
                             (costly[0] == AttentionPart::kSoftmax || costly[0] == AttentionPart::kFused ||
                              costly[0] == AttentionPart::kOutput);
            return capitalized(partsInWords(costly)) + (one ? " takes " : " take ") + formatPercent(time) +
                   " of " + pass + " attention for " +
                   (flops < kNextToNothing ? "under 1%" : formatPercent(flops)) + " of its FLOPs.";
        }
    }
    if (!most || most->time <= 0)
        return {};
    return "The largest part of " + std::string(most->phase == PlanPhase::kForward ? "forward" : "backward") +
           " attention is " + std::string(kAttentionPartNames[static_cast<std::size_t>(most->part)]) + ": " +
           formatPercent(most->timeShare) + " of its time.";
}

}  // namespace warpglass
