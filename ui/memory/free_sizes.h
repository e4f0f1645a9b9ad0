// Under the segments of a moment: of what sizes the free pieces are, as bars, and which of one size have the
// most memory and what is beside them. A dashed line stands at the size of the largest allocation still to
// come: what is below it is large enough. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "engine/query/memory/free_memory.h"

class QPainter;

namespace warpglass::ui {

class FreeSizesPart {
    Q_DECLARE_TR_FUNCTIONS(FreeSizesPart)
public:
    FreeSizesPart() = default;
    FreeSizesPart(FreeMemory free, std::optional<ComingAllocation> coming);

    const FreeMemory& free() const { return m_free; }
    /// 0 where nothing is free.
    int heightAt(int width) const;
    void paint(QPainter& painter, const QRectF& area) const;
    /// The groups that are listed, those with the most memory first.
    const std::vector<std::size_t>& listed() const { return m_listed; }

private:
    bool isWide(double width) const;
    /// One above the other in little room.
    double barsHeight(double width) const;
    void paintBars(QPainter& painter, const QRectF& area) const;
    void paintBar(QPainter& painter, const QRectF& line, const FreeSizes& size) const;
    void paintComing(QPainter& painter, const QRectF& area) const;
    void paintList(QPainter& painter, const QRectF& area) const;

    FreeMemory m_free;
    std::optional<ComingAllocation> m_coming;
    QString m_comingText;
    std::vector<std::size_t> m_listed;
    std::int64_t m_most = 1;  // bytes of the size with the most
};

}  // namespace warpglass::ui
