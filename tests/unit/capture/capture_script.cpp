#include "tests/unit/capture/capture_script.h"

#include "tests/support/every_span.h"

namespace warpglass::test {

std::string describe(const Snapshot& s, PlaceId id) {
    const Place place = s.place(id);
    std::string text(phaseName(place.phase));
    if (place.module.valid())
        text += " " + std::string(s.name(place.module));
    if (place.part.valid())
        text += "/" + std::string(s.name(place.part));
    return text;
}

Texts spansOf(const Snapshot& s, TrackKind kind, bool withTimes) {
    Texts texts;
    for (const auto& [ref, row, sameKind, track, depth] : test::spansOfKind(s, kind)) {
        std::string text =
            std::string(depth, '>') + std::string(s.name(row.name)) + " [" + describe(s, row.place) + "]";
        if (withTimes)
            text += " " + std::to_string(row.start) + "-" + std::to_string(row.end());
        texts.push_back(text);
    }
    return texts;
}

Texts segmentsOf(const Snapshot& s) {
    Texts texts;
    for (std::uint64_t i = 0; i < s.segmentEventCount(); ++i) {
        const SegmentEvent e = *s.segmentEvent(i);
        texts.push_back(std::string(kSegmentActionNames[static_cast<std::size_t>(e.action)]) + " " +
                        std::to_string(e.address) + "+" + std::to_string(e.bytes) + " stream " +
                        std::to_string(e.stream) + " pool " + std::to_string(e.pool) + " [" +
                        describe(s, e.place) + "] step " + std::to_string(e.step) + " " +
                        std::string(s.name(e.op)) + " @" + std::to_string(e.time) +
                        (e.allocation.valid() ? " allocation " + std::to_string(e.allocation.value) : ""));
    }
    return texts;
}

}  // namespace warpglass::test
