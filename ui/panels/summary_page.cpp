#include "ui/panels/summary_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "engine/base/format.h"
#include "ui/controls/card_layout.h"
#include "ui/controls/failure_note.h"
#include "ui/controls/summary_label.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/share_card.h"
#include "ui/panels/summary_shares.h"
#include "ui/panels/summary_tiles.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Wider, a line of text is hard to follow, and a bar says no more.
constexpr int kMostWidth = 1320;
/// So wide, findings stand beside the figures and not beneath them.
constexpr int kTwoColumns = 2000;
/// Fits a name, a value and a share.
constexpr int kSharesWidth = 236;
constexpr int kTitleSize = 20, kBoundSize = 15;

/// A line of text that is hidden until there is something to say.
template <typename Label = QLabel>
Label* addLine(QWidget* parent, const char* name, const char* style, QVBoxLayout& column) {
    auto* line = named(new Label(parent), name);
    line->setTextFormat(Qt::PlainText);
    line->setProperty(style, true);
    line->setWordWrap(true);
    line->hide();
    column.addWidget(line);
    return line;
}

}  // namespace

SummaryPage::SummaryPage(RunDocument& document, QWidget* parent)
    : QScrollArea(parent), m_document(document), m_page(new QWidget(this)), m_content(new QWidget(m_page)) {
    showFailures(this, m_document.overview().query());
    setNames(this, "summary", tr("Summary"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);  // so that the arrow keys scroll it

    QWidget* content = m_content;
    m_columns = new QBoxLayout(QBoxLayout::TopToBottom, content);
    m_columns->setContentsMargins(Metrics::kSpace4, Metrics::kSpace3, Metrics::kSpace4, Metrics::kSpace4);
    m_columns->setSpacing(Metrics::kSpace3);
    auto* column = new QVBoxLayout;
    column->setSpacing(Metrics::kSpace3);
    buildHead(column, content);
    m_tiles = std::make_unique<SummaryTiles>(content);
    column->addLayout(m_tiles->layout());
    m_incomplete =
        new QLabel(tr("Part of the run is missing: figures and findings cover only the rest."), content);
    m_incomplete->setObjectName(QStringLiteral("summaryIncomplete"));
    m_incomplete->setWordWrap(true);
    m_incomplete->hide();
    column->addWidget(m_incomplete);
    m_caution = addLine(content, "summaryCaution", "problem", *column);
    m_conditions = addLine(content, "summaryConditions", "secondary", *column);
    m_phases = new ShareCard(tr("Step time by phase"), content);
    m_gpu = new ShareCard(tr("Step time by GPU state"), content);
    m_memory = new ShareCard(tr("Memory at the peak"), content);
    auto* shares = new CardLayout(kSharesWidth);
    for (ShareCard* card : {m_phases, m_gpu, m_memory})
        shares->addWidget(card);
    column->addLayout(shares);
    column->addStretch(1);
    m_columns->addLayout(column);

    auto* findings = new QVBoxLayout;
    m_nothing = named(new QLabel(content), "noFinding");
    m_nothing->setWordWrap(true);
    findings->addWidget(m_nothing);
    m_findingColumn = new QVBoxLayout;
    m_findingColumn->setSpacing(Metrics::kSpace2);
    findings->addLayout(m_findingColumn);
    m_more = named(new QLabel(content), "moreFindings");
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

    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &SummaryPage::takeScrollTop);
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_wantedTop.reset(); });
    connect(&m_document.overview(), &SharedOverview::changed, this, &SummaryPage::showOverview);
    // Damage is found when a chunk is read, which another view may be the first to do.
    connect(&m_document, &RunDocument::warningsChanged, this, [this] {
        showHead();
        m_tiles->show(overview(), m_document);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { showShares(); });
    showOverview();
}

SummaryPage::~SummaryPage() = default;

