// A drop-down choice in the look: the text elided where it does not fit, our own chevron.
#pragma once

#include <QComboBox>

namespace warpglass::ui {

/// What a drop-down choice shows within its frame, already drawn: the elided text and the chevron.
void paintChoice(QPainter& painter, const QWidget& choice, const QString& text, Qt::TextElideMode elide);

class ComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit ComboBox(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    /// A wheel over a scrolled panel scrolls the panel and changes no setting.
    void wheelEvent(QWheelEvent* event) override;
};

}  // namespace warpglass::ui
