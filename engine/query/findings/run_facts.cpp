#include "engine/query/findings/run_facts.h"

#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/parts.h"
#include "engine/plan/valid_config.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/summary/out_of_memory.h"

namespace warpglass {
namespace {

double asDouble(std::int64_t value) {
    return static_cast<double>(std::max<std::int64_t>(value, 0));
}

}  // namespace

bool isAttention(std::string_view module) {
    return module == "attn" || module.ends_with(".attn");
}

std::optional<AttentionVariant> fusedAttentionFor(const RunConfig& config) {
    if (!attentionPlan(config).storesScores)
        return std::nullopt;
    return config.onGpu() && !isMixed(config.precision) ? AttentionVariant::kSdpaEfficient
                                                        : AttentionVariant::kSdpaFlash;
}

std::string inWords(double nanoseconds) {
    return formatMeanDuration(nanoseconds);
}

RunFacts::RunFacts(const MemoryTimeline& timeline) : m_memory(timeline), m_snapshot(*timeline.snapshot()) {
    m_config = configOfRun(m_snapshot);
    m_ceilings = ceilingsOf(m_snapshot);
    m_hasKernels = warpglass::hasKernels(m_snapshot);
    findSteps();
    if (m_stepTime > 0) {
        timeHost();
        if (m_hasKernels)
            timeKernels();
        else if (const std::string device = m_snapshot.info().get("config.device");
                 device.empty() || device == "cpu")
            timeOps();  // of a GPU's run they only launch
    }
    m_peak = m_memory.peak();
    m_missing = Completeness(m_snapshot).missing();  // once what the rules take has been read
    if (m_missing.lacksGpuWork())
        m_gpuUse = {};
    else if (m_missing.lacks(RecordKind::kCalls))
        forgetCauses(m_gpuUse);
    if (m_missing.lacksMemory())
        m_peak.reset();
    findAlive();
}

void RunFacts::findSteps() {
    m_steps = stepsToAverage(m_snapshot);
    const std::int32_t warmup = warmupSteps(m_snapshot);
    std::int32_t last = m_steps.last;
    forEachRow(m_snapshot, TrackKind::kStep, [&](const SpanChunk& chunk, std::uint32_t i) {
        const std::int32_t step = chunk.step[i];
        if (step >= 0 && step <= last && chunk.duration[i] > 0)
            m_allSteps.push_back({step, chunk.range(i), step >= warmup});
    });
    std::ranges::stable_sort(m_allSteps, {}, &Step::index);
    const auto counted = [&] {
        return std::ranges::count_if(m_allSteps,
                                     [&](const Step& step) { return m_steps.contains(step.index); });
    };
    m_steps.count = counted();
    m_meansHaveFirst = withoutVeryFirst(m_steps).first != m_steps.first;
    m_steps = withoutVeryFirst(m_steps);
    m_steps.count = counted();
    if (m_steps.count == 0)
        return;
    double sum = 0;
    for (const Step& step : m_allSteps) {
        if (m_steps.contains(step.index))
            sum += asDouble(step.range.duration().value);
    }
    m_stepTime = sum / static_cast<double>(m_steps.count);
}

double RunFacts::perStep(std::int64_t sum) const {
    return m_steps.count > 0 ? asDouble(sum) / static_cast<double>(m_steps.count) : 0;
}

void RunFacts::timeHost() {
    const RowFilter filter(m_snapshot, m_steps);
    std::int64_t sum = 0;
    for (const SpanLane& lane : lanesOfKind(m_snapshot, TrackKind::kPhase)) {
        if (lane.depth() > 0)
            continue;
        forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
            if (filter.stepPasses(chunk.step[i]))
                addWrapping(sum, chunk.duration[i]);
        });
    }
    m_hostTime = std::min(perStep(sum), m_stepTime);
}

std::vector<RunFacts::PlacedKernel> RunFacts::copyKernels() const {
    std::vector<PlacedKernel> copies;
    std::ranges::copy_if(m_placedKernels, std::back_inserter(copies), [this](const PlacedKernel& kernel) {
        return m_snapshot.name(kernel.detail.op) == std::string_view("aten::copy_");
    });
    return copies;
}

