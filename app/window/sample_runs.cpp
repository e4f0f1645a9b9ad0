#include "app/window/sample_runs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace warpglass::app {

namespace {
const QString kList = QStringLiteral("samples.json");
}

QString SampleRun::lookAt() const {
    return sentence.left(1).toUpper() + sentence.mid(1);
}

QString sampleFolder() {
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder :
         {program + QStringLiteral("/../runs"), QStringLiteral(WARPGLASS_SAMPLE_RUNS)}) {
        if (QFileInfo::exists(QDir(folder).filePath(kList)))
            return QDir::cleanPath(folder);
    }
    return {};
}

std::vector<SampleRun> sampleRunsIn(const QString& folder) {
    std::vector<SampleRun> runs;
    QFile list(QDir(folder).filePath(kList));
    if (folder.isEmpty() || !list.open(QIODevice::ReadOnly))
        return runs;
    const QJsonObject document = QJsonDocument::fromJson(list.readAll()).object();
    for (const QJsonValue& value : document.value(QStringLiteral("samples")).toArray()) {
        const QString file = value[QStringLiteral("file")].toString();
        const QString path = QDir(folder).filePath(file);
        if (!file.isEmpty() && QFileInfo::exists(path))
            runs.push_back({path, value[QStringLiteral("look")].toString()});
    }
    return runs;
}

}  // namespace warpglass::app
