#include "ui/controls/canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/controls/figure_mode.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

Canvas::Canvas(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, &Canvas::redraw);
}

int Canvas::markAt(QPointF point) const {
    int found = -1;
    qreal smallest = 0;
    for (int mark = 0; mark < markCount(); ++mark) {
        const QRectF rect = markRect(mark);
        const qreal area = rect.width() * rect.height();
        if (rect.contains(point) && (found < 0 || area < smallest)) {
            found = mark;
            smallest = area;
        }
    }
    return found;
}

void Canvas::setChosen(int mark) {
    if (mark >= markCount())
        mark = -1;
    if (mark == m_chosen)
        return;
    m_chosen = mark;
    describeChosen();
    update();
}

/// A screen reader reads what the tool tip says.
void Canvas::describeChosen() {
    setAccessibleDescription(
        m_chosen < 0 ? QString() : QTextDocumentFragment::fromHtml(toolTipOf(m_chosen)).toPlainText());
}

void Canvas::choose(int mark) {
    setChosen(mark);
    emit markChosen(m_chosen);
}

void Canvas::setEmptyText(const QString& sentence) {
    if (sentence == m_emptyText)
        return;
    m_emptyText = sentence;
    update();
}

void Canvas::redraw() {
    m_pictureValid = false;
    update();
}

void Canvas::invalidate() {
    m_hovered = -1;
    if (m_chosen >= markCount())
        m_chosen = -1;
    describeChosen();
    redraw();
}

QColor Canvas::ground() const {
    return Theme::instance().colors().background;
}

std::shared_ptr<QPainter> Canvas::painterOn(QPaintDevice& device) {
    return std::make_shared<QPainter>(&device);
}

void Canvas::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const QRectF rect = markRect(mark);
    if (rect.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(chosen ? Qt::NoBrush : QBrush(withAlpha(colors.text, 0.10F)));
    painter.setPen(chosen ? QPen(colors.accent, 2) : QPen(Qt::NoPen));
    painter.drawRect(rect);
}

void Canvas::paintFocus(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::instance().colors().accent, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

int Canvas::neighbor(int mark, Qt::Key key) const {
    const int step = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    if (mark < 0)
        return step > 0 ? 0 : markCount() - 1;
    return std::clamp(mark + step, 0, markCount() - 1);
}

void Canvas::paintEmpty(QPainter& painter) const {
    painter.setFont(Theme::textFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    const QRectF area = QRectF(rect()).adjusted(Metrics::kSpace4, 0, -Metrics::kSpace4, 0);
    painter.drawText(area, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_emptyText);
}

void Canvas::paintKept(QPainter& painter) {
    const qreal ratio = std::max<qreal>(1.0, painter.deviceTransform().m11());
    const QSize pixels(static_cast<int>(std::ceil(width() * ratio)),
                       static_cast<int>(std::ceil(height() * ratio)));
    if (!m_pictureValid || m_picture.size() != pixels) {
        m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(ground());
        paintPicture(*painterOn(m_picture));
        m_pictureValid = true;
    }
    painter.drawPixmap(0, 0, m_picture);
}

void Canvas::paintEvent(QPaintEvent*) {
    const std::shared_ptr<QPainter> painter = painterOn(*this);
    if (!painter->isActive())
        return;
    const bool kept = painter->paintEngine()->type() == QPaintEngine::Raster && m_emptyText.isEmpty();
    if (!kept)
        painter->fillRect(rect(), ground());
    if (!m_emptyText.isEmpty())
        return paintEmpty(*painter);
    if (kept)
        paintKept(*painter);
    else
        paintPicture(*painter);
    paintOver(*painter);
}

void Canvas::paintOver(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool figure = FigureMode::holds(*this);  // it has neither a pointer nor the keyboard
    if (!figure && m_hovered >= 0 && m_hovered != m_chosen)
        paintHighlight(painter, m_hovered, false);
    for (int mark = 0; mark < markCount(); ++mark) {
        if (mark == m_chosen || isSelected(mark))
            paintHighlight(painter, mark, true);
    }
    if (!figure && hasFocus() && m_chosen < 0)
        paintFocus(painter);
}

QString Canvas::toolTipAt(QPointF point) const {
    const int mark = markAt(point);
    return mark < 0 ? QString() : toolTipOf(mark);
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        emit seen(event->type() == QEvent::Show);
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), m_emptyText.isEmpty() ? toolTipAt(QPointF(help->pos())) : QString(),
                       this);
    return true;
}

void Canvas::setHovered(int mark) {
    if (mark == m_hovered)
        return;
    m_hovered = mark;
    update();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_emptyText.isEmpty())
        choose(markAt(event->position()));
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    setHovered(m_emptyText.isEmpty() ? markAt(event->position()) : -1);
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_emptyText.isEmpty())
        return;
    if (const int mark = markAt(event->position()); mark >= 0)
        activate(mark);
}

void Canvas::leaveEvent(QEvent* event) {
    setHovered(-1);
    QWidget::leaveEvent(event);
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    if (!takeKey(*event))
        QWidget::keyPressEvent(event);
}

bool Canvas::takeKey(const QKeyEvent& event) {
    switch (event.key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End:
            return walk(static_cast<Qt::Key>(event.key()));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!isEmpty() && m_chosen >= 0)
                activate(m_chosen);
            return !isEmpty();
        case Qt::Key_Backspace:
            return goOut();
        case Qt::Key_Escape:
            return escape();
        default:
            return false;
    }
}

bool Canvas::walk(Qt::Key key) {
    if (isEmpty())
        return false;
    choose(key == Qt::Key_Home ? 0 : key == Qt::Key_End ? markCount() - 1 : neighbor(m_chosen, key));
    return true;
}

bool Canvas::escape() {
    if (isEmpty() || m_chosen < 0)
        return false;
    choose(-1);
    return true;
}

}  // namespace warpglass::ui
