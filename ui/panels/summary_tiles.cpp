#include "ui/panels/summary_tiles.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "ui/controls/card_layout.h"
#include "ui/controls/elided_label.h"
#include "ui/models/run_document.h"
#include "ui/panels/summary_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Fits "Memory bandwidth".
constexpr int kTileWidth = 130;
constexpr int kValueSize = 18;

QString percent(double fraction) {
    return toQString(formatPercent(fraction));
}

QString rate(double flopsPerSecond) {
    return toQString(formatFlops(Flops(static_cast<std::int64_t>(flopsPerSecond)))) + QStringLiteral("/s");
}

QString byteRate(double bytesPerSecond) {
    return toQString(formatByteRate(bytesPerSecond));
}

QString atLeast(double fraction) {
    return QStringLiteral("≥\u00A0") + toQString(formatPercentAtLeast(fraction));
}

/// A share of a peak rate, and that rate.
struct OfPeak {
    std::optional<double> share;
    double peak = 0;
};
/// Ever shorter wordings of what a share is of, the data sheet's peak where it is known, as is the
/// convention: each says whose peak it is, and what share of the measured one, `origin`, stands beside it.
QStringList ofPeaks(const QString& speed, const OfPeak& dataSheet, const OfPeak& measured,
                    std::string_view origin, QString (*share)(double), QString (*rate)(double)) {
    const QString whose = toQString(origin);
    if (dataSheet.share && measured.share)
        return {SummaryTiles::tr("%1, of data-sheet peak %2; %3 of %4 peak %5")
                    .arg(speed, rate(dataSheet.peak), share(*measured.share), whose, rate(measured.peak)),
                SummaryTiles::tr("of data-sheet peak; %1 of %2 peak").arg(share(*measured.share), whose),
                SummaryTiles::tr("of data sheet; %1 of %2 peak").arg(share(*measured.share), whose),
                SummaryTiles::tr("of data-sheet peak"), SummaryTiles::tr("of data sheet")};
    const QString roof = rate(dataSheet.share ? dataSheet.peak : measured.peak);
    const QString peak = SummaryTiles::tr("of %1 peak %2").arg(whose, roof);
    return {speed + QLatin1Char(' ') + peak, peak, SummaryTiles::tr("of %1 %2").arg(whose, roof),
            SummaryTiles::tr("%1 %2").arg(whose, roof), SummaryTiles::tr("of %1").arg(roof)};
}

}  // namespace

SummaryTiles::SummaryTiles(QWidget* page) : m_layout(new CardLayout(kTileWidth)) {
    QFont large = Theme::textFont();
    large.setPixelSize(kValueSize);
    large.setWeight(QFont::DemiBold);
    const QString captions[kCount] = {tr("Time per step"),    tr("Tokens per second"), tr("MFU"),
                                      tr("Memory bandwidth"), tr("GPU busy"),          tr("Peak memory"),
                                      tr("Before backward")};
    for (const QString& caption : captions) {
        Tile tile;
        tile.caption = caption;
        auto* box = new QFrame(page);
        box->setProperty("card", true);
        box->setAccessibleName(caption);
        auto* lines = spaced(new QVBoxLayout(box), Metrics::kCardMargins, 1);
        auto* name = new ElidedLabel(box);
        name->setText(caption);
        setSecondary(name);
        tile.value = new QLabel(box);
        tile.value->setFont(large);
        tile.value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        tile.note = new ElidedLabel(box);
        setSecondary(tile.note);
        addAll(lines, {name, tile.value, tile.note});
        lines->addStretch(1);  // where another of its row has more lines
        tile.box = box;
        m_layout->addWidget(box);
        m_tiles.push_back(tile);
    }
}

QLayout* SummaryTiles::layout() const {
    return m_layout;
}

QString SummaryTiles::value(const QString& caption) const {
    for (const Tile& tile : m_tiles) {
        if (tile.caption == caption && !tile.box->isHidden())
            return tile.value->text();
    }
    return {};
}

QList<QWidget*> SummaryTiles::boxes() const {
    QList<QWidget*> boxes;
    for (const Tile& tile : m_tiles)
        boxes << tile.box;
    return boxes;
}

