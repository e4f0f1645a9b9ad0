#include "app/window/recent_runs.h"

#include <QFileInfo>
#include <QSettings>

namespace warpglass::app {

namespace {
const QString kKey = QStringLiteral("recentRuns");
}

RecentRuns::RecentRuns(QObject* parent) : QObject(parent) {}

QStringList RecentRuns::paths() const {
    QStringList existing;
    for (const QString& path : QSettings().value(kKey).toStringList()) {
        if (QFileInfo::exists(path))
            existing << path;
    }
    return existing;
}

void RecentRuns::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = QSettings().value(kKey).toStringList();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    while (paths.size() > kMost)
        paths.removeLast();
    QSettings().setValue(kKey, paths);
    emit changed();
}

void RecentRuns::clear() {
    QSettings().remove(kKey);
    emit changed();
}

}  // namespace warpglass::app
