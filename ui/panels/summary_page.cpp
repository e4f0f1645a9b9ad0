#include "ui/panels/summary_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/memory_absence.h"
#include "ui/models/table_model.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/share_card.h"
#include "ui/theme/card_layout.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Wider, a line of text is hard to follow, and a bar says no more.
constexpr int kMostWidth = 1320;
/// So wide, findings stand beside the figures and not beneath them.
constexpr int kTwoColumns = 2000;
/// Fit "Memory bandwidth"; and a name, a value and a share.
constexpr int kFigureWidth = 130, kShareWidth = 236;
constexpr double kLeastPart = 0.0005;  // of the whole; smaller parts would read 0.0x % and draw nothing

QFont largeFont(int pixels) {
    QFont font = Theme::textFont();
    font.setPixelSize(pixels);
    font.setWeight(QFont::DemiBold);
    return font;
}

Nanoseconds nanoseconds(double value) {
    return Nanoseconds(static_cast<std::int64_t>(value + 0.5));
}

QString duration(double value) {
    return toQString(formatDuration(nanoseconds(value)));
}

QString exactTime(double value) {
    return SummaryPage::tr("%1 ns").arg(toQString(formatGrouped(nanoseconds(value).value)));
}

QString percent(double fraction) {
    return toQString(formatPercent(fraction));
}

QString rate(double flopsPerSecond) {
    return toQString(formatFlops(Flops(static_cast<std::int64_t>(flopsPerSecond)))) + QStringLiteral("/s");
}

}  // namespace

