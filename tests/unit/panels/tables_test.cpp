// What the tables of ops, phases and allocations have in common.
#include "tests/unit/panels/tables_fixture.h"
#include "ui/panels/allocations_table.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"

namespace warpglass::ui::tables_test {

TEST_F(TablesTest, NoBarForcesTheCenterToBeWide) {
    OpTable ops(document, axis, filter);
    AllocationsTable allocations(document, axis, filter);
    ops.findChild<QWidget*>("opSubject")->show();
    axis.setSelectedSpan(spanOf(TrackKind::kModule, "blocks.1.attn"));
    ops.refreshNow();
    allocations.refreshNow();
    constexpr int kCenter = 720;  // of a window of 1280 px, beside run panel and inspector
    EXPECT_LE(ops.minimumSizeHint().width(), kCenter);
    EXPECT_LE(allocations.minimumSizeHint().width(), kCenter);
}

TEST_F(TablesTest, EveryTableDrawsWithAndWithoutARunAtAnySize) {
    OpTable ops(document, axis, filter);
    PhasesTable phases(document, axis, filter);
    AllocationsTable allocations(document, axis, filter);
    for (const bool opened : {true, false}) {
        if (!opened)
            document.clear();
        for (QWidget* view : std::initializer_list<QWidget*>{&ops, &phases, &allocations}) {
            for (const QSize size : {QSize(40, 30), QSize(1064, 330)}) {
                const QImage image = renderWidget(*view, size, 2);
                EXPECT_EQ(image.size(), size * 2);
            }
        }
        EXPECT_EQ(ops.model().rowCount() > 0, opened);
    }
}

}  // namespace warpglass::ui::tables_test
