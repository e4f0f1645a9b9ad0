// A sweep in the window: choices, the chart they make, and the table of its cells. While it runs also the
// grid that fills cell by cell, the time left, and buttons to pause and to stop it; of one that was cut off,
// a button to go on; one that runs elsewhere (in another process, or for an experiment) is followed in its
// file.
//
// A click on a point or a row selects its cell, with Ctrl another; Enter or a double click opens a cell's
// run, two selected cells are compared. GUI thread only; the run has a thread of its own.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "engine/sweep/sweep_columns.h"
#include "engine/sweep/sweep_run.h"
#include "ui/models/described_table_model.h"
#include "ui/sweep/sweep_choices.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class DataChart;
class DataTable;
class ElidedLabel;
class SweepStatus;

class SweepPage : public QWidget {
    Q_OBJECT
public:
    /// `path`: of its file, which cells' runs are relative to.
    SweepPage(QString path, std::shared_ptr<const Sweep> sweep, QWidget* parent = nullptr);
    ~SweepPage() override;

    const QString& path() const { return m_path; }
    const std::shared_ptr<const Sweep>& sweep() const { return m_sweep; }
    /// Shows the sweep as it grows; the page owns the run, and stops it when it is closed.
    void follow(std::unique_ptr<SweepRun> run);
    bool isRunning() const { return m_run && !m_run->finished(); }
    bool isPaused() const { return m_run && m_run->paused(); }
    /// Another process, or an experiment of this one, ran it when its file was last read; it is asked to be
    /// read again as long as that holds.
    bool isRunningElsewhere() const { return !m_run && m_sweep->isBeingRun; }
    /// As its file has it by now.
    void setSweep(std::shared_ptr<const Sweep> sweep);
    /// It cannot be gone on with, or not be read any more: one sentence.
    void refuse(const QString& problem);
    /// Nobody runs it, and some of its cells wait or were skipped; the reason for that may be gone.
    bool canGoOn() const;
    /// What is damaged of its file, and why its run broke off: one sentence each, to stand with the sweep.
    QStringList problems() const;
    /// A cell's file that is there; empty for none.
    QString runOf(std::int64_t cell) const;
    /// Indices of cells, at most two, in the order of being chosen.
    const std::vector<std::int64_t>& selected() const { return m_selected; }

    const SweepView& view() const { return m_choices->view(); }
    void setView(const SweepView& view);
    DataChart& chart() const { return *m_chart; }
    DataTable& table() const { return *m_table; }

public slots:
    void pauseOrContinue();
    void stop();
    void goOn();
    void openSelected();
    void compareSelected();

signals:
    void openRequested(const QString& runFile);
    void compareRequested(const QString& fileA, const QString& fileB);
    /// To go on with the file.
    void goOnRequested();
    /// Its file is to be read again, for setSweep().
    void rereadWanted();
    /// It runs, pauses or has ended, or its problems are others.
    void stateChanged();
    /// It has ended: one sentence.
    void ended(const QString& sentence);

private:
    void buildTable(QVBoxLayout& layout);
    void poll();
    void showSweep(std::shared_ptr<const Sweep> sweep);
    void drawChart();
    void makeColumns();
    void showStatus();
    void select(std::int64_t cell, bool adds);
    void selectionChanged();
    void showSelection();

    QString m_path;
    std::shared_ptr<const Sweep> m_sweep;
    std::unique_ptr<SweepRun> m_run;
    std::uint64_t m_epoch = 0;
    QTimer m_poll;
    QTimer m_reread;         // while it runs elsewhere
    bool m_resumes = false;  // asked to go on, and not begun yet
    bool m_wasRunning = false;
    QString m_brokeOff;  // why
    QString m_refusal;   // why it does not go on, or cannot be read again
    std::vector<std::int64_t> m_selected;
    bool m_selecting = false;

    SweepChoices* m_choices;
    DataChart* m_chart;
    SweepStatus* m_status;
    ElidedLabel* m_selection;
    QPushButton* m_open;
    QPushButton* m_compare;
    DataTable* m_table;
    /// Another one when there are other columns: of measures that no cell had before.
    std::unique_ptr<DescribedTableModel<SweepCell>> m_model;
    std::vector<std::string> m_columns;  // their keys
};

}  // namespace warpglass::ui
