#include "app/window/run_names.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QVariantMap>

namespace warpglass::app {

namespace {

const QString kNameKey = QStringLiteral("runNames");

QString keyOf(const QString& path) {
    const QFileInfo file(path);
    const QString canonical = file.canonicalFilePath();  // empty where there is no file yet
    return canonical.isEmpty() ? file.absoluteFilePath() : canonical;
}

}  // namespace

QString RunNames::of(const QString& path) {
    return path.isEmpty() ? QString() : QSettings().value(kNameKey).toMap().value(keyOf(path)).toString();
}

void RunNames::set(const QString& path, const QString& name) {
    QVariantMap kept;
    const QVariantMap before = QSettings().value(kNameKey).toMap();
    for (auto it = before.begin(); it != before.end(); ++it) {
        // A disk that is not there just now has its files still.
        if (const QFileInfo file(it.key()); file.exists() || !file.absoluteDir().exists())
            kept.insert(it.key(), it.value());
    }
    if (name.isEmpty())
        kept.remove(keyOf(path));
    else
        kept.insert(keyOf(path), name);
    QSettings().setValue(kNameKey, kept);
}

}  // namespace warpglass::app
