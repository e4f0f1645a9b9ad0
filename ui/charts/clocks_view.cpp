#include "ui/charts/clocks_view.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "ui/controls/canvas.h"
#include "ui/controls/data_table.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// In the order of the control; a damaged file may lack either.
constexpr std::string_view kPasses[] = {"forward", "backward"};

}  // namespace

ClocksView::ClocksView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : TableChart(document, axis, filter, parent),
      m_passes(new SegmentedControl({tr("Forward"), tr("Backward")}, this)),
      m_apart(new SegmentedControl({tr("All SMs"), tr("SM by SM")}, this)),
      m_load(new ClockLoadChart(this)),
      m_chart(new ClockChart(this)) {
    setNames(m_passes, "clocksPass", tr("Which kernel"));
    m_passes->setFixedWidth(176);
    m_passes->setCurrent(0);
    bar().insertWidget(0, m_passes);
    setFigureWords(*m_passes, tr("Attention kernel: %1"));
    setNames(m_apart, "clocksApart", tr("Multiprocessors together or apart"));
    m_apart->setCurrent(0);
    m_apart->button(0)->setToolTip(tr("How many warpgroups are in each phase over time"));
    m_apart->button(1)->setToolTip(tr("Each tile on the multiprocessor that ran it"));
    bar().insertWidget(1, m_apart);
    connect(m_apart, &SegmentedControl::chosen, this, [this](int index) { setApart(index == 1); });
    m_chart->hide();
    setNames(&table(), "clocksTable", tr("Clocks inside kernels"));
    auto* charts = new QWidget(this);
    auto* layers = new QVBoxLayout(charts);
    layers->setContentsMargins(0, 0, 0, 0);
    addAll(layers, {m_load, m_chart});
    arrange(charts, &table(), {760, 110}, {1, 0});

    table().setTable(&m_model, m_model.column("kernel"), Qt::DescendingOrder);
    table().setColumnPriority(
        m_model.columns({"kernel", "tiles", "waves", "duration_ns", "flops_per_second", "load_share",
                         "products_share", "softmax_share", "store_share", "half_idle_share", "tail_share",
                         "imbalance_ratio", "sms", "at_once", "most_tiles", "fewest_tiles", "step", "lost"}));
    using Condition = RunFilter::Condition;
    setWithout({Condition::kSteps, Condition::kSelection, Condition::kPhase, Condition::kModule,
                Condition::kName, Condition::kText, Condition::kCategory, Condition::kAllocations},
               tr("one call of each kernel tells of itself"));
    connect(m_passes, &SegmentedControl::chosen, this, [this](int index) {
        m_shown = kernelOf(index).value_or(m_shown);
        present();
    });
    connect(&table(), &DataTable::currentRowChanged, this, [this](int row) {
        if (row < 0 || row >= m_model.rowCount())
            return;
        for (std::size_t i = 0; i < m_answer.kernels.size(); ++i) {
            if (m_answer.kernels[i].kernel == m_model.rowAt(row).kernel && m_shown != i) {
                m_shown = i;
                present();
            }
        }
    });
    for (Canvas* chart : {static_cast<Canvas*>(m_load), static_cast<Canvas*>(m_chart)})
        connect(chart, &Canvas::markActivated, this, [this] { goToKernel(); });
    start();
}

DeferredQuery::Job ClocksView::makeJob() {
    const auto snapshot = document().snapshot();
    if (!snapshot)
        return {[this] { return [this] { showAnswer({}); }; }};
    std::size_t rounds = 0;
    for (const KernelClocks& clocks : snapshot->kernelClocks())
        rounds += clocks.rounds.size();
    constexpr std::size_t kHeavyRounds = 20'000;
    return {[this, snapshot] {
                auto answer = std::make_shared<Answer>(
                    Answer{clockedKernels(*snapshot), {}, whyNoKernelClocks(*snapshot)});
                for (const ClockedKernel& kernel : answer->kernels)
                    answer->loads.push_back(ClockLoadChart::loadOf(kernel));
                return [this, answer] { showAnswer(std::move(*answer)); };
            },
            rounds > kHeavyRounds};
}

void ClocksView::setApart(bool apart) {
    m_apart->setCurrent(apart ? 1 : 0);
    m_chart->setVisible(apart);
    m_load->setVisible(!apart);
}

void ClocksView::clear() {
    m_answer = {};
    m_chart->setEmptyText({});
    m_load->setEmptyText({});
    table().setEmptyText({});
    m_chart->setKernel({});
    m_load->setKernel({}, {});
    m_model.clear();
}

void ClocksView::showAnswer(Answer answer) {
    m_answer = std::move(answer);
    m_passes->setVisible(!m_answer.kernels.empty());
    m_apart->setVisible(!m_answer.kernels.empty());
    for (int i = 0; i < m_passes->count(); ++i)
        m_passes->button(i)->setEnabled(kernelOf(i).has_value());
    m_model.show(m_answer.kernels);
    if (m_shown >= m_answer.kernels.size())
        m_shown = 0;
    present();
}

void ClocksView::present() {
    const QString empty = !document().snapshot() ? document().noRunWords(tr("to see its kernels from inside"))
                          : m_answer.kernels.empty() ? toQString(m_answer.why) + QStringLiteral(".")
                                                     : QString();
    m_chart->setEmptyText(empty);
    m_load->setEmptyText(empty);
    table().setEmptyText(empty);
    table().setVisible(!m_answer.kernels.empty());
    if (m_answer.kernels.empty()) {
        m_chart->setKernel({});
        m_load->setKernel({}, {});
        setSummary({}, {});
        return setFinding({});
    }
    const ClockedKernel& kernel = m_answer.kernels[m_shown];
    if (const auto* pass = std::ranges::find(kPasses, kernel.kernel); pass != std::end(kPasses))
        m_passes->setCurrent(static_cast<int>(pass - kPasses));
    m_chart->setKernel(kernel);
    m_load->setKernel(kernel, m_answer.loads[m_shown]);
    setSummary(
        tr("one call, in step %1").arg(kernel.step), {},
        tr("Made by a twin of the kernel that writes when each of its rounds ended. Writing makes it a "
           "tenth to a quarter slower; the plain kernel of the other calls is in the timeline."));
    setFinding(kernel.sentence());
}

std::optional<std::size_t> ClocksView::kernelOf(int pass) const {
    const auto& kernels = m_answer.kernels;
    const auto found = std::ranges::find(kernels, kPasses[pass], &ClockedKernel::kernel);
    return found == kernels.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - kernels.begin()));
}

/// The twin is the only kernel of its step whose name has the clock's type in it.
void ClocksView::goToKernel() {
    const auto snapshot = document().snapshot();
    if (!snapshot || m_shown >= m_answer.kernels.size())
        return;
    if (const auto twin = clockedTwin(*snapshot, m_answer.kernels[m_shown]))
        selectSpan(twin, true);
}

}  // namespace warpglass::ui
