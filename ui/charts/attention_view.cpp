#include "ui/charts/attention_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include "engine/query/model/model_sentences.h"
#include "engine/query/model/plan_of_run.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The module under which a part of block `block` was recorded; a part of a module, "blocks.0.attn/scores",
/// has a range with the part's name.
QString moduleOf(AttentionPart part, const QString& attention, const QString& projection) {
    if (part == AttentionPart::kProjections)
        return projection;
    if (part == AttentionPart::kOutput)
        return attention + QStringLiteral(".output_proj");
    return attention;
}

}  // namespace

AttentionView::AttentionView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : TableChart(document, axis, filter, parent),
      m_chart(new AttentionChart(this)),
      m_note(named(new QLabel(this), "attentionNote")) {
    setSecondary(m_note);
    wrapWords(*m_note);
    m_note->setProperty("figureNote", true);  // the chart needs the room more (ui/controls/figure_mode.cpp)
    m_note->setContentsMargins(Metrics::kSpace4, Metrics::kSpace1, Metrics::kSpace4, Metrics::kSpace2);
    setNames(&table(), "attentionTable", tr("Parts of attention"));
    bar().setContentsMargins(Metrics::kBarMargins);
    auto* top = new QWidget(this);
    auto* topLayout = spaced(new QVBoxLayout(top), {}, 0);
    topLayout->addWidget(m_chart, 1);
    topLayout->addWidget(m_note);
    arrange(top, &table(), {480, 500});

    table().setTable(&m_model, m_model.column("phase"), Qt::AscendingOrder);
    table().horizontalHeader()->setStretchLastSection(false);
    link(*m_chart);
    using Kind = RecordKind;
    setDrawn({Kind::kKernels, Kind::kCopies, Kind::kOps, Kind::kSteps, Kind::kPlaces});
    start();
}

QString AttentionView::note() const {
    return m_note->text();
}

DeferredQuery::Job AttentionView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot)
        return {[this] { return [this] { present({}, {}); }; }};
    const Scope scope = this->scope();
    return {[this, snapshot, scope] {
                auto parts = std::make_shared<AttentionParts>(attentionParts(*snapshot, scope.work));
                return [this, parts, scope] { present(std::move(*parts), scope); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void AttentionView::clear() {
    m_chart->setEmptyText({});
    table().setEmptyText({});
    m_model.clear();
    m_note->clear();
    m_note->hide();
    m_chart->setParts({});
}

void AttentionView::present(AttentionParts parts, const Scope& scope) {
    m_chart->setEmptyText(!document().snapshot() ? document().noRunWords(tr("to see the parts of attention"))
                          : parts.rows.empty()
                              ? emptyWords(scope, parts.steps == 0
                                                      ? tr("No step was completed: there is no time to show")
                                                      : tr("No attention module was recorded at work"))
                              : QString());
    table().setEmptyText(m_chart->emptyText());
    m_model.show(parts.rows, parts);
    QString text;
    if (!parts.rows.empty()) {
        text = parts.variant ? toQString(attentionName(*parts.variant)) : tr("attention");
        if (parts.blocks > 0)
            text += parts.blocks == 1 ? tr(", 1 block") : tr(", %1 blocks combined").arg(parts.blocks);
        text += QStringLiteral(" · ") + (parts.gpu ? tr("GPU time") : tr("CPU time")) +
                QStringLiteral(" · ") + scopeWords(scope, parts.steps, parts.measured);
    }
    setSummary(text, scope, plannedWords(scope, parts.unplanned, parts.unfinished));
    setFinding(attentionSentence(parts));
    m_note->setText(parts.rows.empty() ? QString() : toQString(parts.note));
    m_note->setVisible(!m_note->text().isEmpty());
    m_chart->setParts(std::move(parts));
}

void AttentionView::goTo(int row, bool show) {
    if (row < 0 || row >= m_model.rowCount() || !document().snapshot())
        return selectSpan(std::nullopt, false);
    const AttentionPartRow& part = m_model.rowAt(row);
    // The blocks are alike; the first that was recorded stands for them.
    const Snapshot& snapshot = *document().snapshot();
    const auto first = [&](QLatin1String ending) {
        for (std::size_t i = 0; i < snapshot.placeCount(); ++i) {
            const QString module = toQString(snapshot.name(snapshot.place(PlaceId(i)).module));
            if (module.endsWith(ending))
                return module;
        }
        return QString();
    };
    const QString attention = first(QLatin1String(".attn"));
    // Set-up makes the weights of a joined product each in its own module, where nothing else runs.
    QString projection = first(QLatin1String(".qkv_proj"));
    if (projection.isEmpty())
        projection = first(QLatin1String(".q_proj"));
    selectLongestModule(moduleOf(part.part, attention, projection), tracePhase(part.phase), show);
}

}  // namespace warpglass::ui
