#include "engine/trace/missing_records.h"

#include <gtest/gtest.h>

namespace warpglass::test::missing_records_test {

TEST(MissingRecords, AreReadBackAsTheyWereStated) {
    RunInfo info;
    EXPECT_FALSE(statedMissing(info).any());
    MissingRecords missing;
    missing.of(RecordKind::kKernels) = {5396, 5396};
    missing.of(RecordKind::kOps) = {1284, 12600, 1000};
    stateMissing(info, missing);
    EXPECT_TRUE(statesMissing(info));
    EXPECT_EQ(info.get("missing.kernels"), "5396 of 5396");
    EXPECT_EQ(info.get("missing.ops"), "1284 of 12600 (1000 amidst others)");
    EXPECT_FALSE(info.has("missing.steps"));
    const MissingRecords stated = statedMissing(info);
    EXPECT_TRUE(stated.any());
    EXPECT_TRUE(stated.lacksAll(RecordKind::kKernels));
    EXPECT_EQ(stated.of(RecordKind::kOps).missing, 1284u);
    EXPECT_EQ(stated.of(RecordKind::kOps).total, 12600u);
    EXPECT_EQ(stated.of(RecordKind::kOps).amidst, 1000u);
    EXPECT_FALSE(stated.lacks(RecordKind::kSteps));
}

TEST(MissingRecords, OfACopyThatIsOpenedTheGapsAreNotCountedTwice) {
    RunInfo info;
    MissingRecords missing;
    missing.of(RecordKind::kOps) = {1284, 12600, 1000};
    stateMissing(info, missing);
    // The copy ends where what is there ends; in it the gaps alone can be seen.
    missing.of(RecordKind::kOps) = {1000, 12316, 1000};
    stateMissing(info, missing);
    EXPECT_EQ(info.get("missing.ops"), "1284 of 12600 (1000 amidst others)");
}

TEST(MissingRecords, OfAnyTextAreNoMoreThanThereCanBe) {
    RunInfo info;
    info.set("missing.any", "yes");
    info.set("missing.ops", "99999999999999999999999 of many");
    info.set("missing.steps", "7 of 5 (9 amidst others)");
    const MissingRecords stated = statedMissing(info);
    EXPECT_FALSE(stated.lacks(RecordKind::kOps));
    EXPECT_EQ(stated.of(RecordKind::kSteps).total, 7u);
    EXPECT_EQ(stated.of(RecordKind::kSteps).amidst, 7u);
}

}  // namespace warpglass::test::missing_records_test
