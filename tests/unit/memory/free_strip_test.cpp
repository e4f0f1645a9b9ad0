// What an allocation map shows of free memory at the peak in the strip over it, and of the address space.
#include "ui/memory/free_strip.h"

#include <algorithm>

#include "engine/base/format.h"
#include "tests/support/has_text.h"
#include "tests/support/pixels.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/charts/category_key.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::free_strip_test {

class FreeAtPeak : public MemoryViews {
protected:
    void draw() {
        open(test::makeAllocatorRun(6'000, 3));
        view.setLabelWidth(80);
        renderWidget(view, {800, 400}, 1);
    }
    AllocationMapView view{document, axis, focus};
};

TEST_F(FreeAtPeak, APieceIsNamedInItsCornerAndAGapBetweenRegionsIsBlank) {
    // A large piece, and far above it many small ones; all of it is in use.
    std::string text = "segment alloc 64MiB 1 address 1024MiB ; alloc 64MiB 10 address 1024MiB\n";
    for (int i = 0; i < 40; ++i) {
        const std::string address = std::to_string(8'192'000 + 1'536 * i) + "KiB";
        text += "segment alloc 1MiB 2 address " + address + " ; alloc 1MiB 11 address " + address + "\n";
    }
    open(test::traceOf(text + "end 1000\n"));
    view.setLabelWidth(80);
    const QImage image = renderWidget(view, {800, 400}, 1);
    ASSERT_EQ(view.content().free.totals.free, Bytes(0));
    ASSERT_EQ(view.content().regions.size(), 2u);
    const MapViewport port = view.bytes().viewport(axis.visibleRange(), {720, 400});
    const QColor ink = Theme::instance().colors().text, blank = Theme::instance().colors().background;
    const int top = static_cast<int>(port.yOf(static_cast<double>(view.content().regions[0].to)));
    EXPECT_GT(test::countPixels(image, {84, top + 4, 196, 16}, ink), 10);
    const int gap = static_cast<int>(port.yOf(static_cast<double>(view.content().regions[1].from)));
    for (const int y : {gap - 1, gap, gap + 1})
        EXPECT_EQ(image.pixelColor(600, y), blank) << y;
    EXPECT_NE(image.pixelColor(600, gap - 8), blank);
    EXPECT_NE(image.pixelColor(600, gap + 8), blank);
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
    const QPoint at = places[widest].topLeft().toPoint() + QPoint(1, 4);
    EXPECT_THAT(test::toolTipAt(strip, at),
                test::HasText(QString::fromStdString(formatBytes(Bytes(piece.bytes)))));
    const auto shows = [&](const FreePiece& shown) {
        const MapViewport port = view.viewport();
        const auto place = static_cast<double>(*view.map().placeAt(shown.address));
        return port.low <= place && place + static_cast<double>(shown.bytes) <= port.high &&
               port.high - port.low <= 8 * static_cast<double>(shown.bytes) &&
               !port.isFolded(place, 1, port.time);
    };
    QTest::mouseClick(&strip, Qt::LeftButton, {}, at);
    EXPECT_TRUE(shows(piece));
    EXPECT_EQ(axis.pinnedCursor(), view.content().peak->time);
    for (std::size_t i = 0; i < free.pieces.size(); ++i)
        QTest::keyClick(&strip, Qt::Key_Left);
    for (std::size_t i = 0; i < free.pieces.size(); ++i) {
        EXPECT_TRUE(shows(free.pieces[i])) << i;
        QTest::keyClick(&strip, Qt::Key_Right);
    }
    // From the piece that was shown last, as long as it is there.
    ASSERT_GT(free.pieces.size(), 3u);
    for (std::size_t i = free.pieces.size() - 1; i > 1; --i)
        QTest::keyClick(&strip, Qt::Key_Left);
    filter.setPhase(Phase::kForward);
    renderWidget(view, {800, 400}, 1);
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_TRUE(shows(free.pieces[2])) << "the map is another, and its free memory the same";
    open(test::makeAllocatorRun(5'000, 4));
    renderWidget(view, {800, 400}, 1);
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_TRUE(shows(free.pieces[0])) << "of another run";
    view.bytes().setOrder(MapBytes::Order::kBirth);
    EXPECT_FALSE(strip.hasAny()) << "a stack has no addresses";
}

TEST_F(MemoryViews, AFigureOfTheMapExplainsPhasesThatAreTooShortForTheirNames) {
    AllocationMapPanel panel(document, axis, focus);
    open(test::traceOf(
        "forward 0-400us ; loss 400us-410us ; backward 410us-1000us ; alloc 64 0 ; end 1000us"));
    const QSize size(800, 600);
    renderWidget(panel, size, 1);
    const auto* key = panel.findChild<CategoryKey*>();
    {
        FigureMode figure(panel, size);
        withWidgetAt(panel, size, [&] {
            figure.fit();
            ASSERT_FALSE(key->entries().empty());
            EXPECT_EQ(key->entries().back().name, QStringLiteral("loss phase"));
            EXPECT_EQ(std::ranges::count(key->entries(), QStringLiteral("forward phase"), &LegendEntry::name),
                      0);
        });
    }
    panel.setAlone(true);
    EXPECT_NE(key->entries().back().name, QStringLiteral("loss phase")) << "only in a figure";
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

}  // namespace warpglass::ui::free_strip_test
