// A field for one line of text, laid over a view where the text belongs: Enter keeps it, Esc does not, and a
// look elsewhere keeps it, too. Hidden while nothing is written; afterwards the focus is where it was.
#pragma once

#include <QLineEdit>
#include <QPointer>

namespace warpglass::ui {

class NoteEditor : public QLineEdit {
    Q_OBJECT
public:
    /// An editor over the view, which owns it.
    explicit NoteEditor(QWidget* view);

    /// About as wide as `box`, within the view; ends what was being written without keeping it. The text is
    /// selected for writing over it when `replace`.
    void open(QRect box, const QString& text, const QString& placeholder, bool replace);
    bool isOpen() const { return m_open; }
    void end(bool keep);
    /// Keeps what was written, if anything was.
    void leave();

signals:
    /// Trimmed; it is closed by then.
    void kept(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool m_open = false;
    QPointer<QWidget> m_former;
};

}  // namespace warpglass::ui
