// The allocation map, driven as a person drives it: what it selects, says and draws.
#include <cmath>
#include <map>
#include <set>

#include "engine/base/format.h"
#include "engine/query/spans/step_spans.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/every_span.h"
#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/models/memory_source.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::allocation_map_view_test {

class MapView : public MemoryViews {
protected:
    MapView() {
        view.setLabelWidth(80);
        view.resize(700, 300);
    }
    QImage draw() { return renderWidget(view, {700, 300}, 1); }
    /// The widest block drawn.
    const MapRect& widest() const {
        return *std::max_element(view.geometry().blocks.begin(), view.geometry().blocks.end(),
                                 [](const MapRect& a, const MapRect& b) {
                                     return (a.right - a.left) * (a.bottom - a.top) <
                                            (b.right - b.left) * (b.bottom - b.top);
                                 });
    }
    QPoint middleOf(const MapRect& rect) const {
        return {static_cast<int>((rect.left + rect.right) / 2) + 80,
                static_cast<int>((rect.top + rect.bottom) / 2)};
    }
    AllocationMapView view{document, axis, focus};
};

TEST_F(MapView, ABlockOutsideModulesIsCalledByTheOpThatItWasMadeFor) {
    open(test::traceOf(R"(
        in phase optimizer
          op aten::zeros_like 1-5 | op aten::empty 2-4 | alloc 1MiB 3
        in phase forward module blocks.0 part scores
          op aten::zeros_like 6-10 | op aten::empty 7-9 | alloc 1MiB 8
        end 1000
    )"));
    const AllocationId blocks[] = {AllocationId(0), AllocationId(1)};
    EXPECT_EQ(view.names().nameOf(blocks[0]), QStringLiteral("aten::empty")) << "it has not been looked for";
    draw();
    EXPECT_EQ(view.names().nameOf(blocks[0]), QStringLiteral("aten::zeros_like"));
    EXPECT_EQ(view.names().nameOf(blocks[1]), QStringLiteral("blocks.0 · scores"));
    open(test::makeSyntheticRun());
    EXPECT_NE(view.names().nameOf(blocks[0]), QStringLiteral("aten::zeros_like"))
        << "that was of the other run";
}

TEST_F(MapView, WithoutSegmentsItStacksByBirthAndWithThemItHasAddresses) {
    open(test::makeSyntheticRun());
    draw();
    EXPECT_FALSE(view.bytes().hasAddresses());
    EXPECT_FALSE(view.geometry().blocks.empty());
    EXPECT_EQ(view.geometry().all.count, static_cast<std::int64_t>(view.map().size()));
    const bool eachDrawn = view.geometry().drawn.count == view.geometry().all.count;
    EXPECT_TRUE(view.words().summary().contains(eachDrawn ? QStringLiteral("allocations in view")
                                                          : QStringLiteral("drawn individually")))
        << view.words().summary().toStdString();
    open(test::makeAllocatorRun(900, 2));
    draw();
    EXPECT_TRUE(view.bytes().hasAddresses());
    EXPECT_EQ(view.viewport().high, static_cast<double>(view.map().placeEnd()));
    view.bytes().setOrder(MapBytes::Order::kBirth);
    draw();
    EXPECT_NEAR(view.viewport().high, static_cast<double>(sumOf(document.memory().peak()->bytes)) * 1.04, 2);
    document.clear();
    draw();
    EXPECT_TRUE(view.words().summary().isEmpty());
    EXPECT_FALSE(view.words().whyEmpty(true).isEmpty()) << "that there is no run needs no looking";
}

TEST_F(MapView, PixelsHaveTheColorOfTheBlockThatIsThere) {
    open(test::makeAllocatorRun(900, 2));
    for (const auto order : {MapBytes::Order::kAddress, MapBytes::Order::kBirth}) {
        view.bytes().setOrder(order);
        view.bytes().setShown(0, view.viewport().high / 6);
        const QImage picture = draw();
        int checked = 0;
        for (const MapRect& rect : view.geometry().blocks) {
            if (rect.right - rect.left < 6 || rect.bottom - rect.top < 6)
                continue;
            // Inside the border at the top and at the right; a name stands at the left.
            const QPoint at(static_cast<int>(rect.right) + 80 - 4, static_cast<int>(rect.bottom) - 2);
            checked += picture.pixelColor(at) == Theme::categoryColor(rect.category) ? 1 : 0;
        }
        EXPECT_GT(checked, 10);
    }
}

TEST_F(MapView, AClickSelectsTheAllocationAndItsOp) {
    open(test::makeSyntheticRun());
    draw();
    const MapRect rect = widest();
    const QPoint at = middleOf(rect);
    const auto hit = view.hitAt(at);
    ASSERT_TRUE(hit.row);
    EXPECT_EQ(*hit.row, rect.row);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at);
    ASSERT_TRUE(focus.selected());
    EXPECT_EQ(*focus.selected(), view.map().id(rect.row));
    // Elsewhere, where an op made the block, the op is selected too.
    const auto ops = test::spansOfKind(*run, TrackKind::kCpuThread);
    bool anyOp = false;
    for (const MapRect& block : view.geometry().blocks) {
        const AllocationId id = view.map().id(block.row);
        focus.setSelected(id);
        const AllocationDetail detail = describeAllocation(document.memory(), id);
        if (detail.op.empty())
            continue;
        const auto made = [&](const SpanRow& row) {
            return run->name(row.name) == detail.op && row.start <= detail.allocated.value &&
                   row.end() > detail.allocated.value;
        };
        const auto span = axis.selectedSpan();
        ASSERT_EQ(span.has_value(), std::ranges::any_of(ops, made, &test::FoundSpan::row)) << detail.op;
        if (!span)
            continue;
        EXPECT_TRUE(made(*run->lane(span->lane).row(span->row))) << detail.op;
        anyOp = true;
    }
    EXPECT_TRUE(anyOp);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(690, 2));
    EXPECT_FALSE(focus.selected()) << "a click on nothing";
}

