// The map's rectangles against drawing every allocation, one after another.
#include "ui/memory/allocation_geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"

namespace warpglass::ui::allocation_geometry_test {

AllocationMap mapOf(const std::shared_ptr<const Snapshot>& snapshot) {
    const MemoryTimeline memory = test::timelineOf(snapshot);
    return AllocationMap(memory);
}

struct Exact {
    double left, top, right, bottom;
    double area() const { return std::max(0.0, right - left) * std::max(0.0, bottom - top); }
};

Exact rectOf(const AllocationMap& map, const MapViewport& view, std::uint32_t row) {
    const auto place = static_cast<double>(map.place(row));
    return {std::max(0.0, view.xOf(map.begin(row))),
            std::max(0.0, view.yOf(place + static_cast<double>(map.bytes(row)))),
            std::min(view.width, view.xOf(map.end(row))), std::min(view.height, view.yOf(place))};
}

/// The most blocks, and how many events of the allocator; of many, parts are taken on more than one thread.
class AddressGeometry : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

TEST_P(AddressGeometry, BlocksAreWhereTheyAreAndCellsHoldTheRest) {
    const auto [most, events] = GetParam();
    const auto snapshot = test::makeAllocatorRun(events, 3);
    const AllocationMap map = mapOf(snapshot);
    const auto end = snapshot->range().end;
    const auto top = static_cast<double>(map.placeEnd());
    const std::size_t middle = map.size() / 2;
    std::size_t ownBlocks = 0, ownMerged = 0;
    for (const MapViewport& view :
         {MapViewport{{Nanoseconds(0), end}, 0, top, 400, 200},
          MapViewport{
              {Nanoseconds(end.value / 3), Nanoseconds(end.value / 3 + end.value / 20)}, 0, top, 300, 100},
          MapViewport{{Nanoseconds(end.value / 2), Nanoseconds(end.value / 2 + end.value / 50)},
                      top * 0.2,
                      top * 0.3,
                      301,
                      99},
          MapViewport{{Nanoseconds(map.begin(middle)), Nanoseconds(map.begin(middle) + end.value / 500)},
                      static_cast<double>(map.place(middle) - 50 * map.bytes(middle)),
                      static_cast<double>(map.place(middle) + 50 * map.bytes(middle)),
                      400,
                      400}}) {
        const MapGeometry geometry = addressGeometry(map, view, most);
        // The truth, cell by cell and block by block.
        std::vector<std::uint32_t> shown;
        for (std::uint32_t row = 0; row < map.size(); ++row) {
            const auto place = static_cast<double>(map.place(row));
            if (map.begin(row) < view.time.end.value && map.end(row) > view.time.begin.value &&
                place < view.high && place + static_cast<double>(map.bytes(row)) > view.low)
                shown.push_back(row);
        }
        std::vector<std::uint32_t> bySize = shown;
        std::stable_sort(bySize.begin(), bySize.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return map.bytes(a) > map.bytes(b); });
        bySize.resize(std::min(bySize.size(), most));
        const std::set<std::uint32_t> largest(bySize.begin(), bySize.end());
        EXPECT_EQ(geometry.all.count, static_cast<std::int64_t>(shown.size()));

        std::set<std::uint32_t> drawn;
        for (const MapRect& block : geometry.blocks) {
            const Exact exact = rectOf(map, view, block.row);
            EXPECT_NEAR(block.left, exact.left, 0.01);
            EXPECT_NEAR(block.right, exact.right, 0.01);
            EXPECT_NEAR(block.top, exact.top, 0.01);
            EXPECT_NEAR(block.bottom, exact.bottom, 0.01);
            EXPECT_EQ(block.category, map.category(block.row));
            drawn.insert(block.row);
        }
        AllocationMap::Sum sum;
        for (const std::uint32_t row : drawn)
            sum.bytes += map.bytes(row);
        sum.count = static_cast<std::int64_t>(drawn.size());
        EXPECT_EQ(geometry.drawn, sum) << "what is too small to be drawn is merged";
        const auto columns = static_cast<int>(std::ceil(view.width / kCell));
        const auto rows = static_cast<int>(std::ceil(view.height / kCellHeight));
        std::vector<std::array<double, kCategoryCount>> cells(static_cast<std::size_t>(columns * rows));
        for (const std::uint32_t row : shown) {
            const Exact exact = rectOf(map, view, row);
            const bool own = largest.count(row) > 0 && exact.right - exact.left >= kSmallest &&
                             exact.bottom - exact.top >= kSmallest;
            ASSERT_EQ(drawn.count(row) > 0, own);
            ownBlocks += own ? 1 : 0;
            if (own)
                continue;
            ++ownMerged;
            for (int y = static_cast<int>(exact.top / kCellHeight);
                 y < rows && y * kCellHeight < exact.bottom; ++y) {
                for (int x = static_cast<int>(exact.left / kCell); x < columns && x * kCell < exact.right;
                     ++x) {
                    const Exact part{std::max(exact.left, x * kCell), std::max(exact.top, y * kCellHeight),
                                     std::min(exact.right, (x + 1) * kCell),
                                     std::min(exact.bottom, (y + 1) * kCellHeight)};
                    cells[static_cast<std::size_t>(y * columns + x)]
                         [static_cast<std::size_t>(map.category(row))] += part.area() / (kCell * kCellHeight);
                }
            }
        }
        std::vector<std::array<double, kCategoryCount>> strips(cells.size());  // shares as drawn
        std::set<std::pair<int, int>> taken;
        for (const MapRect& rect : geometry.merged) {
            EXPECT_EQ(rect.row, MapRect::kMerged);
            for (int y = static_cast<int>(rect.top / kStrip); y < static_cast<int>(rect.bottom / kStrip);
                 ++y) {
                const int row = y / static_cast<int>(kStrips);
                for (int x = static_cast<int>(rect.left / kCell); x < static_cast<int>(rect.right / kCell);
                     ++x) {
                    EXPECT_TRUE(taken.emplace(x, y).second) << "two merged rectangles at one strip";
                    strips[static_cast<std::size_t>(row * columns + x)]
                          [static_cast<std::size_t>(rect.category)] += 1.0 / kStrips;
                }
            }
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            double all = 0, drawnOf = 0;
            for (std::size_t c = 0; c < kCategoryCount; ++c) {
                all += cells[i][c];
                drawnOf += strips[i][c];
                EXPECT_LT(std::abs(cells[i][c] - strips[i][c]), 1.0 / kStrips + 1e-3);
            }
            ASSERT_LE(all, 1.001) << "what lives at once does not overlap";
            if (all < 0.009) {
                EXPECT_EQ(drawnOf, 0);
            } else if (all > 0.011) {
                EXPECT_GT(drawnOf, 0) << "no color but those of categories, and none where nothing is";
            }
        }
    }
    EXPECT_GT(ownMerged, 100u);
    EXPECT_GT(ownBlocks, 20u);
}

