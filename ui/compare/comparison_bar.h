// The choices over a comparison's tables (table, steps, per token, names) and words for what is chosen.
#pragma once

#include <QWidget>

#include "engine/query/compare/comparison_scope.h"
#include "ui/compare/comparison_rows.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class ElidedLabel;
class SegmentedControl;

class ComparisonBar : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonBar(QWidget* parent);

    ComparedTable table() const;
    /// Its place among the choices; −1: none is chosen yet.
    int tableIndex() const;
    void setTableIndex(int index);
    static QString nameOf(ComparedTable table);
    /// Without kernels there is no kernel table. If only one run of the pair has any, another table is shown
    /// until the user chooses it.
    void setKernels(bool ofA, bool ofB);
    /// The chosen steps of the scope; which steps these are is the owner's choice.
    ComparisonScope::Steps steps() const;
    void setSteps(ComparisonScope::Steps steps);
    /// Whether times are divided by tokens, for any choice of steps.
    bool perToken() const;
    void setPerToken(bool perToken);
    /// Whether both runs state their tokens.
    void setTokensKnown(bool known);
    QString filter() const;
    /// Gives the field the focus and selects its text.
    void openFind();

    /// In a figure without controls, with the name of the table before the words.
    void setFigure(bool figure);
    void setWords(const QString& said);

signals:
    void tableChosen();
    void scopeChanged();
    void filterChanged();
    /// To the next row, or the one before it.
    void stepped(int by);
    /// Down to the rows.
    void rowsWanted();
    /// The field is left by Esc.
    void findLeft();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTables();
    void buildSteps();
    void buildFilter();

    SegmentedControl* m_tables;
    SegmentedControl* m_steps;
    QFrame* m_tokens;  // around the next
    QToolButton* m_perToken;
    QLineEdit* m_filter;
    ElidedLabel* m_words;
    bool m_inFigure = false;
    bool m_kernelsCompare = true;  // of the pair before
};

}  // namespace warpglass::ui
