// The lessons that come with Warpglass (resources/lessons), and how any lesson's file is read here: with the
// views that this window has.
//
// Any thread, after there is an application.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "engine/base/result.h"
#include "engine/lessons/lesson.h"
#include "engine/lessons/lesson_parser.h"

namespace warpglass::app {

/// The word of a lesson for the tables of kernels and of copies; "ops" is the view's own name.
inline const QString kKernelsView = QStringLiteral("kernels"), kCopiesView = QStringLiteral("copies");
inline const QString kComparisonView = QStringLiteral("comparison");

/// The folder beside the program in an unpacked archive (bin/../lessons), or else in this build's sources;
/// empty if neither has any.
QString lessonFolder();
/// The files of the lessons in it, in the order of their names.
QStringList lessonFiles();
Result<Lesson> readLessonFile(const QString& path);
/// Those of lessonFiles() that can be read.
std::vector<Lesson> bundledLessons();

}  // namespace warpglass::app
