// Sentences over the views that stay until their cause is gone or they are dismissed: one a line, with what
// can be done about them at the right. Hidden while there is none.
#pragma once

#include <QFrame>
#include <QStringList>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace warpglass::app {

class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    void setSentences(const QStringList& sentences);
    /// Made hidden; the banner owns it.
    QPushButton* addButton(const QString& text, const QString& toolTip);

    /// More lines would leave the views no room; the tool tip holds the others.
    static constexpr int kMostLines = 8;

private:
    QHBoxLayout* m_layout;
    QLabel* m_text;
};

}  // namespace warpglass::app