void SummaryPage::buildHead(QVBoxLayout* column, QWidget* page) {
    m_title = named(new SentenceLabel(page), "summaryTitle");
    m_title->setFigureText(QStringLiteral(""));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setFont(titleFont(kTitleSize));
    m_state = named(new SentenceLabel(page), "summaryState");
    m_state->setFigureText(QStringLiteral(""));  // a caption says what did not end well
    m_losses = named(new SentenceLabel(page), "summaryLosses");
    m_description = named(new SummaryLabel(page), "summaryDescription");
    m_description->setProperty("secondary", true);
    for (SentenceLabel* label : {m_state, m_losses}) {
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
    m_bound = addLine<SentenceLabel>(page, "summaryBound", "strong", *head);
    m_bound->setFigureText(QStringLiteral(""));
    m_bound->setFont(sized(Theme::strongFont(), kBoundSize));
    column->addLayout(head);
}

QString SummaryPage::figure(const QString& caption) const {
    return m_tiles->value(caption);
}

void SummaryPage::showOverview() {
    showHead();
    m_tiles->show(overview(), m_document);
    showConditions();
    showShares();
    showFindings();
    takeScrollTop();
}

void SummaryPage::setName(const QString& name) {
    if (name == m_name)
        return;
    m_name = name;
    showHead();
}

Heading SummaryPage::heading() const {
    return {m_name.isEmpty() ? tr("Summary") : tr("Summary of %1").arg(m_title->text()), m_bound->text()};
}

int SummaryPage::scrollTop() const {
    return m_wantedTop.value_or(verticalScrollBar()->value());
}

void SummaryPage::restoreScrollTop(int top) {
    m_wantedTop = top;
    takeScrollTop();
}

void SummaryPage::takeScrollTop() {
    if (!m_wantedTop)
        return;
    verticalScrollBar()->setValue(*m_wantedTop);
    if (overview() && verticalScrollBar()->value() == *m_wantedTop)
        m_wantedTop.reset();
}

/// Left to Qt, the focus of what is hidden goes on to the next button, and the page is scrolled to that.
void SummaryPage::leaveFocusOf(const QWidget& card) {
    if (const QWidget* focused = window()->focusWidget(); focused && card.isAncestorOf(focused))
        setFocus(Qt::OtherFocusReason);
}

void SummaryPage::showConditions() {
    const RunConditions conditions = overview() ? overview()->conditions : RunConditions();
    const std::string cautions = overview() ? joinedSentences(cautionsOf(*overview())) : std::string(),
                      words = conditions.inWords();
    m_caution->setText(toQString(cautions));
    m_caution->setVisible(!cautions.empty());
    QStringList lines;
    if (!words.empty())
        lines << tr("Conditions: %1").arg(toQString(words));
    if (overview() && !overview()->recordingCost.empty())
        lines << toQString(overview()->recordingCost);
    m_conditions->setText(lines.join(QLatin1Char('\n')));
    m_conditions->setVisible(!lines.isEmpty());
}

void SummaryPage::showHead() {
    const QString without = overview() ? toQString(drawnWithout(*overview())) : QString();
    m_incomplete->setVisible(overview() && (m_document.isIncomplete() || !without.isEmpty()));
    if (overview())
        m_incomplete->setText(
            !without.isEmpty() ? without
                               : tr("Part of the run is missing: figures and findings cover only the rest."));
    if (!overview()) {
        m_title->setText(m_document.snapshot() ? tr("Adding up…") : QString());
        for (QLabel* label : std::initializer_list<QLabel*>{m_state, m_losses, m_description})
            label->clear();
        m_bound->clear();
        m_bound->hide();
        return;
    }
    const RunSummary& run = overview()->summary;
    const QString ownTitle = run.title.empty() ? tr("A run that does not state its configuration")
                                               : cutName(toQString(run.title), 120);
    m_title->setText(m_name.isEmpty() ? ownTitle : cutName(m_name, 120));
    QStringList words;
    if (!m_name.isEmpty())
        words << ownTitle;
    for (const std::string& text : {overview()->description, overview()->device}) {
        if (!text.empty())
            words << toQString(text);
    }
    const QString dot = QStringLiteral(" · ");
    m_description->setText(words.join(dot));
    m_description->setFigureText(
        toQString(overview()->description).section(dot, -1));  // its caption says more
    const std::string& bound = overview()->bound;
    m_bound->setText(toQString(bound.empty() ? bound : capitalized(bound) + "."));
    m_bound->setVisible(!bound.empty());
    m_state->setText(cutName(toQString(stateInWords(run)), 40));
    m_state->setToolTip(cutName(toQString(run.stateMessage), kMostToolTipLetters));
    std::uint64_t lost = 0;
    QStringList names;
    for (const LossCount& loss : run.losses) {
        lost += loss.count;
        names << tr("%1 × %2").arg(loss.count).arg(toQString(loss.name));
    }
    // That a run is whole goes without saying.
    m_losses->setText(m_document.isIncomplete() ? tr("Part of it is missing")
                      : lost == 0               ? QString()
                      : lost == 1               ? tr("1 record lost")
                                                : tr("%1 records lost").arg(lost));
    m_losses->setToolTip(names.join(QLatin1Char('\n')));
}

void SummaryPage::showShares() {
    const auto show = [this](ShareCard& card, SummaryShares (*sharesOf)(const RunOverview&)) {
        SummaryShares shares = overview() ? sharesOf(*overview()) : SummaryShares();
        card.setVisible(!shares.parts.empty());
        card.setNote(shares.note);
        card.setParts(std::move(shares.parts), shares.total);
    };
    show(*m_phases, phaseShares);
    show(*m_gpu, gpuShares);
    show(*m_memory, memoryShares);
    m_phases->setToolTip(overview() && overview()->phasesByGpu ? tr("By the GPU's clock, with CUDA's events")
                                                               : QString());
}

void SummaryPage::showFindings() {
    static const std::vector<Finding> kNone;
    const std::vector<Finding>& found = overview() ? overview()->findings : kNone;
    m_nothing->setVisible(overview() && found.empty());
    m_nothing->setText(m_document.isLive()         ? tr("Nothing stands out so far.")
                       : m_document.isIncomplete() ? tr("Nothing stands out in what is there.")
                       : overview()                ? toQString(nothingFound(*overview()))
                                                   : QString());
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
        leaveFocusOf(*card);
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
            setSecondary(head, Theme::headFont());
            head->setContentsMargins(0, m_findings.empty() ? 0 : Metrics::kSpace2, 0, 0);
            m_findingColumn->addWidget(head);
            head->show();
            m_findingHeads.append(head);
        }
        auto* card = new FindingCard(finding, m_page);
        card->setNarrow(isNarrow());
        m_findingColumn->addWidget(card);
        card->show();  // now, so that the page's height counts it
        connect(card, &FindingCard::showRequested, this, &SummaryPage::showRequested);
        connect(card, &FindingCard::tryRequested, this, &SummaryPage::tryRequested);
        m_findings.push_back(card);
    }
    refreshTrials();
}

void SummaryPage::setTrialRefusal(std::function<QString(const Trial&)> whyNot) {
    m_trialRefusal = std::move(whyNot);
    refreshTrials();
}

void SummaryPage::refreshTrials() {
    for (FindingCard* card : m_findings) {
        if (card->finding().trial)
            card->setTryRefusal(m_trialRefusal ? m_trialRefusal(*card->finding().trial) : QString());
    }
}

void SummaryPage::layOutColumns() {
    const bool beside = width() >= kTwoColumns;
    m_content->setMaximumWidth(beside ? 2 * kMostWidth : kMostWidth);
    m_columns->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_columns->setStretch(0, beside ? 1 : 0);  // below each other, the figures are as high as they are
    m_columns->setStretch(1, 1);
    for (FindingCard* card : m_findings)
        card->setNarrow(isNarrow());
}

void SummaryPage::resizeEvent(QResizeEvent* event) {
    layOutColumns();
    QScrollArea::resizeEvent(event);
}

void SummaryPage::refreshNow() {
    m_document.overview().runNow();
}

void SummaryPage::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    m_document.overview().setWanted(*this, true);
}

void SummaryPage::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    m_document.overview().setWanted(*this, false);
}

}  // namespace warpglass::ui
