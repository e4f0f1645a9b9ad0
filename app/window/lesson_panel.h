// The text of a lesson's step beside the views: what there is to see, the question, its answer once it is
// asked for, and the ways on and back. By keyboard: Right or Page Down goes on, Left or Page Up back, Space
// or Enter shows the answer and then goes on, Esc leaves.
#pragma once

#include <QFrame>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class LessonPanel : public QFrame {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);

    struct Said {
        QString lesson;
        int step = 0, steps = 0;  // the first is 0
        QString heading;
        // Markdown; both of the latter are empty for a step that asks nothing.
        QString text, question, answer;
    };
    /// `asked`: the answer is shown already.
    void say(const Said& said, bool asked);
    /// The same step with other words: its figures are known now.
    void update(const Said& said);
    /// Why the place is not shown, in a sentence; empty for nothing.
    void setProblem(const QString& sentence);
    QString problem() const;
    bool showsAnswer() const { return m_asked; }
    const Said& said() const { return m_said; }

public slots:
    void showAnswer();

signals:
    void backRequested();
    void nextRequested();
    /// The step's place is to be opened again.
    void placeRequested();
    void leaveRequested();
    void answerShown();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildText();
    QLayout* buildButtons();
    void showText();
    /// The keys of the lesson, wherever in the panel the focus is.
    bool takeKey(const QKeyEvent& event, bool inButton);
    bool isLast() const { return m_said.step + 1 >= m_said.steps; }

    Said m_said;
    bool m_asked = false;
    QLabel* m_lesson;
    QLabel* m_progress;
    QToolButton* m_leave;
    QScrollArea* m_scroll;
    QLabel* m_heading = nullptr;
    QLabel* m_text = nullptr;
    QFrame* m_asking = nullptr;  // around the next three
    QLabel* m_question = nullptr;
    QPushButton* m_ask = nullptr;
    QLabel* m_answer = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_place = nullptr;
    QPushButton* m_next = nullptr;
};

}  // namespace warpglass::app
