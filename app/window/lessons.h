// The lesson that is gone through, and its panel: which lesson and which step, with the ways between steps.
// One at a time; the runs that it opens are runs like any other and stay open when it is left.
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/lessons/lesson.h"
#include "engine/lessons/lesson_figures.h"

namespace warpglass::app {

/// The figures that lessons state, by run file: worked out once each on a worker, and kept while the program
/// runs. GUI thread only.
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

class Lessons : public QObject {
    Q_OBJECT
public:
    /// Both outlive it; `parent` owns it and its panel.
    Lessons(SessionController& controller, WindowPages& pages, QWidget& parent);

    /// For the window's layout; hidden while there is no lesson.
    LessonPanel& panel() const { return *m_panel; }
    LessonStage& stage() const { return *m_stage; }
    bool isOn() const { return m_lesson.has_value(); }
    /// Null while there is none.
    const Lesson* lesson() const { return m_lesson ? &*m_lesson : nullptr; }
    int step() const { return m_step; }
    /// Whether no figure of its texts is still being worked out.
    bool figuresKnown() const;

public slots:
    /// A file that is no lesson is refused: failed() follows, and what is on stays.
    void open(const QString& path);
    /// Precondition: the lesson that is on has it.
    void goTo(int step);
    /// From the last step, leaves.
    void next();
    void back();
    /// The step's place is opened once more.
    void showAgain();
    void showAnswer();
    void leave();

signals:
    /// Why a file is no lesson, in a sentence.
    void failed(const QString& sentence);
    /// A lesson has begun, has gone to another step, or is left.
    void changed();

private:
    void askFigures();
    void say(bool anew);
    QString withFigures(const std::string& text);
    /// Null until they are known.
    const LessonFigures* figuresOf(const std::string& word, const LessonStep& step);

    SessionController& m_controller;
    WindowPages& m_pages;
    LessonPanel* m_panel;
    LessonStage* m_stage;
    LessonFigureStore* m_figures;
    std::optional<Lesson> m_lesson;
    int m_step = 0;
    std::vector<bool> m_answered;  // by step
};

}  // namespace warpglass::app
