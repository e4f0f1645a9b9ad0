// One line of text that gives way where room is short: to a shorter wording if it has one, then by its end,
// which becomes "…"; the tool tip has it all. It never widens what it stands in.
#pragma once

#include <QLabel>

namespace warpglass::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setShortText(const QString& text) { m_shortText = text; }

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool fits(const QString& text) const;

    QString m_shortText;
};

}  // namespace warpglass::ui
