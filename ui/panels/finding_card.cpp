#include "ui/panels/finding_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "engine/base/format.h"
#include "engine/query/findings/trial_outcome.h"
#include "ui/models/table_model.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kCostWidth = 116;  // "of what is reserved" in the table font

QLabel* addText(QWidget* parent, const QString& text, bool secondary) {
    auto* label = new QLabel(cutName(text, kMostToolTipLetters), parent);
    label->setTextFormat(Qt::PlainText);
    wrapWords(*label);
    label->setProperty("secondary", secondary);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

/// As it ranks among those beside it.
std::pair<QString, QString> costInWords(const Finding& finding) {
    if (finding.rule == "out-of-memory")
        return {finding.bytes.value > 0 ? toQString(formatBytes(finding.bytes)) : FindingCard::tr("failed"),
                FindingCard::tr("beyond the limit")};
    if (finding.rule == "fragmentation")
        return {toQString(formatPercent(finding.peakShare)), FindingCard::tr("of what is reserved")};
    if (costOf(finding) == FindingCost::kTime)
        return {toQString(formatPercent(finding.stepShare)), FindingCard::tr("of the step")};
    return {toQString(formatPercent(finding.peakShare)), FindingCard::tr("of the peak")};
}

QString exactCost(const Finding& finding) {
    QStringList lines;
    if (finding.nsPerStep > 0)
        lines << FindingCard::tr("%1 ns a step")
                     .arg(toQString(formatGrouped(static_cast<std::int64_t>(finding.nsPerStep))));
    if (finding.bytes.value > 0)
        lines << toQString(formatBytesExact(finding.bytes));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent), m_finding(finding) {
    const QString rule = toQString(finding.rule), sentence = toQString(finding.sentence);
    setObjectName(QStringLiteral("finding-") + rule);
    setProperty("card", true);
    setAccessibleName(sentence);

    const auto [cost, ofWhat] = costInWords(finding);
    auto* amount = new QLabel(cost, this);
    QFont large = Theme::textFont();
    large.setPixelSize(17);
    large.setWeight(QFont::DemiBold);
    amount->setFont(large);
    auto* of = new QLabel(ofWhat, this);
    of->setFont(Theme::tableFont());
    of->setProperty("secondary", true);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    for (QLabel* label : {amount, of}) {
        label->setToolTip(exactCost(finding));
        label->setFixedWidth(kCostWidth);
        left->addWidget(label);
    }
    left->addStretch(1);

    auto* middle = new QVBoxLayout;
    middle->setSpacing(2);
    middle->addWidget(addText(this, sentence, false));
    QString remedy = toQString(finding.remedy);
    if (finding.trial)
        remedy += QLatin1Char(' ') + toQString(expectationSentence(*finding.trial));
    if (!remedy.trimmed().isEmpty())
        middle->addWidget(addText(this, remedy.trimmed(), true));
    middle->addStretch(1);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Metrics::kSpace3, Metrics::kSpace2, Metrics::kSpace3, Metrics::kSpace2);
    layout->setSpacing(Metrics::kSpace2);
    layout->addLayout(left);
    layout->addLayout(middle, 1);
    layout->addSpacing(Metrics::kSpace2);
    if (finding.trial) {
        auto* attempt = new QPushButton(tr("Try it"), this);
        attempt->setObjectName(QStringLiteral("try-") + rule);
        attempt->setToolTip(tr("Runs the same with --%1 %2, then says whether the gain came true")
                                .arg(toQString(finding.trial->setting), toQString(finding.trial->value)));
        attempt->setAccessibleName(
            tr("Try %1 %2").arg(toQString(finding.trial->setting), toQString(finding.trial->value)));
        attempt->setAccessibleDescription(attempt->toolTip());
        layout->addWidget(attempt, 0, Qt::AlignVCenter);
        connect(attempt, &QPushButton::clicked, this, [this] { emit tryRequested(*m_finding.trial); });
    }
    auto* show = new QPushButton(tr("Show"), this);
    show->setObjectName(QStringLiteral("show-") + rule);
    show->setToolTip(tr("Shows where, in the timeline, the memory chart or the tables"));
    show->setAccessibleName(tr("Show: %1").arg(sentence));
    layout->addWidget(show, 0, Qt::AlignVCenter);
    connect(show, &QPushButton::clicked, this, [this] { emit showRequested(m_finding); });
}

}  // namespace warpglass::ui
