// One line of text that gives way where room is short: to a shorter wording if it has one, then by its end,
// which becomes "…"; the tool tip has it all. It never widens what it stands in.
#pragma once

#include <QLabel>
#include <QStringList>

namespace warpglass::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setShortText(const QString& text) { setShorterTexts({text}); }
    /// Ever shorter wordings, for where the one before does not fit; where none does, the last is cut, or
    /// nothing is shown when it is empty.
    void setShorterTexts(const QStringList& texts) { m_shorter = texts; }

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool fits(const QString& text) const;

    QStringList m_shorter;
};

}  // namespace warpglass::ui
