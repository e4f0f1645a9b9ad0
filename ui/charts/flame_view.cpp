#include "ui/charts/flame_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocument>
#include <QVBoxLayout>

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/statistics/time_sentences.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/flame_chart.h"
#include "ui/controls/family_legend.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/memory_source.h"
#include "ui/models/span_details.h"
#include "ui/theme/icons.h"
#include "ui/theme/legend.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

FlameView::FlameView(RunDocument& document, TimeAxis& axis, RunFilter& filter, FlameTree::Subject subject,
                     QWidget* parent)
    : ChartView(document, axis, filter, parent),
      m_subject(subject),
      m_subjects(new SegmentedControl({tr("Time"), tr("Memory")}, this)),
      m_blocks(new SegmentedControl({tr("By block"), tr("All blocks combined")}, this)),
      m_search(new QLineEdit(this)),
      m_path(named(new QLabel(this), "flamePath")),
      m_found(new QLabel(this)),
      m_legend(new LegendStrip(this)),
      m_chart(new FlameChart(this)) {
    setNames(m_subjects, "flameSubject", tr("What the widths show"));
    m_subjects->setFixedWidth(148);
    m_subjects->setCurrent(subject == FlameTree::Subject::kTime ? 0 : 1);
    setFigureWords(*m_subjects, {});  // the sentence says it
    setNames(m_blocks, "flameBlocks", tr("The model's blocks"));
    m_blocks->setFixedWidth(212);
    m_blocks->setCurrent(1);  // what a model of many equal blocks is read by
    setNames(m_search, "flameSearch", tr("Highlight by name"));
    m_search->setPlaceholderText(tr("Highlight"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(180);
    m_search->setFixedHeight(Metrics::kControlHeight);
    m_search->addAction(makeQuietIcon(Icon::kSearch), QLineEdit::LeadingPosition);
    for (QLabel* label : {m_path, m_found})
        setSecondary(label);
    bar().insertWidget(0, m_subjects);
    bar().insertWidget(1, m_blocks);
    bar().addWidget(m_found);
    bar().addWidget(m_search);

    m_path->setTextFormat(Qt::RichText);
    m_path->setFixedHeight(kFindingHeight);
    m_path->hide();
    m_path->setAccessibleName(tr("What is zoomed"));
    // By the mouse; the keyboard has Backspace, and the chart's ancestors.
    m_path->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    // A long path is cut at the right; it does not widen the window.
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    // Each on a line of its own: the legend takes as many rows as it needs.
    auto* second = spaced(new QVBoxLayout, {Metrics::kSpace3, 0, Metrics::kSpace3, Metrics::kSpace1}, 0);
    addAll(second, {m_path, m_legend});
    body().addLayout(second);
    body().addWidget(m_chart, 1);

    connect(m_subjects, &SegmentedControl::chosen, this, [this](int index) {
        m_subjects->setCurrent(m_subject == FlameTree::Subject::kTime ? 0 : 1);
        emit subjectRequested(index == 0 ? FlameTree::Subject::kTime : FlameTree::Subject::kMemory);
    });
    connect(m_blocks, &SegmentedControl::chosen, this, [this] { invalidate(DeferredQuery::Cause::kPerson); });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_chart->setSearch(text.trimmed());
        updatePath();
    });
    connect(m_chart, &FlameChart::zoomChanged, this, &FlameView::updatePath);
    connect(m_chart, &FlameChart::laidOut, this, &FlameView::updateLegend);
    connect(m_path, &QLabel::linkActivated, this,
            [this](const QString& link) { m_chart->zoomTo(link.toUInt()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updatePath();
        updateLegend();
    });
    using Condition = RunFilter::Condition;
    if (subject == FlameTree::Subject::kMemory)
        setWithout({Condition::kSteps}, {});  // most of what is live in a step was allocated before it
    if (subject == FlameTree::Subject::kMemory)
        setDrawn({RecordKind::kMemoryEvents, RecordKind::kAllocations, RecordKind::kPlaces});
    start();
}

DeferredQuery::Job FlameView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot) {
        return {[this] { return [this] { present(std::make_shared<FlameTree>(), {}); }; }};
    }
    const bool merge = m_blocks->current() == 1;
    const bool heavy = snapshot->spanCount() > DeferredQuery::kHeavySpans ||
                       snapshot->allocationCount() > DeferredQuery::kHeavySpans;
    if (m_subject == FlameTree::Subject::kTime) {
        const Scope scope = this->scope();
        return {[this, snapshot, scope, merge] {
                    auto tree = std::make_shared<FlameTree>(timeFlame(*snapshot, scope.work, merge));
                    return [this, tree, scope] { present(tree, scope); };
                },
                heavy};
    }
    // The highest moment of what is selected; of what was made where the filter says, whenever.
    Scope scope = this->scope();
    scope.made.made.ranges.clear();
    auto range = filter().state().range;
    if (const auto picked = filter().state().span; picked && !range) {
        if (const auto span = describeSpan(*snapshot, *picked))
            range = span->range();
    }
    const auto peak = range ? document().memory().peakIn(*range) : document().memory().peak();
    const QString moment = peak ? axis().clock().text(peak->time) : QString();
    scope.words = !peak                    ? QString()
                  : filter().state().range ? tr("live at the peak of the selection, %1").arg(moment)
                  : range                  ? tr("live at the peak of %1, %2")
                                .arg(filter().words().of({RunFilter::Condition::kSelection}), moment)
                          : tr("live at the peak, %1").arg(moment);
    auto alive = peak ? document().memory().aliveAt(peak->time) : std::vector<AllocationId>();
    return {[this, snapshot, scope, merge, all = peak ? sumOf(peak->bytes) : 0, alive = std::move(alive),
             source = MemorySource::of(document())] {
                const auto memory = source.timeline();
                const auto taken = filterAllocations(*memory, alive, scope.made);
                auto tree = std::make_shared<FlameTree>(memoryFlame(*memory, taken, merge));
                return [this, tree, scope, all] { present(tree, scope, all); };
            },
            heavy};
}

