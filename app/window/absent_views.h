// Views that a run has nothing to show in, by what was recorded of it.
#pragma once

#include <QString>
#include <string>

namespace warpglass {
class Snapshot;
}

namespace warpglass::app {

/// Why the view of that name (Workspace::viewNames()) is empty, as the view itself says it: a sentence
/// without its full stop. Empty where there is something to show. Any thread.
std::string whyAbsent(const QString& view, const Snapshot& run);

}  // namespace warpglass::app
