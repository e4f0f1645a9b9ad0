#include "ui/memory/allocation_map_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "ui/charts/category_key.h"
#include "ui/charts/chart_text.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/summary_label.h"
#include "ui/memory/free_strip.h"
#include "ui/memory/phase_bands.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/hatch.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The height from which on what is free at the peak has a strip of its own.
constexpr int kStripFrom = 320;

}  // namespace

/// The phases of a run in a row over the map, on its time axis, with their names where these have room.
class PhaseStrip : public QWidget, public FigurePart {
public:
    /// Both outlive it.
    PhaseStrip(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// Whether no other view beside it shows the phases: else it is there in a figure alone.
    void setAlone(bool alone);
    void setInFigure(bool inFigure) override;
    /// Where the time axis begins, in logical pixels.
    void setLabelWidth(int width);
    static constexpr int kHeight = 18;
    std::vector<PhaseBar> bars(const QPaintDevice& device) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RunDocument& m_document;
    TimeAxis& m_axis;
    int m_labelWidth = 96;
    bool m_alone = false, m_inFigure = false;
};

PhaseStrip::PhaseStrip(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_document(document), m_axis(axis) {
    setFixedHeight(kHeight);
    hide();
    setNames(this, "phaseStrip", AllocationMapPanel::tr("Phases over time"));
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_document, &RunDocument::snapshotChanged, this, repaint);
    connect(&m_document, &RunDocument::runChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void PhaseStrip::setAlone(bool alone) {
    m_alone = alone;
    setVisible(m_alone || m_inFigure);
}

void PhaseStrip::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    setVisible(m_alone || m_inFigure);
}

void PhaseStrip::setLabelWidth(int width) {
    m_labelWidth = width;
    update();
}

std::vector<PhaseBar> PhaseStrip::bars(const QPaintDevice& device) const {
    const double width = this->width() - m_labelWidth;
    if (!m_document.snapshot() || width < 1)
        return {};
    const TimeRange visible = m_axis.visibleRange();
    const auto duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    const auto xOf = [&](Nanoseconds t) {
        return m_labelWidth + static_cast<double>((t - visible.begin).value) * width / duration;
    };
    const Nanoseconds aPixel(static_cast<std::int64_t>(duration / width));
    return phaseBars(QRectF(m_labelWidth, 1, width, height() - 3),
                     phaseBands(*m_document.snapshot(), visible, aPixel), visible, xOf, device);
}

void PhaseStrip::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.background);
    if (!m_document.snapshot())
        return;
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(Metrics::kSpace3, 0, m_labelWidth - Metrics::kSpace3 - 6, height()),
                     Qt::AlignRight | Qt::AlignVCenter, AllocationMapPanel::tr("Phase"));
    painter.setClipRect(QRectF(m_labelWidth, 0, width() - m_labelWidth, height()));
    paintPhaseBars(painter, bars(*painter.device()));
}

