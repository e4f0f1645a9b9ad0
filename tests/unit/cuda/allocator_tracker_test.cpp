// What the caching allocator tells the tracker, as LibTorch would, and what comes out of the capture stream.
#include "engine/cuda/allocator_tracker.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/capture/capture_stream.h"
#include "engine/trace/chunks.h"

namespace warpglass::test::allocator_tracker_test {

using Entry = c10::CachingDeviceAllocator::TraceEntry;
using Texts = std::vector<std::string>;

struct AllocatorTracker : testing::Test {
    void SetUp() override {
        CaptureStream::instance().open();
        beginTracking(0, {});
    }
    void TearDown() override {
        endTracking();
        if (CaptureStream::instance().isOpen())
            CaptureStream::instance().close();
    }

    static void tell(Entry::Action action, std::size_t address, std::size_t size, int device = 0,
                     void* stream = nullptr, c10::MempoolId_t pool = {0, 0}) {
        onAllocatorEvent(
            Entry(action, static_cast<c10::DeviceIndex>(device), address, size, stream, pool, 0));
    }

    /// "alloc 4096+100", with stream and pool where they are not the usual ones.
    static Texts told() {
        Texts texts;
        CaptureEvent event;
        std::int64_t time = 0;
        while (CaptureStream::instance().pop(event)) {
            EXPECT_EQ(event.kind, CaptureKind::kSegment);
            std::string text(kSegmentActionNames[event.detail]);
            text += " " + std::to_string(event.address) + "+" + std::to_string(event.bytes);
            if (event.total != 0)
                text += " stream " + std::to_string(event.total);
            if (event.name != 0)
                text += " pool " + std::to_string(event.name);
            texts.push_back(text);
            EXPECT_GE(event.time, time);
            time = event.time;
        }
        return texts;
    }

    /// What the allocation that comes next on this thread will say that it asked for: "4096+100".
    static std::string requested() {
        const CaptureStream::ThreadState& thread = CaptureStream::instance().thread();
        return std::to_string(thread.requestAddress) + "+" + std::to_string(thread.requested);
    }
};

TEST_F(AllocatorTracker, TellsOfSegmentsInOrderAndKeepsTheRequestForItsAllocation) {
    tell(Entry::SEGMENT_ALLOC, 4096, 2097152);
    tell(Entry::ALLOC, 4096, 100);
    EXPECT_EQ(requested(), "4096+100");
    tell(Entry::SEGMENT_MAP, 8192, 20971520, 0, reinterpret_cast<void*>(0x77));
    tell(Entry::SEGMENT_UNMAP, 8192, 20971520, 0, reinterpret_cast<void*>(0x77));
    tell(Entry::OOM, 12345, 1 << 30);
    tell(Entry::SEGMENT_FREE, 4096, 2097152);
    EXPECT_EQ(told(),
              (Texts{"alloc 4096+2097152", "map 8192+20971520 stream 119", "unmap 8192+20971520 stream 119",
                     "out of memory 12345+1073741824", "free 4096+2097152"}));
}

TEST_F(AllocatorTracker, ABlockThatComesFreeAtOnceCostsNoEvent) {
    for (std::size_t i = 0; i < 1000; ++i) {
        tell(Entry::ALLOC, 512 * i, 100);
        tell(Entry::FREE_REQUESTED, 512 * i, 100);
        tell(Entry::FREE_COMPLETED, 512 * i, 100);
    }
    EXPECT_EQ(told(), Texts());
    EXPECT_EQ(requested(), "511488+100");
}

TEST_F(AllocatorTracker, ABlockThatComesFreeLateIsHeldAndReleased) {
    tell(Entry::FREE_REQUESTED, 512, 100);
    EXPECT_EQ(told(), Texts()) << "it may yet come free at once";
    tell(Entry::FREE_REQUESTED, 1024, 200);
    tell(Entry::FREE_COMPLETED, 1024, 200);
    tell(Entry::FREE_REQUESTED, 2048, 300);
    tell(Entry::FREE_COMPLETED, 512, 100);
    tell(Entry::ALLOC, 512, 90);
    tell(Entry::FREE_COMPLETED, 2048, 300);
    EXPECT_EQ(told(), (Texts{"hold 512+100", "hold 2048+300", "release 512+100", "release 2048+300"}));
    EXPECT_EQ(requested(), "512+90");
}

TEST_F(AllocatorTracker, PassesOverOtherDevicesAndSnapshots) {
    tell(Entry::ALLOC, 512, 100, 1);
    tell(Entry::SEGMENT_ALLOC, 512, 100, 1);
    tell(Entry::FREE_REQUESTED, 512, 100);
    tell(Entry::SNAPSHOT, 0, 0);
    tell(Entry::FREE_REQUESTED, 9999, 100, 1);
    tell(Entry::FREE_COMPLETED, 512, 100);
    EXPECT_EQ(told(), Texts());
    EXPECT_EQ(requested(), "0+0") << "another device's allocation is not of this recording";
    endTracking();
    tell(Entry::SEGMENT_ALLOC, 512, 100);
    EXPECT_EQ(told(), Texts());
}

TEST_F(AllocatorTracker, TellsFirstOfWhatWasThereBefore) {
    CaptureEvent segment{.kind = CaptureKind::kSegment,
                         .detail = static_cast<std::uint8_t>(SegmentAction::kAllocate)};
    segment.address = 64;
    segment.bytes = 640;
    segment.name = 0;
    CaptureEvent block = segment;
    block.detail = static_cast<std::uint8_t>(SegmentAction::kHold);
    beginTracking(0, {segment, block});
    CaptureStream::instance().close();
    tell(Entry::ALLOC, 512, 100);
    CaptureStream::instance().open();
    EXPECT_EQ(told(), Texts()) << "not before the stream is open";
    EXPECT_EQ(requested(), "0+0");
    tell(Entry::ALLOC, 512, 100);
    tell(Entry::ALLOC, 1024, 100);
    EXPECT_EQ(told(), (Texts{"alloc 64+640", "hold 64+640"}));
    EXPECT_EQ(requested(), "1024+100");
}

TEST_F(AllocatorTracker, PrivatePoolsHaveNumbersOfTheirOwn) {
    tell(Entry::SEGMENT_ALLOC, 512, 100, 0, nullptr, {3, 0});
    tell(Entry::SEGMENT_ALLOC, 512, 100, 0, nullptr, {0, 3});
    EXPECT_EQ(told(), (Texts{"alloc 512+100 pool 6", "alloc 512+100 pool 7"}));
}

}  // namespace warpglass::test::allocator_tracker_test
