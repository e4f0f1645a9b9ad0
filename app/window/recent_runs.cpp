#include "app/window/recent_runs.h"

#include <QFileInfo>
#include <QSettings>
#include <vector>

#include "app/window/run_names.h"
#include "app/window/run_titles.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {
const QString kKey = QStringLiteral("recentRuns"), kTitles = QStringLiteral("recentRunTitles"),
              kInfos = QStringLiteral("recentRunInfos");
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

QMap<QString, QString> RecentRuns::titles() const {
    const QVariantMap titles = QSettings().value(kTitles).toMap(), infos = QSettings().value(kInfos).toMap();
    const QStringList paths = QSettings().value(kKey).toStringList();
    std::vector<TitledRun> runs;
    for (const QString& path : paths) {
        const QString name = RunNames::of(path), title = titles.value(path).toString();
        RunInfo info;
        const QVariantMap kept = infos.value(path).toMap();
        for (auto it = kept.begin(); it != kept.end(); ++it)
            info.set(it.key().toStdString(), it.value().toString().toStdString());
        runs.push_back(titledRun(!name.isEmpty()    ? name
                                 : !title.isEmpty() ? title
                                                    : QFileInfo(path).completeBaseName(),
                                 info, path));
    }
    const QStringList apart = titlesSideBySide(runs);
    QMap<QString, QString> found;
    for (qsizetype i = 0; i < paths.size(); ++i)
        found[paths[i]] = apart[i];
    return found;
}

QString RecentRuns::titleOf(const QString& path) const {
    return titles().value(path, QFileInfo(path).completeBaseName());
}

void RecentRuns::add(const QString& path, const QString& title, const RunInfo& info) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = QSettings().value(kKey).toStringList();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    while (paths.size() > kMost)
        paths.removeLast();
    QVariantMap kept;
    for (const auto& [key, value] : info.pairs()) {
        if (key.starts_with("config.") || key == "time.started")
            kept[QString::fromStdString(key)] = ui::toQString(value);
    }
    const QVariantMap titlesBefore = QSettings().value(kTitles).toMap();
    const QVariantMap infosBefore = QSettings().value(kInfos).toMap();
    QVariantMap titles, infos;
    for (const QString& each : paths) {
        titles[each] = each == absolute ? title : titlesBefore.value(each);
        infos[each] = each == absolute ? kept : infosBefore.value(each).toMap();
    }
    QSettings().setValue(kKey, paths);
    QSettings().setValue(kTitles, titles);
    QSettings().setValue(kInfos, infos);
    emit changed();
}

void RecentRuns::forget(const QString& path) {
    QStringList paths = QSettings().value(kKey).toStringList();
    if (paths.removeAll(QFileInfo(path).absoluteFilePath()) == 0)
        return;
    QSettings().setValue(kKey, paths);
    emit changed();
}

void RecentRuns::clear() {
    for (const QString& key : {kKey, kTitles, kInfos})
        QSettings().remove(key);
    emit changed();
}

}  // namespace warpglass::app
