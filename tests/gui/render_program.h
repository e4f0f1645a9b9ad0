// Runs `warpglass --render` as a person does, and looks at what it drew.
#pragma once

#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>

#include "engine/session/save_run.h"
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

struct RenderTest : ::testing::Test {
    RenderTest() {
        const Status saved = saveRun(*test::makeSyntheticRun(), run().toStdString());
        EXPECT_TRUE(saved) << saved.message();
    }
    QString run() const { return m_folder.filePath("run.wgrun"); }
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

inline int distinctColors(const QImage& image, int pace = 3) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += pace) {
        for (int x = 0; x < image.width(); x += pace)
            colors.insert(image.pixel(x, y));
    }
    return static_cast<int>(colors.size());
}

}  // namespace warpglass
