#include "ui/controls/failure_note.h"

#include <gtest/gtest.h>

#include <new>

#include "ui/models/deferred_query.h"

namespace warpglass::ui::failure_note_test {

TEST(FailureNote, IsSeenInTheViewWhileItsQueryFails) {
    QWidget view;
    view.resize(500, 300);
    bool fails = true;
    DeferredQuery query([&fails] {
        return DeferredQuery::Job{[fails = fails]() -> DeferredQuery::Apply {
            if (fails)
                throw std::bad_alloc();
            return [] {};
        }};
    });
    showFailures(&view, query);
    auto* note = view.findChild<FailureNote*>();
    ASSERT_NE(note, nullptr);
    EXPECT_TRUE(note->isHidden());
    query.invalidate(DeferredQuery::Cause::kOtherRun);
    query.runNow();
    EXPECT_FALSE(note->isHidden());
    EXPECT_EQ(note->text(), query.failure());
    EXPECT_EQ(note->accessibleName(), query.failure());
    for (const QSize size : {QSize(500, 300), QSize(220, 300), QSize(900, 120)}) {
        view.resize(size);
        view.grab();
        EXPECT_TRUE(view.rect().contains(note->geometry())) << size.width();
        EXPECT_GE(note->width(), note->minimumSizeHint().width());
    }
    fails = false;
    query.invalidate(DeferredQuery::Cause::kOtherRun);
    query.runNow();
    EXPECT_TRUE(note->isHidden());
}

}  // namespace warpglass::ui::failure_note_test