TEST_F(MapView, TheBlockUnderThePointerIsFramedAndToldAndTheThemeIsFollowed) {
    open(test::makeSyntheticRun());
    draw();
    const MapRect rect = widest();
    const QPoint at = middleOf(rect);
    const QPoint corner(static_cast<int>(rect.left) + 81, static_cast<int>(rect.bottom) - 2);
    const QColor before = view.grab().toImage().pixelColor(corner);
    test::movePointer(view, at);
    EXPECT_EQ(view.hovered(), static_cast<int>(rect.row));
    EXPECT_TRUE(view.markRect(view.hovered()).contains(at));
    EXPECT_NE(view.grab().toImage().pixelColor(corner), before);
    const QString said = test::toolTipAt(view, at);
    EXPECT_EQ(said, view.toolTipOf(view.hovered()));
    EXPECT_FALSE(said.isEmpty());
    test::leave(view);
    EXPECT_EQ(view.hovered(), -1);
    EXPECT_FALSE(axis.cursor());
    EXPECT_EQ(view.grab().toImage().pixelColor(corner), before);
    const ThemeKind kind = Theme::instance().kind();
    for (const ThemeKind other : {ThemeKind::kLight, ThemeKind::kDark}) {
        Theme::instance().setKind(other);
        EXPECT_EQ(view.grab().toImage().pixelColor(0, 0), Theme::colorsOf(other).panel);
    }
    Theme::instance().setKind(kind);
}

