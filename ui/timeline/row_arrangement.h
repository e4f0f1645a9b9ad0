// How the user has arranged the timeline's tracks: which are folded to one row or unfolded, hidden or pinned
// to the top, and their order. Tracks are identified by key (kind and name), so the arrangement outlives
// snapshots of a live run and serves the next run, which mostly has the same tracks.
//
// A value without Qt; not thread-safe.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/ids.h"

namespace warpglass::ui {

class RowArrangement {
public:
    using Keys = std::vector<std::string>;
    static std::string keyOf(TrackKind kind, std::string_view name);

    /// All of it, to be kept and taken up again. No more than kMostKept keys of a kind are taken.
    struct Lists {
        Keys folded, hidden, pinned, order, unfolded = {};
    };
    RowArrangement() = default;
    explicit RowArrangement(Lists lists);
    Lists lists() const;
    /// If runs with more tracks were kept, the settings would grow without bound.
    static constexpr std::size_t kMostKept = 512;

    /// `atFirst`: whether it is while the user has neither folded nor unfolded it.
    bool isFolded(const std::string& key, bool atFirst = false) const {
        return !m_revealed.contains(key) &&
               (m_folded.contains(key) || (atFirst && !m_unfolded.contains(key)));
    }
    bool isHidden(const std::string& key) const { return m_hidden.contains(key) || m_leftOut.contains(key); }
    bool isPinned(const std::string& key) const { return m_pinned.contains(key); }
    void setFolded(const std::string& key, bool folded) {
        set(m_folded, key, folded);
        set(m_unfolded, key, !folded);
        m_revealed.erase(key);
    }
    /// Unfolds it, since what is selected lies in it, until the user folds it or another run is shown.
    void reveal(const std::string& key) { m_revealed.insert(key); }
    const std::set<std::string>& revealed() const { return m_revealed; }
    void setRevealed(std::set<std::string> keys) { m_revealed = std::move(keys); }
    void setHidden(const std::string& key, bool hidden) {
        set(m_hidden, key, hidden);
        if (!hidden)
            m_leftOut.erase(key);
    }
    /// Hidden for a while beside those that the user has hidden, until all are shown.
    void setLeftOut(std::set<std::string> keys) { m_leftOut = std::move(keys); }
    const std::set<std::string>& leftOut() const { return m_leftOut; }
    void setPinned(const std::string& key, bool pinned) { set(m_pinned, key, pinned); }
    void showAll() {
        m_hidden.clear();
        m_leftOut.clear();
    }
    void reset() { *this = RowArrangement(); }
    bool isDefault() const { return *this == RowArrangement(); }

    /// Below, `keys` are a run's tracks in their natural order, each once. Returns the indices of those that
    /// are shown, pinned ones first. A track that has never been moved comes after the one that naturally
    /// precedes it.
    std::vector<std::size_t> shown(const Keys& keys) const;
    /// Puts a shown track at `position` of those that are shown, as counted without it; within the pinned
    /// ones if it is pinned, behind them if not.
    void move(const Keys& keys, const std::string& key, std::size_t position);
    /// One place up (−1) or down (+1) among its like. False when there is none.
    bool moveBy(const Keys& keys, const std::string& key, int by);

    bool operator==(const RowArrangement&) const = default;

private:
    static void set(std::set<std::string>& keys, const std::string& key, bool on) {
        if (on)
            keys.insert(key);
        else
            keys.erase(key);
    }
    /// All of them, hidden ones too, in the user's order.
    Keys ordered(const Keys& keys) const;

    std::set<std::string> m_folded, m_unfolded, m_hidden, m_pinned;
    std::set<std::string> m_revealed, m_leftOut;  // not kept
    Keys m_order;                                 // of every track that was there at a move
};

}  // namespace warpglass::ui
