#include "app/window/lesson_library.h"

#include <QCoreApplication>
#include <QDir>

#include "app/window/run_words.h"
#include "app/window/sample_runs.h"
#include "app/window/workspace.h"

namespace warpglass::app {

QString lessonFolder() {
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder :
         {program + QStringLiteral("/../lessons"), QStringLiteral(WARPGLASS_LESSONS)}) {
        if (QDir(folder).exists())
            return QDir::cleanPath(folder);
    }
    return {};
}

QStringList lessonFiles() {
    QStringList files;
    if (const QString folder = lessonFolder(); !folder.isEmpty()) {
        for (const QString& name : QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
            files << QDir(folder).filePath(name);
    }
    return files;
}

Result<Lesson> readLessonFile(const QString& path) {
    LessonWorld world;
    for (const QString& name :
         Workspace::viewNames() + QStringList{kKernelsView, kCopiesView, kComparisonView})
        world.views.push_back(name.toStdString());
    world.samples = nativePath(sampleFolder());
    return readLesson(nativePath(path), world);
}

std::vector<Lesson> bundledLessons() {
    std::vector<Lesson> lessons;
    for (const QString& file : lessonFiles()) {
        if (auto lesson = readLessonFile(file))
            lessons.push_back(std::move(*lesson));
    }
    return lessons;
}

}  // namespace warpglass::app
