#include "engine/query/model/best_product.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/query/model/roofline.h"
#include "engine/query/model/span_work.h"
#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {
namespace {

struct Ran {
    double time = 0;  // ns
    std::int64_t products = 0;
};

std::string placeText(const Snapshot& snapshot, std::uint32_t id) {
    const Place place = snapshot.place(PlaceId(id));
    std::string text(snapshot.name(place.module));
    if (place.part.valid())
        text += "/" + std::string(snapshot.name(place.part));
    return text + " (" + std::string(phaseName(place.phase)) + ")";
}

}  // namespace

BestProduct bestProduct(const Snapshot& snapshot) {
    const bool gpu = hasKernels(snapshot);
    const TrackKind kind = gpu ? TrackKind::kGpuStream : TrackKind::kCpuThread;
    BestProduct best;
    const SpanWork work(snapshot, kind);
    const StepSelection steps = stepsToAverage(snapshot);
    if (work.empty() || steps.count == 0 || lacksKernels(snapshot))
        return best;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Ran> byPlaceAndName;
    std::vector<std::int64_t> byPlace(snapshot.placeCount());
    const SpanFilter everything;
    FilteredSpans(snapshot, everything, kind)
        .forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            if (!work.isProduct(chunk, i) || !steps.contains(chunk.step[i]) ||
                chunk.place[i] >= byPlace.size())
                return;
            Ran& ran = byPlaceAndName[{chunk.place[i], chunk.name[i]}];
            ran.time += static_cast<double>(gpu ? chunk.duration[i] : chunk.self[i]);
            ++ran.products;
            ++byPlace[chunk.place[i]];
        });
    for (const auto& [key, ran] : byPlaceAndName) {
        const auto known = work.of(key.first, ran.products, ran.products == byPlace[key.first]);
        if (!known || ran.time <= 0)
            continue;
        const double seconds = ran.time / 1e9;
        if (known->flops / seconds > best.flopsPerSecond) {
            best.flopsPerSecond = known->flops / seconds;
            best.place = placeText(snapshot, key.first);
        }
        best.bytesPerSecond = std::max(best.bytesPerSecond, known->bytes / seconds);
    }
    return best;
}

}  // namespace warpglass
