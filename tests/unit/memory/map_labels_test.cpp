// Where an allocation map's picture names what covers it.
#include "ui/memory/map_labels.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/label_place.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::map_labels_test {

constexpr auto kGreen = static_cast<std::size_t>(Category::kOptimizerState);
constexpr auto kOrange = static_cast<std::size_t>(Category::kActivations);
constexpr auto kBlue = static_cast<std::size_t>(Category::kWeights);

/// Stripes of the optimizer everywhere; between them, in the right half, activations; and a little of
/// weights.
MapGeometry striped() {
    MapGeometry geometry;
    for (int y = 0; y < 200; y += 20) {
        const auto top = static_cast<float>(y);
        geometry.merged.push_back({0, top, 600, top + 8, MapRect::kMerged, Category::kOptimizerState});
        geometry.merged.push_back({300, top + 8, 600, top + 20, MapRect::kMerged, Category::kActivations});
    }
    geometry.blocks.push_back({0, 12, 40, 16, 7, Category::kWeights});
    return geometry;
}

TEST(MapLabels, AreWhereTheirCategoryCoversMost) {
    const MapViewport view{{Nanoseconds(0), Nanoseconds(1000)}, 0, 1000, 600, 200};
    std::array<QSizeF, kCategoryCount> sizes;
    sizes.fill({90, 14});
    sizes[static_cast<std::size_t>(Category::kGradients)] = {};
    const auto places = regionPlaces(striped(), view, sizes, {});
    EXPECT_TRUE(QRectF(300, 0, 300, 200).contains(places[kOrange]));
    EXPECT_TRUE(QRectF(0, 0, 304, 200).contains(places[kGreen])) << "where nothing else is";
    EXPECT_TRUE(places[kBlue].isEmpty()) << "too little for a name";
    EXPECT_FALSE(places[kGreen].intersects(places[kOrange]));
    EXPECT_EQ(places[kGreen].size(), QSizeF(90, 14));
}

TEST(MapLabels, LieOnBandsOfTheirCategory) {
    const MapViewport view{{Nanoseconds(0), Nanoseconds(1000)}, 0, 1000, 600, 200};
    std::array<QSizeF, kCategoryCount> sizes;
    sizes.fill({90, 14});
    for (int shift = 0; shift < 16; ++shift) {
        MapGeometry geometry;
        for (int y = shift - 16; y < 200; y += 16) {
            const auto top = static_cast<float>(y);
            geometry.merged.push_back({0, top, 600, top + 8, MapRect::kMerged, Category::kOptimizerState});
            geometry.merged.push_back({0, top + 8, 600, top + 16, MapRect::kMerged, Category::kActivations});
        }
        const auto places = regionPlaces(geometry, view, sizes, {});
        const auto within = [&](const QRectF& box) { return std::fmod(box.center().y() - shift + 16, 16); };
        ASSERT_FALSE(places[kGreen].isEmpty() || places[kOrange].isEmpty());
        EXPECT_LT(within(places[kGreen]), 8) << shift;
        EXPECT_GE(within(places[kOrange]), 8) << shift;
        EXPECT_FALSE(places[kGreen].intersects(places[kOrange]));
        EXPECT_TRUE(QRectF(0, 0, 600, 200).contains(places[kOrange]));
    }
}

TEST(MapLabels, KeepOffWhatIsTaken) {
    const MapViewport view{{Nanoseconds(0), Nanoseconds(1000)}, 0, 1000, 600, 200};
    std::array<QSizeF, kCategoryCount> sizes;
    sizes[kOrange] = {90, 14};
    const QRectF first = regionPlaces(striped(), view, sizes, {})[kOrange];
    const QRectF other = regionPlaces(striped(), view, sizes, {first})[kOrange];
    EXPECT_FALSE(other.isEmpty());
    EXPECT_FALSE(other.intersects(first));
    EXPECT_TRUE(regionPlaces(striped(), view, sizes, {QRectF(0, 0, 600, 200)})[kOrange].isEmpty());
    MapGeometry named = striped();
    named.blocks.push_back({300, 0, 600, 200, 8, Category::kActivations});
    EXPECT_TRUE(regionPlaces(named, view, sizes, {})[kOrange].isEmpty()) << "a block with a name of its own";
    sizes[kOrange] = {700, 14};
    EXPECT_TRUE(regionPlaces(striped(), view, sizes, {})[kOrange].isEmpty()) << "wider than the picture";
}

/// What the labels of a map of 620 × 300 pixels take.
std::vector<QRectF> takenIn(AllocationMapView& view, QPainter& painter) {
    const MapViewport port = view.viewport();
    MapLabels made(view.content(), port, true, true);
    made.paint(painter, {80, 0, 620, 300}, view.geometry());
    return made.taken();
}

TEST_F(MemoryViews, AMapsFreeSegmentsAndItsPeakAreNamedApartAndWhereTheyAreSeen) {
    // The upper segment is free.
    open(
        test::traceOf("segment alloc 20MiB 1 address 100MiB ; segment alloc 20MiB 2 address 200MiB\n"
                      "alloc 20MiB 10-900 activations address 100MiB ; end 1000\n"));
    AllocationMapView view(document, axis, focus);
    view.setLabelWidth(80);
    const auto labels = [&] {
        const QImage image = renderWidget(view, {700, 300}, 1);
        QPixmap canvas(image.size());
        QPainter painter(&canvas);
        std::vector<QRectF> taken = takenIn(view, painter);
        taken.pop_back();  // the line
        return taken;
    };
    const auto all = labels();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_FALSE(all[0].intersects(all[1]));
    EXPECT_LT(all[0].bottom(), 150) << "in the free segment";
    view.bytes().setShown(30 << 20, (30 << 20) + 4096);
    const auto within = labels();
    ASSERT_EQ(within.size(), 2u);
    for (const QRectF& label : within)
        EXPECT_TRUE(QRectF(0, 0, 620, 300).contains(label)) << "with both ends of the segment out of view";
    EXPECT_FALSE(within[0].intersects(within[1]));
    view.bytes().setShown(10 << 20, (10 << 20) + 4096);
    EXPECT_EQ(labels().size(), 1u) << "the peak's";
}

TEST_F(MemoryViews, AMapsFreeSegmentSaysOfHowManyItIs) {
    // The second of three segments is in use.
    open(
        test::traceOf("segment alloc 20MiB 1 address 100MiB ; segment alloc 20MiB 2 address 200MiB\n"
                      "segment alloc 20MiB 3 address 300MiB\n"
                      "alloc 20MiB 10-900 activations address 200MiB ; end 1000\n"));
    AllocationMapView view(document, axis, focus);
    view.setLabelWidth(80);
    const QImage image = renderWidget(view, {700, 300}, 1);
    QPixmap canvas(image.size());
    QPainter painter(&canvas);
    const std::vector<QRectF> taken = takenIn(view, painter);
    painter.setFont(chartFont());
    const QString size = toQString(formatBytes(Bytes(20 << 20)));
    const QSizeF named = chipSize(painter, QStringLiteral("1 of the 2 free segments, %1").arg(size));
    EXPECT_EQ(std::ranges::count(taken, named, &QRectF::size), 2);
}

}  // namespace warpglass::ui::map_labels_test
