// The timeline's label column: the mark before a label folds its track, a drag moves it, the context menu
// folds, pins, hides and resets. Keys act on the track that was clicked last, else on that of the selection,
// else on what the mouse is at: C folds, P pins, H hides, Alt+Up and Alt+Down move, Shift+Up and Shift+Down
// go to another track.
#pragma once

#include <QObject>
#include <QPoint>
#include <QRect>
#include <optional>
#include <string>

#include "ui/theme/qt_fwd.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

class RunDocument;
class TimeAxis;
class TimelinePainter;

class TimelineLabels : public QObject {
    Q_OBJECT
public:
    /// All outlive it.
    TimelineLabels(QWidget& view, const RunDocument& document, const TimeAxis& axis,
                   TimelineViewport& viewport, const TimelinePainter& painter)
        : m_view(view),
          m_document(document),
          m_axis(axis),
          m_viewport(viewport),
          m_rows(viewport.rows()),
          m_painter(painter) {}

    /// The track that keys act on.
    std::optional<std::size_t> currentTrack() const;
    /// The one of them that was chosen by its label or by keys.
    std::optional<std::size_t> chosenTrack() const;
    void choose(std::optional<std::size_t> track);
    /// Chooses none; false if none was chosen.
    bool letGo();
    std::optional<std::size_t> labelAt(QPoint position) const;

    void press(QPoint position);
    void pressElsewhere();
    void move(QPoint position);
    void release(QPoint position);
    /// Whether move() and release() are to be told.
    bool isPressed() const { return m_drag != Drag::kNone; }
    void doubleClick(QPoint position);
    void hover(QPoint position);

    void unfold(std::size_t track);
    /// Unfolds it since what is selected lies in it: as RowArrangement::reveal().
    void reveal(std::size_t track);

    bool handleKey(const QKeyEvent& event);
    void addActions(QMenu& menu);
    QString toolTipAt(QPoint position) const;
    void paint(QPainter& painter) const;

public slots:
    // Folds or unfolds the current track.
    void toggleFolded();
    void togglePinned();
    void hideTrack();
    void moveTrackUp() { moveTrack(-1); }
    void moveTrackDown() { moveTrack(1); }
    // Folds all tracks.
    void foldAll();
    void unfoldAll();
    void showAllRows();
    void resetRows();

signals:
    /// The rows are to be laid out like this.
    void arranged(const warpglass::ui::RowArrangement& arrangement);

private:
    enum class Drag { kNone, kPressed, kMoved };

    template <class Change>
    void arrange(const Change& change);
    void goToTrack(int by);
    void moveTrack(int by);
    /// Where the line about hidden rows is, in the widget; empty if there is none.
    QRect hiddenLine() const;

    QWidget& m_view;
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    TimelineViewport& m_viewport;
    const TimelineRows& m_rows;
    const TimelinePainter& m_painter;
    std::string m_chosen;  // a track's key; empty: none was chosen
    Drag m_drag = Drag::kNone;
    QPoint m_pressPosition;
    std::string m_dragged;
    std::size_t m_dropAt = 0;  // of the tracks without the dragged one
    int m_dropLine = 0;        // y of the content
};

}  // namespace warpglass::ui
