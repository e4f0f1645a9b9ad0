// Export Figure and Copy Figure: which views can become a figure now, and under what caption.
#pragma once

#include <QKeyCombination>
#include <QList>
#include <QObject>
#include <QString>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class FigureCommands : public QObject {
    Q_OBJECT
public:
    static constexpr QKeyCombination kExportKey = Qt::CTRL | Qt::Key_E;

    /// All of these outlive it; the window is the dialog's parent.
    FigureCommands(SessionController& controller, WindowPages& pages, WindowLayout& layout, QWidget& window);

public slots:
    /// The focused view, or another, as a figure. Returns when the dialog is closed, the window as it was.
    void exportFigure();
    /// As the last one was exported.
    void copyFigure();

signals:
    void done(const QString& sentence);
    void failed(const QString& sentence);

private:
    /// Empty, which failed() says, where no run is shown.
    QList<FigureChoice> choices();
    QString caption() const;

    SessionController& m_controller;
    WindowPages& m_pages;
    WindowLayout& m_layout;
    QWidget& m_window;
};

}  // namespace warpglass::app
