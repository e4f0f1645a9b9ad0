#include "ui/charts/charts_page.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/attention_view.h"
#include "ui/charts/clocks_view.h"
#include "ui/charts/flame_view.h"
#include "ui/charts/layers_view.h"
#include "ui/charts/phases_view.h"
#include "ui/charts/roofline_view.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kFlame = 0, kFlameMemory = 1;

}  // namespace

QList<ChartsPage::Entry> ChartsPage::views() {
    const QString where = tr(
        "Where do time and memory go? A row splits the one above it: phase, module, op, kernel; width is the "
        "amount.");
    return {{QStringLiteral("flame"), tr("Flame chart of time"), where},
            {QStringLiteral("flame-memory"), tr("Flame chart of memory"), where},
            {QStringLiteral("roofline"), tr("Roofline"),
             tr("How near is the work to what the GPU can do, and is arithmetic or memory the limit? A dot "
                "is a GEMM or "
                "kernel, the lines are the limits.")},
            {QStringLiteral("attention"), tr("Parts of attention"),
             tr("Which part of attention takes more time than its arithmetic accounts for? Two bars a part: "
                "time and "
                "FLOPs.")},
            {QStringLiteral("phase-dots"), tr("Phases of every step"),
             tr("Are the steps alike, and which phase differs? A dot is a step.")},
            {QStringLiteral("layers"), tr("Layers side by side"),
             tr("Does a block take longer than the others? A bar is a layer.")},
            {QStringLiteral("kernel-clocks"), tr("Clocks inside kernels"),
             tr("What do a kernel's thread groups wait for? Recorded where a run asks for kernel clocks.")}};
}

ChartsPage::ChartsPage(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_bar(new QHBoxLayout),
      m_places(new SegmentedControl(
          {tr("Flame"), tr("Roofline"), tr("Attention"), tr("Phases"), tr("Layers"), tr("Clocks")}, this)),
      m_stack(new QStackedWidget(this)) {
    auto* time = new FlameView(document, axis, filter, FlameTree::Subject::kTime, this);
    auto* memory = new FlameView(document, axis, filter, FlameTree::Subject::kMemory, this);
    m_views = {time,
               memory,
               new RooflineView(document, axis, filter, this),
               new AttentionView(document, axis, filter, this),
               new PhasesView(document, axis, filter, this),
               new LayersView(document, axis, filter, this),
               new ClocksView(document, axis, filter, this)};
    const QList<Entry> names = views();
    for (qsizetype i = 0; i < m_views.size(); ++i) {
        m_views[i]->setObjectName(names[i].name);
        m_stack->addWidget(m_views[i]);
        connect(m_views[i], &ChartView::timelineRequested, this, &ChartsPage::timelineRequested);
    }
    for (FlameView* flame : {time, memory}) {
        connect(flame, &FlameView::subjectRequested, this, [this](FlameTree::Subject subject) {
            showView(m_views[subject == FlameTree::Subject::kMemory ? kFlameMemory : kFlame]);
        });
    }

    setNames(m_places, "chartPlaces", tr("Chart"));
    m_places->setFixedWidth(504);
    for (int place = 0; place < m_places->count(); ++place)
        m_places->button(place)->setToolTip(QString(names[place == 0 ? kFlame : place + 1].question)
                                                .replace(QStringLiteral("? "), QStringLiteral("?\n")));
    m_places->setCurrent(0);
    m_bar->setContentsMargins(Metrics::kSpace2, Metrics::kSpace1, Metrics::kSpace2, Metrics::kSpace1);
    m_bar->setSpacing(Metrics::kSpace3);
    m_bar->addWidget(m_places);
    m_bar->addStretch(1);
    auto* line = hairline(Qt::Horizontal, this);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(m_bar);
    layout->addWidget(line);
    layout->addWidget(m_stack, 1);
    connect(m_places, &SegmentedControl::chosen, this, &ChartsPage::showPlace);
}

void ChartsPage::showPlace(int place) {
    // The flame charts are one place with two views.
    ChartView* view = m_views[place == 0 ? (m_flameOfMemory ? kFlameMemory : kFlame) : place + 1];
    m_stack->setCurrentWidget(view);
    emit viewChanged(*view);
}

void ChartsPage::setFilterBar(QWidget* bar, QWidget* line) {
    delete m_bar->takeAt(m_bar->count() - 1);  // it takes the room that stood empty
    m_bar->addWidget(bar, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, line);
}

QWidget* ChartsPage::view(const QString& name) const {
    for (ChartView* view : m_views) {
        if (view->objectName() == name)
            return view;
    }
    return nullptr;
}

QWidget* ChartsPage::current() const {
    return m_stack->currentWidget();
}

void ChartsPage::showView(QWidget* view) {
    for (qsizetype i = 0; i < m_views.size(); ++i) {
        if (m_views[i] != view)
            continue;
        if (i <= kFlameMemory)
            m_flameOfMemory = i == kFlameMemory;
        const int place = static_cast<int>(i <= kFlameMemory ? 0 : i - 1);
        m_places->setCurrent(place);
        showPlace(place);
    }
}

}  // namespace warpglass::ui