void FlameView::clear() {
    m_chart->setEmptyText({});
    m_chart->setTree(std::make_shared<FlameTree>());
    m_chart->zoomTo(FlameChart::Path());  // another run's is not waited for
    updateLegend();
}

void FlameView::present(std::shared_ptr<const FlameTree> tree, const Scope& scope, std::int64_t all) {
    const bool memory = m_subject == FlameTree::Subject::kMemory;
    const auto& snapshot = document().snapshot();
    using Kind = RecordKind;
    if (!memory && tree->gpu)
        setDrawn({Kind::kKernels, Kind::kCopies, Kind::kSteps, Kind::kPlaces});
    else if (!memory)
        setDrawn({Kind::kOps, Kind::kSteps, Kind::kPlaces});
    QString none;
    if (!snapshot)
        none = document().noRunWords(tr("to see where its time and memory go"));
    else if (!memory)
        none = emptyWords(scope, tr("No op of a complete step has been recorded"));
    else
        none = all > 0 ? emptyWords(scope, {}) : toQString(Completeness(*snapshot).why(DataKind::kMemory));
    m_chart->setEmptyText(tree->empty() ? none : QString());
    QString text;
    if (!tree->empty() && memory) {
        text = scope.without.isEmpty() ? scope.words : tr("%1 (allocations of all steps)").arg(scope.words);
        if (scope.made.any())
            text += QStringLiteral(" · ") +
                    tr("%1 of %2 shown").arg(bytesText(tree->nodes.front().value), bytesText(all));
    } else if (!tree->empty()) {
        text = (tree->gpu ? tr("GPU time") : tr("CPU self time")) + QStringLiteral(" · ") +
               scopeWords(scope, tree->steps, tree->measured);
        if (!tree->splits.empty())
            text += QStringLiteral(" · ") + splitWords();
    }
    setSummary(text, scope, splitSentences(tree->splits));
    setFinding(flameSentence(*tree));
    m_chart->setTree(std::move(tree));
}

