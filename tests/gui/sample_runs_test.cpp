// The sample runs of the start page: what their list says is what is there.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include "app/window/sample_runs.h"
#include "engine/experiments/experiment_folder.h"
#include "engine/io/run_file.h"
#include "engine/sweep/sweep_file.h"

namespace warpglass::app::sample_runs_test {

/// What the folder's own README says of each file, and what records it.
TEST(SampleRuns, AreThoseOfTheReadmeInItsOrderAndWords) {
    const QDir folder(sampleFolder());
    const auto textOf = [&](const char* name) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return QString::fromUtf8(file.readAll());
    };
    QStringList listed, written;
    QTemporaryDir all;  // with every file there
    ASSERT_TRUE(QFile::copy(folder.filePath("samples.json"), all.filePath("samples.json")));
    for (const QString& line : textOf("README.md").split(QLatin1Char('\n'))) {
        if (!line.startsWith(QLatin1String("| `")))
            continue;
        written << line;
        QFile file(all.filePath(line.section(QLatin1Char('`'), 1, 1)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly)) << line.toStdString();
        const QString kind = file.fileName().endsWith(QLatin1String(".wgrun")) ? QStringLiteral("record")
                             : file.fileName().endsWith(QLatin1String(".wgsweep"))
                                 ? QStringLiteral("sweep")
                                 : QStringLiteral("experiment");
        EXPECT_TRUE(textOf("record.sh")
                        .contains(QStringLiteral("%1 %2 ").arg(kind, QFileInfo(file).completeBaseName())))
            << line.toStdString();
    }
    for (const SampleRun& sample : sampleRunsIn(all.path()))
        listed << QStringLiteral("| `%1` | %2 |").arg(QFileInfo(sample.path).fileName(), sample.sentence);
    EXPECT_GE(listed.size(), 8);
    EXPECT_EQ(listed, written);
    for (const SampleRun& sample : sampleRunsIn(folder.path())) {
        const std::string path = sample.path.toStdString();
        if (QFileInfo(sample.path).isDir()) {
            const auto result = readExperiment(path);
            ASSERT_TRUE(result) << path;
            EXPECT_FALSE(result->answers.empty());
            EXPECT_FALSE(result->charts.empty());
        } else if (sample.path.endsWith(QLatin1String(".wgsweep"))) {
            const auto sweep = openSweep(path);
            ASSERT_TRUE(sweep) << path;
            EXPECT_FALSE(sweep->cells.empty());
        } else {
            EXPECT_TRUE(openRun(path)) << path;
        }
    }
}

TEST(SampleRuns, AFolderWithoutAListHasNone) {
    const QTemporaryDir folder;
    EXPECT_TRUE(sampleRunsIn(folder.path()).empty());
    EXPECT_TRUE(sampleRunsIn({}).empty());
    QFile list(folder.filePath("samples.json"));
    ASSERT_TRUE(list.open(QIODevice::WriteOnly));
    list.write("{\"samples\": [7, {\"file\": \"missing.wgrun\"}, {\"file\": \"\"}]}");
    list.close();
    EXPECT_TRUE(sampleRunsIn(folder.path()).empty());
}

}  // namespace warpglass::app::sample_runs_test