void RunFacts::timeKernels() {
    m_gpuUse = gpuTimeUse(m_snapshot, m_steps, 0, &m_idleOfSample);
    std::vector<std::int64_t> byDetail(m_snapshot.detailCount() + 1);
    std::vector<NameId> nameOfDetail(byDetail.size());
    m_byPlace.resize(m_snapshot.placeCount());
    std::int64_t kernels = 0, kernelTime = 0;
    struct Sum {
        std::int64_t time = 0, calls = 0;
    };
    std::unordered_map<std::uint64_t, Sum> placed;  // by place and detail
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
        forEachRow(m_snapshot, kind, [&](const SpanChunk& chunk, std::uint32_t i) {
            if (!m_steps.contains(chunk.step[i]))
                return;
            const std::int64_t time = chunk.duration[i];
            m_byPlace.add(chunk.place[i], time, kind == TrackKind::kGpuCopies);
            const auto detail = std::min<std::size_t>(chunk.detail[i], byDetail.size() - 1);
            nameOfDetail[detail] = NameId(chunk.name[i]);
            addWrapping(byDetail[detail], time);
            Sum& sum = placed[std::uint64_t{chunk.place[i]} << 32 | detail];
            addWrapping(sum.time, time);
            ++sum.calls;
            if (kind == TrackKind::kGpuStream) {
                ++kernels;
                addWrapping(kernelTime, time);
            }
        });
    }
    const std::map<std::uint64_t, Sum> inOrder(placed.begin(), placed.end());
    for (const auto& [key, sum] : inOrder) {
        const auto detail = m_snapshot.detail(DetailId(key & 0xffff'ffff));
        if (detail && detail->kind == DetailKind::kKernel)
            m_placedKernels.push_back(
                {m_snapshot.place(PlaceId(key >> 32)), *detail, perStep(sum.time), perStep(sum.calls)});
    }
    m_kernels = perStep(kernels);
    m_kernelTime = perStep(kernelTime);
    m_byOp.resize(m_snapshot.nameCount());
    for (std::size_t i = 0; i + 1 < byDetail.size(); ++i) {
        const auto detail = m_snapshot.detail(DetailId(i));
        if (!detail || byDetail[i] <= 0)
            continue;
        m_byOp.add(detail->op.index(), byDetail[i], detail->kind != DetailKind::kKernel);
        m_details.push_back({*detail, perStep(byDetail[i]), nameOfDetail[i]});
    }
    for (const DetailTime& kernel : m_details) {
        if (kernel.detail.kind == DetailKind::kKernel && isProductOp(m_snapshot.name(kernel.detail.op)))
            m_productTime += kernel.time;
    }
}

void RunFacts::timeOps() {
    SelfTimes times = opSelfTimes(m_snapshot, RowFilter(m_snapshot, m_steps));
    m_byPlace.all = std::move(times.byPlace);
    m_byPlace.copies.resize(m_byPlace.all.size());
    m_byOp.all = std::move(times.byName);
    m_byOp.copies.resize(m_byOp.all.size());
    m_productTime = timeOfOps(isProductOp);
}

std::optional<TimeRange> RunFacts::sampleStep() const {
    const auto found =
        std::ranges::find_if(m_allSteps, [&](const Step& step) { return m_steps.contains(step.index); });
    return found != m_allSteps.end() ? std::optional(found->range) : std::nullopt;
}

double RunFacts::shareOfStep(double time) const {
    return m_stepTime > 0 ? std::clamp(time / m_stepTime, 0.0, 1.0) : 0;
}

double RunFacts::shareOfBusyTime(double time) const {
    const double busy = m_hasKernels ? perStep(m_gpuUse.busy.value) : 0;
    return busy > 0 ? std::clamp(time / busy, 0.0, 1.0) : 0;
}

double RunFacts::idle(IdleCause cause) const {
    return perStep(m_gpuUse.idle[static_cast<std::size_t>(cause)].value);
}

bool RunFacts::isLaunchBound() const {
    return m_hasKernels && warpglass::isLaunchBound(idle(IdleCause::kHostLate), m_stepTime, m_kernels);
}

double RunFacts::stepTimeWithout(double saved) const {
    // Where the GPU waits for the host in between, not even all that is saved shortens the step.
    const double host = m_hasKernels ? m_hostTime : 0;
    return std::clamp(std::max(host, m_stepTime - saved), 0.0, m_stepTime);
}

void RunFacts::Sums::resize(std::size_t ids) {
    all.assign(ids + 1, 0);
    copies.assign(ids + 1, 0);
}

void RunFacts::Sums::add(std::size_t id, std::int64_t time, bool copy) {
    const std::size_t slot = std::min(id, all.size() - 1);
    addWrapping(all[slot], time);
    if (copy)
        addWrapping(copies[slot], time);
}

std::string RunFacts::Work::partsInWords() const {
    if (inWords(kernels()) == inWords(time) || inWords(copies) == inWords(time))
        return {};
    return " (" + inWords(kernels()) + " in kernels, " + inWords(copies) +
           " in the driver's copies and fills)";
}

RunFacts::Work RunFacts::workWhere(const std::function<bool(const Place&)>& passes) const {
    std::int64_t sum = 0, copies = 0;
    for (std::size_t i = 0; i + 1 < m_byPlace.all.size(); ++i) {
        if (m_byPlace.all[i] <= 0 || !passes(m_snapshot.place(PlaceId(i))))
            continue;
        addWrapping(sum, m_byPlace.all[i]);
        addWrapping(copies, m_byPlace.copies[i]);
    }
    return {perStep(sum), perStep(copies)};
}

RunFacts::Work RunFacts::workOfOps(const std::function<bool(std::string_view)>& passes) const {
    std::int64_t sum = 0, copies = 0;
    for (std::size_t i = 0; i + 1 < m_byOp.all.size(); ++i) {
        if (m_byOp.all[i] <= 0 || !passes(m_snapshot.name(NameId(i))))
            continue;
        addWrapping(sum, m_byOp.all[i]);
        addWrapping(copies, m_byOp.copies[i]);
    }
    return {perStep(sum), perStep(copies)};
}

/// One template starts many works: the signature of what most of its time did, as in the table of kernels.
NameId RunFacts::longestSignature(const NamedWork& work) const {
    struct Title {
        double time = 0, longest = -1;
        NameId signature;
    };
    std::map<std::string, Title> titles;
    for (const DetailTime& kernel : m_details) {
        if (kernel.detail.kind != DetailKind::kKernel || kernel.name != work.name)
            continue;
        Title& title =
            titles[kernelTitle(m_snapshot.name(work.name), m_snapshot.name(kernel.detail.fullName))];
        title.time += kernel.time;
        if (kernel.time > title.longest) {
            title.longest = kernel.time;
            title.signature = kernel.detail.fullName;
        }
    }
    const auto most = std::ranges::max_element(
        titles, [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
    return most == titles.end() ? work.fullName : most->second.signature;
}

std::optional<RunFacts::NamedWork> RunFacts::largestWork() const {
    std::map<NameId, NamedWork> byName;
    double all = 0;
    const auto add = [&](NameId name, NameId fullName, double time) {
        NamedWork& work = byName.try_emplace(name, NamedWork{name, fullName}).first->second;
        work.time += time;
        all += time;
    };
    for (const DetailTime& kernel : m_details) {
        if (kernel.detail.kind == DetailKind::kKernel)
            add(kernel.name, kernel.detail.fullName, kernel.time);
    }
    for (std::size_t i = 0; !m_hasKernels && i + 1 < m_byOp.all.size(); ++i)
        add(NameId(i), NameId(), std::max(0.0, perStep(m_byOp.all[i])));
    const auto most = std::ranges::max_element(
        byName, [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
    if (most == byName.end() || most->second.time <= 0)
        return std::nullopt;
    NamedWork largest = most->second;
    largest.share = largest.time / all;
    largest.fullName = longestSignature(largest);
    return largest;
}

std::optional<double> RunFacts::peakRate(Precision precision) const {
    // The run's own may have been raised by its best product.
    if (m_config && precision == m_config->precision && m_ceilings.measured.flopsPerSecond)
        return m_ceilings.measured.flopsPerSecond;
    if (const auto measured = ceilingsFromPairs(m_snapshot.info().pairs())) {
        if (const auto* product = measured->product(precision); product && product->flopsPerSecond > 0)
            return product->flopsPerSecond;
    }
    const DataSheet* sheet = dataSheetOf(m_snapshot.info().get("device.name"));
    return sheet ? sheet->flopsPerSecond(precision) : std::nullopt;
}

std::optional<double> RunFacts::bandwidth() const {
    return m_ceilings.measured.bytesPerSecond ? m_ceilings.measured.bytesPerSecond
                                              : m_ceilings.dataSheet.bytesPerSecond;
}

std::string_view RunFacts::bandwidthWords() const {
    return m_ceilings.measured.bytesPerSecond ? "of the measured bandwidth" : "of the data sheet's bandwidth";
}

void RunFacts::findAlive() {
    if (!m_peak)
        return;
    forEachAllocation(m_snapshot, m_memory.aliveAt(m_peak->time), [&](AllocationId id, AllocationRow row) {
        row.category = m_memory.categoryOf(id);
        const Place place = m_snapshot.place(row.place);
        m_alive.push_back({id, row, place, m_snapshot.name(place.module), m_snapshot.name(place.part)});
    });
}

Bytes RunFacts::peakBytes() const {
    return m_peak ? Bytes(sumOf(m_peak->bytes)) : Bytes();
}

double RunFacts::shareOfPeak(Bytes bytes) const {
    const double whole = asDouble(peakBytes().value);
    return whole > 0 ? std::clamp(asDouble(bytes.value) / whole, 0.0, 1.0) : 0;
}

Finding RunFacts::findingOf(std::string rule, double time) const {
    Finding finding;
    finding.rule = std::move(rule);
    finding.nsPerStep = time;
    finding.stepShare = shareOfStep(time);
    return finding;
}

Finding RunFacts::findingOf(std::string rule, Bytes bytes) const {
    Finding finding;
    finding.rule = std::move(rule);
    finding.bytes = bytes;
    finding.peakShare = shareOfPeak(bytes);
    return finding;
}

std::optional<Bytes> RunFacts::memoryLimit() const {
    if (const auto limit = warpglass::memoryLimit(m_snapshot.info()))
        return limit->bytes;
    return std::nullopt;
}

std::string RunFacts::stepInWords() const {
    return inWords(m_stepTime) + (m_meansHaveFirst ? " step after the first" : " step");
}

std::string RunFacts::shareInWords(double time) const {
    return formatPercent(shareOfStep(time)) + (m_meansHaveFirst ? " of each " + stepInWords() : "");
}

std::optional<Trial> RunFacts::trial(const RunConfig& changed, TrialMetric metric, double before,
                                     double expected) const {
    if (!m_config || before <= 0 || expected <= 0 || before - expected < kLeastGain * before ||
        !validate(changed).empty())
        return std::nullopt;
    Trial trial{changed, {}, {}, metric, before, expected};
    const auto now = toPairs(*m_config), then = toPairs(changed);
    int differences = 0;
    for (const auto& setting : then) {
        if (std::ranges::find(now, setting) != now.end())
            continue;
        ++differences;
        trial.setting = setting.first.substr(setting.first.find('.') + 1);
        trial.value = setting.second;
    }
    if (differences != 1 ||
        (metric == TrialMetric::kStepTime && m_meansHaveFirst && trial.setting != "warmup"))
        return std::nullopt;
    return trial;
}

std::optional<Trial> RunFacts::memoryTrial(const RunConfig& changed) const {
    if (!m_config || !isWhole())
        return std::nullopt;
    const double gain =
        asDouble(predictMemory(*m_config).given.value) - asDouble(predictMemory(changed).given.value);
    const double before = asDouble(peakBytes().value);
    return trial(changed, TrialMetric::kPeakMemory, before, before - gain);
}

bool RunFacts::isWhole() const {
    const std::string state = m_snapshot.info().get("state");
    return m_stepTime > 0 && state != run_state::kFailed && state != run_state::kStopped;
}

}  // namespace warpglass