QString FlameView::path() const {
    QTextDocument text;
    text.setHtml(m_path->text());
    return text.toPlainText();
}

void FlameView::updatePath() {
    const FlameTree& tree = m_chart->tree();
    const double all = tree.empty() ? 0 : static_cast<double>(tree.nodes.front().value);
    m_found->setText(all <= 0 || m_search->text().trimmed().isEmpty() ? QString()
                     : m_chart->foundNodes() == 0
                         ? tr("nothing found")
                         : tr("%1 found, %2")
                               .arg(m_chart->foundNodes())
                               .arg(percentText(static_cast<double>(m_chart->foundValue()) / all)));
    // The root says itself what it is: over it there is room for what the chart shows.
    const std::uint32_t zoomed = m_chart->zoomed();
    // One goes before the other comes, or the chart would move for both.
    (zoomed == 0 ? *m_path : findingLine()).hide();
    (zoomed == 0 ? findingLine() : *m_path).setHidden(zoomed == 0 && FigureMode::holds(*this));
    if (tree.empty() || zoomed == 0)
        return m_path->clear();
    const QString accent = Theme::instance().colors().accent.name();
    QString html;
    for (std::uint32_t node = zoomed;; node = tree.nodes[node].parent) {
        const QString name = cutName(toQString(tree.nodes[node].name), 80).toHtmlEscaped();
        const QString piece =
            node == zoomed ? QStringLiteral("<b>%1</b>").arg(name)
                           : QStringLiteral("<a href='%1' style='color:%2;text-decoration:none'>%3</a>")
                                 .arg(QString::number(node), accent, name);
        html = html.isEmpty() ? piece : piece + QStringLiteral(" › ") + html;
        if (node == 0)
            break;
    }
    html += QStringLiteral("&nbsp;&nbsp;%1").arg(m_chart->text(tree.nodes[zoomed].value)) +
            tr(", %1 of all").arg(percentText(tree.shareOfAll(zoomed)));
    m_path->setText(html);
}

void FlameView::updateLegend() {
    const FlameTree& tree = m_chart->tree();
    std::vector<LegendEntry> entries;
    if (!tree.empty()) {
        const std::vector<std::int64_t> totals = flameTotals(tree);
        // An op has its family's color even where all its time is that of kernels of others.
        std::vector<bool> occurs(totals.size());
        for (const FlameNode& node : tree.nodes) {
            if (tree.subject == FlameTree::Subject::kTime &&
                (node.kind == FlameKind::kOp || node.kind == FlameKind::kKernel))
                occurs[static_cast<std::size_t>(node.family)] = true;
        }
        const auto add = [&](LegendEntry entry, std::size_t value) {
            if (totals[value] <= 0 && !occurs[value])
                return;
            if (totals[value] > 0)
                entry.name += QLatin1Char(' ') + percentText(static_cast<double>(totals[value]) /
                                                             static_cast<double>(tree.nodes.front().value));
            entries.push_back(std::move(entry));
        };
        if (m_subject == FlameTree::Subject::kMemory) {
            for (const Category category : kStackOrder)
                add({Theme::categoryColor(category), toQString(categoryName(category))},
                    static_cast<std::size_t>(category));
        } else {
            for (std::size_t family = 0; family < kOpFamilyCount; ++family)
                add(familyEntry(static_cast<OpFamily>(family)), family);
        }
        const ThemeColors& colors = Theme::instance().colors();
        if (m_chart->folds())
            entries.push_back({Theme::mixed(colors.background, colors.text, FlamePainter::kFoldedShare),
                               tr("faint: several too narrow to draw individually")});
    }
    m_legend->setEntries(std::move(entries));
}

void FlameView::keyPressEvent(QKeyEvent* event) {
    // From the search, or from the chart where nothing is zoomed or chosen: the search goes.
    if (event->key() == Qt::Key_Escape && !m_search->text().isEmpty()) {
        m_search->clear();
        m_chart->setFocus(Qt::OtherFocusReason);
        return;
    }
    ChartView::keyPressEvent(event);
}

}  // namespace warpglass::ui
