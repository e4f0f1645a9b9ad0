// What an allocation map says of what it shows, in words. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/memory/map_blocks.h"
#include "ui/memory/memory_focus.h"

namespace warpglass::ui {

class MapWords {
    Q_DECLARE_TR_FUNCTIONS(MapWords)
public:
    /// All of these outlive it.
    MapWords(const RunDocument& document, MemoryFocus& focus, const MapContent& content,
             const MapBlocks& blocks)
        : m_document(document), m_focus(focus), m_content(content), m_blocks(blocks) {}

    /// What the filter leaves, and "12,345 allocations in view", "20,000 of 1,200,000 drawn one by one; the
    /// rest, 3% of the bytes, merged"; `brief` without how much the rest is.
    QString summary(bool brief = false) const;
    /// Why there is no allocation; while they are looked for, only what is known without looking.
    QString whyEmpty(bool looking) const;
    /// What several merged allocations are.
    QString ofMerged(const MapBlocks::Hit& hit) const;
    static QString ofFold(const PlaceFold& fold);

private:
    const RunDocument& m_document;
    MemoryFocus& m_focus;
    const MapContent& m_content;
    const MapBlocks& m_blocks;
};

}  // namespace warpglass::ui
