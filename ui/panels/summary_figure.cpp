// The summary in a figure, which cannot be scrolled: the findings that fit whole, and how many do not; their
// sentences alone where these do not all fit.
#include <QBoxLayout>
#include <QLabel>
#include <algorithm>
#include <initializer_list>

#include "ui/panels/finding_card.h"
#include "ui/panels/share_card.h"
#include "ui/panels/summary_page.h"
#include "ui/panels/summary_tiles.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

/// As they stand on the page, the head before them all.
QList<QWidget*> SummaryPage::partsInOrder() const {
    QList<QWidget*> parts = m_tiles->boxes();
    parts << m_incomplete << m_caution << m_conditions << m_phases << m_gpu << m_memory << m_nothing;
    for (QLabel* head : m_findingHeads)
        parts << head;
    for (FindingCard* card : m_findings)
        parts << card;
    parts.removeIf([](const QWidget* part) { return part->isHidden(); });
    const auto topOf = [this](const QWidget* part) { return part->mapTo(m_page, QPoint()).y(); };
    std::ranges::stable_sort(parts, [&](const QWidget* a, const QWidget* b) { return topOf(a) < topOf(b); });
    return parts;
}

void SummaryPage::setInFigure(bool inFigure) {
    if (inFigure)
        return;
    for (const QPointer<QWidget>& part : m_leftOut) {
        if (part)
            part->show();
    }
    m_leftOut.clear();
    m_more->hide();
    setBrief(false);
}

void SummaryPage::setBrief(bool brief) {
    // Beside one another the largest has room for what would change it.
    for (FindingCard* card : m_findings)
        card->setBrief(brief && (isNarrow() || card != m_findings.front()));
    for (QLayout* layout : std::initializer_list<QLayout*>{m_columns, m_page->layout()}) {
        layout->invalidate();
        layout->activate();
    }
}

/// Where they do not all fit, what would change a finding is left out before a finding is.
QList<QWidget*> SummaryPage::partsFor(int height) {
    QList<QWidget*> parts = partsInOrder();
    if (wholeParts(parts, height) == parts.size())
        return parts;
    setBrief(true);
    return partsInOrder();
}

int SummaryPage::bottomOf(const QWidget& part) const {
    return part.mapTo(m_page, QPoint(0, part.height())).y();
}

int SummaryPage::moreHeight() const {
    return QFontMetrics(m_more->font()).height() + Metrics::kSpace3;
}

/// How many of them are within the height with the line for the others under them; all where they all are.
qsizetype SummaryPage::wholeParts(const QList<QWidget*>& parts, int height) const {
    // Where several begin at one height, the last need not be the one that ends last.
    const auto endsWithin = [this](const QWidget* part, int most) { return bottomOf(*part) <= most; };
    if (std::ranges::all_of(parts, [&](const QWidget* part) { return endsWithin(part, height); }))
        return parts.size();
    qsizetype whole = 0;
    while (whole < parts.size() && endsWithin(parts[whole], height - moreHeight()))
        ++whole;
    // A heading stands over something.
    while (whole > 0 && m_findingHeads.contains(qobject_cast<QLabel*>(parts[whole - 1])))
        --whole;
    return whole;
}

int SummaryPage::figureHeight(int, int most) {
    const QList<QWidget*> parts = partsFor(most - Metrics::kSpace4);
    const qsizetype whole = wholeParts(parts, most - Metrics::kSpace4);
    if (whole == 0)
        return 0;
    int bottom = 0;
    for (const QWidget* part : parts.first(whole))
        bottom = std::max(bottom, bottomOf(*part));
    return bottom + Metrics::kSpace4 + (whole < parts.size() ? moreHeight() : 0);
}

void SummaryPage::fitInFigure() {
    const QList<QWidget*> parts = partsFor(viewport()->height());
    const qsizetype whole = wholeParts(parts, viewport()->height());
    if (whole == parts.size())
        return;
    qsizetype findings = 0;
    for (QWidget* part : parts.mid(whole)) {
        findings += qobject_cast<FindingCard*>(part) ? 1 : 0;
        part->hide();
        m_leftOut << part;
    }
    const bool some = static_cast<qsizetype>(m_findings.size()) > findings;
    m_more->setText(findings == 1 ? (some ? tr("1 more finding") : tr("1 finding has no room here"))
                    : some        ? tr("%1 more findings").arg(findings)
                                  : tr("%1 findings have no room here").arg(findings));
    m_more->setVisible(findings > 0);
    if (QLayout* page = m_page->layout()) {
        page->invalidate();
        page->activate();
    }
}

}  // namespace warpglass::ui
