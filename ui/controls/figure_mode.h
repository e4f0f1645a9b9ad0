// A view as it stands in a figure: without what only a hand needs. Choices, buttons, fields, tabs and scroll
// bars are hidden, and what the choices say is kept as words; under a chart in little room its table is left
// out; of a table, columns and rows that are not there whole, with how many rows these are in their place.
//
// GUI thread only. One at a time; what was hidden comes back when it ends.
#pragma once

#include <QList>
#include <QPointer>
#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>

class QTableView;

namespace warpglass::ui {

/// A part of a view that is hidden in a figure, and what it says of the view: "measured steps"; empty for
/// nothing. A view that is one itself is drawn, under its words.
class FigureControl {
public:
    virtual ~FigureControl() = default;
    virtual QString figureWords() const = 0;
};

/// A part of a view that is arranged otherwise in a figure.
class FigurePart {
public:
    virtual ~FigurePart() = default;
    virtual void setInFigure(bool inFigure) = 0;
    /// Height in logical pixels of the whole content at that width, or of as much of it as fits complete in
    /// `most`, if a figure's height follows its content; 0: as high as it is laid out. Called in a figure,
    /// after a refresh.
    virtual int figureHeight(int width, int most) {
        Q_UNUSED(width)
        Q_UNUSED(most)
        return 0;
    }
    /// Called once it has its size: leaves out what would not fit completely.
    virtual void fitInFigure() {}
};

/// How a choice (SegmentedControl, QComboBox) is put into words, as "stacked by %1"; empty where the view
/// says it itself. Without this, the words are the chosen text.
void setFigureWords(QWidget& choice, const QString& pattern);
/// Rows of the table that a figure leaves out are said with what they hold: the sum of that column, in bytes.
void setFigureBytes(QTableView& table, int column);
/// Marks a part as standing beside a table, which takes the full width of a narrow figure.
void setBesideTable(QWidget& part);

class FigureMode {
public:
    /// For a view that is to be about that large, in logical pixels; `follows`: as high as its content needs.
    FigureMode(QWidget& view, QSize size, bool follows = false);
    ~FigureMode();
    Q_DISABLE_COPY(FigureMode)

    /// "Kernels · by module · measured steps".
    QString words() const { return m_words; }
    /// The height the view needs for all of its content, or for as many table rows as a figure has; at most
    /// `most`. The view is laid out at the figure's width and about its height.
    int contentHeight(int most);
    /// When the view has its size: hides what its layout has shown, and what a table cuts off.
    void fit();

    /// Whether the widget is being drawn into a figure.
    static bool holds(const QWidget& widget);

private:
    void hide(QWidget* widget);
    void hideTables(int height);
    void hideBesideTables(int width);
    void hidePanes(const char* property, Qt::Orientation orientation, bool tables);
    void shareRoom();
    void fitTable(QTableView& table);
    void leaveOutRows(QTableView& table);
    int heightOf(const QWidget& part, bool underChart) const;
    void later(std::function<void()> restore) { m_restore.prepend(std::move(restore)); }

    QWidget& m_view;
    bool m_follows;
    int m_most = 1 << 20;  // logical pixels
    QString m_words;
    QPointer<QWidget> m_focus;
    /// In the order in which they are to be called.
    QList<std::function<void()>> m_restore;
};

}  // namespace warpglass::ui
