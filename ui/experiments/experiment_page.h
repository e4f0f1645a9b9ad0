// An experiment in the window: its question and its answer on top; below them the chart or table in front,
// and beside it a list of all of them and of the sweeps and runs that they rest on, over the rest of the
// answer. While it runs, how it gets on stands above, and in front the chart of the sweep that runs.
//
// GUI thread only; the run has a thread of its own.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/experiments/opened_experiment.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class ContentsList;
class DataChart;
class ElidedLabel;
class ExperimentStatus;
class ReportTableView;
class RunningExperiment;
class TableExport;

class ExperimentPage : public QWidget {
    Q_OBJECT
public:
    /// `folder`: of its files, absolute.
    explicit ExperimentPage(QString folder, QWidget* parent = nullptr);
    ~ExperimentPage() override;

    const QString& folder() const { return m_folder; }
    /// Null before it is first shown.
    const std::shared_ptr<const OpenedExperiment>& experiment() const { return m_experiment; }
    void setExperiment(std::shared_ptr<const OpenedExperiment> experiment);

    /// Shows how it gets on; the page owns it, and stops it when it is closed. `request`: what it was asked.
    void follow(std::unique_ptr<RunningExperiment> run, const ExperimentRequest& request);
    bool isRunning() const { return m_run != nullptr; }
    /// It was begun and not finished, and the folder says what was asked.
    bool canGoOn() const;
    ExperimentStatus& status() const { return *m_status; }

    /// Entries of the list: the charts, then the tables, then, if there are any, the files.
    ContentsList& contents() const { return *m_contents; }
    void showEntry(int entry);
    /// The index of the chart in front; −1 where a table or the files are.
    int chartInFront() const;
    /// Draws whichever chart is in front.
    DataChart& chart() const { return *m_chart; }
    /// Holds whichever table is in front, of the files too.
    ReportTableView& table() const { return *m_table; }
    /// What the text says, without its markup.
    QString answerText() const;
    /// Exports what is in front; a chart gives its points.
    TableExport& tableExport() const { return *m_export; }
    /// What is to be seen first has the keyboard.
    void takeFocus();

public slots:
    void stop();
    void goOn();

signals:
    void exportFigureRequested();
    /// A sweep's or a run's file.
    void openRequested(const QString& path);
    /// To go on with what experiment()->request asks.
    void goOnRequested();
    /// It runs, or has ended: why there is no answer; empty where the folder has one.
    void stateChanged();
    void ended(const QString& problem);
    void said(const QString& sentence);
    void failed(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildFront();
    QWidget* buildBeside();
    void poll();
    void showRunning();
    void showState(const QString& problem);
    void fillText();
    void fillContents();
    void fitContents();
    bool showsFiles() const;
    ReportTable filesTable() const;
    /// The table in front, or the points of the chart in front.
    ReportTable inFront() const;
    void openSelectedFile();
    void showOpenButton();

    QString m_folder;
    std::unique_ptr<RunningExperiment> m_run;
    std::uint64_t m_epoch = 0;
    bool m_stopped = false;  // by the user
    QTimer m_poll;
    ExperimentStatus* m_status = nullptr;
    std::shared_ptr<const OpenedExperiment> m_experiment;
    QLabel* m_answer = nullptr;
    QTextBrowser* m_text = nullptr;
    ContentsList* m_contents = nullptr;
    QSplitter* m_columns = nullptr;
    QStackedWidget* m_stack = nullptr;
    DataChart* m_chart = nullptr;
    ReportTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    ElidedLabel* m_tableTitle = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_figure = nullptr;
    TableExport* m_export = nullptr;
    int m_entry = -1;
};

}  // namespace warpglass::ui
