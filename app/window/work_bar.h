// Long work in the background, shown at the end of the status bar: what it is, its progress, and Cancel. Work
// that ends at once is never shown; of several, the last one started is shown.
//
// GUI thread only; the work itself runs elsewhere.
#pragma once

#include <QList>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class WorkBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { kOpening, kSaving };

    explicit WorkBar(QWidget* parent = nullptr);

    /// Begins work of that kind, or reports its progress. `fraction`: 0…1, negative if unknown.
    void report(Kind kind, const QString& text, double fraction);
    /// Does nothing if no work of that kind is in progress.
    void finish(Kind kind);
    /// Some work has been going on for long enough.
    bool isNoticed() const { return m_noticed; }

    static constexpr int kNoticed = 300;  // ms

signals:
    /// The user canceled; the work is asked to stop, and finish() follows when it has.
    void canceled(warpglass::app::WorkBar::Kind kind);
    void noticedChanged();

private:
    struct Work {
        Kind kind;
        QString text;
        double fraction;
    };
    void showLast();
    void setNoticed(bool noticed);

    QList<Work> m_works;  // in the order in which they began
    bool m_noticed = false;
    QTimer m_notice;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
};

}  // namespace warpglass::app
