#include "engine/query/model/span_roof.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/model/library_work.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/roofline.h"
#include "engine/query/model/span_work.h"
#include "engine/query/spans/spans_at.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {
namespace {

/// By the roofline.
std::optional<SpanRoof> productRoof(const Snapshot& snapshot, const SpanWork::Known& known, double seconds) {
    if (known.flops <= 0)
        return std::nullopt;
    const RunCeilings ceilings = ceilingsOf(snapshot);
    const auto flops = ceilings.measured.flopsPerSecond ? ceilings.measured.flopsPerSecond
                                                        : ceilings.dataSheet.flopsPerSecond;
    const auto bytes = memoryRoof(ceilings);
    SpanRoof roof;
    roof.memory = flops && bytes && known.bytes > 0 && *bytes * known.flops < *flops * known.bytes;
    if (!flops)
        return std::nullopt;
    roof.roof = roof.memory ? *bytes : *flops;
    roof.reached = (roof.memory ? known.bytes : known.flops) / seconds;
    roof.origin = ceilings.origin(roof.memory);
    return roof;
}

/// The roof of a GEMM or a fused attention of the library.
std::optional<SpanRoof> plannedRoof(const Snapshot& snapshot, TrackKind kind, const SpanRow& row,
                                    double seconds) {
    const SpanWork work(snapshot, kind);
    const auto known = work.isProduct(row.name) ? work.of(row.place.value, 1, false) : std::nullopt;
    auto roof = known ? productRoof(snapshot, *known, seconds) : std::nullopt;
    if (roof)
        roof->shape = work.shapeAt(row.place.value);
    return roof;
}

std::optional<SpanRoof> byMemory(const Snapshot& snapshot, double bytesPerSecond) {
    const RunCeilings ceilings = ceilingsOf(snapshot);
    const auto roof = memoryRoof(ceilings);
    return roof ? std::optional(SpanRoof{bytesPerSecond, *roof, true, ceilings.origin(true)}) : std::nullopt;
}

}  // namespace

double SpanRoof::share() const {
    return roof > 0 ? std::min(1.0, reached / roof) : 0;
}

Nanoseconds SpanRoof::bestCase(Nanoseconds duration) const {
    return Nanoseconds(std::llround(static_cast<double>(duration.value) * share()));
}

std::string SpanRoof::peakInWords() const {
    return std::string(origin) + (memory ? " memory" : " compute") + " peak of " +
           (memory ? formatByteRate(roof) : formatFlopRate(roof));
}

std::string SpanRoof::sentence() const {
    return "It reaches " + (memory ? formatByteRate(reached) : formatFlopRate(reached)) + ", " +
           formatPercent(share()) + " of the " + peakInWords() + ".";
}

std::optional<SpanRoof> spanRoof(const Snapshot& snapshot, SpanRef span) {
    const std::optional<SpanRow> row = rowOf(snapshot, span);
    if (!row)
        return std::nullopt;
    const TrackKind kind = snapshot.track(snapshot.lane(span.lane).track()).kind;
    const bool op = kind == TrackKind::kCpuThread;
    if (!(op ? !hasKernels(snapshot) : kind == TrackKind::kGpuStream))
        return std::nullopt;
    const double seconds = static_cast<double>(op ? row->self : row->duration) / 1e9;
    if (seconds <= 0)
        return std::nullopt;
    const std::string_view module = snapshot.name(snapshot.place(row->place).module);
    const auto own =
        op ? std::nullopt
           : ownKernelSpan(snapshot, snapshot.name(row->name), module, Nanoseconds(row->duration));
    if (!own && !op) {
        const LibraryWork library(snapshot);
        if (const auto known = library.of(library.keyOf(row->place, row->detail), 1))
            return byMemory(snapshot, known->bytes / seconds);
    }
    if (!own)
        return plannedRoof(snapshot, kind, *row, seconds);
    if (own->isProduct && own->work)
        return productRoof(
            snapshot,
            {static_cast<double>(own->work->flops.value), static_cast<double>(own->work->moved.value)},
            seconds);
    return own->bytesPerSecond ? byMemory(snapshot, *own->bytesPerSecond) : std::nullopt;
}

}  // namespace warpglass
