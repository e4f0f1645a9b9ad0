#include "ui/controls/note_editor.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>

#include "ui/controls/mark_flags.h"

namespace warpglass::ui {

NoteEditor::NoteEditor(QWidget* view) : QLineEdit(view) {
    setObjectName(QStringLiteral("markEditor"));
    setAccessibleName(tr("Note"));
    setFont(markFlagFont());
    setFocusPolicy(Qt::ClickFocus);
    setCursor(Qt::IBeamCursor);
    hide();
}

void NoteEditor::open(QRect box, const QString& text, const QString& placeholder, bool replace) {
    end(false);
    const QRect view = parentWidget()->rect();
    box.setWidth(std::min(box.width(), view.width()));
    box.moveLeft(std::clamp(box.left(), view.left(), std::max(view.left(), view.right() + 1 - box.width())));
    setGeometry(box);
    // A style may want it higher.
    move(box.left(), std::max(view.top(), std::min(box.top(), view.bottom() + 1 - height())));
    setText(text);
    setPlaceholderText(placeholder);
    if (replace)
        selectAll();
    m_former = QApplication::focusWidget();
    m_open = true;
    show();
    raise();
    setFocus(Qt::OtherFocusReason);
}

void NoteEditor::end(bool keep) {
    if (!m_open)
        return;
    m_open = false;  // taking the focus away ends it once more
    const bool hadFocus = hasFocus();
    const QString text = this->text().trimmed();
    hide();
    if (hadFocus && m_former)
        m_former->setFocus(Qt::OtherFocusReason);
    if (keep)
        emit kept(text);
}

void NoteEditor::leave() {
    end(!text().trimmed().isEmpty());
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape)
        end(key != Qt::Key_Escape);
    else
        QLineEdit::keyPressEvent(event);
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)  // its own context menu
        leave();
}

}  // namespace warpglass::ui
