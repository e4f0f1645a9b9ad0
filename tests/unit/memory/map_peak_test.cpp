// What an allocation map shows of free memory at the peak: bars beside the line, and the strip over the map.
#include "ui/memory/map_peak.h"

#include <QHelpEvent>
#include <QToolTip>
#include <cmath>

#include "engine/base/format.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/free_strip.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

class FreeAtPeak : public MemoryViews {
protected:
    void draw() {
        open(test::makeAllocatorRun(6'000, 3));
        view.setLabelWidth(80);
        renderWidget(view, {800, 400}, 1);
    }
    AllocationMapView view{document, axis, focus};
};

TEST_F(FreeAtPeak, BarsAddUpToWhatIsFree) {
    draw();
    view.bytes().setFolds(false);
    const MapViewport port = view.bytes().viewport(axis.visibleRange(), {720, 399});
    ASSERT_GT(view.content().free.places.holes, 10);
    const double rowBytes = (port.high - port.low) / port.height * MapPeak::kRow;
    double holes = 0, whole = 0;
    for (const MapPeak::Share& share : MapPeak(view.content(), port, {80, 0, 720, 399}).shares()) {
        EXPECT_LE(share.holes + share.whole, 1 + 1e-9);
        holes += share.holes * rowBytes;
        whole += share.whole * rowBytes;
    }
    EXPECT_NEAR(holes, static_cast<double>(view.content().free.places.holeBytes.value), rowBytes * 1e-3);
    EXPECT_NEAR(whole, static_cast<double>(view.content().free.places.wholeBytes.value), rowBytes * 1e-3);
}

TEST_F(FreeAtPeak, TheStripHasEveryPieceToScaleAndAClickShowsOneInTheMap) {
    draw();
    FreeStrip strip(view);
    strip.setLabelWidth(80);
    strip.resize(800, FreeStrip::kHeight);
    ASSERT_TRUE(strip.hasAny());
    const FreeMemory& free = view.content().free;
    const std::vector<QRectF> places = strip.places();
    ASSERT_EQ(places.size(), free.groups.size());
    const double perByte = 719.0 / static_cast<double>(free.totals.free.value);
    double left = 80;
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_NEAR(places[i].left(), left, 1e-6);
        EXPECT_NEAR(places[i].width(), static_cast<double>(free.bytesOf(free.groups[i])) * perByte, 1e-6);
        left = places[i].right();
    }
    const auto widest = static_cast<std::size_t>(
        std::max_element(places.begin(), places.end(),
                         [](const QRectF& a, const QRectF& b) { return a.width() < b.width(); }) -
        places.begin());
    const FreePiece& piece = free.pieces[free.groups[widest].first];
    const QPoint at = places[widest].center().toPoint();
    QHelpEvent help(QEvent::ToolTip, at, strip.mapToGlobal(at));
    QApplication::sendEvent(&strip, &help);
    EXPECT_TRUE(QToolTip::text().contains(QString::fromStdString(formatBytes(Bytes(piece.bytes)))))
        << QToolTip::text().toStdString();
    QTest::mouseClick(&strip, Qt::LeftButton, {}, at);
    const MapViewport shown = view.viewport();
    const auto place = static_cast<double>(*view.map().placeAt(piece.address));
    EXPECT_LE(shown.low, place);
    EXPECT_GE(shown.high, place + static_cast<double>(piece.bytes));
    EXPECT_LE(shown.high - shown.low, 8 * static_cast<double>(piece.bytes));
    view.bytes().setOrder(MapBytes::Order::kBirth);
    EXPECT_FALSE(strip.hasAny()) << "a stack has no addresses";
}

TEST_F(FreeAtPeak, ThePanelHasTheStripWhereItIsHighEnough) {
    AllocationMapPanel panel(document, axis, focus);
    open(test::makeAllocatorRun(6'000, 3));
    const auto* strip = panel.findChild<FreeStrip*>();
    for (const int height : {600, 300}) {
        renderWidget(panel, {800, height}, 1);
        EXPECT_EQ(strip->isHidden(), height == 300);
    }
    open(test::makeSyntheticRun());
    renderWidget(panel, {800, 600}, 1);
    EXPECT_TRUE(strip->isHidden()) << "a run on the CPU has no segments";
}

}  // namespace
}  // namespace warpglass::ui
