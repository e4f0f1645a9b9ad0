#include "app/window/lesson_pointer.h"

#include <QEvent>
#include <QPainter>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kLookInterval = 30;        // ms: below what is seen as a delay
constexpr int kPatientLooks = 100;       // three seconds: tables of the samples take a tenth of one
constexpr int kSeldom = 300;             // ms, from then on
constexpr int kLineWidth = 2, kAir = 3;  // of the line, and between it and what it is round

}  // namespace

class LessonPointer::Outline : public QWidget, public ui::FigureControl {
public:
    explicit Outline(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("lessonOutline"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }
    QString figureWords() const override { return {}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const ui::ThemeColors& colors = ui::Theme::instance().colors();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto line = [this, &painter](const QColor& color, double width, double inset) {
            painter.setPen(QPen(color, width));
            painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset),
                                    ui::Metrics::kRadius, ui::Metrics::kRadius);
        };
        // A line of the panel's color inside it: the accent is that of some bars, too.
        line(colors.panel, 1, kLineWidth + 0.5);
        line(colors.accent, kLineWidth, kLineWidth / 2.0);
    }
};

LessonPointer::LessonPointer(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kLookInterval);
    connect(&m_timer, &QTimer::timeout, this, &LessonPointer::look);
}

LessonPointer::~LessonPointer() {
    delete m_outline;
}

void LessonPointer::pointAt(Find find) {
    clear();
    m_find = std::move(find);
    m_timer.start(kLookInterval);
    look();
}

void LessonPointer::clear() {
    m_timer.stop();
    m_find = {};
    m_looks = 0;
    m_wasFound = false;
    moveTo({});
}

LessonPointer::Place LessonPointer::shown() const {
    if (!m_outline || m_outline->isHidden())
        return {};
    return {m_outline->parentWidget(), m_outline->geometry()};
}

bool LessonPointer::isLooking() const {
    return m_find && !m_wasFound && m_looks < kPatientLooks;
}

void LessonPointer::look() {
    if (!m_find)
        return;
    const Place place = m_find();
    const bool there = place.widget && place.widget->isVisible() && !place.rect.isEmpty();
    moveTo(there ? place : Place());
    if (there) {
        if (m_timer.isActive())
            emit found();
        m_timer.stop();
        m_wasFound = true;
        return;
    }
    if (!m_wasFound && ++m_looks == kPatientLooks)
        emit notFound();
    if (m_wasFound || m_looks == kPatientLooks)
        m_timer.setInterval(kSeldom);
    if (!m_timer.isActive())
        m_timer.start();
}

void LessonPointer::moveTo(const Place& place) {
    if (m_watched && m_watched != place.widget)
        m_watched->removeEventFilter(this);
    if (m_outline && m_outline->parentWidget() != place.widget)
        delete m_outline;
    if (place.widget && m_watched != place.widget)
        place.widget->installEventFilter(this);
    m_watched = place.widget;
    if (!place.widget)
        return;
    if (!m_outline)
        m_outline = new Outline(place.widget);
    const QRect around = place.rect.adjusted(-kAir, -kAir, kAir, kAir).intersected(place.widget->rect());
    if (m_outline->geometry() != around)
        m_outline->setGeometry(around);
    m_outline->show();
    m_outline->raise();
}

/// A view that scrolls, zooms or sorts paints itself.
bool LessonPointer::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_watched &&
        (event->type() == QEvent::Paint || event->type() == QEvent::Resize || event->type() == QEvent::Hide))
        QMetaObject::invokeMethod(this, &LessonPointer::look, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

}  // namespace warpglass::app
