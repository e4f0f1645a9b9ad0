#include "ui/memory/map_words.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString MapWords::summary(bool brief) const {
    const AllocationMap::Sum all = m_blocks.geometry().all, drawn = m_blocks.geometry().drawn;
    if (m_content.map->size() == 0)
        return {};
    const QString only = m_focus.only().isEmpty() ? QString() : tr("only %1 · ").arg(m_focus.only());
    if (all.count == drawn.count)
        return only + (all.count == 1
                           ? tr("1 allocation in view")
                           : tr("%1 allocations in view").arg(toQString(formatGrouped(all.count))));
    if (drawn.count == 0)
        return only + (all.count == 1 ? tr("1 allocation, too small to draw individually")
                       : brief
                           ? tr("%1 small allocations as stripes").arg(toQString(formatGrouped(all.count)))
                           : tr("%1 allocations too small to draw individually: stripes show their shares")
                                 .arg(toQString(formatGrouped(all.count))));
    const QString each = tr("%1 of %2 drawn individually")
                             .arg(toQString(formatGrouped(drawn.count)), toQString(formatGrouped(all.count)));
    if (brief)
        return only + each;
    const double rest = static_cast<double>(all.bytes - drawn.bytes) /
                        static_cast<double>(std::max<std::int64_t>(1, all.bytes));
    return only + each + tr("; the rest, %1 of the bytes, merged").arg(toQString(formatPercent(rest)));
}

QString MapWords::whyEmpty(bool looking) const {
    if (!m_document.snapshot())
        return m_document.noRunWords(tr("to see its allocations"));
    if (const std::string why = Completeness(*m_document.snapshot()).why(DataKind::kMemory); !why.empty())
        return toQString(why);
    if (looking)
        return {};
    return m_focus.only().isEmpty() ? tr("There is no allocation to show")
                                    : tr("The filter hides every allocation: %1").arg(m_focus.only());
}

QString MapWords::ofMerged(const MapBlocks::Hit& hit) const {
    const QString merged =
        tr("%1 allocations merged here, %2 total")
            .arg(toQString(formatGrouped(hit.merged.count)), toQString(formatBytes(Bytes(hit.merged.bytes))));
    const QString zoom = tr("zoom in to separate them");
    if (!m_focus.knows(m_content.map->id(hit.largest)))
        return tr("%1; %2").arg(merged, zoom);
    const AllocationDetail detail = m_focus.detailOf(m_content.map->id(hit.largest));
    const std::string& where = detail.module.empty() ? detail.op : detail.module;
    const QString size = toQString(formatBytes(Bytes(detail.row.bytes)));
    const QString largest =
        where.empty()
            ? tr("the largest %1 of %2").arg(size, toQString(detail.category))
            : tr("the largest %1 of %2, %3").arg(size, toQString(detail.category), toQString(where));
    return tr("%1, %2; %3").arg(merged, largest, zoom);
}

QString MapWords::ofFold(const PlaceFold& fold) {
    return tr("%1 in %2 allocations of %3, which live through all measured steps, with %4 of other or free "
              "memory between them. A click shows all of it")
        .arg(toQString(formatBytes(Bytes(fold.sum.bytes))), toQString(formatGrouped(fold.sum.count)),
             toQString(categoryName(fold.category)),
             toQString(formatBytes(Bytes(static_cast<std::int64_t>(fold.between())))));
}

}  // namespace warpglass::ui
