#include "ui/charts/category_key.h"

#include <bitset>

#include "engine/trace/stack_order.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

std::vector<Category> seenCategories(RunDocument& document) {
    // Eight columns over the whole run would miss what lives shortly; a few hundred find what can be seen.
    constexpr std::size_t kColumns = 512;
    std::bitset<kCategoryCount> seen;
    if (const auto& snapshot = document.snapshot()) {
        for (const MemoryColumn& column : document.memory().columns(snapshot->range(), kColumns)) {
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                seen[c] = seen[c] || column.atPeak[c] != 0;
        }
    }
    std::vector<Category> categories;
    for (const Category category : kStackOrder) {
        if (seen[static_cast<std::size_t>(category)])
            categories.push_back(category);
    }
    return categories;
}

std::vector<LegendEntry> entriesOf(const std::vector<Category>& categories) {
    std::vector<LegendEntry> entries;
    entries.reserve(categories.size());
    for (const Category category : categories)
        entries.push_back(
            {Theme::categoryColor(category), toQString(kCategoryNames[static_cast<std::size_t>(category)])});
    return entries;
}

CategoryKey::CategoryKey(RunDocument& document, QWidget* parent) : LegendStrip(parent), m_document(document) {
    setContentsMargins(0, 0, 0, 0);
    hide();
    const auto follow = [this] {
        if (m_alone)
            showCategories();
    };
    connect(&document, &RunDocument::snapshotChanged, this, follow);
}

void CategoryKey::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    showCategories();
}

void CategoryKey::setAlone(bool alone) {
    if (alone == m_alone)
        return;
    m_alone = alone;
    showCategories();
}

void CategoryKey::setMore(std::vector<LegendEntry> entries) {
    if (entries == m_more)
        return;
    m_more = std::move(entries);
    showCategories();
}

void CategoryKey::showCategories() {
    const bool shown = m_inFigure || m_alone;
    if (shown) {
        std::vector<LegendEntry> entries = entriesOf(seenCategories(m_document));
        entries.insert(entries.end(), m_more.begin(), m_more.end());
        setEntries(std::move(entries));
    }
    setVisible(shown);
}

}  // namespace warpglass::ui
