// A thin bar in parts: the expected memory by category.
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

namespace warpglass::ui {

class StackedBar : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QColor color;
        double amount = 0;
        QString toolTip;
    };
    explicit StackedBar(QWidget* parent = nullptr);

    /// Parts of 0 or less take no room.
    void setParts(std::vector<Part> parts);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Left and right edge of each part.
    std::vector<std::pair<double, double>> edges() const;

    std::vector<Part> m_parts;
};

}  // namespace warpglass::ui