TEST_F(MapView, HitsAreTheBlocksUnderThePoint) {
    open(test::makeAllocatorRun(1500, 5));
    draw();
    const MapViewport port = view.viewport();
    std::uint64_t seed = 4;
    int alone = 0, merged = 0;
    for (int i = 0; i < 600; ++i) {
        const QPointF at(80 + static_cast<double>(test::nextRandom(seed) % 6190) / 10,
                         static_cast<double>(test::nextRandom(seed) % 2990) / 10);
        const auto hit = view.hitAt(at);
        // All that live within the pixels around the point.
        const double place = port.high - at.y() * (port.high - port.low) / port.height;
        const double nsPerPixel = static_cast<double>(port.time.duration().value) / port.width;
        const double t = static_cast<double>(port.time.begin.value) + (at.x() - 80) * nsPerPixel;
        const double slackT = 2.5 * nsPerPixel;
        const double slackB = (kCellHeight + 0.5) * (port.high - port.low) / port.height;
        std::set<std::size_t> near;
        for (std::size_t row = 0; row < view.map().size(); ++row) {
            if (static_cast<double>(view.map().begin(row)) < t + slackT &&
                static_cast<double>(view.map().end(row)) > t - slackT &&
                static_cast<double>(view.map().place(row)) < place + slackB &&
                static_cast<double>(view.map().place(row) + view.map().bytes(row)) > place - slackB)
                near.insert(row);
        }
        if (hit.row) {
            EXPECT_TRUE(near.count(*hit.row)) << at.x() << ", " << at.y();
            ++alone;
        } else if (hit.merged.count > 0) {
            EXPECT_GE(hit.merged.count, 2);
            EXPECT_LE(hit.merged.count, static_cast<std::int64_t>(near.size()));
            EXPECT_TRUE(near.count(hit.largest));
            const std::int64_t largest = view.map().bytes(hit.largest);
            EXPECT_LE(largest, hit.merged.bytes);
            EXPECT_GE(largest * hit.merged.count, hit.merged.bytes);
            const QString said = test::toolTipAt(view, at.toPoint());
            if (const auto there = view.hitAt(QPointF(at.toPoint())); there.merged.count > 1) {
                const Bytes bytes(view.map().bytes(there.largest));
                EXPECT_THAT(said, test::HasText(", the largest " + toQString(formatBytes(bytes))));
            }
            ++merged;
        }
    }
    EXPECT_GT(alone, 40);
    EXPECT_GT(alone + merged, 60);
}

TEST_F(MapView, ArrowsMoveBetweenBlocksEnterZoomsEscClears) {
    open(test::makeSyntheticRun());
    draw();
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    std::size_t before = *view.map().rowOf(*focus.selected());
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(&view, Qt::Key_Right);
        const std::size_t now = *view.map().rowOf(*focus.selected());
        EXPECT_GT(now, before);
        before = now;
    }
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_LT(*view.map().rowOf(*focus.selected()), before);
    QTest::keyClick(&view, Qt::Key_Up);
    const std::size_t above = *view.map().rowOf(*focus.selected());
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_LE(*view.map().rowOf(*focus.selected()), above);
    const std::size_t row = test::firstOf(view.geometry().blocks, [&](const MapRect& r) {
                                return view.map().end(r.row) < run->range().end.value / 2;
                            }).row;
    focus.setSelected(view.map().id(row));
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_LE(axis.visibleRange().begin.value, view.map().begin(row));
    EXPECT_TRUE(axis.canZoomBack());
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(focus.selected());
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), run->range());
}

