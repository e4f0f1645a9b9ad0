// The run files opened or saved lately, newest first, kept between sessions.
#pragma once

#include <QMap>
#include <QObject>
#include <QStringList>

#include "engine/trace/run_info.h"

namespace warpglass::app {

class RecentRuns : public QObject {
    Q_OBJECT
public:
    explicit RecentRuns(QObject* parent = nullptr);

    /// Absolute paths; files that no longer exist are left out.
    QStringList paths() const;
    /// What tabs would call the runs if all of these were open: no two have the same title. A run that was
    /// never given a title has its file's name.
    QMap<QString, QString> titles() const;
    QString titleOf(const QString& path) const;
    /// `title`: by itself; `info`: what tells it from others of that title.
    void add(const QString& path, const QString& title, const RunInfo& info = {});
    void forget(const QString& path);
    void clear();

    static constexpr int kMost = 12;  // as many as fit a menu without scrolling on a small laptop

signals:
    void changed();
};

}  // namespace warpglass::app
