// Traces written as text, so that a test shows what is in its run at a glance:
//
//     const auto run = traceOf(R"(
//         info config.warmup 0 state finished
//         step 0 0-100
//           forward 0-40 | module blocks.0.attn 0-20
//             op aten::mm 1-9 | launch 3-4 | kernel gemm 5-20 stream 7
//             alloc 512 3-50 gradients
//           backward 40-
//     )");
//
// A line has one item. What is indented more than a line above it lies in that line's item; `|` begins an
// item that lies in the one before it, `;` one beside it. An item takes its step, its phase, its module and
// part, its op, its thread, and the link of a call from the items around it; a span's depth and self time
// come from those around it on the same track. The order of lines is that of tracks, lanes and names; rows
// are put in order of time. "A name of several words" stands in quotes; # begins a comment.
//
// Spans, each with a time: step N, capture, forward (or another phase), gpu PHASE, module NAME, part NAME,
//   op NAME, call NAME, launch, kernel NAME, copy NAME, fill NAME, wait NAME, profiler NAME.
// Times: 5-20, 5us-20us, 5-20us, 1.5-2ms; ns where no unit is named. 5- is unfinished: if it ends later, its
//   self time has what lies in it too.
// Attributes: step N, phase P, module M, part P, op NAME, thread T, stream N, gpu N, link N, which hold for
//   what lies in the item too; on TRACK (its track is called otherwise), self TIME, place none.
// For GPU work also: node N, grid X,Y,Z, block X,Y,Z, occupancy R, full NAME, bytes N, direction D.
// For an op also: types TEXT, those of its inputs and outputs.
// Memory: alloc BYTES TIME CATEGORY, where 5-20 is freed at 20 and 5 never; requested N, address N.
//   segment ACTION BYTES TIME with a word of kSegmentActionNames; address N, stream N, allocation ID.
//   Bytes may be 3MiB.
// Without a span: in ATTRIBUTES, for what lies in it; repeat N every T, for what lies in it N times, T later
//   each time, steps and links that are stated one higher; track KIND NAME, with no span yet.
// For the run: info KEY VALUE (and more of them), counter NAME VALUE TIME, lost NAME COUNT, and end TIME if
//   nothing is recorded as late as that.
//
// What cannot be read is thrown as a std::runtime_error that names the line, which fails the test.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/trace_writer.h"

namespace warpglass::test {

/// As toPairs() gives a configuration.
using InfoPairs = std::vector<std::pair<std::string, std::string>>;

/// A run that grows by texts, and by its writer where something cannot be written as text.
class TraceText {
public:
    explicit TraceText(std::string_view text = {}, const InfoPairs& info = {});

    /// Writes, settles and commits. Tracks that were there before go on.
    std::shared_ptr<const Snapshot> add(std::string_view text);
    std::shared_ptr<const Snapshot> snapshot() const { return writer.feed()->latest(); }
    std::shared_ptr<TraceFeed> feed() const { return writer.feed(); }
    TrackId track(TrackKind kind, std::string_view name);

    TraceWriter writer;

private:
    std::map<std::pair<TrackKind, std::string>, TrackId> m_tracks;
    std::uint64_t m_lastLink = 0;
    friend class TraceTextReader;
};

/// The whole of a run; one of nothing without a text.
std::shared_ptr<const Snapshot> traceOf(std::string_view text = {}, const InfoPairs& info = {});

/// The text with the values in place of each %.
template <class... Values>
std::string filled(std::string_view text, const Values&... values) {
    std::ostringstream out;
    const auto put = [&](const auto& value) {
        const std::size_t at = text.find('%');
        out << text.substr(0, at) << value;
        text.remove_prefix(at + 1);
    };
    (put(values), ...);
    out << text;
    return out.str();
}

}  // namespace warpglass::test
