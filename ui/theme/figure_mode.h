// A view as it stands in a figure: without what only a hand needs. Choices, buttons, fields, tabs and scroll
// bars are hidden, and what the choices say is kept as words; under a chart in little room its table is left
// out; of a table, columns and rows that are not there whole.
//
// GUI thread only. One at a time; what was hidden comes back when it ends.
#pragma once

#include <QList>
#include <QPointer>
#include <QSize>
#include <QString>
#include <QWidget>
#include <functional>

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
};

/// How a choice (SegmentedControl, QComboBox) is put into words, as "stacked by %1"; empty where the view
/// says it itself. Without this, the words are the chosen text.
void setFigureWords(QWidget& choice, const QString& pattern);

class FigureMode {
public:
    /// Of a view that is to be `height` logical pixels high.
    FigureMode(QWidget& view, int height);
    ~FigureMode();
    Q_DISABLE_COPY(FigureMode)

    /// "Kernels · by module · measured steps".
    QString words() const { return m_words; }
    /// When the view has its size: hides what its layout has shown, and what a table cuts off.
    void fit();

    /// Whether the widget is being drawn into a figure.
    static bool holds(const QWidget& widget);

private:
    void hide(QWidget* widget);
    void hideTables(int height);
    void later(std::function<void()> restore) { m_restore.prepend(std::move(restore)); }

    QWidget& m_view;
    QString m_words;
    QPointer<QWidget> m_focus;
    /// In the order in which they are to be called.
    QList<std::function<void()>> m_restore;
};

}  // namespace warpglass::ui