void SummaryTiles::set(Index index, const QString& value, const QString& note, const QString& toolTip,
                       const QStringList& shorterNotes) {
    Tile& tile = m_tiles[index];
    tile.value->setText(value);
    tile.note->setText(note);
    tile.note->setShorterTexts(shorterNotes);
    tile.value->setToolTip(toolTip);
    tile.note->setToolTip(toolTip);
    tile.box->setAccessibleDescription(value + QLatin1Char(' ') + note);
}

void SummaryTiles::show(const std::optional<RunOverview>& overview, const RunDocument& document) {
    for (int i = 0; i < kCount; ++i)
        set(static_cast<Index>(i), QStringLiteral("–"), {}, {});
    if (!overview)
        return;
    // Where no step ended there is nothing to say of one.
    for (const Index ofSteps : {kStep, kTokens, kMfu, kTraffic})
        m_tiles[ofSteps].box->setVisible(overview->summary.stepMean.has_value());
    // Attention alone has neither tokens nor a model whose traffic is planned.
    const std::optional<RunConfig>& config = overview->summary.config;
    for (const Index ofModel : {kTokens, kTraffic}) {
        if (config && config->isAttention())
            m_tiles[ofModel].box->hide();
    }
    showSteps(overview->summary);
    if (overview->summary.utilization)
        showUtilization(*overview->summary.utilization);
    if (overview->traffic)
        showTraffic(*overview->traffic);
    showBusy(*overview, document.isIncomplete());
    showPeak(*overview, document);
    showBeforeBackward(*overview);
}

void SummaryTiles::showSteps(const RunSummary& run) {
    if (run.stepMean) {
        const QString steps = run.averagedSteps == 1 ? tr("1 step") : tr("%1 steps").arg(run.averagedSteps);
        set(kStep, meanText(*run.stepMean),
            run.shownDeviation() ? tr("± %1, %2").arg(meanText(*run.shownDeviation()), steps) : steps,
            meanExact(*run.stepMean));
    }
    if (run.tokensPerSecond) {
        set(kTokens, toQString(formatGrouped(std::llround(*run.tokensPerSecond))),
            run.config ? tr("%1 per step").arg(toQString(formatGrouped(run.config->tokensPerStep())))
                       : QString(),
            {});
    }
}

/// In little room only how much of what.
void SummaryTiles::showUtilization(const ModelUtilization& mfu) {
    const OfPeak dataSheet{mfu.ofDataSheet(), mfu.ceilings.dataSheet.flopsPerSecond.value_or(0)};
    const OfPeak measured{mfu.ofMeasured(), mfu.ceilings.measured.flopsPerSecond.value_or(0)};
    const bool isReached = mfu.ceilings.isReached();
    QString both;
    if (dataSheet.share)
        both += tr("\n%1 of the data sheet's %2").arg(percent(*dataSheet.share), rate(dataSheet.peak));
    if (measured.share)
        both += (isReached ? tr("\n%1 of the %2 that a run has reached") : tr("\n%1 of the measured %2"))
                    .arg(percent(*measured.share), rate(measured.peak));
    if (const std::string sentence = mfu.ceilings.sentence(); !sentence.empty())
        both += QStringLiteral("\n") + toQString(sentence);
    const QString speed = rate(mfu.flopsPerSecond);
    if (!dataSheet.share && !measured.share) {
        set(kMfu, QStringLiteral("–"), tr("%1, no ceiling known").arg(speed),
            tr("GEMMs that the model needs: %1").arg(speed), {speed});
        return;
    }
    const QStringList notes = ofPeaks(speed, dataSheet, measured, mfu.ceilings.origin(false), percent, rate);
    set(kMfu, percent(dataSheet.share ? *dataSheet.share : *measured.share), notes[0],
        tr("GEMMs that the model needs: %1").arg(speed) + both, notes.mid(1));
}

