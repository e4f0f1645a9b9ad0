// Draws timeline rows from their rectangles, labels and ruler, in the theme's colors. Decides no geometry.
//
// Rectangles are filled in batches of one color without antialiasing (the raster engine's plain fills), a
// border is a column left free, and text comes last and only where it fits.
#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRect>
#include <QRegion>
#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/timeline/filter_shade.h"
#include "ui/timeline/geometry_builder.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_rows.h"

namespace warpglass::ui {

class StackPixels;

class TimelinePainter {
public:
    /// Takes the colors from the present theme; again after it changed.
    TimelinePainter();
    void reloadTheme();
    /// Another run: names mean something else.
    void forgetNames() { m_names.clear(); }

    /// Rows [first, last). The painter's unit is a pixel column of the geometry, its origin the plot's left
    /// edge at the content's `scrollTop`; `scale` is columns per logical pixel.
    /// What the filter leaves out is muted, of a strip the columns in which nothing counts.
    /// `pixels`, unless null: the 32-bit image that the painter draws on, from the same origin, a pixel a
    /// column. Stacks are thousands of pieces of a pixel's width: they are written into it.
    void paintRows(QPainter& painter, StackPixels* pixels, TimelineGeometry& geometry, std::size_t first,
                   std::size_t last, double scale, int scrollTop, FilterShade& shade);
    /// What is written in those rows.
    void paintNames(QPainter& painter, TimelineGeometry& geometry, const Snapshot& snapshot,
                    std::size_t first, std::size_t last, double scale, int scrollTop, FilterShade& shade);
    /// Logical pixels; `area` is the ruler's strip with the label column.
    /// Labels that would run into `keepFree` or past the right edge are left out. `side`: of what it
    /// measures.
    enum class RulerSide { kAbove, kBelow };
    void paintRuler(QPainter& painter, const Ruler& ruler, TimeRange visible, const QRect& area,
                    int labelWidth, const QRegion& keepFree, RulerSide side = RulerSide::kAbove) const;
    /// Faint lines under the rows at the labeled ticks. Same unit and origin as paintRows.
    void paintGrid(QPainter& painter, const Ruler& ruler, const ColumnMap& map, int height,
                   double scale) const;
    /// How a track's label stands out: the mouse is over it, or keys act on it.
    struct LabelState {
        std::optional<std::size_t> hovered, current;
        /// The mark that folds a track; none in a figure.
        bool folds = true;
    };
    /// Tracks [first, last). Logical pixels, origin at the left edge of the label column at the content's
    /// `scrollTop`.
    void paintLabels(QPainter& painter, const std::vector<TimelineTrack>& tracks, std::size_t first,
                     std::size_t last, const LabelState& state, int labelWidth, int height,
                     int scrollTop) const;

    /// What a span that counts is filled with.
    QColor fill(ColorKey color) const { return m_fills[kSpan][color.value]; }

private:
    enum Style : std::size_t { kSpan, kLeftOut, kStyleCount };

    /// What a bar says: the first of them that fits is written, or else a part of the second unless there is
    /// a third.
    struct Name {
        QString text, shorter, least;
        qreal width = 0, shorterWidth = 0;
    };

    static Style styleOf(const TimelineRow& row, const TimelineRect& rect, FilterShade& shade) {
        return shade.fades(row, rect) ? kLeftOut : kSpan;
    }
    /// The stacks of a row's columns, from its bottom up.
    void batchStacks(StackPixels* pixels, TimelineGeometry& geometry, std::size_t row, int top, int bottom,
                     double scale, FilterShade& shade);
    /// One for each of its stacks.
    static std::vector<Style> stackStyles(TimelineGeometry& geometry, std::size_t row, double scale,
                                          FilterShade& shade);
    void batchRow(const TimelineRow& row, const std::vector<TimelineRect>& rects, KeptX kept, int top,
                  int bottom, double scale, FilterShade& shade);
    void fillBatches(QPainter& painter);
    /// What the ruler's labels count from, beside it; in two lines where one is too long.
    void paintRulerOrigin(QPainter& painter, const Ruler& ruler, const QRect& area) const;
    void paintRowText(QPainter& painter, const Snapshot& snapshot, TimelineGeometry& geometry,
                      std::size_t row, double scale, int scrollTop, FilterShade& shade);
    /// `brief`: with the shortest form of the name wherever it has one.
    const Name& nameOf(const Snapshot& snapshot, const TimelineRow& row, const TimelineRect& rect,
                       const QFont& font, bool brief = false);
    /// The names of phases that are brief in all of a row, because one of its whole bars has no room for
    /// more: "backward" beside "bwd" would read as two phases.
    std::vector<NameId> briefNames(const Snapshot& snapshot, const TimelineRow& row,
                                   const std::vector<TimelineRect>& rects, TimeRange view, double scale);

    template <class T>
    using ByColor = std::array<std::array<T, ColorKey::kCount>, kStyleCount>;
    ByColor<QColor> m_fills;
    ByColor<QColor> m_texts;
    ByColor<std::vector<QRect>> m_batches;
    QFont m_bandFont;
    QFont m_laneFont;
    QHash<quint64, Name> m_names;  // by name id and font
    Name m_scratch;
};

}  // namespace warpglass::ui
