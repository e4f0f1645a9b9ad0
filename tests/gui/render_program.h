// Runs `warpglass --render` as a person does, and looks at what it drew.
#pragma once

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <string>

#include "engine/session/save_run.h"
#include "tests/support/files.h"
#include "tests/support/pixels.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass {

struct Outcome {
    int status = -1;
    QString errors;
    QStringList output;  ///< the lines on standard output
};

inline Outcome warpglassApp(const QStringList& arguments, const QProcessEnvironment& environment =
                                                              QProcessEnvironment::systemEnvironment()) {
    // Whatever theme the person has chosen.
    const QTemporaryDir settings;
    QProcessEnvironment own = environment;
    own.insert("XDG_CONFIG_HOME", settings.path());
    QProcess process;
    process.setProcessEnvironment(own);
    process.start(QStringLiteral(WARPGLASS_APP), arguments);
    EXPECT_TRUE(process.waitForFinished(90'000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError()),
            QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)};
}

/// What it says as it draws all that is asked for.
inline Outcome drawn(const QStringList& arguments,
                     const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    Outcome outcome = warpglassApp(QStringList{"--render"} + arguments, environment);
    EXPECT_EQ(outcome.status, 0) << arguments.join(QLatin1Char(' ')).toStdString() << ": "
                                 << outcome.errors.toStdString();
    return outcome;
}

/// What it says instead of drawing, which has these words.
inline std::string refused(int status, const QStringList& arguments, const char* words = "") {
    const Outcome outcome = warpglassApp(QStringList{"--render"} + arguments);
    EXPECT_EQ(outcome.status, status) << arguments.join(QLatin1Char(' ')).toStdString();
    EXPECT_TRUE(outcome.errors.contains(QString::fromLatin1(words))) << outcome.errors.toStdString();
    return outcome.errors.toStdString();
}

inline QByteArray textOf(const QString& path) {
    EXPECT_TRUE(QFile::exists(path)) << path.toStdString();
    return QByteArray::fromStdString(test::contentOf(path.toStdString()));
}

inline void expectPicture(const QString& path) {
    EXPECT_GT(test::distinctColors(QImage(path)), 8) << path.toStdString() << " is an empty picture";
}

struct RenderTest : ::testing::Test {
    RenderTest() {
        const Status saved = saveRun(*test::makeSyntheticRun(), run().toStdString());
        EXPECT_TRUE(saved) << saved.message();
    }
    QString run() const { return m_folder.filePath("run.wgrun"); }
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

}  // namespace warpglass
