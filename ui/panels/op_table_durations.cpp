// How the durations of a table's row are spread, beside the table.
#include <QSortFilterProxyModel>
#include <QToolButton>

#include "ui/controls/data_table.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/op_table.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// From here there is room for every column of nsys beside the histogram.
constexpr int kWide = 980;

}  // namespace

void OpTable::setDistributionShown(bool shown) {
    m_distributionChosen = true;
    showDurations(shown);
}

void OpTable::showDurations(bool shown) {
    m_histogram->setChecked(shown);
    m_distribution->setVisible(shown);
    m_distributionQuery.setActive(shown && isVisible());
    if (shown)
        m_distributionQuery.invalidate(DeferredQuery::Cause::kPerson);
}

/// Unless the user has chosen, the durations come with a row to show them of, where there is room.
void OpTable::fitDistribution() {
    const bool shown = width() >= kWide && rowToShow() >= 0;
    if (m_distributionChosen || shown != m_distribution->isHidden())
        return;
    m_distribution->showSentence({});  // what it said was of another row
    showDurations(shown);
}

/// The one that was activated, else the current one; rows may have moved since.
int OpTable::rowToShow() const {
    for (int row = 0; m_longestOf && row < m_model.rowCount(); ++row) {
        if (m_model.rowAt(row).key == *m_longestOf)
            return row;
    }
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_table->proxy()->mapToSource(current).row() : -1;
}

DeferredQuery::Job OpTable::makeDistributionJob() {
    const auto snapshot = m_document.snapshot();
    m_row = rowToShow();
    if (!snapshot || m_row < 0 || m_row >= m_model.rowCount()) {
        return {[this] {
            return [this] {
                m_longestOf.reset();
                m_distribution->showSentence(tr("Select a row to see the distribution of its durations"));
                m_distributionQuery.setActive(isVisible() && !m_distribution->isHidden());
            };
        }};
    }
    const SpanSet set =
        m_model.spansOf(m_row, trackKind(), m_filter.spanFilter(), m_filter.state().text.toStdString());
    const SpanTableRow& row = m_model.rowAt(m_row);
    if (m_longestOf != row.key)
        m_longestOf.reset();  // it is gone
    const QString title = toQString(row.isGroup && !row.row.group.empty() ? row.row.group
                                    : !row.row.title.empty()              ? row.row.title
                                                                          : row.row.figures.name);
    return {[this, snapshot, set, title, longestOf = m_longestOf] {
                auto distribution = durationDistribution(*snapshot, set);
                return [this, distribution = std::move(distribution), title, longestOf] {
                    m_distribution->showDistribution(title, distribution);
                    const bool go = longestOf && m_longestOf == longestOf;
                    if (go)
                        m_longestOf.reset();
                    if (go && distribution.longestOfAll)
                        goTo(*distribution.longestOfAll);
                    m_distributionQuery.setActive(isVisible() && !m_distribution->isHidden());
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

}  // namespace warpglass::ui
