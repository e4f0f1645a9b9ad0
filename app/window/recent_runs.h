// The run files opened or saved lately, newest first, kept between sessions.
#pragma once

#include <QObject>
#include <QStringList>

namespace warpglass::app {

class RecentRuns : public QObject {
    Q_OBJECT
public:
    explicit RecentRuns(QObject* parent = nullptr);

    /// Absolute paths; files that no longer exist are left out.
    QStringList paths() const;
    /// What tabs call the run in it; of one that was never given a title, its file's name.
    QString titleOf(const QString& path) const;
    void add(const QString& path, const QString& title);
    void clear();

    static constexpr int kMost = 12;  // as many as fit a menu without scrolling on a small laptop

signals:
    void changed();
};

}  // namespace warpglass::app
