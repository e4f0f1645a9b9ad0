// Which finding the views show: its sentence over them, with the way back to the summary, until it is
// dismissed or the views count something else. Hidden while there is none.
#pragma once

#include <QFrame>
#include <string>

#include "app/window/window_fwd.h"
#include "ui/models/run_filter.h"

namespace warpglass::app {

class EvidenceBar : public QFrame {
    Q_OBJECT
public:
    explicit EvidenceBar(QWidget* parent = nullptr);

    /// `counted` is what the views count for it.
    void setFinding(const Finding& finding, const ui::RunFilter::State& counted);
    /// What it says, to be put back; no rule where it says nothing.
    struct Said {
        std::string rule;
        QString sentence;
        ui::RunFilter::State counted;
    };
    Said said() const;
    void say(const Said& said);
    /// Clears where that is no longer what they count. A text narrows the evidence, and leaves it that.
    void setCounted(const ui::RunFilter::State& counted);
    void clear();
    /// The finding's rule; empty while there is none.
    const std::string& rule() const { return m_rule; }
    /// Never visible without a finding, whoever calls it: leaving a view shown alone restores what it hid.
    void setVisible(bool visible) override;

signals:
    void backWanted();
    /// The user dismissed it.
    void dismissed();

private:
    std::string m_rule;
    ui::RunFilter::State m_counted;
    QLabel* m_sentence;
    QPushButton* m_back;
    QToolButton* m_dismiss;
};

}  // namespace warpglass::app
