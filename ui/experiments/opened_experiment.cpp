#include "ui/experiments/opened_experiment.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>

#include "engine/base/format.h"
#include "engine/experiments/experiment_folder.h"
#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// More values of an axis than that are counted instead of listed.
constexpr std::size_t kMostListed = 8;

QString fileWords(const char* text) {
    return QCoreApplication::translate("OpenedExperiment", text);
}

std::filesystem::path nativePath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

QString fileName() {
    return toQString(kExperimentFile);
}

/// "context 64, 128 · precision fp32, bf16".
QString variesWords(const SweepPlan& plan) {
    QStringList parts;
    for (const SweepAxis& axis : plan.axes) {
        const Setting* setting = findSetting(axis.key);
        const QString name = setting ? toQString(setting->name()).toLower() : toQString(axis.key);
        QStringList values;
        for (const std::string& value : axis.values)
            values << toQString(value);
        parts << name + QLatin1Char(' ') +
                     (axis.values.size() > kMostListed ? fileWords("in %1 values").arg(axis.values.size())
                                                       : values.join(QStringLiteral(", ")));
    }
    return parts.join(QStringLiteral(" · "));
}

/// Adds the cells that are done to `allDone`.
EvidenceFile sweepFile(const QFileInfo& file, std::int64_t& allDone) {
    EvidenceFile evidence{
        EvidenceFile::Kind::kSweep, file.completeBaseName(), {}, {}, file.absoluteFilePath()};
    const Result<Sweep> sweep = openSweep(nativePath(evidence.path));
    if (!sweep) {
        evidence.holds = toQString(sweep.message());
        return evidence;
    }
    const auto done = std::ranges::count_if(sweep->cells, &SweepCell::isDone);
    const auto count = static_cast<std::int64_t>(sweep->cells.size());
    allDone += done;
    const QString cells =
        done == count
            ? (count == 1 ? fileWords("1 cell") : fileWords("%1 cells").arg(toQString(formatGrouped(count))))
            : fileWords("%1 of %2 cells done")
                  .arg(toQString(formatGrouped(done)), toQString(formatGrouped(count)));
    evidence.alike = toQString(settingsInCommon(sweep->plan));
    evidence.holds = cells + QStringLiteral(": ") + variesWords(sweep->plan);
    return evidence;
}

/// A run, or what belongs to one; `holds`: what is said of it.
EvidenceFile runFile(const ExperimentRun& run, const QDir& folder, EvidenceFile::Kind kind,
                     const QString& holds) {
    EvidenceFile evidence{
        kind, toQString(run.title), {}, {}, folder.absoluteFilePath(QFile::decodeName(run.file.c_str()))};
    evidence.isThere = QFileInfo::exists(evidence.path);
    evidence.holds = evidence.isThere ? holds : fileWords("Its file is not there any more.");
    return evidence;
}

}  // namespace

bool isExperimentPath(const QString& path) {
    const QFileInfo file(path);
    return file.isDir() || file.fileName() == fileName();
}

QString experimentFolder(const QString& path) {
    const QFileInfo file(path);
    return QDir::cleanPath(file.isDir() || file.fileName() != fileName() ? file.absoluteFilePath()
                                                                         : file.absolutePath());
}

Result<OpenedExperiment> openExperiment(const QString& path) {
    const QDir folder(experimentFolder(path));
    const QFileInfo file(folder.filePath(fileName()));
    OpenedExperiment opened;
    if (auto request = readRequest(nativePath(folder.path()))) {
        opened.request = std::move(*request);
        for (const NamedSweep& sweep : opened.request->experiment->sweeps(opened.request->options))
            opened.cells += cellCount(sweep.plan);
    }
    if (file.exists() || !folder.exists()) {
        Result<ExperimentResult> result = readExperiment(nativePath(file.filePath()));
        if (!result)
            return result.error();
        opened.result = std::move(*result);
        opened.written = file.lastModified();
    } else if (opened.request) {
        opened.result.name = opened.request->experiment->name;
        opened.result.title = opened.request->experiment->title;
        opened.result.lookFor = opened.request->experiment->lookFor;
    } else {
        return Error{"The folder " + folder.path().toStdString() +
                     " holds no experiment: there is no result.json in it."};
    }
    for (const QFileInfo& sweep :
         folder.entryInfoList({QStringLiteral("*.wgsweep")}, QDir::Files, QDir::Name))
        opened.files.push_back(sweepFile(sweep, opened.done));
    for (const ExperimentRun& run : opened.result.runs)
        opened.files.push_back(runFile(run, folder, EvidenceFile::Kind::kRun, {}));
    for (const ExperimentRun& snapshot : opened.result.memorySnapshots)
        opened.files.push_back(runFile(snapshot, folder, EvidenceFile::Kind::kMemorySnapshot,
                                       fileWords("Drag it onto https://pytorch.org/memory_viz.")));
    return opened;
}

}  // namespace warpglass::ui
