// What took longer and what took more memory, as tables: for one step, the mean or the sum of the measured
// steps, or per token; with a description of what is compared. A click on a row requests its place in both
// timelines; for memory, the moment of the peak. Above it a line for what is selected in the timelines; a
// field finds rows by their names, those of either run alone too. In a wide window the table of memory stands
// beside whichever is chosen. Under it stands the sum.
#pragma once

#include <QPointer>
#include <QWidget>

#include "engine/query/compare/landmark.h"
#include "ui/compare/comparison_bar.h"
#include "ui/compare/comparison_model.h"
#include "ui/compare/comparison_query.h"
#include "ui/controls/data_table.h"

class QFrame;
class QSplitter;

namespace warpglass::ui {

class ComparisonTotal;
class ElidedLabel;

class ComparisonTables : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonTables(QWidget* parent = nullptr);

    /// There are none, in a sentence why.
    void setNone(const QString& why);
    void setFigures(std::shared_ptr<const ComparisonFigures> figures);
    /// What is chosen of them.
    ComparisonBar& bar() { return *m_bar; }
    /// What the user has chosen here for one pair of runs, to be restored when that pair is compared again.
    struct Choices {
        int table = 0;
        ComparisonScope::Steps steps = ComparisonScope::Steps::kMean;
        bool perToken = false;
        DataTable::Place place;
    };
    Choices choices() const;
    void restore(const Choices& choices);
    /// Places the chart beside the memory table, and only there; null removes it. Another owner may take it.
    void setChart(QWidget* chart);
    QSplitter& memorySplitter() { return *m_split; }
    /// Sets the line above: the selected span in both runs, a measured range, what one of them lacks.
    void setMessage(const QString& text);
    const QString& message() const { return m_message; }
    /// The row after the current one, round the end, as if it were clicked; before it.
    void findNext() { step(1); }
    void findPrevious() { step(-1); }
    /// Selects the row of a run's selection, if the table has it; `kernel`: one that ran there.
    void selectRowOf(const Landmark& landmark, const std::string& kernel, bool ofA);
    /// When each run's memory was highest, of what is shown.
    std::optional<Nanoseconds> peakTime(bool ofA) const {
        return !m_figures ? std::nullopt : ofA ? m_figures->rows.peakTimeA : m_figures->rows.peakTimeB;
    }
    const ComparisonModel& model() const { return m_model; }
    DataTable& table() { return *m_table; }
    /// The memory table, which is beside the others in a wide window.
    DataTable& memoryTable() { return *m_memoryTable; }
    void setFigure(bool figure);
    /// Called in a figure once the table has its size: if names have no room, columns are made as narrow as
    /// their contents, and the difference is dropped before the ratio.
    void fitInFigure();

signals:
    /// A row of memory: of which category, nothing for the whole; and none when another table is shown.
    void memoryChosen(const warpglass::ComparisonRow& row, std::optional<warpglass::Category> category);
    void memoryLeft();
    /// What a row represents in each run; nothing if the run has none of it.
    void rowChosen(const std::optional<warpglass::Landmark>& a, const std::optional<warpglass::Landmark>& b,
                   const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectBar();
    DataTable* addTable(const QString& name, ComparisonModel& model);
    void showTable();
    void showMemory();
    void showFilter();
    void showChart();
    void step(int by);
    void showWords();
    bool isWideFigure() const;
    void chooseRow(int row);
    void chooseMemory(const ComparisonModel& model, int row);
    ComparedTable shownTable() const { return m_bar->table(); }

    std::shared_ptr<const ComparisonFigures> m_figures;
    ComparisonModel m_model, m_memory;
    ComparisonBar* m_bar;
    QFrame* m_selected;
    ElidedLabel* m_line;
    QString m_message;
    QSplitter* m_split;  // chart | table
    QPointer<QWidget> m_chart;
    DataTable* m_table;
    DataTable* m_memoryTable;
    ComparisonTotal* m_total;  // under m_table
    bool m_inFigure = false;
};

}  // namespace warpglass::ui
