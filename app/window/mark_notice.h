// That a mark was deleted, at the beginning of the status bar, with Undo: until it is back, another mark is
// edited, or another run is shown.
//
// GUI thread only.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace warpglass::ui {
class MarkList;
}

namespace warpglass::app {

class MarkNotice : public QWidget {
    Q_OBJECT
public:
    /// The marks outlive it.
    explicit MarkNotice(ui::MarkList& marks, QWidget* parent = nullptr);

signals:
    /// Shown, hidden, or of another mark.
    void noticeChanged();
    /// Undone with the keyboard in it, which so goes elsewhere.
    void leftByKeyboard();

private:
    void showRemoved();

    ui::MarkList& m_marks;
    QLabel* m_text;
    QPushButton* m_undo;
};

}  // namespace warpglass::app
