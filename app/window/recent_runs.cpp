#include "app/window/recent_runs.h"

#include <QFileInfo>
#include <QSettings>

namespace warpglass::app {

namespace {
const QString kKey = QStringLiteral("recentRuns"), kTitles = QStringLiteral("recentRunTitles");
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

QString RecentRuns::titleOf(const QString& path) const {
    const QString title = QSettings().value(kTitles).toMap().value(path).toString();
    return title.isEmpty() ? QFileInfo(path).completeBaseName() : title;
}

void RecentRuns::add(const QString& path, const QString& title) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = QSettings().value(kKey).toStringList();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    while (paths.size() > kMost)
        paths.removeLast();
    const QVariantMap before = QSettings().value(kTitles).toMap();
    QVariantMap titles;
    for (const QString& kept : paths)
        titles[kept] = kept == absolute ? title : before.value(kept);
    QSettings().setValue(kKey, paths);
    QSettings().setValue(kTitles, titles);
    emit changed();
}

void RecentRuns::clear() {
    QSettings().remove(kKey);
    QSettings().remove(kTitles);
    emit changed();
}

}  // namespace warpglass::app
