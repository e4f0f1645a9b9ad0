// Which finding the views show: its sentence over them, with the way back to the summary, until it is
// dismissed. Hidden while there is none.
#pragma once

#include <QFrame>
#include <string>

class QPushButton;
class QToolButton;

namespace warpglass {
struct Finding;
namespace ui {
class ElidedLabel;
}
}  // namespace warpglass

namespace warpglass::app {

class EvidenceBar : public QFrame {
    Q_OBJECT
public:
    explicit EvidenceBar(QWidget* parent = nullptr);

    void setFinding(const Finding& finding);
    void clear();
    /// The finding's rule; empty while there is none.
    const std::string& rule() const { return m_rule; }

signals:
    void backWanted();
    /// By the person.
    void dismissed();

private:
    std::string m_rule;
    ui::ElidedLabel* m_sentence;
    QPushButton* m_back;
    QToolButton* m_dismiss;
};

}  // namespace warpglass::app
