// What OpTable says over its rows, and in place of them where there are none.
#include <array>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/statistics/time_sentences.h"
#include "ui/controls/data_table.h"
#include "ui/controls/summary_label.h"
#include "ui/panels/op_table.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

/// All of a damaged file is read for it: so on a worker, and only for a table without rows.
OpTable::NoRows OpTable::whyNoRows(const Snapshot& snapshot, Subject subject) {
    NoRows none;
    const Completeness completeness(snapshot);
    if (subject == Subject::kOps) {
        none.unrecorded = toQString(completeness.why(DataKind::kOps));
    } else if (const Absence kernels = completeness.absenceOf(DataKind::kKernels);
               subject == Subject::kKernels && kernels != Absence::kNothingYet) {
        none.unrecorded = toQString(absenceInWords(DataKind::kKernels, kernels));
    } else if (kernels == Absence::kNotRecorded) {
        none.unrecorded = tr("The run was recorded without copies");  // they come with the kernels
    }
    const RecordKind kind = subject == Subject::kKernels  ? RecordKind::kKernels
                            : subject == Subject::kCopies ? RecordKind::kCopies
                                                          : RecordKind::kOps;
    none.lost = toQString(missingInWords(completeness.missing(), {kind}));
    return none;
}

/// What stands in place of the rows where there are none.
QString OpTable::emptyText() const {
    if (!m_document.snapshot())
        return m_document.noRunWords(tr("to see its ops"));
    if (!m_query.isIdle())
        return tr("Adding up…");
    if (!m_filter.state().text.isEmpty() && m_model.hasStatistics())
        return tr("No name and no module contains “%1”").arg(m_filter.state().text);
    if (!m_noRows.unrecorded.isEmpty())
        return m_noRows.unrecorded;
    if (!m_noRows.lost.isEmpty())
        return tr("Nothing of %1 is in the file; missing: %2").arg(m_words, m_noRows.lost);
    return (m_subject == Subject::kKernels  ? tr("No kernel begins in %1")
            : m_subject == Subject::kCopies ? tr("No copy begins in %1")
                                            : tr("No op begins in %1"))
        .arg(m_words);
}

Heading OpTable::heading() const {
    const std::array<QString, 3> titles = {tr("Ops"), tr("Kernels"), tr("Copies")};
    return {titles[static_cast<std::size_t>(m_subject)], m_table->finding()};
}

void OpTable::updateSummary() {
    const bool any = m_model.rowCount() > 0;
    if (!any)
        m_table->setEmptyText(emptyText());
    QStringList wordings;
    for (const std::string& wording : spansWordings(m_model.statistics().rows, trackKind()))
        wordings << toQString(wording);
    m_table->setFinding(wordings);
    m_summary->setText(any ? summaryOf(true) : QString());
    // The chips say what is counted.
    QStringList shorter;
    if (any)
        shorter = {summaryOf(false), timeText(), perStepText(), QString()};
    if (any && m_subject != Subject::kOps)
        shorter.insert(1, tr("GPU time %1").arg(timeText()));
    m_summary->setShorterTexts(shorter);
    QString toolTip = tr("%1 ns").arg(toQString(formatGrouped(m_model.self().value)));
    if (m_unsplit)
        toolTip +=
            tr(". A kernel that serves several modules is in the one that launched it, as a whole; "
               "Charts › Layers splits its time");
    for (const std::string& split : m_model.statistics().splits)
        toolTip += QStringLiteral(". ") + toQString(split);
    if (const std::string& roofs = m_model.statistics().roofs; !roofs.empty())
        toolTip += tr(". Roofs: %1").arg(toQString(roofs));
    m_summary->setToolTip(toolTip);
}

/// "3.89 ms per step" for several whole steps.
QString OpTable::perStepText() const {
    return m_steps > 1
               ? tr("%1 per step").arg(toQString(formatDuration(Nanoseconds(m_model.self().value / m_steps))))
               : toQString(formatDuration(m_model.self()));
}

QString OpTable::timeText() const {
    const QString all = toQString(formatDuration(m_model.self()));
    const QString time = m_subject == Subject::kOps ? tr("%1 self CPU").arg(all) : all;
    return m_steps > 1 ? QStringLiteral("%1, %2").arg(time, perStepText()) : time;
}

/// "1,055 ops begin in the selected 52.1 ms · 54.3 ms self"; without the words, "1,055 ops · 54.3 ms self".
/// For several whole steps also what each took: "… · 11.7 ms, 3.89 ms per step".
QString OpTable::summaryOf(bool words) const {
    const bool one = m_model.instances() == 1;
    const QString what = m_subject == Subject::kKernels  ? (one ? tr("kernel") : tr("kernels"))
                         : m_subject == Subject::kCopies ? (one ? tr("copy") : tr("copies"))
                                                         : (one ? tr("op") : tr("ops"));
    const QString in = !m_byBegin ? tr("in") : one ? tr("begins in") : tr("begin in");
    const QString text = QStringLiteral("%1 %2%3 · %4")
                             .arg(toQString(formatGrouped(m_model.instances())), what,
                                  words ? QStringLiteral(" %1 %2").arg(in, m_words) : QString(), timeText());
    if (!m_complete)
        return tr("%1 so far…").arg(text);
    if (!words)
        return text;
    // What else kept the GPU busy is in another list.
    const auto snapshot = m_document.snapshot();
    const bool copies =
        m_subject == Subject::kKernels && snapshot && !snapshot->tracksOfKind(TrackKind::kGpuCopies).empty();
    QString more = copies ? tr(" without copies and fills") : QString();
    if (m_unsplit)
        more += tr(" · kernels by the module that launched them");
    if (!m_model.statistics().splits.empty())
        more += tr(" · kernels that serve several modules are split");
    if (const std::string& roofs = m_model.statistics().roofs; !roofs.empty())
        more += tr(" · roofs: %1").arg(toQString(roofs));
    return text + more;
}

}  // namespace warpglass::ui
