#include "ui/memory/map_labels.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/free_look.h"
#include "ui/memory/label_place.h"
#include "ui/memory/map_block_names.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Half the width of what stands on the line of the peak.
constexpr double kBesidePeak = 4;

/// The picture in squares of so many pixels: how much of each is of which category.
constexpr double kTile = 16;
class Tiles {
public:
    using Shares = std::array<float, kCategoryCount>;
    /// How many squares a category fills, and the sum of their middles.
    struct Spread {
        double filled = 0;
        QPointF sum;
    };
    Tiles(double width, double height)
        : m_columns(static_cast<int>(width / kTile)),
          m_rows(static_cast<int>(height / kTile)),
          m_sums(static_cast<std::size_t>(m_rows * (m_columns + 1))) {}

    int columns() const { return m_columns; }
    int rows() const { return m_rows; }
    const Spread& spreadOf(std::size_t category) const { return m_spreads[category]; }

    void add(const MapRect& rect) {
        const auto category = static_cast<std::size_t>(rect.category);
        const double left = std::max(0.0F, rect.left) / kTile, right = rect.right / kTile;
        const double top = std::max(0.0F, rect.top) / kTile, bottom = rect.bottom / kTile;
        for (int row = static_cast<int>(top); row < std::min<double>(m_rows, bottom); ++row) {
            const double high = std::min(bottom, row + 1.0) - std::max<double>(top, row);
            for (int column = static_cast<int>(left); column < std::min<double>(m_columns, right); ++column) {
                const double wide = std::min(right, column + 1.0) - std::max<double>(left, column);
                m_sums[at(row, column + 1)][category] += static_cast<float>(wide * high);
                m_spreads[category].filled += wide * high;
                m_spreads[category].sum += wide * high * QPointF(column + 0.5, row + 0.5) * kTile;
            }
        }
    }
    /// Once all are there: from here on a square has the sum of those before it in its row.
    void sumUp() {
        for (int row = 0; row < m_rows; ++row) {
            for (int column = 0; column < m_columns; ++column) {
                for (std::size_t k = 0; k < kCategoryCount; ++k)
                    m_sums[at(row, column + 1)][k] += m_sums[at(row, column)][k];
            }
        }
    }

    /// On average, of so many in a row with those above and below them.
    Shares sharesOf(int row, int column, int count) const {
        Shares shares{};
        for (int r = std::max(0, row - 1); r <= std::min(m_rows - 1, row + 1); ++r) {
            const Shares &from = m_sums[at(r, column)], &to = m_sums[at(r, column + count)];
            for (std::size_t k = 0; k < kCategoryCount; ++k)
                shares[k] += (to[k] - from[k]) / static_cast<float>(3 * count);
        }
        return shares;
    }

private:
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row * (m_columns + 1) + column);
    }

    int m_columns, m_rows;
    std::vector<Shares> m_sums;
    std::array<Spread, kCategoryCount> m_spreads;
};

/// A label is where its category has so much of the picture.
constexpr float kLeastShare = 0.3F;

/// The place that has most of the category and least of any other, near the middle of all of it.
QRectF placeOf(const Tiles& tiles, std::size_t category, const QSizeF& size,
               const std::vector<QRectF>& taken) {
    const QPointF middle = tiles.spreadOf(category).sum / tiles.spreadOf(category).filled;
    const int count = static_cast<int>(std::ceil(size.width() / kTile));
    const double across = std::hypot(tiles.columns(), tiles.rows()) * kTile;
    QRectF best;
    double most = 0;
    for (int row = 0; row < tiles.rows(); ++row) {
        for (int column = 0; column + count <= tiles.columns(); ++column) {
            QRectF box({}, size);
            box.moveCenter(QPointF(column + count / 2.0, row + 0.5) * kTile);
            Tiles::Shares shares = tiles.sharesOf(row, column, count);
            const float own = std::exchange(shares[category], 0.0F);
            const QPointF off = box.center() - middle;
            const double score = 1 + static_cast<double>(own - *std::ranges::max_element(shares)) -
                                 std::hypot(off.x(), off.y()) / across;
            if (own >= kLeastShare && score > most &&
                std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); })) {
                most = score;
                best = box;
            }
        }
    }
    return best;
}