TEST_F(MapView, AClickOnMergedBlocksFixesTheCursorTellsWhatTheyAreAndADoubleClickZoomsIn) {
    open(test::makeManyMemoryEvents(120'000, 3));
    draw();
    QString said;
    QObject::connect(&view, &AllocationMapView::mergedClicked, &view,
                     [&said](const QString& words) { said = words; });
    std::optional<QPoint> at;
    for (int y = 1; y < 300 && !at; y += 3) {
        for (int x = 100; x < 690 && !at; x += 7) {
            if (const auto hit = view.hitAt(QPointF(x, y)); !hit.row && hit.merged.count > 1)
                at = QPoint(x, y);
        }
    }
    ASSERT_TRUE(at);
    const auto hit = view.hitAt(*at);
    QTest::mouseClick(&view, Qt::LeftButton, {}, *at);
    ASSERT_TRUE(axis.pinnedCursor());
    const double nsPerPixel = static_cast<double>(axis.visibleRange().duration().value) / 620;
    EXPECT_NEAR(static_cast<double>((*axis.pinnedCursor() - axis.visibleRange().begin).value),
                (at->x() - 80) * nsPerPixel, nsPerPixel);
    EXPECT_FALSE(focus.selected());
    for (const std::string& part : {formatGrouped(hit.merged.count), formatBytes(Bytes(hit.merged.bytes)),
                                    formatBytes(Bytes(view.map().bytes(hit.largest)))})
        EXPECT_TRUE(said.contains(toQString(part))) << part << " in " << said.toStdString();

    // Drawn at another scale they may be apart.
    axis.setVisibleRange({axis.visibleRange().begin, *axis.pinnedCursor() + Nanoseconds(1'000)});
    EXPECT_EQ(said, QString());
    axis.zoomBack();
    draw();
    QTest::mouseClick(&view, Qt::LeftButton, {}, *at);
    ASSERT_NE(said, QString());

    const MapViewport before = view.viewport();
    QTest::mouseDClick(&view, Qt::LeftButton, {}, *at);
    EXPECT_EQ(said, QString());
    const MapViewport after = view.viewport();
    EXPECT_NEAR(static_cast<double>(after.time.duration().value),
                static_cast<double>(before.time.duration().value) / 4,
                static_cast<double>(before.time.duration().value) / 100);
    EXPECT_NEAR(after.high - after.low, (before.high - before.low) / 4, 1);
    EXPECT_TRUE(after.time.contains(*axis.pinnedCursor()));
    const double bytes = before.high - at->y() * (before.high - before.low) / before.height;
    EXPECT_GE(bytes, after.low);
    EXPECT_LE(bytes, after.high);
    // What takes back the time, or shows the whole run, takes back the bytes too.
    for (const bool whole : {false, true}) {
        if (whole) {
            draw();
            QTest::mouseDClick(&view, Qt::LeftButton, {}, *at);
            ASSERT_LT(view.viewport().high - view.viewport().low, before.high - before.low);
            axis.fitAll();
        } else {
            axis.zoomBack();
            EXPECT_EQ(view.viewport().time, before.time);
        }
        EXPECT_EQ(view.viewport().low, before.low) << whole;
        EXPECT_EQ(view.viewport().high, before.high) << whole;
    }
    draw();
    said = QStringLiteral("merged");
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(widest()));
    EXPECT_EQ(said, QString()) << "that is one allocation";
}

TEST_F(MapView, TheFirstArrowBeginsInViewOrAtTheCursor) {
    open(test::makeSyntheticRun());
    const std::int64_t end = run->range().end.value;
    const TimeRange late{Nanoseconds(end / 2), Nanoseconds(end)};
    axis.setVisibleRange(late);
    draw();
    const auto firstFrom = [this](std::int64_t t) {
        std::optional<std::size_t> first;
        for (const MapRect& block : view.geometry().blocks) {
            if (view.map().begin(block.row) >= t && (!first || block.row < *first))
                first = block.row;
        }
        return first;
    };
    const std::size_t born = test::must(firstFrom(late.begin.value));
    ASSERT_TRUE(std::ranges::any_of(view.geometry().blocks, [&](const MapRect& block) {
        return block.row < born;
    })) << "some are older";
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(focus.selected(), view.map().id(born));
    focus.letGo();
    axis.setPinnedCursor(Nanoseconds(view.map().begin(born) + 1));
    draw();
    if (const auto next = firstFrom(axis.pinnedCursor()->value)) {
        QTest::keyClick(&view, Qt::Key_Down);
        EXPECT_EQ(focus.selected(), view.map().id(*next));
    }
}

TEST_F(MapView, CtrlWheelZoomsBytesAboutThePointerAndShiftDragSelectsTime) {
    open(test::makeAllocatorRun(900, 2));
    draw();
    const MapViewport before = view.viewport();
    const double at = before.high - 100 * (before.high - before.low) / before.height;
    test::turnWheel(view, {300, 100}, {0, 240}, Qt::ControlModifier);
    const MapViewport after = view.viewport();
    EXPECT_NEAR((after.high - after.low) / (before.high - before.low), 0.64, 0.001);
    EXPECT_NEAR(after.high - 100 * (after.high - after.low) / after.height, at, 1);
    EXPECT_EQ(axis.visibleRange(), run->range());
    draw();
    EXPECT_LE(view.geometry().all.count, static_cast<std::int64_t>(view.map().size()));

    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, {200, 50});
    test::movePointer(view, {400, 60}, Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, {400, 60});
    ASSERT_TRUE(axis.selectedRange());
    EXPECT_NEAR(static_cast<double>(axis.selectedRange()->duration().value),
                static_cast<double>(run->range().duration().value) * 200 / 620,
                static_cast<double>(run->range().duration().value) / 300);
}

TEST_F(MapView, RegionsThatNeverChangeAreFoldedAndAClickOpensOne) {
    open(test::openSampleRun("xl-bf16-step"));
    view.resize(700, 400);
    const auto draw = [this] { return renderWidget(view, {700, 400}, 1); };
    draw();
    ASSERT_TRUE(view.bytes().hasFolds());
    EXPECT_TRUE(view.bytes().folds());
    const std::vector<PlaceFold> folded = view.viewport().folds;
    ASSERT_GE(folded.size(), 2u);
    const PlaceFold& first = folded.front();
    const double top = view.viewport().yOf(first.to), bottom = view.viewport().yOf(first.from);
    EXPECT_NEAR(bottom - top, kFoldHeight, 0.01);
    // Beside its text.
    const double end = 80 + view.viewport().xOf(first.lives.end.value);
    const QPoint at(static_cast<int>(std::min(end, 700.0)) - 4, static_cast<int>((top + bottom) / 2));
    EXPECT_EQ(draw().pixelColor(at), Theme::categoryColor(first.category));
    EXPECT_FALSE(view.hitAt(at).row);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at);
    draw();
    EXPECT_EQ(view.viewport().folds.size(), folded.size() - 1);
    EXPECT_FALSE(view.bytes().folds());
    const MapViewport opened = view.viewport();
    EXPECT_GT(opened.yOf(first.from) - opened.yOf(first.to), 2 * kFoldHeight);
    // As it was left, when the run is shown again; and all at once.
    const MapBytes::Shown left = view.bytes().shown();
    view.bytes().setFolds(false);
    EXPECT_TRUE(view.viewport().folds.empty());
    view.bytes().setFolds(true);
    EXPECT_EQ(view.viewport().folds, folded);
    view.bytes().restore(left);
    EXPECT_EQ(view.viewport().folds.size(), folded.size() - 1);
    // A stack has no addresses.
    view.bytes().setOrder(MapBytes::Order::kBirth);
    EXPECT_FALSE(view.bytes().hasFolds());
    EXPECT_TRUE(view.viewport().folds.empty());
}

TEST_F(MapView, SegmentsOfLessThanAPixelAreBlankUntilTheyAreReserved) {
    open(test::openSampleRun("xl-bf16-step"));
    axis.setVisibleRange(averagedRange(*document.snapshot()));
    view.resize(700, 240);
    const QImage image = renderWidget(view, {700, 240}, 1);
    const MapViewport& shown = view.viewport();
    const std::int64_t moment = shown.time.begin.value + 20'000'000;
    const int x = 80 + static_cast<int>(shown.xOf(moment));
    // Bands of stretches that touch, drawn from the top down.
    std::map<double, double> bands;
    double lowest = 1000;
    for (const UnreservedStretch& stretch : view.content().unreserved) {
        if (stretch.begin > moment || moment >= stretch.end)
            continue;
        const double top = shown.yOf(static_cast<double>(stretch.to)),
                     bottom = shown.yOf(static_cast<double>(stretch.from));
        lowest = std::min(lowest, bottom - top);
        const auto below = bands.find(bottom);
        const double end = below == bands.end() ? bottom : below->second;
        if (below != bands.end())
            bands.erase(below);
        bands[top] = end;
    }
    EXPECT_LT(lowest, 0.5);
    int blank = 0;
    for (const auto& [top, bottom] : bands) {
        for (int y = static_cast<int>(std::ceil(top)) + 1; y + 2 < bottom && y < image.height();
             ++y, ++blank) {
            for (int i = -4; i <= 4; ++i)
                EXPECT_EQ(image.pixelColor(x + i, y), Theme::instance().colors().background) << i << " " << y;
        }
    }
    EXPECT_GE(blank, 4);
}

TEST_F(MapView, ManyAllocationsSayThatTheRestIsMerged) {
    open(test::makeManyMemoryEvents(120'000, 3));
    draw();
    ASSERT_GT(view.map().size(), 40'000u);
    std::set<std::uint32_t> drawn;
    for (const MapRect& block : view.geometry().blocks)
        drawn.insert(block.row);
    EXPECT_EQ(view.geometry().drawn.count, static_cast<std::int64_t>(drawn.size()));
    const auto count = formatGrouped(static_cast<std::int64_t>(drawn.size()));
    EXPECT_THAT(view.words().summary(), test::BeginsWith(QString::fromStdString(count) + " of "));
    EXPECT_TRUE(view.words().summary().endsWith(QStringLiteral("of the bytes, merged")));
    EXPECT_TRUE(view.words().summary().startsWith(view.words().summary(true)));
    EXPECT_TRUE(
        view.words().summary(true).contains(QString::fromStdString(formatGrouped(view.geometry().all.count))))
        << "both counts are exact";
    for (const QSize size : {QSize(96, 20), QSize(88, 4), QSize(700, 300)}) {
        renderWidget(view, size, 1);
        EXPECT_EQ(view.words().summary().contains(QStringLiteral("too small to draw individually")),
                  view.geometry().drawn.count == 0)
            << view.words().summary().toStdString();
    }
}

TEST_F(MapView, WhatIsDrawnUntilAFiltersGeometryIsThereIsOfTheMapBefore) {
    open(test::makeManyMemoryEvents(300'000, 3));
    draw();
    const std::size_t before = view.map().size();
    view.show();
    filter.setPhase(Phase::kForward);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.map().size() < before; }, 60'000));
    EXPECT_GT(view.map().size(), 60'000u) << "its geometry is made at once";
    // Rows of the map before, some of which this one does not have.
    view.grab();
    QTest::keyClick(&view, Qt::Key_Right);
    if (focus.selected()) {
        EXPECT_TRUE(view.map().rowOf(*focus.selected()).has_value());
    }
    draw();
    for (const MapRect& block : view.geometry().blocks)
        ASSERT_LT(block.row, view.map().size());
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    EXPECT_TRUE(view.map().rowOf(*focus.selected()).has_value());
}

TEST_F(MapView, ALiveRunGrowsInIt) {
    TraceWriter writer;
    test::AllocatorModel model(writer, 8);
    model.append(200);
    model.commit();
    view.show();
    document.follow(writer.feed());
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.map().size() > 0; }, 60'000));
    const std::size_t before = view.map().size();
    model.append(400);
    model.commit();
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.map().size() > before; }, 60'000));
}

}  // namespace warpglass::ui::allocation_map_view_test
