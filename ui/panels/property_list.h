// A section of the inspector: a heading, a title with the whole name under it in small type, and lines of
// sentences, or of label and value; if it is too narrow for a value beside its label, the value is below the
// label.
#pragma once

#include <QWidget>
#include <vector>

namespace warpglass::ui {

struct Property {
    /// Without a value, the label takes the whole line.
    QString label;
    QString value;
    /// The exact value; the value itself when empty.
    QString toolTip;
    /// What activated() tells when the line is clicked; a line without one is no link.
    int link = -1;
    /// A sentence: a label alone that is broken over as many lines as it takes.
    bool wraps = false;
    /// A sentence that answers what the section is about: in the text's color and size.
    bool answers = false;

    bool operator==(const Property&) const = default;
};
/// A line of its own for a sentence that answers; `toolTip` says more of it.
Property answerOf(const QString& sentence, const QString& toolTip = {});

class PropertyList : public QWidget {
    Q_OBJECT
public:
    explicit PropertyList(QWidget* parent = nullptr);

    /// `title` may break anywhere and takes the lines allowed; either may be empty. Removes the whole name.
    void setContent(const QString& heading, const QString& title, std::vector<Property> properties);
    /// What `title` stands for in short, in at most kMostTitleLines lines; copied by the menu.
    void setWholeName(const QString& name);
    const QString& wholeName() const { return m_wholeName; }
    /// kMostTitleLines at first; in one line it is elided in its middle.
    void setMostTitleLines(int most);
    static constexpr int kMostTitleLines = 3;
    /// Under a head of a figure that says the heading and the title, or the answer that the lines begin with,
    /// they are not painted.
    void setSaidAbove(bool head, bool answer);
    bool beginsWithAnswer() const { return !m_properties.empty() && m_properties.front().answers; }
    const std::vector<Property>& properties() const { return m_properties; }
    QString heading() const { return m_heading; }
    QString title() const { return m_title; }
    /// Everything as "label<tab>value" lines.
    QString asText() const;

    /// Where line `row` is.
    QRect lineRect(int row) const;
    /// Where its value is.
    QRect valueRect(int row) const;

signals:
    void activated(int link);

public:
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// At this width, the last one elided.
    QStringList titleLines(int width) const;
    QStringList wholeNameLines(int width) const;
    int headHeight(int width) const;
    bool isSaidAbove(const Property& property) const;
    int lineHeight(const Property& property, int width) const;
    /// The line at a point, −1 for none.
    int lineAt(QPoint position) const;
    /// The line of a link at a point, −1 for none.
    int linkAt(QPoint position) const;
    /// The next line that is a link from `row` on, −1 for none.
    int nextLink(int row, int by) const;
    bool hasLinks() const { return nextLink(-1, 1) >= 0; }

    QString m_heading, m_title, m_wholeName;
    bool m_headSaid = false, m_answerSaid = false;
    int m_mostTitleLines = kMostTitleLines;
    std::vector<Property> m_properties;
    int m_hovered = -1;
    int m_current = -1;  // of the keyboard
};

}  // namespace warpglass::ui
