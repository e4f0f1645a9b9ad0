#include "engine/query/model/model_sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/base/format.h"
#include "engine/base/median.h"
#include "engine/query/model/plan_of_scope.h"

namespace warpglass {

namespace {

/// Fused attention, or a part of it: not a product with weights.
bool isAttentionPoint(const RooflinePoint& point) {
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

std::string standOut(std::int64_t outliers, const std::string& count) {
    return outliers == 1 ? "1 of " + count + " blocks stands out: "
                         : formatGrouped(outliers) + " of " + count + " blocks stand out, most of all ";
}

/// "; other work on the score matrix takes 58%", or where most of it is, which no GEMM does.
std::string besideProducts(const AttentionParts& parts, double time) {
    constexpr double kWorthNaming = 0.05;
    std::array<double, kAttentionPartCount> others{};
    double ofScores = 0, all = 0;
    for (const AttentionPartRow& row : parts.rows) {
        const double other = row.time - row.productTime;
        others[static_cast<std::size_t>(row.part)] += other;
        all += other;
        ofScores += parts.isOnScoreMatrix(row.part) ? other : 0;
    }
    if (ofScores > all / 2)
        return "; other work on the score matrix takes " + formatPercent(ofScores / time);
    const auto most = std::ranges::max_element(others);
    return *most < kWorthNaming * time
               ? std::string()
               : std::string(*most > all / 2 ? "; the rest is mostly in " : "; the largest other part is ") +
                     std::string(attentionPartWords(static_cast<AttentionPart>(most - others.begin()))) +
                     ", " + formatPercent(*most / time);
}

}  // namespace

std::string rooflineSentence(std::span<const RooflinePoint> points, double all) {
    Reached products, attention, own, library, update;
    double shown = 0;
    for (const RooflinePoint& point : points) {
        shown += point.time;
        if (const auto share = point.share())
            (point.isOwnKernel         ? own
             : point.isLibraryKernel   ? library
             : point.isUpdate          ? update
             : isAttentionPoint(point) ? attention
                                       : products)
                .add(point, *share);
    }
    std::vector<std::string> parts;
    double lost = 0;
    for (const auto& [what, reached] : {std::pair<std::string, const Reached&>("GEMMs", products),
                                        {"attention", attention},
                                        {"our own kernels", own},
                                        {"casts, norms and elementwise kernels", library},
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
    std::string text = listed(parts);
    text += lost < 1 ? "." : ": " + formatMeanDuration(lost) + " could be saved.";
    constexpr double kWorthNaming = 0.005;
    if (all - shown > kWorthNaming * all)
        text += " The work of the other " + formatPercent(1 - shown / all) + " of kernel time is unknown.";
    return text;
}

std::string layersSentence(const Layers& layers) {
    std::vector<double> times;
    // By time; and those that stand out by nothing but what they keep.
    const LayerRow *farthest = nullptr, *hoarder = nullptr;
    std::int64_t outliers = 0, hoarders = 0;
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
        if (!row.standsOutByTime()) {
            hoarders += row.standsOut() ? 1 : 0;
            if (row.standsOut() && (!hoarder || row.activations() > hoarder->activations()))
                hoarder = &row;
            continue;
        }
        ++outliers;
        if (!farthest || std::abs(row.time() - median) > std::abs(farthest->time() - median))
            farthest = &row;
    }
    const std::string count = formatGrouped(static_cast<std::int64_t>(times.size()));
    std::string text;
    constexpr double kAlike = 0.25;  // where blocks scatter farther, none can stand out of them
    if (!farthest && spread >= kAlike) {
        text = "The " + count + " blocks scatter by up to " + formatPercent(spread) +
               " about their median, " + formatMeanDuration(median);
    } else if (!farthest && hoarder) {
        constexpr auto kActivations = static_cast<std::size_t>(LayerMeasure::kActivations);
        text = standOut(hoarders, count) + hoarder->name + " with " + formatBytes(hoarder->activations()) +
               " of activations against a median of " +
               formatBytes(Bytes(std::llround(layers.median[kActivations])));
    } else if (!farthest) {
        text = "No block stands out: all " + count + " are within " + formatPercent(spread) +
               " of their median, " + formatMeanDuration(median);
    } else {
        text = standOut(outliers, count) + farthest->name + " with " + formatMeanDuration(farthest->time()) +
               " against a median of " + formatMeanDuration(median);
    }
    return text + layersOptimizerWords(layers) + ".";
}

std::string attentionSentence(const AttentionParts& parts) {
    const AttentionPartRow* most = nullptr;
    double time = 0, products = 0;
    Flops flops, ofProducts;
    bool known = parts.rates;
    for (const AttentionPartRow& row : parts.rows) {
        most = !most || row.time > most->time ? &row : most;
        time += row.time;
        products += row.productTime;
        known = known && row.flopsKnown;
        flops = saturatingSum(flops, row.flops);
        ofProducts = saturatingSum(ofProducts, row.matmulFlops);
    }
    if (time <= 0)
        return {};
    if (products <= 0 || !known || flops.value <= 0)
        return "The largest part of " + std::string(planPhaseName(most->phase)) + " attention is " +
               std::string(attentionPartWords(most->part)) + ": " + formatPercent(most->timeShare) +
               " of its time.";
    constexpr double kNearlyAll = 0.99;
    const double share = static_cast<double>(ofProducts.value) / static_cast<double>(flops.value);
    return std::string(parts.productsName()) + " take " + formatPercent(products / time) +
           " of attention's time for " + (share > kNearlyAll ? "over 99%" : formatPercent(share)) +
           " of its FLOPs" + besideProducts(parts, time) + ".";
}

}  // namespace warpglass