/// Moved up or down by a square at most, so that its middle lies on its category where bands of several are
/// narrower than squares.
QRectF onItsBand(const MapGeometry& geometry, Category category, const QRectF& box, double height,
                 const std::vector<QRectF>& taken) {
    constexpr int kReach = static_cast<int>(kTile);
    std::array<double, 2 * kReach + 1> own{};
    const double middle = box.center().y();
    const auto add = [&](const MapRect& rect) {
        const double wide =
            std::min<double>(rect.right, box.right()) - std::max<double>(rect.left, box.left());
        if (rect.rest || rect.category != category || wide <= 0 || rect.bottom <= middle - kReach ||
            rect.top > middle + kReach)
            return;
        for (int by = -kReach; by <= kReach; ++by)
            own[static_cast<std::size_t>(by + kReach)] +=
                rect.top <= middle + by && middle + by < rect.bottom ? wide : 0;
    };
    std::ranges::for_each(geometry.merged, add);
    std::ranges::for_each(geometry.blocks, add);
    QRectF best = box;
    double most = -1;
    for (int step = 0; step <= 2 * kReach; ++step) {
        const int by = step % 2 == 0 ? step / 2 : -(step + 1) / 2;  // the nearest first
        const auto at = static_cast<std::size_t>(by + kReach);
        // A pixel above and below counts too: the middle of the band, not its edge.
        const double least =
            std::min({own[at], own[at == 0 ? at : at - 1], own[std::min(at + 1, own.size() - 1)]});
        const QRectF moved = box.translated(0, by);
        if (least > most && moved.top() >= 0 && moved.bottom() <= height &&
            std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(moved); })) {
            most = least;
            best = moved;
        }
    }
    return best;
}

}  // namespace

std::array<QRectF, kCategoryCount> regionPlaces(const MapGeometry& geometry, const MapViewport& view,
                                                const std::array<QSizeF, kCategoryCount>& sizes,
                                                std::vector<QRectF> taken) {
    Tiles tiles(view.width, view.height);
    for (const MapRect& rect : geometry.merged) {
        if (!rect.rest)
            tiles.add(rect);
    }
    for (const MapRect& rect : geometry.blocks) {
        if (MapBlockNames::hasRoom(rect))
            taken.push_back(rectOf(rect));  // it has a name of its own
        else
            tiles.add(rect);
    }
    tiles.sumUp();
    std::array<std::size_t, kCategoryCount> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::greater<>(), [&](std::size_t k) { return tiles.spreadOf(k).filled; });
    std::array<QRectF, kCategoryCount> places;
    for (const std::size_t category : order) {
        if (sizes[category].isEmpty() ||
            tiles.spreadOf(category).filled * kTile < kLeastShare * sizes[category].width())
            continue;
        places[category] = onItsBand(geometry, static_cast<Category>(category),
                                     placeOf(tiles, category, sizes[category], taken), view.height, taken);
        taken.push_back(places[category]);
    }
    return places;
}

void MapLabels::paint(QPainter& painter, const QRectF& plot, const MapGeometry& geometry) {
    const PainterScope undone(painter);
    painter.setClipRect(plot);
    painter.translate(plot.topLeft());
    painter.setFont(chartFont());
    paintPeak(painter);
    paintRegions(painter, geometry);
}

