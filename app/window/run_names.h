// The names that a user gives to runs, by file. They are kept in the user's settings beside the titles of
// recent runs, so no run file is written for them and samples can have names too. The name of a file that is
// gone from its folder is forgotten.
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
