// How a sweep gets on: how many of its cells are done and how long it takes still, the grid of its cells, and
// buttons to pause, to stop and to resume it. Hidden for one that is done.
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/base/units.h"
#include "engine/sweep/sweep.h"

class QPushButton;

namespace warpglass::ui {

class ElidedLabel;
class SweepGrid;

struct SweepState {
    bool isRunning = false, isPaused = false;
    /// Another process runs it, or an experiment of this one.
    bool isElsewhere = false;
    /// Its file cannot be read at the moment.
    bool isUnreadable = false;
    bool canGoOn = false;
    std::optional<Nanoseconds> left = {};
};

class SweepStatus : public QWidget {
    Q_OBJECT
public:
    explicit SweepStatus(QWidget* parent = nullptr);

    /// For the grid of its cells.
    void setSweep(std::shared_ptr<const Sweep> sweep);
    void show(const Sweep& sweep, const SweepState& state);
    /// "12 of 36 cells done · 2 out of memory · about 40 s left".
    const QString& words() const { return m_said; }

signals:
    void pauseRequested();
    void stopRequested();
    void goOnRequested();
    void cellChosen(int cell);

private:
    ElidedLabel* m_words;
    SweepGrid* m_grid;
    QPushButton* m_pause;
    QPushButton* m_stop;
    QPushButton* m_goOn;
    QString m_said;
};

}  // namespace warpglass::ui
