#include "app/window/presentation_mode.h"

#include <QApplication>
#include <QEvent>
#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QMenuBar>
#include <QPointer>
#include <QTimer>
#include <algorithm>

#include "app/window/focus_mode.h"
#include "app/window/run_panel_place.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

void setHighContrast(bool on) {
    ui::Theme& theme = ui::Theme::instance();
    theme.setHighContrast(on);
    theme.apply(*qApp);
}

}  // namespace

PresentationMode::PresentationMode(QMainWindow& window, RunPanelPlace& panel, FocusMode& focus,
                                   bool fullScreen)
    : QObject(&window), m_window(window), m_panel(panel), m_focus(focus), m_fullScreen(fullScreen) {}

PresentationMode::~PresentationMode() {
    if (active())
        ui::Theme::instance().setHighContrast(false);
}

void PresentationMode::set(bool on) {
    if (on == active())
        return;
    m_focus.leave();  // it hides the menus, too
    QPointer<QWidget> focused = on ? QApplication::focusWidget() : m_proxy->widget()->focusWidget();
    on ? begin() : end();
    setHighContrast(on);
    if (focused)
        focused->setFocus(Qt::OtherFocusReason);
    emit changed(on);
}

double PresentationMode::scale() const {
    return m_view ? m_view->transform().m11() : 1;
}

void PresentationMode::begin() {
    m_stateBefore = m_window.windowState();
    m_panel.hide();
    // Without height but not hidden: the keys of its actions and of its menus go on.
    m_window.menuBar()->setMaximumHeight(0);
    QWidget* content = m_window.takeCentralWidget();
    m_view = ui::named(new QGraphicsView(&m_window), "presentation");
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_view->setRenderHint(QPainter::SmoothPixmapTransform);
    auto* scene = new QGraphicsScene(m_view);
    m_view->setScene(scene);
    m_proxy = scene->addWidget(content);
    m_view->viewport()->installEventFilter(this);
    content->installEventFilter(this);
    m_window.setCentralWidget(m_view);
    if (m_fullScreen)
        m_window.setWindowState(m_stateBefore | Qt::WindowFullScreen);
    m_view->show();
    fit();
    m_view->setFocus(Qt::OtherFocusReason);
}

void PresentationMode::end() {
    QWidget* content = m_proxy->widget();
    content->removeEventFilter(this);
    m_proxy->setWidget(nullptr);
    m_proxy = nullptr;
    m_view = nullptr;
    content->setParent(nullptr);
    m_window.setCentralWidget(content);  // deletes the view, which was the central widget
    content->show();
    m_window.menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
    m_panel.show();
    if (m_fullScreen)
        m_window.setWindowState(m_stateBefore);
}

/// As large as leaves the room that the content is laid out in.
void PresentationMode::fit() {
    const QSize room = m_view->viewport()->size();
    if (room.isEmpty())
        return;
    const QSize least = kLaidOut.expandedTo(m_proxy->widget()->minimumSizeHint());
    const double scale = std::clamp(std::min(static_cast<double>(room.width()) / least.width(),
                                             static_cast<double>(room.height()) / least.height()),
                                    1.0, kMostScale);
    const QSizeF size(room.width() / scale, room.height() / scale);
    m_view->setTransform(QTransform::fromScale(scale, scale));
    m_view->setSceneRect(QRectF(QPointF(), size));
    m_proxy->setMinimumSize(0, 0);
    m_proxy->setGeometry(QRectF(QPointF(), size));
}

void PresentationMode::fitGrown() {
    if (!m_view)
        return;
    const QSizeF room = m_view->sceneRect().size(), least = m_proxy->widget()->minimumSizeHint();
    if (least.width() > room.width() || least.height() > room.height())
        fit();
}

bool PresentationMode::eventFilter(QObject* watched, QEvent* event) {
    if (m_view && watched == m_view->viewport() && event->type() == QEvent::Resize)
        fit();
    // What comes into it may need more room; its layout is told first.
    else if (m_view && event->type() == QEvent::LayoutRequest)
        QTimer::singleShot(0, this, &PresentationMode::fitGrown);
    return QObject::eventFilter(watched, event);
}

}  // namespace warpglass::app
