// What took longer and what took more memory, as tables: for one step, the mean or the sum of the measured
// steps, or per token; with a description of what is compared. A click on a row requests its place in both
// timelines; for memory, the moment of the peak. Above it a line for what is selected in the timelines; a
// field finds rows by their names, those of either run alone too. In a wide window the table of memory stands
// beside whichever is chosen. Over all of it stands the way from A's step, or peak, to B's; under it the sum.
//
// GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

#include "engine/query/compare/landmark.h"
#include "ui/compare/comparison_model.h"
#include "ui/compare/comparison_query.h"
#include "ui/compare/comparison_rows.h"
#include "ui/theme/data_table.h"

class QBoxLayout;
class QFrame;
class QLayout;
class QLineEdit;
class QSplitter;
class QToolButton;

namespace warpglass::ui {

class BridgeLine;
class ComparisonTotal;
class ElidedLabel;
class SegmentedControl;

class ComparisonTables : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonTables(QWidget* parent = nullptr);

    /// There are none, in a sentence why.
    void setNone(const QString& why);
    void setFigures(std::shared_ptr<const ComparisonFigures> figures);
    /// Without kernels there is no kernel table. If only one run of the pair has any, another table is shown
    /// until the user chooses it.
    void setKernels(bool ofA, bool ofB);
    /// The chosen steps of the scope; which steps these are is the owner's choice.
    ComparisonScope::Steps steps() const;
    void setSteps(ComparisonScope::Steps steps);
    /// Whether times are divided by tokens, for any choice of steps.
    bool perToken() const;
    /// What the user has chosen here for one pair of runs, to be restored when that pair is compared again.
    struct Choices {
        int table = 0;
        ComparisonScope::Steps steps = ComparisonScope::Steps::kMean;
        bool perToken = false;
        DataTable::Place place;
    };
    Choices choices() const;
    void restore(const Choices& choices);
    /// Whether both runs state their tokens.
    void setTokensKnown(bool known);
    /// Places the chart beside the memory table, and only there; null removes it. Another owner may take it
    /// at any time.
    void setChart(QWidget* chart);
    QSplitter& memorySplitter() { return *m_split; }
    /// Sets the line above: the selected span in both runs, a measured range, what one of them lacks.
    void setMessage(const QString& text);
    const QString& message() const { return m_message; }
    /// Gives the field the focus and selects its text.
    void openFind();
    /// The row after the current one, round the end, as if it were clicked; before it.
    void findNext() { step(1); }
    void findPrevious() { step(-1); }
    /// Selects the row of what is selected in a run's timeline, if the table has it; `kernel`: the name of a
    /// kernel that ran there.
    void selectRowOf(const Landmark& landmark, const std::string& kernel, bool ofA);
    /// When each run's memory was highest, of what is shown.
    std::optional<Nanoseconds> peakTime(bool ofA) const {
        return !m_figures ? std::nullopt : ofA ? m_figures->rows.peakTimeA : m_figures->rows.peakTimeB;
    }
    const ComparisonModel& model() const { return m_model; }
    DataTable& table() { return *m_table; }
    /// The memory table, which is beside the others in a wide window.
    DataTable& memoryTable() { return *m_memoryTable; }
    /// In little room the line above takes the place of the way from A to B while it has something to say.
    void setRoomy(bool roomy);
    void setFigure(bool figure);
    /// Called in a figure once the table has its size: if names have no room, columns are made as narrow as
    /// their contents, and the difference is dropped before the ratio.
    void fitInFigure();

signals:
    void scopeChanged();
    /// A row of memory: of which category, nothing for the whole; and none any more when another table is
    /// shown.
    void memoryChosen(const warpglass::ComparisonRow& row, std::optional<warpglass::Category> category);
    void memoryLeft();
    /// The field is left by Esc.
    void findLeft();
    /// What a row represents in each run; nothing if the run has none of it.
    void rowChosen(const std::optional<warpglass::Landmark>& a, const std::optional<warpglass::Landmark>& b,
                   const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* buildBar();
    DataTable* addTable(const QString& name, ComparisonModel& model);
    void showTable();
    void showMemory();
    void showFilter();
    void showChart();
    void step(int by);
    void showWords();
    bool isWideFigure() const;
    void showLines();
    void chooseRow(int row);
    void chooseMemory(const ComparisonModel& model, int row);
    /// The chosen table.
    ComparedTable shownTable() const;

    std::shared_ptr<const ComparisonFigures> m_figures;
    ComparisonModel m_model, m_memory;
    SegmentedControl* m_tables;
    SegmentedControl* m_steps;
    QFrame* m_tokens;  // around the next
    QToolButton* m_perToken;
    QLineEdit* m_filter;
    ElidedLabel* m_words;
    ElidedLabel* m_line;
    QLayout* m_bar;
    QBoxLayout* m_bridges;
    BridgeLine* m_timeBridge;
    BridgeLine* m_memoryBridge;
    QString m_message;
    QSplitter* m_split;  // chart | table
    QPointer<QWidget> m_chart;
    DataTable* m_table;
    DataTable* m_memoryTable;
    ComparisonTotal* m_total;  // under m_table
    bool m_inFigure = false, m_roomy = true;
    bool m_kernelsCompare = true;  // of the pair before
};

}  // namespace warpglass::ui