INSTANTIATE_TEST_SUITE_P(Most, AddressGeometry,
                         testing::Values(std::pair<std::size_t, std::size_t>(40, 3000),
                                         std::pair<std::size_t, std::size_t>(100'000, 3000),
                                         std::pair<std::size_t, std::size_t>(20'000, 500'000)));

class StackGeometry : public testing::TestWithParam<std::size_t> {};

TEST_P(StackGeometry, EveryColumnIsWhatIsAliveInOrderOfBirth) {
    const std::size_t most = GetParam();
    const auto snapshot = test::makeSyntheticRun();
    const AllocationMap map = mapOf(snapshot);
    const auto end = snapshot->range().end.value;
    const MemoryTimeline memory = test::timelineOf(snapshot);
    const auto peak = static_cast<double>(sumOf(memory.peak()->bytes));
    for (const MapViewport& view :
         {MapViewport{snapshot->range(), 0, peak, 300, 200},
          MapViewport{{Nanoseconds(end / 3), Nanoseconds(end / 2)}, 0, peak, 211, 120},
          MapViewport{{Nanoseconds(end / 3), Nanoseconds(end / 2)}, peak / 4, peak / 2, 100, 80}}) {
        std::vector<std::int64_t> moments;
        for (const MemoryColumn& column : memory.columns(view.time, static_cast<std::size_t>(view.width)))
            moments.push_back(column.peakTime.value);
        const MapGeometry geometry = stackGeometry(map, view, moments, most);
        std::vector<std::uint32_t> living;
        for (std::uint32_t row = 0; row < map.size(); ++row) {
            if (map.begin(row) < view.time.end.value && map.end(row) > view.time.begin.value)
                living.push_back(row);
        }
        std::stable_sort(living.begin(), living.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return map.bytes(a) > map.bytes(b); });
        const std::set<std::uint32_t> largest(
            living.begin(), living.begin() + static_cast<std::ptrdiff_t>(std::min(most, living.size())));
        std::size_t alone = 0;
        for (std::size_t c = 0; c < moments.size(); ++c) {
            const float middle = (static_cast<float>(c) + 0.5F);
            std::vector<MapRect> column;
            for (const auto* list : {&geometry.blocks, &geometry.merged}) {
                for (const MapRect& rect : *list) {
                    if (rect.left <= middle && middle < rect.right)
                        column.push_back(rect);
                }
            }
            std::sort(column.begin(), column.end(),
                      [](const MapRect& a, const MapRect& b) { return a.bottom > b.bottom; });
            // Each block of its own lies where those born before it end; without gaps up to the total.
            double height = 0, rest = 0;
            std::size_t next = 0;
            for (std::uint32_t row = 0; row < map.size(); ++row) {
                if (map.begin(row) > moments[c] || map.end(row) <= moments[c])
                    continue;
                const auto bytes = static_cast<double>(map.bytes(row));
                if (largest.count(row) == 0) {
                    rest += bytes;
                    continue;
                }
                const double bottom = std::min(view.height, view.yOf(height));
                const double top = std::max(0.0, view.yOf(height + bytes));
                height += bytes;
                if (bytes * view.height / (view.high - view.low) < kSmallest || bottom <= top)
                    continue;
                const auto found = std::find_if(column.begin(), column.end(),
                                                [&](const MapRect& rect) { return rect.row == row; });
                ASSERT_NE(found, column.end()) << "column " << c << ", row " << row;
                EXPECT_NEAR(found->bottom, bottom, 0.05);
                EXPECT_NEAR(found->top, top, 0.05);
                ++next;
            }
            alone += next;
            double covered = 0, restPixels = 0;
            for (const MapRect& rect : column) {
                (rect.rest ? restPixels : covered) += rect.bottom - rect.top;
                EXPECT_TRUE(rect.row == MapRect::kMerged || largest.count(rect.row) > 0);
            }
            const auto pixels = [&](double from, double to) {
                return std::max(0.0, std::min(view.height, view.yOf(from)) - std::max(0.0, view.yOf(to)));
            };
            EXPECT_NEAR(covered, pixels(0, height), 0.2) << "column " << c;
            EXPECT_NEAR(restPixels, pixels(height, height + rest), 0.2) << "column " << c;
        }
        EXPECT_GT(alone, moments.size());
        std::set<std::uint32_t> drawn;
        for (const MapRect& block : geometry.blocks)
            drawn.insert(block.row);
        if (view.low > 0)
            EXPECT_GE(geometry.drawn.count, static_cast<std::int64_t>(drawn.size()));
        else
            EXPECT_EQ(geometry.drawn.count, static_cast<std::int64_t>(drawn.size()));
    }
}

INSTANTIATE_TEST_SUITE_P(Most, StackGeometry, testing::Values(25u, 100000u));

TEST(MapGeometry, NothingToDrawIsNothingDrawn) {
    const AllocationMap none;
    EXPECT_TRUE(
        stackGeometry(none, {{Nanoseconds(0), Nanoseconds(10)}, 0, 10, 100, 100}, {1, 2}).blocks.empty());
    const AllocationMap map = mapOf(test::makeAllocatorRun(300, 1));
    EXPECT_TRUE(addressGeometry(map, {{Nanoseconds(5), Nanoseconds(5)}, 0, 10, 100, 100}).merged.empty());
    EXPECT_TRUE(addressGeometry(map, {{Nanoseconds(0), Nanoseconds(50)}, 10, 10, 100, 100}).merged.empty());
    EXPECT_TRUE(stackGeometry(map, {{Nanoseconds(0), Nanoseconds(50)}, 0, 10, 100, 100}, {}).merged.empty());
}

}  // namespace warpglass::ui::allocation_geometry_test
