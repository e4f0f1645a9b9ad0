// An outline round a place in a view: what a lesson's step points at. It covers nothing, and takes neither
// the mouse nor the keyboard; figures are drawn without it. GUI thread only.
#pragma once

#include <QPointer>
#include <QRect>
#include <QTimer>
#include <QWidget>
#include <functional>

#include "ui/controls/figure_mode.h"

namespace warpglass::app {

class LessonPointer : public QObject {
    Q_OBJECT
public:
    /// The widget and the part of it, in its coordinates; a null widget while the place cannot be found.
    struct Place {
        QWidget* widget = nullptr;
        QRect rect;
    };
    using Find = std::function<Place()>;

    explicit LessonPointer(QObject* parent);
    ~LessonPointer() override;

    /// Looks for the place until it is found, and follows it as its widget is painted anew.
    void pointAt(Find find);
    void clear();
    /// What is outlined; a null widget while nothing is.
    Place shown() const;
    /// Whether the place has neither been found nor been given up.
    bool isLooking() const;

signals:
    void found();
    /// It has not been found for a while; it goes on being looked for.
    void notFound();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Outline;
    void look();
    void moveTo(const Place& place);

    Find m_find;
    QPointer<QWidget> m_outline;
    QPointer<QWidget> m_watched;
    QTimer m_timer;
    int m_looks = 0;
    /// From then on what leaves the view was moved by the person, who is not told so.
    bool m_wasFound = false;
};

}  // namespace warpglass::app
