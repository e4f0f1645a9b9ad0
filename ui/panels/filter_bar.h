// The shared filter as it shows over a table: Back, a field for names, a chip for each condition (a click or
// Delete removes it), and a button that adds one. Every table has one; all show the same filter.
//
// What does not fit is under one last chip. Conditions that say nothing of a table are dimmed there.
#pragma once

#include <QList>
#include <QWidget>
#include <vector>

#include "ui/models/run_filter.h"
#include "ui/theme/figure_mode.h"

class QLineEdit;
class QMenu;
class QToolButton;

namespace warpglass::ui {

class FilterBar : public QWidget, public FigureControl {
    Q_OBJECT
public:
    FilterBar(RunDocument& document, RunFilter& filter, QWidget* parent = nullptr);

    /// What the field filters in this table: "Filter".
    void setFieldText(const QString& placeholder, const QString& toolTip);
    /// Conditions that this table does not know.
    void setWithout(const std::vector<RunFilter::Condition>& conditions);
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
    void fillAddMenu();
    void fillMoreMenu();
    void addModules(QMenu& menu);
    QToolButton* makeChip(const RunFilter::Chip& chip);

    RunDocument& m_document;
    RunFilter& m_filter;
    QToolButton* m_back;
    QLineEdit* m_field;
    QToolButton* m_add;
    QToolButton* m_more;
    std::vector<RunFilter::Chip> m_shown;
    QList<QToolButton*> m_chips;
    std::vector<RunFilter::Condition> m_without;
};

/// "Only in blocks.3.attn", "Only in backward", "Only aten::mm": what a row's or a span's context menu
/// offers. Empty arguments add nothing.
void addFilterActions(QMenu& menu, RunFilter& filter, const std::string& module, Phase phase,
                      const std::string& name);

}  // namespace warpglass::ui
