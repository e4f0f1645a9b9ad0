// A section of the inspector: a heading, a name in the mono font, and lines of label and value.
#pragma once

#include <QWidget>
#include <vector>

namespace warpglass::ui {

struct Property {
    QString label;
    QString value;
    /// The exact value; the value itself when empty.
    QString toolTip;

    bool operator==(const Property&) const = default;
};

class PropertyList : public QWidget {
    Q_OBJECT
public:
    explicit PropertyList(QWidget* parent = nullptr);

    /// `title` is broken anywhere, over at most three lines; either may be empty.
    void setContent(const QString& heading, const QString& title, std::vector<Property> properties);
    const std::vector<Property>& properties() const { return m_properties; }
    QString heading() const { return m_heading; }
    QString title() const { return m_title; }
    /// Everything as "label<tab>value" lines.
    QString asText() const;

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// The title's lines at this width, the last one elided.
    QStringList titleLines(int width) const;
    int headHeight(int width) const;

    QString m_heading, m_title;
    std::vector<Property> m_properties;
};

}  // namespace warpglass::ui
