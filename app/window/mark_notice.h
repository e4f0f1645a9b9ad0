// A notice at the beginning of the status bar that a mark was deleted, with Undo. It stays until the mark is
// restored, another mark is edited, or another run is shown, and is hidden while the marks are.
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class MarkNotice : public QWidget {
    Q_OBJECT
public:
    /// The marks outlive it.
    explicit MarkNotice(ui::MarkList& marks, QWidget* parent = nullptr);

    /// Whether the marks can be seen at all.
    void setMarksShown(bool shown);
    /// Shown, and of a mark just deleted: then it has a place also where there is hardly any.
    bool isFresh() const { return m_fresh.isActive() && !isHidden(); }

signals:
    /// Shown, hidden, of another mark, or no longer fresh.
    void noticeChanged();
    /// Undone with the keyboard in it, which so goes elsewhere.
    void leftByKeyboard();

private:
    void showRemoved();
    void age();

    ui::MarkList& m_marks;
    QLabel* m_text;
    QPushButton* m_undo;
    QTimer m_fresh{this};
    bool m_marksShown = true;
};

}  // namespace warpglass::app
