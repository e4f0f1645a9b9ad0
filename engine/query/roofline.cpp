#include "engine/query/roofline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/saturating.h"
#include "engine/query/matrix_products.h"
#include "engine/query/module_group.h"
#include "engine/query/op_family.h"
#include "engine/query/plan_of_run.h"
#include "engine/query/span_scan.h"

namespace warpglass {
namespace {

std::optional<double> known(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> ratio(double value, const std::optional<double>& ceiling) {
    return ceiling ? std::optional(value / *ceiling) : std::nullopt;
}

/// Time of matrix products and fused attention by phase, module group and part.
using GroupKey = std::pair<Phase, std::string>;
using GroupTimes = std::map<GroupKey, double>;

std::string groupName(std::string_view module, std::string_view part) {
    return part.empty() ? moduleGroup(module) : moduleGroup(module) + "/" + std::string(part);
}

class ProductTimes {
public:
    ProductTimes(const Snapshot& snapshot, const StepSelection& steps)
        : m_snapshot(snapshot), m_filter(snapshot, steps) {
        m_isProduct.assign(snapshot.nameCount() + 1, kNotAsked);
        m_byPlace.resize(snapshot.placeCount() + 1);
        const std::vector<SpanLane> kernels = lanesOfKind(snapshot, TrackKind::kGpuStream);
        const bool gpu = std::any_of(kernels.begin(), kernels.end(), [](auto& l) { return !l.empty(); });
        for (const SpanLane& lane : gpu ? kernels : lanesOfKind(snapshot, TrackKind::kCpuThread)) {
            forEachStretch(lane, {}, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end) {
                for (std::uint32_t i = begin; i < end; ++i)
                    add(chunk, i, gpu);
            });
        }
    }

    GroupTimes byGroup() const {
        GroupTimes times;
        for (std::size_t i = 0; i + 1 < m_byPlace.size(); ++i) {
            if (m_byPlace[i] <= 0)
                continue;
            const Place place = m_snapshot.place(PlaceId(i));
            const std::string_view module = m_snapshot.name(place.module), part = m_snapshot.name(place.part);
            times[{place.phase, groupName(module, part)}] += static_cast<double>(m_byPlace[i]);
        }
        return times;
    }

private:
    static constexpr std::uint8_t kNotAsked = 2;

    void add(const SpanChunk& chunk, std::uint32_t row, bool gpu) {
        if (!m_filter.passes(chunk.place[row], chunk.step[row]))
            return;
        NameId op(chunk.name[row]);
        if (gpu) {
            const auto detail = m_snapshot.detail(DetailId(chunk.detail[row]));
            op = detail ? detail->op : NameId();
        }
        std::uint8_t& product = m_isProduct[std::min(op.index(), m_isProduct.size() - 1)];
        if (product == kNotAsked)
            product = isProductOp(m_snapshot.name(op)) ? 1 : 0;
        if (product == 0)
            return;
        std::int64_t& time = m_byPlace[std::min<std::size_t>(chunk.place[row], m_byPlace.size() - 1)];
        time = wrappingAdd(time, gpu ? chunk.duration[row] : chunk.self[row]);
    }

    const Snapshot& m_snapshot;
    RowFilter m_filter;
    std::vector<std::uint8_t> m_isProduct;  // by name
    std::vector<std::int64_t> m_byPlace;    // the last for places beyond the snapshot
};

std::optional<double> attainable(const RunCeiling& ceiling, double intensity) {
    if (!ceiling.flopsPerSecond || !ceiling.bytesPerSecond)
        return std::nullopt;
    return std::min(*ceiling.flopsPerSecond, intensity * *ceiling.bytesPerSecond);
}

}  // namespace

RunCeilings ceilingsOf(const Snapshot& snapshot) {
    RunCeilings ceilings;
    const Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    if (!config)
        return ceilings;
    if (const auto measured = ceilingsFromPairs(snapshot.info().pairs())) {
        if (const auto* product = measured->product(config->precision))
            ceilings.measured.flopsPerSecond = known(product->flopsPerSecond);
        ceilings.measured.bytesPerSecond = known(measured->copyBytesPerSecond);
    }
    if (const DataSheet* sheet = dataSheetOf(snapshot.info().get("device.name"))) {
        ceilings.dataSheet = {sheet->flopsPerSecond(config->precision), known(sheet->bytesPerSecond)};
        ceilings.source = sheet->source;
    }
    return ceilings;
}

std::optional<double> ModelUtilization::ofMeasured() const {
    return ratio(flopsPerSecond, ceilings.measured.flopsPerSecond);
}

std::optional<double> ModelUtilization::ofDataSheet() const {
    return ratio(flopsPerSecond, ceilings.dataSheet.flopsPerSecond);
}

std::optional<ModelUtilization> modelUtilization(const Snapshot& snapshot, std::optional<double> stepMean) {
    std::optional<RunConfig> config = configOfRun(snapshot);
    if (!config || !stepMean || *stepMean <= 0)
        return std::nullopt;
    config->attention = AttentionVariant::kNaive;  // the variant that computes nothing twice
    ModelUtilization utilization;
    utilization.modelFlops = countFlops(*config).matmul();
    utilization.flopsPerSecond = static_cast<double>(utilization.modelFlops.value) / (*stepMean / 1e9);
    utilization.ceilings = ceilingsOf(snapshot);
    return utilization;
}

double RooflinePoint::intensity() const {
    return bytes.value > 0 ? static_cast<double>(flops.value) / static_cast<double>(bytes.value) : 0;
}

double RooflinePoint::flopsPerSecond() const {
    return time > 0 ? static_cast<double>(flops.value) / (time / 1e9) : 0;
}

std::optional<double> RooflinePoint::share() const {
    return ratio(flopsPerSecond(), attainableFlopsPerSecond);
}

std::vector<RooflinePoint> roofline(const Snapshot& snapshot) {
    const std::optional<RunConfig> config = configOfRun(snapshot);
    const StepSelection steps = stepsToAverage(snapshot);
    if (!config || steps.count == 0)
        return {};
    const GroupTimes times = ProductTimes(snapshot, steps).byGroup();
    const RunCeilings ceilings = ceilingsOf(snapshot);

    std::vector<RooflinePoint> points;
    std::map<std::pair<PlanPhase, std::string>, std::size_t> indices;
    for (const MatrixProduct& product : matrixProducts(*config)) {
        const std::string name = groupName(product.module, recordedPart(*config, product));
        const auto time = times.find({tracePhase(product.phase), name});
        if (time == times.end())
            continue;
        const auto [index, fresh] = indices.try_emplace({product.phase, name}, points.size());
        if (fresh) {
            points.push_back(
                {product.phase, name, {}, {}, time->second / static_cast<double>(steps.count), {}});
        }
        RooflinePoint& point = points[index->second];
        point.flops = Flops((Saturating(point.flops.value) + product.flops.value).value());
        point.bytes = Bytes((Saturating(point.bytes.value) + product.bytes.value).value());
    }
    for (RooflinePoint& point : points) {
        point.attainableFlopsPerSecond = attainable(ceilings.measured, point.intensity());
        if (!point.attainableFlopsPerSecond)
            point.attainableFlopsPerSecond = attainable(ceilings.dataSheet, point.intensity());
    }
    return points;
}

}  // namespace warpglass
