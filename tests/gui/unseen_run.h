// The real window with a run in it, which no one sees, and any of its views painted at any size: as --render
// does it, within a test.
#pragma once

#include <QApplication>
#include <QPainter>

#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "tests/support/show_unseen.h"
#include "ui/controls/refresh.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

/// Lays out, and computes what the views would otherwise compute a little later, or only when seen.
inline void settle(QWidget& widget) {
    QCoreApplication::processEvents();
    ui::refreshAll(widget);
    QCoreApplication::processEvents();
}

/// A widget at a size, as a figure paints it.
inline void paintAt(QWidget& widget, QSize size, QPainter& painter) {
    ui::withWidgetAt(widget, size, [&] {
        widget.render(&painter, QPoint(0, 0), QRegion(),
                      QWidget::DrawChildren | QWidget::DrawWindowBackground);
    });
}

inline QImage imageAt(QWidget& widget, QSize size, double ratio) {
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(ui::Theme::instance().colors().panel);
    QPainter painter(&image);
    paintAt(widget, size, painter);
    return image;
}

inline void useTheme(ui::ThemeKind kind) {
    ui::Theme::instance().setKind(kind);
    ui::Theme::instance().apply(*qApp);
}

class UnseenRun {
public:
    UnseenRun() : m_window(m_controller, MainWindow::Remember::kNothing) {
        test::showUnseen(m_window, {1280, 800});
    }

    /// In place of the run before.
    void show(const QString& path, const OpenedRun& run) {
        while (!m_controller.runs().empty())
            m_controller.closeRun(0);
        m_controller.showSnapshot(path, run);
        // What can be tried does not depend on the machine that the test runs on.
        const RunInfo& info = run.snapshot->info();
        m_window.runPanel().setDevices({{info.get("config.device"), info.get("device.name"), {}, {}, 1}});
        m_window.runPanel().setCannotRun({}, false);
    }
    /// Brings a view to the front and computes it.
    QWidget* bring(const QString& name) {
        QWidget* view = m_window.workspace().view(name);
        m_window.workspace().showView(view);
        settle(m_window);
        return view;
    }

    SessionController& controller() { return m_controller; }
    MainWindow& window() { return m_window; }

private:
    SessionController m_controller;
    MainWindow m_window;
};

}  // namespace warpglass::app
