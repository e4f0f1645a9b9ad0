// The figures that lessons state, by run file: worked out once each on a worker, and kept while the program
// runs. GUI thread only.
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <QString>
#include <memory>

#include "engine/lessons/lesson_figures.h"

namespace warpglass {
class Snapshot;
}

namespace warpglass::app {

class LessonFigureStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Null until they are known; changed() follows then. `open`: the run, where it is open, else null, and
    /// it is read from its file. A file that cannot be read has no figures.
    const LessonFigures* of(const QString& path, const std::shared_ptr<const Snapshot>& open);
    bool isWorking() const { return m_asked.size() > m_known.size(); }

signals:
    void changed();

private:
    QMap<QString, LessonFigures> m_known;
    QSet<QString> m_asked;
};

}  // namespace warpglass::app
