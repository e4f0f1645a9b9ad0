// One finding: its cost, its sentence, what would change it, and two buttons.
#pragma once

#include <QFrame>
#include <QList>
#include <QString>
#include <utility>

#include "engine/query/findings/finding.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class StackedBar;

/// What it costs, as it ranks among those beside it: "38%" and "of the step".
std::pair<QString, QString> costInWords(const Finding& finding);

class FindingCard : public QFrame {
    Q_OBJECT
public:
    explicit FindingCard(const Finding& finding, QWidget* parent = nullptr);

    const Finding& finding() const { return m_finding; }
    /// If narrow, its cost is above the sentence rather than beside it.
    void setNarrow(bool narrow);
    /// Leaves out what would change it.
    void setBrief(bool brief);
    /// Why its trial cannot be run here, in a sentence that replaces what "Try it" would do; empty if it can.
    void setTryRefusal(const QString& why);

signals:
    void showRequested(const warpglass::Finding& finding);
    void tryRequested(const warpglass::Trial& trial);

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void colorBar();

    Finding m_finding;
    QBoxLayout* m_body;  // the cost, then what is said of it
    QBoxLayout* m_cost;
    QList<QLabel*> m_costLabels;
    StackedBar* m_bar;             // the cost as a share of the step, the peak or what is reserved
    QLabel* m_remedy = nullptr;    // null where there is none
    QPushButton* m_try = nullptr;  // nor of this
    bool m_brief = false;
};

}  // namespace warpglass::ui
