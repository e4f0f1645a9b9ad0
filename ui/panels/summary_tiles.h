// The figures at the top of the summary, one per tile: time per step, tokens per second, MFU and memory
// bandwidth against the device's ceilings, GPU busy share, peak memory. The tool tip has the exact value, or
// says why it is unknown.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>
#include <optional>
#include <vector>

#include "engine/query/findings/run_overview.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class CardLayout;
class ElidedLabel;
class RunDocument;

class SummaryTiles {
    Q_DECLARE_TR_FUNCTIONS(warpglass::ui::SummaryTiles)
public:
    /// They are children of `page`, which is to take the layout.
    explicit SummaryTiles(QWidget* page);
    QLayout* layout() const;

    /// `overview` is of the document's run; dashes without one.
    void show(const std::optional<RunOverview>& overview, const RunDocument& document);

    /// By its caption: "Time per step"; empty when it is not shown.
    QString value(const QString& caption) const;
    QList<QWidget*> boxes() const;

private:
    struct Tile {
        QWidget* box = nullptr;
        QString caption;
        QLabel* value = nullptr;
        ElidedLabel* note = nullptr;
    };
    enum Index { kStep, kTokens, kMfu, kTraffic, kBusy, kPeak, kBeforeBackward, kCount };

    /// `shorterNotes`: where there is no room for the note.
    void set(Index index, const QString& value, const QString& note, const QString& toolTip,
             const QStringList& shorterNotes = {});
    void showSteps(const RunSummary& run);
    void showUtilization(const ModelUtilization& mfu);
    void showTraffic(const MemoryTraffic& traffic);
    void showBusy(const RunOverview& overview, bool incomplete);
    void showPeak(const RunOverview& overview, const RunDocument& document);
    void showBeforeBackward(const RunOverview& overview);

    CardLayout* m_layout;
    std::vector<Tile> m_tiles;
};

}  // namespace warpglass::ui
