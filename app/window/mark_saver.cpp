#include "app/window/mark_saver.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <exception>

#include "engine/io/run_file.h"

namespace warpglass::app {

namespace {

/// The name of the n-th copy of a file in a folder.
QString nameOfCopy(const QString& folder, const QFileInfo& sample, int n) {
    return QDir(folder).filePath(
        n == 1 ? sample.fileName()
               : QStringLiteral("%1-%2.%3").arg(sample.completeBaseName()).arg(n).arg(sample.suffix()));
}

/// A copy in the folder, under a name that is free there, and writable whatever the sample is.
MarkSaver::Outcome copyInto(const QString& folder, const QString& path) {
    if (!QDir().mkpath(folder))
        return {{}, MarkSaver::tr("the folder %1 for a copy of this sample cannot be made").arg(folder)};
    const QFileInfo sample(path);
    int n = 1;
    while (QFileInfo::exists(nameOfCopy(folder, sample, n)))
        ++n;
    const QString copy = nameOfCopy(folder, sample, n);
    QFile file(path);
    if (!file.copy(copy))
        return {{}, MarkSaver::tr("the sample cannot be copied to %1: %2").arg(copy, file.errorString())};
    QFile::setPermissions(copy, QFile::permissions(copy) | QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return {copy, {}};
}

MarkSaver::Outcome write(const QString& path, const QString& copyTo, const std::vector<RunMark>& marks) {
    MarkSaver::Outcome outcome{path, {}};
    if (!copyTo.isEmpty())
        outcome = copyInto(copyTo, path);
    if (!outcome.problem.isEmpty())
        return outcome;
    if (const Status written = writeMarks(outcome.file.toStdString(), marks); !written) {
        if (!copyTo.isEmpty())
            QFile::remove(outcome.file);  // a copy without marks is no use to anyone
        outcome.problem = QString::fromStdString(written.message());
    }
    return outcome;
}

/// Where memory runs out nothing but the marks is lost: an exception would end the program.
MarkSaver::Outcome tryToWrite(const QString& path, const QString& copyTo, const std::vector<RunMark>& marks) {
    try {
        return write(path, copyTo, marks);
    } catch (const std::exception& problem) {
        return {path, QString::fromUtf8(problem.what())};
    }
}

}  // namespace

MarkSaver::MarkSaver(QString samples, QString folder, QObject* parent)
    : QObject(parent), m_samples(std::move(samples)), m_folder(std::move(folder)) {
    m_pool.setMaxThreadCount(1);
}

MarkSaver::~MarkSaver() {
    m_pool.waitForDone();
    // What still waits is little, and no one is left to wait for it elsewhere.
    for (const Job& job : std::as_const(m_waiting)) {
        const bool hasCopy = job.path == m_lastPath && m_last.problem.isEmpty();
        const QString path = hasCopy ? m_last.file : job.path;
        tryToWrite(path, isSample(path) ? m_folder : QString(), job.marks);
    }
}

bool MarkSaver::isSample(const QString& path) const {
    const QString samples = m_samples.isEmpty() ? QString() : QFileInfo(m_samples).canonicalFilePath();
    return !samples.isEmpty() && QFileInfo(path).canonicalPath() == samples;
}

QString MarkSaver::markedCopyOf(const QString& path, const RunInfo& info) const {
    if (!isSample(path))
        return {};
    QString newest;
    const QFileInfo sample(path);
    for (int n = 1; QFileInfo::exists(nameOfCopy(m_folder, sample, n)); ++n) {
        const QString copy = nameOfCopy(m_folder, sample, n);
        if (!newest.isEmpty() && QFileInfo(copy).lastModified() < QFileInfo(newest).lastModified())
            continue;
        const auto marks = readMarks(copy.toStdString());
        if (!marks || marks->empty())
            continue;
        // A run of one's own may have the name, too.
        const auto opened = openRun(copy.toStdString());
        if (opened && opened->snapshot->info().pairs() == info.pairs())
            newest = copy;
    }
    return newest;
}

void MarkSaver::save(const QString& path, std::vector<RunMark> marks) {
    const bool wasBusy = isBusy();
    const auto same = std::ranges::find(m_waiting, path, &Job::path);
    if (same != m_waiting.end())
        same->marks = std::move(marks);
    else
        m_waiting.append({path, std::move(marks)});
    if (!wasBusy)
        emit busyChanged(true);
    next();
}

void MarkSaver::next() {
    if (m_writing || m_waiting.isEmpty())
        return;
    m_writing = true;
    const Job job = m_waiting.takeFirst();
    const QString copyTo = isSample(job.path) ? m_folder : QString();
    m_pool.start([this, self = QPointer(this), job, copyTo] {
        const Outcome outcome = tryToWrite(job.path, copyTo, job.marks);
        m_lastPath = job.path;
        m_last = outcome;
        // The destructor waits for the pool, so `this` is alive here; `self` guards the queued call.
        QMetaObject::invokeMethod(this, [self, path = job.path, outcome] {
            if (!self)
                return;
            self->m_writing = false;
            // What waits for the sample goes into its copy: there is one copy, not one for each mark.
            for (Job& waiting : self->m_waiting) {
                if (waiting.path == path && outcome.problem.isEmpty())
                    waiting.path = outcome.file;
            }
            if (outcome.problem.isEmpty())
                emit self->saved(path, outcome.file);
            else
                emit self->failed(path, outcome.problem);
            self->next();
            if (!self->isBusy())
                emit self->busyChanged(false);
        });
    });
}

}  // namespace warpglass::app