AllocationMapPanel::AllocationMapPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus,
                                       QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_orders(new SegmentedControl({tr("By address"), tr("By allocation time")}, this)),
      m_summary(named(new SummaryLabel(this), "mapSummary")),
      m_key(new CategoryKey(document, this)),
      m_fold(named(new QToolButton(this), "mapFold")),
      m_free(new LegendStrip(this)),
      m_phases(new PhaseStrip(document, axis, this)),
      m_view(new AllocationMapView(document, axis, focus, this)),
      m_strip(new FreeStrip(*m_view, this)) {
    setFocusProxy(m_view);
    setNames(m_orders, "mapOrder", tr("Order of the allocation map"));
    m_orders->button(1)->setToolTip(
        tr("Live allocations, stacked in the order in which they were made: the top is the memory in use. "
           "One block per allocation"));
    m_fold->setText(tr("Fold constant"));
    m_fold->setToolTip(
        tr("Regions in which nothing changes from the first measured step to the last, such "
           "as those of weights, are thin bands; a click on one opens it"));
    m_fold->setProperty("chip", true);
    m_fold->setFont(Theme::tableFont());
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    connect(m_fold, &QToolButton::clicked, &m_view->bytes(), &MapBytes::setFolds);
    auto* name = new SentenceLabel(tr("Allocations"), this);
    name->setFigureText(QStringLiteral(""));  // its title says it
    for (QLabel* label : {static_cast<QLabel*>(name), static_cast<QLabel*>(m_summary)})
        setSecondary(label);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* bar = spaced(new QHBoxLayout, Metrics::kBarMargins, Metrics::kSpace3);
    addAll(bar, {name, m_orders, m_fold});
    bar->addWidget(m_free, 0, Qt::AlignVCenter);
    bar->addWidget(m_summary, 1);
    bar->addStretch(0);  // without the summary, in a figure, the rest stays at the left
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(bar);
    auto* key = new QHBoxLayout;
    key->setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    key->addWidget(m_key);
    layout->addLayout(key);
    addAll(layout, {m_strip, m_phases});
    layout->addWidget(m_view, 1);
    m_phases->setLabelWidth(m_view->labelWidth());
    connect(m_orders, &SegmentedControl::chosen, this,
            [this](int index) { m_view->bytes().setOrder(static_cast<MapBytes::Order>(index)); });
    connect(m_view, &AllocationMapView::changed, this, &AllocationMapPanel::showState);
    m_free->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);  // gives way in a narrow page
    connect(&Theme::instance(), &Theme::changed, this, &AllocationMapPanel::showState);
    showState();
}

Heading AllocationMapPanel::heading() const {
    const MapContent& content = m_view->content();
    if (!content.peak)
        return {};
    const std::string reserved = reservedSentence(content.free.totals, content.free.places, "at the peak");
    return {{},
            toQString(reserved.empty() ? categoriesSentence(content.peak->bytes, "at the peak") : reserved)};
}

void AllocationMapPanel::setInFigure(bool inFigure) {
    if (!inFigure)
        m_key->setMore({});
}

void AllocationMapPanel::fitInFigure() {
    m_key->setMore(unnamedPhases(m_phases->bars(*m_phases)));
    layout()->activate();
}

void AllocationMapPanel::setAlone(bool alone) {
    m_key->setAlone(alone);
    m_phases->setAlone(alone);
}

void AllocationMapPanel::setLabelWidth(int width) {
    m_view->setLabelWidth(width);
    m_strip->setLabelWidth(width);
    m_phases->setLabelWidth(width);
}

QString AllocationMapPanel::noAddressesInWords() const {
    const auto& run = m_document.snapshot();
    const QString why = run ? toQString(Completeness(*run).why(DataKind::kSegments)) : QString();
    return why.isEmpty() ? tr("No allocation of this run lies in a segment of the allocator") : why;
}

/// In a low panel the map has all the room.
void AllocationMapPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_strip->setVisible(m_strip->hasAny() && height() >= kStripFrom);
}

void AllocationMapPanel::showState() {
    m_strip->setVisible(m_strip->hasAny() && height() >= kStripFrom);
    const MapBytes& bytes = m_view->bytes();
    const bool addresses = bytes.hasAddresses();
    m_orders->button(0)->setEnabled(addresses);
    m_orders->button(0)->setToolTip(
        addresses
            ? tr("Where in the allocator's segments each allocation lies; gaps between segments are left out")
            : noAddressesInWords());
    m_orders->setCurrent(addresses ? static_cast<int>(bytes.order()) : 1);
    m_fold->setVisible(bytes.hasFolds() && !FigureMode::holds(*this));
    m_fold->setChecked(bytes.folds());
    m_free->setEntries({freeEntry(), {Theme::instance().colors().background, tr("not reserved")}});
    m_free->setVisible(bytes.byAddress());
    m_summary->setText(m_view->words().summary());
    m_summary->setShorterTexts(
        {m_view->words().summary(true),
         tr("%1 in view").arg(toQString(formatGrouped(m_view->geometry().all.count)))});
}

}  // namespace warpglass::ui
