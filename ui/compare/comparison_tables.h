// What took longer and what took more, as tables: of one step, of the mean or the sum of the measured ones,
// per token; and in words what stands against what. A click on a row asks for its place in both timelines.
//
// GUI thread only.
#pragma once

#include <QWidget>

#include "engine/query/landmark.h"
#include "ui/compare/comparison_model.h"
#include "ui/compare/comparison_query.h"

namespace warpglass::ui {

class DataTable;
class ElidedLabel;
class SegmentedControl;

class ComparisonTables : public QWidget {
    Q_OBJECT
public:
    enum Table { kKernels, kOps, kModules, kPhases, kMemory };

    explicit ComparisonTables(QWidget* parent = nullptr);

    /// There are none, in a sentence why.
    void setNone(const QString& why);
    void setFigures(std::shared_ptr<const ComparisonFigures> figures);
    /// Of runs without kernels there is no table of them.
    void setHasKernels(bool has);
    /// As chosen; the steps are the owner's.
    ComparisonScope::Steps steps() const;
    bool perToken() const;
    /// Whether both runs state their tokens.
    void setTokensKnown(bool known);
    const ComparisonModel& model() const { return m_model; }
    DataTable& table() { return *m_table; }
    void setFigure(bool figure);

signals:
    void scopeChanged();
    /// What a row stands for in each run, nothing where it has none of it.
    void rowChosen(const std::optional<warpglass::Landmark>& a, const std::optional<warpglass::Landmark>& b,
                   const QString& name);

private:
    void showTable();
    void showWords();
    QString words() const;
    void chooseRow(int row);
    bool onGpu(bool ofA) const;
    std::optional<Landmark> landmarkOf(const ComparisonRow& row, bool ofA) const;

    std::shared_ptr<const ComparisonFigures> m_figures;
    ComparisonModel m_model;
    SegmentedControl* m_tables;
    SegmentedControl* m_steps;
    ElidedLabel* m_words;
    DataTable* m_table;
    bool m_inFigure = false;
};

}  // namespace warpglass::ui