void SummaryTiles::showTraffic(const MemoryTraffic& traffic) {
    const auto ofPeak = [&](std::optional<double> share) {
        return OfPeak{share, share && *share > 0 ? traffic.bytesPerSecond / *share : 0};
    };
    const OfPeak dataSheet = ofPeak(traffic.ofDataSheet), measured = ofPeak(traffic.ofMeasured);
    const auto share = traffic.ofDataSheet ? traffic.ofDataSheet : traffic.ofMeasured;
    const QString speed = toQString(formatByteRate(traffic.bytesPerSecond));
    const QStringList notes = share && *share > 0
                                  ? ofPeaks(speed, dataSheet, measured,
                                            traffic.ofMeasured ? "measured" : "data-sheet", atLeast, byteRate)
                                  : QStringList{QString()};
    set(kTraffic, share ? atLeast(*share) : QStringLiteral("≥ ") + speed, notes[0],
        tr("At least this much: the minimum traffic of GEMMs and AdamW is %1 per step, over the step's "
           "time.\n"
           "Elementwise work adds to it.")
            .arg(toQString(formatBytes(traffic.perStep))),
        notes.mid(1));
}

void SummaryTiles::showBusy(const RunOverview& overview, bool incomplete) {
    const GpuTimeUse& use = overview.gpu;
    const MissingRecords& missing = overview.missing;
    m_tiles[kBusy].box->setVisible(use.wall.value > 0 || missing.lacksGpuWork());
    if (missing.lacksGpuWork())
        set(kBusy, QStringLiteral("–"), tr("its records are missing"),
            tr("%1 are missing from the file: how busy the GPU was is not known.")
                .arg(toQString(missingInWords(missing, {RecordKind::kKernels, RecordKind::kCopies}))));
    if (use.wall.value > 0) {
        const auto steps = static_cast<double>(use.steps), busy = static_cast<double>(use.busy.value);
        set(kBusy, percent(busy / static_cast<double>(use.wall.value)),
            incomplete ? tr("incomplete records") : tr("%1 per step").arg(meanText(busy / steps)),
            meanExact(busy / steps));
    }
}

void SummaryTiles::showBeforeBackward(const RunOverview& overview) {
    const std::optional<BeforeBackward>& before = overview.summary.beforeBackward;
    m_tiles[kBeforeBackward].box->setVisible(before.has_value());
    if (!before)
        return;
    const std::string least = overview.missing.lacksMemory() ? "≥ " : "";
    const QString reserved =
        before->reserved ? tr("%1 reserved").arg(toQString(formatBytes(*before->reserved))) : QString();
    set(kBeforeBackward, toQString(least + formatBytes(before->allocated)),
        reserved.isEmpty() ? tr("allocated") : tr("allocated, %1").arg(reserved),
        tr("Allocated at the start of the backward pass of step %1, the most of the measured steps: %2")
            .arg(before->step)
            .arg(toQString(formatBytesExact(before->allocated))),
        {reserved});
}

void SummaryTiles::showPeak(const RunOverview& overview, const RunDocument& document) {
    const auto& point = overview.summary.peak;
    if (!point) {
        const auto& snapshot = document.snapshot();
        const Absence absence =
            snapshot ? Completeness(*snapshot).absenceOf(DataKind::kMemory) : Absence::kNone;
        set(kPeak, QStringLiteral("–"),
            absence == Absence::kLost          ? tr("its records are missing")
            : absence == Absence::kNotRecorded ? tr("not recorded")
                                               : QString(),
            toQString(absenceInWords(DataKind::kMemory, absence)));
        return;
    }
    const Bytes peak(sumOf(point->bytes));
    if (overview.missing.lacksMemory()) {
        set(kPeak, QStringLiteral("≥ %1").arg(toQString(formatBytes(peak))), tr("incomplete records"),
            tr("%1 are missing from the file: the peak may have been higher, and at another moment.")
                .arg(toQString(missingInWords(overview.missing,
                                              {RecordKind::kMemoryEvents, RecordKind::kAllocations}))));
        return;
    }
    const auto& limit = overview.memoryLimit;
    set(kPeak, toQString(formatBytes(peak)),
        limit ? tr("%1 of %2")
                    .arg(percent(static_cast<double>(peak.value) / static_cast<double>(limit->value)),
                         toQString(formatBytes(*limit)))
              : QString(),
        toQString(formatBytesExact(peak)));
}

}  // namespace warpglass::ui
