// What a step of a lesson shows alone of the timeline's page: the other panes are folded and the other rows
// of the timeline left out until the next step, or until the window leads elsewhere. Then all is as the user
// had it. GUI thread only.
#pragma once

#include <QByteArray>
#include <QObject>
#include <vector>

#include "engine/lessons/lesson.h"

namespace warpglass::app {

class Workspace;

class LessonParts : public QObject {
    Q_OBJECT
public:
    /// The workspace outlives it.
    LessonParts(Workspace& workspace, QObject* parent);

    /// Words of kLessonParts, none for everything. The pane that holds `view` is shown in any case.
    void show(const std::vector<LessonWord>& words, const QWidget& view);
    void restore();
    /// Whether something is out of the way.
    bool folds() const { return m_folds; }

private:
    void leaveOutRows(const std::vector<LessonWord>& words);

    Workspace& m_workspace;
    bool m_folds = false;
    QByteArray m_sizes;  // of the panes, as the user had them
};

}  // namespace warpglass::app
