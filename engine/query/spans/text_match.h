// Which spans a text in the filter finds: those with it in their name, in the name of the op that launched
// them, or in the path of the module in which they lie, its part ("blocks.3.attn/scores") among it; letters
// of either case alike. One meaning for every table, chart and the timeline; but phases, which no module and
// no op has, are found by their own names.
//
// Each name, place and launch is asked once, when it is made. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

/// Whether `text` contains `part`, ignoring the case of ASCII letters.
bool containsText(std::string_view text, std::string_view part);

/// Whether the text is in the path of a place's module, with its part where it is in one.
inline bool placeHasText(const Snapshot& snapshot, const Place& place, std::string_view text) {
    const std::string_view module = snapshot.name(place.module), part = snapshot.name(place.part);
    if (part.empty())
        return containsText(module, text);
    return containsText(module.empty() ? std::string(part) : std::string(module).append("/").append(part),
                        text);
}

class TextMatch {
public:
    /// "" finds everything.
    TextMatch(const Snapshot& snapshot, std::string_view text) : m_any(text.empty()) {
        if (m_any)
            return;
        m_names.resize(snapshot.nameCount());
        for (std::size_t i = 0; i < m_names.size(); ++i)
            m_names[i] = containsText(snapshot.name(NameId(i)), text) ? 1 : 0;
        // Only a text with a slash can begin in the module and end in the part.
        const bool across = text.find('/') != std::string_view::npos;
        m_places.resize(snapshot.placeCount());
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const Place place = snapshot.place(PlaceId(i));
            const bool found = isIn(m_names, place.module.value) || isIn(m_names, place.part.value) ||
                               (across && place.part.valid() && placeHasText(snapshot, place, text));
            m_places[i] = found ? 1 : 0;
        }
    }
    bool passesAll() const { return m_any; }
    /// The span's name, that of the op that launched it (any invalid id for none), and its place.
    bool passes(std::uint32_t name, std::uint32_t op, std::uint32_t place) const {
        return m_any || isIn(m_names, name) || isIn(m_names, op) || isIn(m_places, place);
    }

private:
    static bool isIn(const std::vector<std::uint8_t>& found, std::uint32_t id) {
        return id < found.size() && found[id] != 0;
    }

    bool m_any;
    std::vector<std::uint8_t> m_names, m_places;
};

/// The same, asked of the rows of a track of ops, kernels or copies.
class RowTextMatch {
public:
    RowTextMatch(const Snapshot& snapshot, TrackKind kind, std::string_view text) : m_text(snapshot, text) {
        if (m_text.passesAll() || !isGpuTrack(kind))
            return;
        m_ops.resize(snapshot.detailCount(), NameId().value);
        for (std::size_t i = 0; i < m_ops.size(); ++i) {
            if (const auto detail = snapshot.detail(DetailId(i)))
                m_ops[i] = detail->op.value;
        }
    }
    bool passesAll() const { return m_text.passesAll(); }
    bool passes(const SpanChunk& chunk, std::uint32_t i) const {
        const std::uint32_t detail = chunk.detail[i];
        return m_text.passes(chunk.name[i], detail < m_ops.size() ? m_ops[detail] : NameId().value,
                             chunk.place[i]);
    }

private:
    TextMatch m_text;
    std::vector<std::uint32_t> m_ops;  // by DetailId: the op that launched it
};

}  // namespace warpglass
