// What the plot of memory tells of a moment: its sizes by part of the stack, and the phase that it is in.
#pragma once

#include <QString>

#include "engine/query/memory/memory_groups.h"
#include "ui/memory/memory_scale.h"
#include "ui/models/run_document.h"

namespace warpglass::ui {

/// Rich text. `groups`: what the stack is made of, null for categories; `when`: the moment in words.
QString memoryTip(const RunDocument& document, const MemoryScale& scale, const MemoryGroups* groups,
                  Nanoseconds t, const QString& when);

}  // namespace warpglass::ui
