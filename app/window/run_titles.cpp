#include "app/window/run_titles.h"

#include <QFileInfo>
#include <QLocale>
#include <QMap>
#include <functional>
#include <set>

#include "engine/plan/settings.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

using Group = std::vector<std::size_t>;

/// Runs of one title, more than one.
std::vector<Group> alike(const QStringList& titles) {
    QMap<QString, Group> groups;
    for (qsizetype i = 0; i < titles.size(); ++i)
        groups[titles[i]].push_back(static_cast<std::size_t>(i));
    std::vector<Group> found;
    for (const Group& group : std::as_const(groups)) {
        if (group.size() > 1)
            found.push_back(group);
    }
    return found;
}

/// Adds these words to the titles of runs that are alike, where they differ among them.
void tellApart(QStringList& titles, const QString& form, const std::function<QString(std::size_t)>& words) {
    for (const Group& group : alike(titles)) {
        std::set<QString> different;
        for (const std::size_t run : group)
            different.insert(words(run));
        if (different.size() < 2)
            continue;
        for (const std::size_t run : group) {
            if (const QString added = words(run); !added.isEmpty())
                titles[static_cast<qsizetype>(run)] = form.arg(titles[static_cast<qsizetype>(run)], added);
        }
    }
}

/// The time of day, where they are of several days with the date.
QStringList beginnings(const std::vector<TitledRun>& runs, const QString& time) {
    std::set<QDate> days;
    for (const TitledRun& run : runs) {
        if (run.started.isValid())
            days.insert(run.started.toLocalTime().date());
    }
    QStringList words;
    for (const TitledRun& run : runs) {
        const QDateTime local = run.started.toLocalTime();
        const QString day =
            days.size() > 1 ? QLocale().toString(local.date(), QStringLiteral("d MMM ")) : QString();
        words << (run.started.isValid() ? day + local.time().toString(time) : QString());
    }
    return words;
}

}  // namespace

TitledRun titledRun(const QString& title, const RunInfo& info, const QString& path) {
    TitledRun run{title, std::nullopt, {}, path};
    if (const auto config = configFromPairs(info.pairs()))
        run.config = *config;
    run.started = QDateTime::fromString(ui::toQString(info.get("time.started")), Qt::ISODate);
    return run;
}

QStringList titlesSideBySide(const std::vector<TitledRun>& runs) {
    QStringList titles;
    for (const TitledRun& run : runs)
        titles << run.title;
    const QString form = QStringLiteral("%1 · %2"), aside = QStringLiteral("%1 (%2)");
    const auto addWhereDifferent = [&](auto words) {
        tellApart(titles, form, [&](std::size_t run) {
            return runs[run].config ? ui::toQString(words(*runs[run].config)) : QString();
        });
    };
    for (const Setting* setting : settingsByTitleRank()) {
        if (setting->title.shown == Shown::kNever)
            addWhereDifferent([setting](const RunConfig& c) {
                return setting->applies(c) ? setting->titleWords(c) : std::string();
            });
    }
    // As they are written: two sizes may be the same rounded.
    for (const Setting& setting : settings()) {
        if (std::holds_alternative<SizeLimit>(setting.kind))
            addWhereDifferent([&setting](const RunConfig& c) {
                return std::string(setting.title.before) + setting.text(c) + " bytes";
            });
    }
    for (const char* time : {"HH:mm", "HH:mm:ss"}) {
        const QStringList words = beginnings(runs, QString::fromLatin1(time));
        tellApart(titles, form, [&](std::size_t run) { return words[static_cast<qsizetype>(run)]; });
    }
    tellApart(titles, aside, [&](std::size_t run) { return QFileInfo(runs[run].path).completeBaseName(); });
    for (const Group& group : alike(titles)) {
        for (std::size_t i = 1, number = 2; i < group.size(); ++i, ++number) {
            const QString title = titles[static_cast<qsizetype>(group[i])];
            // In one call: a name that was given may have a "%1" of its own.
            const auto numbered = [&] { return aside.arg(title, QString::number(number)); };
            while (titles.contains(numbered()))
                ++number;
            titles[static_cast<qsizetype>(group[i])] = numbered();
        }
    }
    return titles;
}

}  // namespace warpglass::app
