#include "app/window/run_words.h"

#include <QFileInfo>
#include <QTextDocument>

#include "engine/plan/settings.h"
#include "ui/experiments/opened_experiment.h"
#include "ui/theme/name_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

std::filesystem::path nativePath(const QString& path) {
    return std::filesystem::path(path.toStdString());
}

QString fileStem(const RunConfig& config) {
    QStringList words;
    for (const Setting* setting : settingsInTitle(config))
        words << ui::toQString(setting->text(config));
    return words.join(QLatin1Char('-'));
}

QString sentence(std::string_view error) {
    QString s = ui::toQString(error);
    if (s.isEmpty())
        return s;
    s[0] = s[0].toUpper();
    return s.endsWith(QLatin1Char('.')) ? s : s + QLatin1Char('.');
}

QString titleOf(const Snapshot& snapshot, const QString& path) {
    const Result<RunConfig> config = configFromPairs(snapshot.info().pairs());
    return titleOf(config ? std::optional(*config) : std::nullopt, path);
}

QString titleOf(const std::optional<RunConfig>& config, const QString& path) {
    // Tabs measure it, and a file states what it likes.
    constexpr qsizetype kMostOfTitle = 120;
    return config ? ui::cutName(ui::toQString(shortTitle(*config)), kMostOfTitle)
                  : QFileInfo(path).completeBaseName();
}

QString plainToolTip(const QString& text) {
    return Qt::mightBeRichText(text) ? text.toHtmlEscaped() : text;
}

FileKind kindOfFile(const QString& path) {
    if (path.endsWith(QLatin1String(".wgsweep"), Qt::CaseInsensitive))
        return FileKind::kSweep;
    return ui::isExperimentPath(path) ? FileKind::kExperiment : FileKind::kRun;
}

bool leadToOneFile(const QString& a, const QString& b) {
    if (a.isEmpty() || b.isEmpty())
        return false;
    const QString canonical = QFileInfo(a).canonicalFilePath();  // empty where there is no file
    return a == b || (!canonical.isEmpty() && canonical == QFileInfo(b).canonicalFilePath());
}

}  // namespace warpglass::app
