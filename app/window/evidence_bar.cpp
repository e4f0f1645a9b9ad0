#include "app/window/evidence_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "engine/query/findings/finding.h"
#include "ui/controls/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

EvidenceBar::EvidenceBar(QWidget* parent)
    : QFrame(parent),
      m_sentence(ui::named(new QLabel(this), "evidenceSentence")),
      m_back(ui::named(new QPushButton(tr("Back to Summary"), this), "evidenceBack")),
      m_dismiss(ui::named(new QToolButton(this), "evidenceDismiss")) {
    setObjectName(QStringLiteral("evidenceBar"));
    setProperty("banner", true);
    setProperty("notice", true);
    auto* title = new QLabel(tr("Evidence"), this);
    title->setProperty("secondary", true);
    m_sentence->setTextFormat(Qt::PlainText);
    ui::wrapWords(*m_sentence);  // its number may be at its end
    m_back->setToolTip(tr("Back to the findings (Ctrl+1)"));
    m_dismiss->setProperty("segment", true);
    m_dismiss->setIcon(ui::makeQuietIcon(ui::Icon::kClose));
    m_dismiss->setToolTip(tr("Shows everything again: clears the finding's filter"));
    m_dismiss->setAccessibleName(tr("Dismiss the evidence"));
    m_dismiss->setFocusPolicy(Qt::StrongFocus);
    m_dismiss->setFixedSize(ui::Metrics::kControlHeight, ui::Metrics::kControlHeight);
    auto* layout = ui::spaced(new QHBoxLayout(this), ui::Metrics::kBarMargins, ui::Metrics::kSpace2);
    layout->addWidget(title);
    layout->addWidget(m_sentence, 1);
    ui::addAll(layout, {m_back, m_dismiss});
    connect(m_back, &QPushButton::clicked, this, &EvidenceBar::backWanted);
    connect(m_dismiss, &QToolButton::clicked, this, [this] {
        clear();
        emit dismissed();
    });
    hide();
}

void EvidenceBar::setFinding(const Finding& finding, const ui::RunFilter::State& counted) {
    say({finding.rule, ui::toQString(finding.sentence), counted});
}

EvidenceBar::Said EvidenceBar::said() const {
    return {m_rule, m_sentence->text(), m_counted};
}

void EvidenceBar::say(const Said& said) {
    m_rule = said.rule;
    m_counted = said.counted;
    m_sentence->setText(said.sentence);
    m_sentence->setToolTip(said.sentence);
    setAccessibleName(tr("Evidence: %1").arg(said.sentence));
    setVisible(true);
}

void EvidenceBar::setCounted(const ui::RunFilter::State& counted) {
    ui::RunFilter::State same = counted;
    same.text = m_counted.text;
    if (same != m_counted)
        clear();
}

void EvidenceBar::clear() {
    m_rule.clear();
    m_counted = {};
    hide();
}

void EvidenceBar::setVisible(bool visible) {
    QFrame::setVisible(visible && !m_rule.empty());
}

}  // namespace warpglass::app
