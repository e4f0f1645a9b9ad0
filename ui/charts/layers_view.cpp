#include "ui/charts/layers_view.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/query/memory/memory_sentences.h"
#include "engine/query/model/model_sentences.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/category_key.h"
#include "ui/charts/chart_text.h"
#include "ui/controls/data_table.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/memory_source.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

LayersView::LayersView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : TableChart(document, axis, filter, parent),
      m_subjects(new SegmentedControl({tr("Time"), tr("FLOPs"), tr("Memory")}, this)),
      m_chart(new LayersChart(this)),
      m_barKey(new LegendStrip(this)) {
    setNames(m_subjects, "layersSubject", tr("What the bars show"));
    m_subjects->setFixedWidth(216);
    m_subjects->setCurrent(0);
    setFigureWords(*m_subjects, tr("%1 by layer"));
    m_subjects->button(2)->setToolTip(tr("Live memory at the run's peak, by category"));
    bar().insertWidget(0, m_subjects);
    setNames(&table(), "layersTable", tr("Layers"));
    auto* rows = new QWidget(this);
    auto* below = spaced(new QVBoxLayout(rows), {}, 0);
    below->addWidget(&table(), 1);
    below->addWidget(m_barKey);
    m_barKey->setContentsMargins(Metrics::kSpace3, 0, 0, 0);
    arrange(m_chart, rows, {460, 400});

    table().setTable(&m_model, m_model.column("layer"), Qt::AscendingOrder);
    rankColumns({});
    connect(m_subjects, &SegmentedControl::chosen, this, [this](int index) {
        m_chart->setSubject(static_cast<LayersChart::Subject>(index));
        explainBars();
        sayWhatOf();
    });
    link(*m_chart);
    setWithout({RunFilter::Condition::kCategory, RunFilter::Condition::kAllocations},
               tr("memory bars show every category as a segment"));
    using Kind = RecordKind;
    setDrawn(
        {Kind::kKernels, Kind::kCopies, Kind::kOps, Kind::kMemoryEvents, Kind::kAllocations, Kind::kPlaces});
    start();
}

