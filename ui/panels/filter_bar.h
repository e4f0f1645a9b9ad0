// The shared filter as it shows over a table: Back, a field for a text, a chip for each condition (a click or
// Delete removes it), and a button that adds one. Every table has one; all show the same filter.
//
// Where whoever places the bar is narrow, the chips stand on a line of their own, placed under it; what does
// not fit, there or in the bar, is under one last chip. The width alone says which, so that no condition that
// comes or goes moves the table under the pointer. Conditions that say nothing
// of a table are dimmed there. A click on a chip or on Back leaves the focus where it is.
#pragma once

#include <QList>
#include <QWidget>
#include <vector>

#include "ui/controls/figure_mode.h"
#include "ui/models/run_filter.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

/// There, with chips or without, where the bar is in little width; hidden elsewhere, and in figures.
class FilterChipLine : public QWidget, public FigureControl {
public:
    using QWidget::QWidget;
    QString figureWords() const override { return {}; }  // the bar says it
};

class FilterBar : public QWidget, public FigureControl {
    Q_OBJECT
public:
    FilterBar(RunDocument& document, RunFilter& filter, QWidget* parent = nullptr);

    /// The line for the chips, across everything below the bar; a child of the bar's parent.
    QWidget* chipLine() const { return m_line; }

    /// What the field filters in this table: "Filter".
    void setFieldText(const QString& placeholder, const QString& toolTip);
    /// Adapts the bar to allocations: the field searches their texts, and there is no condition on steps.
    void setOfAllocations();
    /// Conditions that this table does not know.
    void setWithout(const std::vector<RunFilter::Condition>& conditions);
    /// If its parent is narrower than this, in logical pixels, the chips are on the line.
    static constexpr int kLeastWidthForChips = 900;
    QLineEdit& field() const { return *m_field; }
    QString figureWords() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showFilter();
    void layOut();
    /// The chips have a line of their own.
    bool isNarrow() const;
    /// Width of the chips in full, with the gaps after them.
    int chipsWidth() const;
    void layOutChips(int x, int room);
    /// Moves the chips from the bar to the line, or back.
    void moveChips(QWidget* home);
    void orderTabs();
    void fillAddMenu();
    void fillMoreMenu();
    void addModules(QMenu& menu);
    QToolButton* makeChip(const FilterWords::Chip& chip);

    RunDocument& m_document;
    RunFilter& m_filter;
    FilterChipLine* m_line;
    QToolButton* m_back;
    QLineEdit* m_field;
    QToolButton* m_add;
    QToolButton* m_more;
    std::vector<FilterWords::Chip> m_shown;
    QList<QToolButton*> m_chips;
    std::vector<RunFilter::Condition> m_without;
    bool m_layingOut = false;
};

/// Whether these steps are what counts: a selection in the timeline replaces them.
bool countsSteps(const RunFilter& filter, RunFilter::Steps steps);
/// Counts these steps, and in place of a selection.
void chooseSteps(RunFilter& filter, RunFilter::Steps steps);

/// "Only in blocks.3.attn", "Only in backward", "Only aten::mm": what a row's or a span's context menu
/// offers. Empty arguments add nothing.
void addFilterActions(QMenu& menu, RunFilter& filter, const std::string& module, Phase phase,
                      const std::string& name);

}  // namespace warpglass::ui
