// Keeps marks with their open runs, and has them written to the runs' files, a sample's to a copy of it.
#pragma once

#include <QObject>
#include <QString>

#include "app/window/mark_saver.h"
#include "app/window/window_fwd.h"
#include "ui/models/mark_list.h"

namespace warpglass::app {

class MarkKeeping : public QObject {
    Q_OBJECT
public:
    /// `runs` outlives this.
    explicit MarkKeeping(OpenRuns& runs, QObject* parent = nullptr);
    /// Writes what waits.
    ~MarkKeeping() override;

    /// The marks of the shown run. Edits go to its file once it is no longer being recorded.
    ui::MarkList& list() { return m_list; }
    /// Writes a run's marks to its file, if it has one that is complete.
    void store(const OpenedRunEntry& run);
    /// It came with Warpglass: its file is not written to, and not deleted.
    bool isSample(const QString& path) const { return m_saver->isSample(path); }
    /// For a sample: the copy of it that has marks; empty for none. Reads files; any thread.
    QString markedCopyOf(const QString& path, const RunInfo& info) const {
        return m_saver->markedCopyOf(path, info);
    }

signals:
    /// A run's file is another one, or it has marks that are in no file.
    void runsChanged();
    /// A sample has been given marks: they are in this copy of it, which is the run's file now.
    void sampleCopied(const QString& file);
    /// One sentence.
    void failed(const QString& sentence);
    /// Work has begun (1) or ended (−1).
    void workChanged(int by);

private:
    void takeEdits();
    void stored(const QString& path, const QString& file);
    void notStored(const QString& path, const QString& problem);

    OpenRuns& m_runs;
    ui::MarkList m_list;
    MarkSaver* m_saver;
};

}  // namespace warpglass::app