DeferredQuery::Job LayersView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot)
        return {[this] { return [this] { present({}, {}); }; }};
    const Scope scope = this->scope();
    const auto peak = document().memory().peak();
    auto alive = peak ? document().memory().aliveAt(peak->time) : std::vector<AllocationId>();
    AllocationConditions made = scope.made;
    made.made.ranges.clear();  // memory is that of the peak, whenever it was made
    made.category.reset();     // each is a piece of a bar
    made.among.reset();
    return {[this, snapshot, scope, made, alive = std::move(alive), source = MemorySource::of(document())] {
                const auto memory = source.timeline();
                auto layers = std::make_shared<Layers>(
                    layersOf(*snapshot, {filterAllocations(*memory, alive, made), memory.get()}, scope.work));
                return [this, layers, scope] { present(std::move(*layers), scope); };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

Heading LayersView::heading() const {
    return {tr("%1 by layer").arg(m_subjects->button(m_subjects->current())->text()),
            ChartView::heading().finding};
}

/// A column that is empty in every row, or that repeats another, would take the room of those that do not.
void LayersView::rankColumns(const Layers& layers) {
    QList<int> columns = m_model.columns({"layer", "time_ns", "forward_ns", "backward_ns", "memory_bytes",
                                          "activations_bytes", "stands_out", "flops", "flops_per_second",
                                          "moved_bytes", "optimizer_ns", "shared_ns"});
    if (std::ranges::none_of(layers.rows, &LayerRow::standsOut))
        columns.removeAll(m_model.column("stands_out"));
    if (!layers.sharesBesideOptimizer())
        columns.removeAll(m_model.column("shared_ns"));
    table().setColumnPriority(columns);
}

void LayersView::clear() {
    m_shown = {};
    m_chart->setEmptyText({});
    table().setEmptyText({});
    m_model.clear();
    m_chart->setLayers({});
}

void LayersView::present(Layers layers, const Scope& scope) {
    const bool run = document().snapshot() != nullptr;
    table().setEmptyText(!run                  ? document().noRunWords(tr("to see its layers"))
                         : layers.rows.empty() ? emptyWords(scope, tr("No layer has been recorded"))
                                               : QString());
    m_chart->setEmptyText(table().emptyText());
    m_model.show(layers.rows, LayersShown(layers));
    rankColumns(layers);
    m_shown = scope;
    m_chart->setNothingText(scope.isRestricted() ? emptyWords(scope, {}) : QString());
    m_chart->setLayers(std::move(layers));
    explainBars();
    sayWhatOf();
}

void LayersView::explainBars() {
    std::vector<Category> categories;
    for (const Category category : kStackOrder) {
        if (std::ranges::any_of(m_chart->layers().rows, [category](const LayerRow& row) {
                return row.alive[static_cast<std::size_t>(category)] > 0;
            }))
            categories.push_back(category);
    }
    std::vector<LegendEntry> entries = entriesOf(categories);
    entries.insert(entries.begin(), {QColor(Qt::transparent), tr("memory bars:")});
    m_barKey->setEntries(std::move(entries));
    m_barKey->setVisible(!categories.empty() && m_chart->subject() != LayersChart::Subject::kMemory);
}

/// By what blocks stand out of what the chart shows.
QString LayersView::outlierWords() const {
    const Layers& layers = m_chart->layers();
    constexpr auto kActivations = static_cast<std::size_t>(LayerMeasure::kActivations);
    const bool memory = m_chart->subject() == LayersChart::Subject::kMemory;
    const auto outliers = std::count_if(
        layers.rows.begin(), layers.rows.end(),
        [memory](const LayerRow& row) { return memory ? row.outlier[kActivations] : row.standsOut(); });
    if (memory && layers.blocks > 0 && layers.compared[kActivations] == 0 && !layers.unfinished)
        return tr("blocks are not compared");
    if (memory)
        return outliers == 0   ? tr("no block stands out by its activations")
               : outliers == 1 ? tr("1 block stands out by its activations")
                               : tr("%1 blocks stand out by their activations").arg(outliers);
    if (outliers == 0 && !layers.unplanned.empty())
        return tr("blocks are not compared");
    if (outliers == 0 && !m_shown.work.filter.ranges.empty() && layers.blocks > 0 && !layers.comparesTimes())
        return tr("too few blocks ran completely to compare them");
    return outliers == 0   ? tr("no block stands out")
           : outliers == 1 ? tr("1 block stands out")
                           : tr("%1 blocks stand out").arg(outliers);
}

/// What the bars are, of the subject that is chosen, and how many blocks stand out by the table's measures.
void LayersView::sayWhatOf() {
    const Layers& layers = m_chart->layers();
    const bool memory = m_chart->subject() == LayersChart::Subject::kMemory;
    CategoryBytes alive{};
    for (const LayerRow& row : layers.rows) {
        for (std::size_t category = 0; category < alive.size(); ++category)
            alive[category] += row.alive[category];
    }
    const std::string finding = memory ? categoriesSentence(alive, "at the peak") : layersSentence(layers);
    QString text;
    if (!layers.rows.empty() && !m_chart->amounts().hasAnything() && m_shown.isRestricted()) {
        using Subject = LayersChart::Subject;
        const Subject subject = m_chart->subject();
        const bool unknown = m_chart->amounts().unknownRows() > 0 || !layers.unplanned.empty();
        text = subject == Subject::kTime ? tr("no work of these steps passes the filter")
               : subject == Subject::kFlops
                   ? unknown ? tr("FLOPs of these ops are unknown") : tr("no FLOPs of a step pass the filter")
                   : tr("nothing live at the peak passes the filter");
    } else if (!layers.rows.empty()) {
        QStringList parts;
        const QString times = tr("times: %1").arg(scopeWords(m_shown, layers.steps, layers.measured));
        switch (m_chart->subject()) {
            case LayersChart::Subject::kTime:
                parts << (layers.gpu ? tr("GPU time") : tr("CPU time"))
                      << scopeWords(m_shown, layers.steps, layers.measured);
                if (layers.steps > 0)
                    parts << tr("%1 total").arg(durationText(layers.time()));
                if (!layers.splits.empty())
                    parts << splitWords();
                break;
            case LayersChart::Subject::kFlops:
                parts << (!layers.unplanned.empty() ? tr("FLOPs are not stated")
                          : layers.unfinished || !m_shown.work.filter.ranges.empty()
                              ? tr("planned FLOPs of what ran")
                              : tr("planned FLOPs per step"));
                if (const int unknown = m_chart->amounts().unknownRows(); unknown > 0)
                    parts << (unknown == 1 ? tr("unknown for 1 layer")
                                           : tr("unknown for %1 layers").arg(unknown));
                parts << times;
                break;
            case LayersChart::Subject::kMemory:
                parts << tr("live at the run's peak") << times;
                break;
        }
        if (memory || finding.empty())  // it says by what blocks stand out
            parts << outlierWords();
        text = parts.join(QStringLiteral(" · "));
    }
    QString toolTip = plannedWords(m_shown, layers.unplanned, layers.unfinished) + QStringLiteral(". ");
    if (!layers.splits.empty())
        toolTip += splitSentences(layers.splits) + QStringLiteral(" ");
    setSummary(text, m_shown, toolTip + tr("Memory is what is live at the run's peak"));
    setFinding(finding);
}

void LayersView::goTo(int row, bool show) {
    if (row < 0 || row >= m_model.rowCount() || !document().snapshot())
        return selectSpan(std::nullopt, false);
    const LayerRow& layer = m_model.rowAt(row);
    if (layer.module)
        return selectLongestModule(toQString(layer.name), std::nullopt, show);
    // The loss is a phase.
    const NameId name = document().snapshot()->findName(layer.name);
    selectSpan(name.valid() ? longestSpan(*document().snapshot(), TrackKind::kPhase, name, {}) : std::nullopt,
               show);
}

}  // namespace warpglass::ui
