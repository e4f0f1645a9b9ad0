// One finding: its cost, its sentence, what would change it, and two buttons.
#pragma once

#include <QFrame>

#include "engine/query/findings/finding.h"

namespace warpglass::ui {

class FindingCard : public QFrame {
    Q_OBJECT
public:
    explicit FindingCard(const Finding& finding, QWidget* parent = nullptr);

    const Finding& finding() const { return m_finding; }

signals:
    void showRequested(const warpglass::Finding& finding);
    void tryRequested(const warpglass::Trial& trial);

private:
    Finding m_finding;
};

}  // namespace warpglass::ui
