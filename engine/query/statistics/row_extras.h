// What a row of a table by name is made of: sums that threads make apart and then merge.
//
// Internal to engine/query. Not thread-safe.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "engine/base/units.h"
#include "engine/trace/ids.h"
#include "engine/trace/span_detail.h"

namespace warpglass {

/// What rows of one key are made of, beside their durations.
struct RowExtras {
    std::int64_t copied = 0;
    CopyKind copy = CopyKind::kNone;
    bool oneCopyKind = true;
    /// Time by NameId: of kernels and copies by the op that launched them, of ops by their types.
    std::unordered_map<std::uint32_t, std::int64_t> byName;
    std::unordered_map<std::uint32_t, std::int64_t> bySignature;  // of kernels, likewise
    std::unordered_map<std::uint32_t, std::int64_t> byPlace;      // products by PlaceId
    std::unordered_map<std::uint32_t, std::int64_t> ownByPlace;   // launches of a kernel of ours, likewise
    /// Launches and time of the library's kernels whose bytes may be known, by LibraryWork's key.
    std::unordered_map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> library;
    PlaceId place;  // of one of them

    void merge(const RowExtras& other) {
        addWrapping(copied, other.copied);
        place = place.valid() ? place : other.place;
        oneCopyKind = oneCopyKind && other.oneCopyKind &&
                      (copy == CopyKind::kNone || other.copy == CopyKind::kNone || copy == other.copy);
        copy = other.copy == CopyKind::kNone ? copy : other.copy;
        for (const auto& [name, time] : other.byName)
            addWrapping(byName[name], time);
        for (const auto& [signature, time] : other.bySignature)
            addWrapping(bySignature[signature], time);
        for (const auto& [place, products] : other.byPlace)
            byPlace[place] += products;
        for (const auto& [place, launches] : other.ownByPlace)
            ownByPlace[place] += launches;
        for (const auto& [key, ran] : other.library) {
            auto& sum = library[key];
            sum = {sum.first + ran.first, wrappingAdd(sum.second, ran.second)};
        }
    }
};

}  // namespace warpglass
