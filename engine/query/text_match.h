// Which spans a text in the filter finds: those with it in their name, in the name of the op that launched
// them, or in the module or its part in which they lie; letters of either case alike.
//
// Each name and place is asked once, when it is made. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/query/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class TextMatch {
public:
    /// "" finds everything.
    TextMatch(const Snapshot& snapshot, std::string_view text) : m_any(text.empty()) {
        if (m_any)
            return;
        m_names.resize(snapshot.nameCount());
        for (std::size_t i = 0; i < m_names.size(); ++i)
            m_names[i] = containsText(snapshot.name(NameId(i)), text) ? 1 : 0;
        m_places.resize(snapshot.placeCount());
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const Place place = snapshot.place(PlaceId(i));
            m_places[i] = isIn(m_names, place.module.value) || isIn(m_names, place.part.value) ? 1 : 0;
        }
    }
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

}  // namespace warpglass
