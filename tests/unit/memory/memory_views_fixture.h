// A run in a document with an axis and the memory page's focus, for tests of the views on it.
#pragma once

#include <gtest/gtest.h>

#include <QTest>

#include "tests/support/allocator_model.h"
#include "tests/support/gestures.h"
#include "tests/support/synthetic_trace.h"
#include "ui/controls/refresh.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

struct MemoryViews : testing::Test {
    void open(std::shared_ptr<const Snapshot> snapshot) {
        run = std::move(snapshot);
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        axis.fitAll();
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
    MemoryFocus focus{document, axis, filter};
};

}  // namespace warpglass::ui