/// Right of the line where it has room, else left of it, below those that are there already, and not to be
/// covered.
void MapLabels::label(QPainter& painter, double x, double top, const QString& text) {
    const QSizeF size = chipSize(painter, text);
    const double right = x + kBesidePeak, left = x - kBesidePeak - size.width();
    QRectF box(QPointF(right + size.width() <= m_view.width ? right : left, top), size);
    for (auto other = m_taken.rbegin(); other != m_taken.rend(); ++other) {
        if (other->intersects(box))
            box.moveTop(other->bottom() + 1);
    }
    m_taken.push_back(box);
    painter.setRenderHint(QPainter::Antialiasing);
    paintChip(painter, box, text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Between the folded regions, which are not to scale and have words; its name is at its upper end.
void MapLabels::paintPeak(QPainter& painter) {
    if (!m_content.peak || !m_view.time.contains(m_content.peak->time))
        return;
    const double x = std::floor(m_view.xOf(m_content.peak->time.value)) + 0.5;
    QPen pen(Theme::instance().colors().text, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    double top = 0;
    std::optional<double> upperEnd;
    const auto line = [&](double bottom) {
        if (bottom > top)
            painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (bottom - top >= chipSize(painter, {}).height())
            upperEnd = upperEnd.value_or(top);
    };
    for (auto fold = m_view.folds.rbegin(); fold != m_view.folds.rend(); ++fold) {
        line(std::min(m_view.height, m_view.yOf(fold->to)));
        top = std::max(top, m_view.yOf(fold->from));
    }
    line(m_view.height);
    if (m_byAddress)
        paintFree(painter, x);
    label(painter, x, upperEnd.value_or(0) + 2,
          tr("peak %1").arg(toQString(formatBytes(Bytes(sumOf(m_content.peak->bytes))))));
    m_taken.emplace_back(x - kBesidePeak, 0, 2 * kBesidePeak, m_view.height);
}

/// On the line of the peak, what of the view lies together in whole segments, where it is high enough for
/// words.
void MapLabels::paintFree(QPainter& painter, double x) {
    std::map<std::int64_t, std::int64_t> ends;  // by where a segment begins
    for (const FreePiece& piece : m_content.free.pieces) {
        if (const auto place = piece.whole ? m_content.map->placeAt(piece.address) : std::nullopt)
            ends.emplace(*place, *place + piece.bytes);
    }
    for (auto next = ends.begin(); next != ends.end();) {
        const std::int64_t from = next->first;
        std::int64_t to = from, segments = 0;
        for (; next != ends.end() && next->first == to; ++next, ++segments)
            to = next->second;
        const double top = std::max(0.0, m_view.yOf(static_cast<double>(to)));
        const double bottom = std::min(m_view.height, m_view.yOf(static_cast<double>(from)));
        if (bottom - top < chipSize(painter, {}).height())
            continue;
        FreeLook::paint(painter, QRectF(x - kBesidePeak, top, 2 * kBesidePeak, bottom - top), true);
        const QString size = toQString(formatBytes(Bytes(to - from)));
        const QString number = toQString(formatGrouped(segments));
        const std::int64_t all = m_content.free.places.whole;
        // Where others lie elsewhere, the strip above the map counts more.
        label(painter, x, top + 1,
              segments < all
                  ? tr("%1 of the %2 free segments, %3").arg(number, toQString(formatGrouped(all)), size)
              : segments == 1 ? tr("a free segment, %1").arg(size)
                              : tr("%1 free segments, %2").arg(number, size));
    }
}

/// With what it has at the peak, unless only a part of that is shown, or it is little.
QString MapLabels::nameOf(Category category) const {
    const QString name = toQString(categoryName(category));
    if (!m_whole || !m_content.peak || !m_view.time.contains(m_content.peak->time))
        return name;
    std::int64_t bytes = m_content.peak->bytes[static_cast<std::size_t>(category)];
    for (const PlaceFold& fold : m_view.folds)
        bytes -= fold.category == category && fold.lives.contains(m_content.peak->time) ? fold.sum.bytes : 0;
    constexpr std::int64_t kLittle = 50;  // such a part of the peak
    return bytes < sumOf(m_content.peak->bytes) / kLittle
               ? name
               : tr("%1 · %2 at the peak").arg(name, toQString(formatBytes(Bytes(bytes))));
}

void MapLabels::paintRegions(QPainter& painter, const MapGeometry& geometry) const {
    std::array<QString, kCategoryCount> names;
    std::array<QSizeF, kCategoryCount> sizes;
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        names[category] = nameOf(static_cast<Category>(category));
        sizes[category] = chipSize(painter, names[category]);
    }
    const auto places = regionPlaces(geometry, m_view, sizes, m_taken);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        if (!places[category].isEmpty())
            paintChip(painter, places[category], names[category]);
    }
}

}  // namespace warpglass::ui
