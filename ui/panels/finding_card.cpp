#include "ui/panels/finding_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/findings/trial_outcome.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/stacked_bar.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kCostWidth = 116;  // "of what is reserved" in the table font
constexpr int kBar = 4, kBarWidth = 96;

QLabel* addText(QWidget* parent, const QString& text, bool secondary) {
    auto* label = new QLabel(cutName(text, kMostToolTipLetters), parent);
    label->setTextFormat(Qt::PlainText);
    wrapWords(*label);
    label->setProperty("secondary", secondary);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

/// What its bar shows; 0 for what ran out of memory, which is a share of nothing.
double shareOf(const Finding& finding) {
    if (finding.rule == "out-of-memory")
        return 0;
    return costOf(finding) == FindingCost::kTime ? finding.stepShare : finding.peakShare;
}

QString exactCost(const Finding& finding) {
    QStringList lines;
    if (finding.nsPerStep > 0)
        lines << FindingCard::tr("%1 ns per step")
                     .arg(toQString(formatGrouped(static_cast<std::int64_t>(finding.nsPerStep))));
    if (finding.bytes.value > 0)
        lines << toQString(formatBytesExact(finding.bytes));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

std::pair<QString, QString> costInWords(const Finding& finding) {
    if (finding.rule == "out-of-memory")
        return {finding.bytes.value > 0 ? toQString(formatBytes(finding.bytes)) : FindingCard::tr("failed"),
                FindingCard::tr("beyond the limit")};
    if (finding.rule == "fragmentation")
        return {toQString(formatPercent(finding.peakShare)), FindingCard::tr("of reserved memory")};
    if (costOf(finding) == FindingCost::kTime)
        return {toQString(formatPercent(finding.stepShare)), FindingCard::tr("of the step")};
    return {toQString(formatPercent(finding.peakShare)), FindingCard::tr("of the peak")};
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent), m_finding(finding) {
    const QString rule = toQString(finding.rule), sentence = toQString(finding.sentence);
    setObjectName(QStringLiteral("finding-") + rule);
    setProperty("card", true);
    setAccessibleName(sentence);

    const auto [cost, ofWhat] = costInWords(finding);
    auto* amount = new QLabel(cost, this);
    amount->setFont(titleFont(17));
    auto* of = new QLabel(ofWhat, this);
    setSecondary(of);
    m_cost = new QBoxLayout(QBoxLayout::TopToBottom);
    m_costLabels = {amount, of};
    for (QLabel* label : m_costLabels) {
        label->setToolTip(exactCost(finding));
        m_cost->addWidget(label);
    }
    m_bar = new StackedBar(this);
    m_bar->setFixedSize(kBarWidth, kBar);
    m_bar->setVisible(shareOf(finding) > 0);
    colorBar();
    m_cost->addSpacing(Metrics::kSpace1);
    m_cost->addWidget(m_bar);
    m_cost->addStretch(1);

    auto* middle = new QVBoxLayout;
    middle->setSpacing(2);
    middle->addWidget(addText(this, sentence, false));
    QString remedy = toQString(finding.remedy);
    if (finding.trial)
        remedy += QLatin1Char(' ') + toQString(expectationSentence(*finding.trial));
    if (!remedy.trimmed().isEmpty()) {
        m_remedy = addText(this, remedy.trimmed(), true);
        middle->addWidget(m_remedy);
    }
    middle->addStretch(1);

    m_body = new QBoxLayout(QBoxLayout::LeftToRight);
    m_body->addLayout(m_cost);
    m_body->addLayout(middle, 1);
    setNarrow(false);

    auto* layout = spaced(new QHBoxLayout(this), Metrics::kCardMargins, Metrics::kSpace2);
    layout->addLayout(m_body, 1);
    layout->addSpacing(Metrics::kSpace2);
    if (finding.trial) {
        m_try = new QPushButton(tr("Try it"), this);
        m_try->setObjectName(QStringLiteral("try-") + rule);
        m_try->setAccessibleName(
            tr("Try %1 %2").arg(toQString(finding.trial->setting), toQString(finding.trial->value)));
        m_try->setProperty("accent", true);
        setTryRefusal({});
        layout->addWidget(m_try, 0, Qt::AlignVCenter);
        connect(m_try, &QPushButton::clicked, this, [this] { emit tryRequested(*m_finding.trial); });
    }
    auto* show = new QPushButton(tr("Show"), this);
    show->setObjectName(QStringLiteral("show-") + rule);
    show->setToolTip(tr("Shows where, in the timeline, the memory chart or the tables"));
    show->setAccessibleName(tr("Show: %1").arg(sentence));
    layout->addWidget(show, 0, Qt::AlignVCenter);
    connect(show, &QPushButton::clicked, this, [this] { emit showRequested(m_finding); });
}

void FindingCard::setTryRefusal(const QString& why) {
    if (!m_try)
        return;
    m_try->setEnabled(why.isEmpty());
    m_try->setToolTip(why.isEmpty()
                          ? tr("Runs the same with --%1 %2, then says whether the gain came true")
                                .arg(toQString(m_finding.trial->setting), toQString(m_finding.trial->value))
                          : why);
    m_try->setStatusTip(why);
    m_try->setAccessibleDescription(m_try->toolTip());
}

void FindingCard::setNarrow(bool narrow) {
    const auto direction = narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (layout() && m_body->direction() == direction)
        return;
    m_body->setDirection(direction);
    m_body->setSpacing(narrow ? 2 : Metrics::kSpace2);
    m_cost->setDirection(narrow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_cost->setSpacing(narrow ? Metrics::kSpace2 : 0);
    for (QLabel* label : m_costLabels) {
        label->setMinimumWidth(narrow ? 0 : kCostWidth);
        label->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : kCostWidth);
    }
    layOut();
}

void FindingCard::setBrief(bool brief) {
    if (!m_remedy || m_brief == brief)
        return;
    m_brief = brief;
    m_remedy->setVisible(!brief);
    layOut();
}

void FindingCard::colorBar() {
    const ThemeColors& colors = Theme::instance().colors();
    const double share = std::clamp(shareOf(m_finding), 0.0, 1.0);
    m_bar->setParts({{colors.accent, share, {}}, {colors.hairline, 1 - share, {}}});
}

void FindingCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::StyleChange)
        colorBar();
    QFrame::changeEvent(event);
}

/// At once, so that the page knows its height.
void FindingCard::layOut() {
    if (!layout())
        return;  // it is being made
    layout()->invalidate();
    layout()->activate();
}

}  // namespace warpglass::ui
