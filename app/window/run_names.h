// What a person calls runs, by their files: kept in the user's settings beside the titles of recent runs, so
// that no run file is written to for it, and a sample can have a name, too. The name of a file that is gone
// from its folder is forgotten.
#pragma once

#include <QString>

namespace warpglass::app {

struct RunNames {
    /// Empty for none.
    static QString of(const QString& path);
    /// An empty name takes it away.
    static void set(const QString& path, const QString& name);
};

}  // namespace warpglass::app