SummaryPage::SummaryPage(RunDocument& document, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_page(new QWidget(this)),
      m_timeline(std::make_shared<MemoryTimeline>()),
      m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    setObjectName(QStringLiteral("summary"));
    setAccessibleName(tr("Summary"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);  // so that the arrow keys scroll it

    m_content = new QWidget(m_page);
    QWidget* content = m_content;
    m_columns = new QBoxLayout(QBoxLayout::TopToBottom, content);
    m_columns->setContentsMargins(Metrics::kSpace4, Metrics::kSpace3, Metrics::kSpace4, Metrics::kSpace4);
    m_columns->setSpacing(Metrics::kSpace3);
    auto* column = new QVBoxLayout;
    column->setSpacing(Metrics::kSpace3);
    buildHead(column, content);
    buildFigures(column, content);
    m_incomplete =
        new QLabel(tr("Part of the run is missing: figures and findings are of what is there."), content);
    m_incomplete->setObjectName(QStringLiteral("summaryIncomplete"));
    m_incomplete->setWordWrap(true);
    m_incomplete->hide();
    column->addWidget(m_incomplete);
    m_phases = new ShareCard(tr("A step by phase"), content);
    m_gpu = new ShareCard(tr("The GPU's time"), content);
    m_memory = new ShareCard(tr("Memory at the peak"), content);
    auto* shares = new CardLayout(kShareWidth);
    for (ShareCard* card : {m_phases, m_gpu, m_memory})
        shares->addWidget(card);
    column->addLayout(shares);
    column->addStretch(1);
    m_columns->addLayout(column);

    auto* findings = new QVBoxLayout;
    m_nothing = new QLabel(content);
    m_nothing->setObjectName(QStringLiteral("noFinding"));
    m_nothing->setWordWrap(true);
    findings->addWidget(m_nothing);
    m_findingColumn = new QVBoxLayout;
    m_findingColumn->setSpacing(Metrics::kSpace2);
    findings->addLayout(m_findingColumn);
    m_more = new QLabel(content);
    m_more->setObjectName(QStringLiteral("moreFindings"));
    m_more->setProperty("secondary", true);
    m_more->hide();
    findings->addWidget(m_more);
    findings->addStretch(1);
    m_columns->addLayout(findings);
    layOutColumns();

    auto* across = new QHBoxLayout(m_page);
    across->setContentsMargins(0, 0, 0, 0);
    across->addWidget(content, 1000);
    across->addStretch(1);
    setWidget(m_page);

    m_growth.setSingleShot(true);
    m_growth.setInterval(kLiveInterval);
    using Cause = DeferredQuery::Cause;
    connect(&m_growth, &QTimer::timeout, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_growth.stop();
        m_timeline = std::make_shared<MemoryTimeline>();
        showOverview(std::nullopt);  // nothing of the former run is left beside this one
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_document, &RunDocument::snapshotChanged, this, [this] {
        if (!m_document.isLive()) {
            m_growth.stop();
            m_query.invalidate(Cause::kGrowth);
        } else if (!m_growth.isActive()) {
            m_growth.start();
        }
    });
    // Damage is found when a chunk is read, which another view may be the first to do.
    connect(&m_document, &RunDocument::warningsChanged, this, [this] {
        showHead();
        showFigures();
        if (m_document.isIncomplete())
            m_query.invalidate(DeferredQuery::Cause::kGrowth);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { showShares(); });
    showOverview(std::nullopt);
    m_query.invalidate(Cause::kOtherRun);
}

void SummaryPage::buildHead(QVBoxLayout* column, QWidget* page) {
    m_title = new QLabel(page);
    m_title->setObjectName(QStringLiteral("summaryTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setFont(largeFont(20));
    m_state = new QLabel(page);
    m_state->setObjectName(QStringLiteral("summaryState"));
    m_losses = new QLabel(page);
    m_losses->setObjectName(QStringLiteral("summaryLosses"));
    m_description = new ElidedLabel(page);
    m_description->setObjectName(QStringLiteral("summaryDescription"));
    m_description->setProperty("secondary", true);
    for (QLabel* label : {m_state, m_losses}) {
        label->setTextFormat(Qt::PlainText);
        label->setProperty("secondary", true);
    }
    auto* first = new QHBoxLayout;
    first->addWidget(m_title, 1);
    first->addWidget(m_state);
    auto* second = new QHBoxLayout;
    second->addWidget(m_description, 1);
    second->addWidget(m_losses);
    auto* head = new QVBoxLayout;
    head->setSpacing(2);
    head->addLayout(first);
    head->addLayout(second);
    column->addLayout(head);
}

void SummaryPage::buildFigures(QVBoxLayout* column, QWidget* page) {
    auto* row = new CardLayout(kFigureWidth);
    const QString captions[kFigureCount] = {tr("Step time"),        tr("Tokens a second"), tr("MFU"),
                                            tr("Memory bandwidth"), tr("GPU busy"),        tr("Peak memory")};
    for (const QString& caption : captions) {
        Figure figure;
        figure.caption = caption;
        auto* box = new QFrame(page);
        box->setProperty("card", true);
        box->setAccessibleName(caption);
        auto* layout = new QVBoxLayout(box);
        layout->setContentsMargins(Metrics::kSpace3, Metrics::kSpace2, Metrics::kSpace3, Metrics::kSpace2);
        layout->setSpacing(1);
        auto* name = new ElidedLabel(box);
        name->setText(caption);
        name->setFont(Theme::tableFont());
        name->setProperty("secondary", true);
        figure.value = new QLabel(box);
        figure.value->setFont(largeFont(18));
        figure.value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        figure.note = new ElidedLabel(box);
        figure.note->setFont(Theme::tableFont());
        figure.note->setProperty("secondary", true);
        layout->addWidget(name);
        layout->addWidget(figure.value);
        layout->addWidget(figure.note);
        layout->addStretch(1);  // where another of its row has more lines
        figure.box = box;
        row->addWidget(box);
        m_figures.push_back(figure);
    }
    column->addLayout(row);
}

QString SummaryPage::figure(const QString& caption) const {
    for (const Figure& figure : m_figures) {
        if (figure.caption == caption && !figure.box->isHidden())
            return figure.value->text();
    }
    return {};
}

void SummaryPage::setFigure(FigureIndex index, const QString& value, const QString& note,
                            const QString& toolTip, const QString& shortNote) {
    Figure& figure = m_figures[index];
    figure.value->setText(value);
    figure.note->setText(note);
    figure.note->setShortText(shortNote);
    figure.value->setToolTip(toolTip);
    figure.note->setToolTip(toolTip);
    figure.box->setAccessibleDescription(value + QLatin1Char(' ') + note);
}

DeferredQuery::Job SummaryPage::makeJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot) {
        return {[this]() -> DeferredQuery::Apply { return [this] { showOverview(std::nullopt); }; }};
    }
    const bool heavy = snapshot->spanCount() + snapshot->memoryEventCount() > DeferredQuery::kHeavySpans;
    if (!heavy) {
        return {[this]() -> DeferredQuery::Apply {
            return [this] { showOverview(overviewOf(m_document.memory())); };
        }};
    }
    // The document's timeline grows on the window's thread.
    return {[this, snapshot, timeline = m_timeline]() -> DeferredQuery::Apply {
                timeline->update(snapshot);
                return
                    [this, overview = overviewOf(*timeline)]() mutable { showOverview(std::move(overview)); };
            },
            true};
}

void SummaryPage::showOverview(std::optional<RunOverview> overview) {
    m_overview = std::move(overview);
    showHead();
    showFigures();
    showShares();
    showFindings();
}

void SummaryPage::showHead() {
    m_incomplete->setVisible(m_overview && (m_document.isIncomplete() || m_overview->missing.any()));
    if (m_overview)
        m_incomplete->setText(
            m_overview->missing.any()
                ? toQString(missingSentence(m_overview->missing))
                : tr("Part of the run is missing: figures and findings are of what is there."));
    if (!m_overview) {
        m_title->setText(m_document.snapshot() ? tr("Adding up…") : QString());
        for (QLabel* label : {m_state, m_losses, static_cast<QLabel*>(m_description)})
            label->clear();
        return;
    }
    const RunSummary& run = m_overview->summary;
    m_title->setText(run.title.empty() ? tr("A run that does not state its configuration")
                                       : cutName(toQString(run.title), 120));
    QStringList words;
    for (const std::string& text : {m_overview->description, m_overview->device}) {
        if (!text.empty())
            words << toQString(text);
    }
    m_description->setText(words.join(QStringLiteral(" · ")));
    m_state->setText(cutName(toQString(run.state), 40));
    m_state->setToolTip(cutName(toQString(run.stateMessage), kMostToolTipLetters));
    std::uint64_t lost = 0;
    QStringList names;
    for (const LossCount& loss : run.losses) {
        lost += loss.count;
        names << tr("%1 × %2").arg(loss.count).arg(toQString(loss.name));
    }
    m_losses->setText(m_document.isIncomplete() ? tr("Part of it is missing")
                      : lost == 0               ? tr("No records lost")
                      : lost == 1               ? tr("1 record lost")
                                                : tr("%1 records lost").arg(lost));
    m_losses->setToolTip(names.join(QLatin1Char('\n')));
}

void SummaryPage::showFigures() {
    const QString none = QStringLiteral("–");
    for (int i = 0; i < kFigureCount; ++i)
        setFigure(static_cast<FigureIndex>(i), none, {}, {});
    if (!m_overview)
        return;
    const RunSummary& run = m_overview->summary;
    // Where no step ended there is nothing to say of one.
    for (const FigureIndex ofSteps : {kStep, kTokens, kMfu, kTraffic})
        m_figures[ofSteps].box->setVisible(run.stepMean.has_value());
    if (run.stepMean) {
        const QString steps = run.averagedSteps == 1 ? tr("1 step") : tr("%1 steps").arg(run.averagedSteps);
        setFigure(
            kStep, duration(*run.stepMean),
            run.averagedSteps == 1 ? steps : tr("± %1, %2").arg(duration(run.stepStandardDeviation), steps),
            exactTime(*run.stepMean) + (run.averagesWarmup ? tr("\nof the warm-up steps") : QString()));
    }
    if (run.tokensPerSecond) {
        const auto tokens = static_cast<std::int64_t>(*run.tokensPerSecond + 0.5);
        setFigure(kTokens, toQString(formatGrouped(tokens)),
                  run.config ? tr("%1 a step").arg(toQString(formatGrouped(run.config->tokensPerStep())))
                             : QString(),
                  {});
    }
    if (run.utilization) {
        const ModelUtilization& mfu = *run.utilization;
        const auto share = mfu.ofMeasured() ? mfu.ofMeasured() : mfu.ofDataSheet();
        const QString of = mfu.ofMeasured() ? tr("of measured") : tr("of data sheet");
        QString both;
        if (mfu.ofMeasured())
            both += tr("\n%1 of the measured %2")
                        .arg(percent(*mfu.ofMeasured()), rate(*mfu.ceilings.measured.flopsPerSecond));
        if (mfu.ofDataSheet())
            both += tr("\n%1 of the data sheet's %2")
                        .arg(percent(*mfu.ofDataSheet()), rate(*mfu.ceilings.dataSheet.flopsPerSecond));
        if (share && *share > 1)
            both +=
                tr("\nMore than all: ceilings are measured over a long time, and a short run may meet higher "
                   "clocks "
                   "or other kernels.");
        setFigure(kMfu, share ? percent(*share) : none,
                  share ? QStringLiteral("%1, %2").arg(rate(mfu.flopsPerSecond), of)
                        : tr("%1, no ceiling known").arg(rate(mfu.flopsPerSecond)),
                  tr("Matrix products that the model needs: %1").arg(rate(mfu.flopsPerSecond)) + both,
                  share ? of : QString());
    }
    if (m_overview->traffic) {
        const MemoryTraffic& traffic = *m_overview->traffic;
        const auto share = traffic.ofMeasured ? traffic.ofMeasured : traffic.ofDataSheet;
        const QString speed = toQString(formatByteRate(traffic.bytesPerSecond));
        setFigure(kTraffic, QStringLiteral("≥ %1").arg(share ? percent(*share) : speed),
                  share ? QStringLiteral("%1, %2").arg(
                              speed, traffic.ofMeasured ? tr("of measured") : tr("of data sheet"))
                        : QString(),
                  tr("What matrix products and AdamW must move at the least: %1 a step.\nElementwise work "
                     "comes on top.")
                      .arg(toQString(formatBytes(traffic.perStep))),
                  share ? speed : QString());
    }
    const GpuTimeUse& use = m_overview->gpu;
    const MissingRecords& missing = m_overview->missing;
    m_figures[kBusy].box->setVisible(use.wall.value > 0 || missing.lacksGpuWork());
    if (missing.lacksGpuWork())
        setFigure(kBusy, none, tr("its records are missing"),
                  tr("%1 are missing from the file: how busy the GPU was is not known.")
                      .arg(toQString(missingInWords(missing, {RecordKind::kKernels, RecordKind::kCopies}))));
    if (use.wall.value > 0) {
        const auto steps = static_cast<double>(use.steps), busy = static_cast<double>(use.busy.value);
        setFigure(
            kBusy, percent(busy / static_cast<double>(use.wall.value)),
            m_document.isIncomplete() ? tr("of what is there") : tr("%1 a step").arg(duration(busy / steps)),
            exactTime(busy / steps));
    }
    if (run.peak && missing.lacksMemory()) {
        setFigure(kPeak, QStringLiteral("≥ %1").arg(toQString(formatBytes(Bytes(sumOf(run.peak->bytes))))),
                  tr("of what is there"),
                  tr("%1 are missing from the file: the peak may have been higher, and at another moment.")
                      .arg(toQString(
                          missingInWords(missing, {RecordKind::kMemoryEvents, RecordKind::kAllocations}))));
    } else if (run.peak) {
        const Bytes peak(sumOf(run.peak->bytes));
        const auto limit = m_overview->memoryLimit;
        setFigure(kPeak, toQString(formatBytes(peak)),
                  limit
                      ? tr("%1 of %2")
                            .arg(percent(static_cast<double>(peak.value) / static_cast<double>(limit->value)),
                                 toQString(formatBytes(*limit)))
                      : QString(),
                  toQString(formatBytesExact(peak)));
    } else {
        showNoPeak();
    }
}

void SummaryPage::showNoPeak() {
    const auto& snapshot = m_document.snapshot();
    const MemoryAbsence absence = snapshot ? memoryAbsence(*snapshot) : MemoryAbsence::kNone;
    const QString why = toQString(memoryAbsenceInWords(absence));
    setFigure(kPeak, QStringLiteral("–"),
              absence == MemoryAbsence::kLost          ? tr("its records are missing")
              : absence == MemoryAbsence::kNotRecorded ? tr("not recorded")
                                                       : QString(),
              why);
}

void SummaryPage::showShares() {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    std::vector<ShareCard::Part> phases, gpu, memory;
    QString step, wall, peak;
    if (m_overview) {
        for (const RunOverview::PhaseTime& phase : m_overview->phases)
            phases.push_back({theme.phaseColor(phase.phase), toQString(phaseName(phase.phase)),
                              phase.nsPerStep, duration(phase.nsPerStep), exactTime(phase.nsPerStep)});
        const double least = kLeastPart * m_overview->summary.stepMean.value_or(0);
        if (!phases.empty() && m_overview->restOfStep > least)
            phases.push_back({colors.hairline, tr("between them"), m_overview->restOfStep,
                              duration(m_overview->restOfStep), exactTime(m_overview->restOfStep)});
        if (m_overview->summary.stepMean)
            step = duration(*m_overview->summary.stepMean);
        const GpuTimeUse& use = m_overview->gpu;
        const double steps = std::max(1.0, static_cast<double>(use.steps));
        const auto add = [&](const QColor& color, const QString& name, Nanoseconds time) {
            const double mean = static_cast<double>(time.value) / steps;
            gpu.push_back({color, name, mean, duration(mean), exactTime(mean)});
        };
        if (use.wall.value > 0) {
            const auto idle = [&](IdleCause cause) { return use.idle[static_cast<std::size_t>(cause)]; };
            add(colors.accent, tr("busy"), use.busy);
            // In none of the colours that memory's categories have beside them.
            add(colors.warning, tr("idle, host late"), idle(IdleCause::kHostLate));
            add(colors.secondaryText, tr("idle, synchronization"), idle(IdleCause::kSynchronization));
            add(Theme::mixed(colors.secondaryText, colors.hairline, 0.5), tr("idle, kernel gap"),
                idle(IdleCause::kGap));
            add(colors.hairline, tr("idle, unknown"), idle(IdleCause::kUnknown));
            wall = duration(static_cast<double>(use.wall.value) / steps);
        }
        if (m_overview->summary.peak) {
            const CategoryBytes& bytes = m_overview->summary.peak->bytes;
            const auto whole = static_cast<double>(sumOf(bytes));
            for (std::size_t c = 0; c < bytes.size(); ++c) {
                const auto amount = static_cast<double>(bytes[c]);
                if (amount >= kLeastPart * whole)
                    memory.push_back({Theme::categoryColor(static_cast<Category>(c)),
                                      toQString(kCategoryNames[c]), amount,
                                      toQString(formatBytes(Bytes(bytes[c]))),
                                      toQString(formatBytesExact(Bytes(bytes[c])))});
            }
            peak = toQString(formatBytes(Bytes(sumOf(bytes))));
        }
    }
    m_phases->setVisible(!phases.empty());
    m_gpu->setVisible(!gpu.empty());
    m_memory->setVisible(!memory.empty());
    m_phases->setToolTip(!m_overview ? QString()
                         : m_overview->phaseClock == PhaseClock::kDevice
                             ? tr("As the GPU went through them, by CUDA's events")
                             : QString());
    QString clock = m_overview ? toQString(m_overview->hostClock) : QString();
    if (!clock.isEmpty())
        clock[0] = clock[0].toUpper();
    m_phases->setNote(clock);
    m_memory->setNote(
        m_overview && m_overview->missing.lacksMemory()
            ? tr("At least: %1 are missing from the file")
                  .arg(toQString(missingInWords(m_overview->missing,
                                                {RecordKind::kMemoryEvents, RecordKind::kAllocations})))
            : QString());
    m_phases->setParts(std::move(phases), step);
    m_gpu->setParts(std::move(gpu), wall);
    m_memory->setParts(std::move(memory), peak);
}

void SummaryPage::showFindings() {
    static const std::vector<Finding> kNone;
    const std::vector<Finding>& found = m_overview ? m_overview->findings : kNone;
    m_nothing->setVisible(m_overview && found.empty());
    m_nothing->setText(m_document.isLive() ? tr("Nothing stands out so far.")
                       : m_document.isIncomplete() || (m_overview && m_overview->missing.any())
                           ? tr("Nothing stands out in what is there.")
                           : tr("Nothing stands out."));
    // Cards that say the same stay, and with them the focus.
    const bool same = std::equal(found.begin(), found.end(), m_findings.begin(), m_findings.end(),
                                 [](const Finding& a, const FindingCard* card) {
                                     return a.rule == card->finding().rule &&
                                            a.sentence == card->finding().sentence &&
                                            a.remedy == card->finding().remedy &&
                                            a.trial.has_value() == card->finding().trial.has_value();
                                 });
    if (same)
        return;
    // Later: one of them may be what asks for another run.
    for (FindingCard* card : m_findings) {
        card->hide();
        card->deleteLater();
    }
    m_findings.clear();
    qDeleteAll(m_findingHeads);
    m_findingHeads.clear();
    for (const Finding& finding : found) {
        if (m_findings.empty() || costOf(finding) != costOf(m_findings.back()->finding())) {
            auto* head =
                new QLabel(toQString(kFindingCostHeads[static_cast<std::size_t>(costOf(finding))]), m_page);
            head->setFont(Theme::headFont());
            head->setProperty("secondary", true);
            head->setContentsMargins(0, m_findings.empty() ? 0 : Metrics::kSpace2, 0, 0);
            m_findingColumn->addWidget(head);
            head->show();
            m_findingHeads.append(head);
        }
        auto* card = new FindingCard(finding, m_page);
        m_findingColumn->addWidget(card);
        card->show();  // now, so that the page's height counts it
        connect(card, &FindingCard::showRequested, this, &SummaryPage::showRequested);
        connect(card, &FindingCard::tryRequested, this, &SummaryPage::tryRequested);
        m_findings.push_back(card);
    }
}

void SummaryPage::layOutColumns() {
    const bool beside = width() >= kTwoColumns;
    m_content->setMaximumWidth(beside ? 2 * kMostWidth : kMostWidth);
    m_columns->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_columns->setStretch(0, beside ? 1 : 0);  // below each other, the figures are as high as they are
    m_columns->setStretch(1, 1);
}

void SummaryPage::resizeEvent(QResizeEvent* event) {
    layOutColumns();
    QScrollArea::resizeEvent(event);
}

void SummaryPage::refreshNow() {
    if (m_growth.isActive()) {
        m_growth.stop();
        m_query.invalidate(DeferredQuery::Cause::kGrowth);
    }
    m_query.runNow();
}

void SummaryPage::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    m_query.setActive(true);
}

void SummaryPage::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
