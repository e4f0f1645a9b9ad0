// Sentences over the views that stay until their cause is gone or they are dismissed, with what can be done
// about them at the right. However many there are, they take two lines: what does not fit is a press of
// Details away. Hidden while there is none.
#pragma once

#include <QDialog>
#include <QFrame>
#include <QPointer>
#include <QStringList>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    void setSentences(const QStringList& sentences);
    const QStringList& sentences() const { return m_sentences; }
    /// Made hidden; the banner owns it.
    QPushButton* addButton(const QString& text, const QString& toolTip);
    /// All sentences, one a paragraph, to read and to copy, in a window of its own.
    void showDetails();

private:
    QHBoxLayout* m_layout;
    TwoLines* m_text;
    QPushButton* m_details;
    QStringList m_sentences;
    QPointer<QDialog> m_dialog;  // while it is open
};

}  // namespace warpglass::app
