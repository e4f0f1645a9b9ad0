// What a whole is made of: a heading, a stacked bar, and its parts with their values and shares.
#pragma once

#include <QColor>
#include <QFrame>
#include <vector>

class QLabel;

namespace warpglass::ui {

class StackedBar;

class ShareCard : public QFrame {
    Q_OBJECT
public:
    struct Part {
        QColor color;
        QString name;
        double amount = 0;
        QString value;
        /// On hover; the exact value.
        QString toolTip;

        bool operator==(const Part&) const = default;
    };

    explicit ShareCard(const QString& heading, QWidget* parent = nullptr);

    /// Parts of 0 are left out. `total` is beside the heading.
    void setParts(std::vector<Part> parts, const QString& total);
    const std::vector<Part>& parts() const { return m_parts; }
    /// What to know of the parts, under them; "" for nothing.
    void setNote(const QString& note);
    const QString& note() const { return m_note; }

    /// The size at which names fit; in less width some take a second line.
    QSize sizeHint() const override;
    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect rowRect(std::size_t row) const;
    int nameWidth(int width) const;
    int rowHeight(std::size_t row, int width) const;
    int rowsHeight(int width) const;
    /// The note's lines in a card of this width.
    int noteHeight(int width) const;

    QString m_heading, m_total, m_note;
    StackedBar* m_bar;
    std::vector<Part> m_parts;
    double m_whole = 0;
};

}  // namespace warpglass::ui
