#include "ui/panels/estimate_card.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/base/gpu_devices.h"
#include "ui/models/table_model.h"
#include "ui/theme/stacked_bar.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// The plan's categories are a subset of the trace's, by the same words.
Category categoryOf(PlanCategory planned) {
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        if (kCategoryNames[c] == planCategoryName(planned))
            return static_cast<Category>(c);
    }
    return Category::kUnknown;
}

const QString kNothing = QStringLiteral("–");

/// "3.07 of 24.0 GiB"; where the units differ the device is far larger, and the line would not fit: "38.2
/// MiB".
QString sizeOfSize(Bytes part, Bytes whole) {
    const QString a = toQString(formatBytes(part)), b = toQString(formatBytes(whole));
    const QChar thinSpace(0x202F);
    if (a.section(thinSpace, 1) != b.section(thinSpace, 1))
        return a;
    return EstimateCard::tr("%1 of %2").arg(a.section(thinSpace, 0, 0), b);
}

/// "13 % of the device", "7.6 × the device".
QString shareOf(double share, const QString& ofWhole, const QString& whole) {
    if (share < 2)
        return QStringLiteral("%1 %2").arg(toQString(formatPercent(share)), ofWhole);
    return EstimateCard::tr("%1 × %2").arg(share, 0, share < 100 ? 'g' : 'f', share < 100 ? 2 : 0).arg(whole);
}

}  // namespace

EstimateCard::EstimateCard(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("estimateCard"));
    setAccessibleName(tr("Estimate"));
    setProperty("card", true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(Metrics::kSpace3, Metrics::kSpace3 - 2, Metrics::kSpace3, Metrics::kSpace3 - 2);
    grid->setHorizontalSpacing(Metrics::kSpace2);
    grid->setVerticalSpacing(Metrics::kSpace1);
    grid->setColumnStretch(1, 1);
    m_parameters = addLine(tr("Parameters"), tr("How many numbers the model learns"), 0);
    m_work = addLine(tr("Work a step"),
                     tr("Floating-point operations of one step; a multiply-add counts as two"), 1);
    m_peak = addLine(tr("Expected peak"), tr("The most memory that will be allocated at once"), 2);
    m_bar = new StackedBar(this);
    m_bar->setObjectName(QStringLiteral("estimateBar"));
    grid->setRowMinimumHeight(3, Metrics::kSpace3);
    grid->addWidget(m_bar, 3, 0, 1, 2, Qt::AlignVCenter);
    m_fits = addLine(tr("Fits"), tr("What the allocator will take beside the device's memory"), 4);
    m_parameters->setObjectName(QStringLiteral("estimateParameters"));
    m_work->setObjectName(QStringLiteral("estimateWork"));
    m_peak->setObjectName(QStringLiteral("estimatePeak"));
    m_fits->setObjectName(QStringLiteral("estimateFits"));
    m_inUse =
        addLine(tr("In use already"),
                tr("What other programs hold of the device's memory: the rest is what a run can have"), 5);
    m_inUse->setObjectName(QStringLiteral("estimateInUse"));
    m_warning = new QLabel(this);
    m_warning->setObjectName(QStringLiteral("estimateWarning"));
    m_warning->setFont(Theme::tableFont());
    m_warning->setWordWrap(true);
    m_warning->setProperty("problem", true);
    m_warning->hide();
    grid->addWidget(m_warning, 6, 0, 1, 2);
    showInUse({});
}

QLabel* EstimateCard::addLine(const QString& name, const QString& toolTip, int row) {
    auto* grid = static_cast<QGridLayout*>(layout());
    auto* label = new QLabel(name, this);
    label->setProperty("secondary", true);
    label->setToolTip(toolTip);
    auto* value = new QLabel(kNothing, this);
    value->setFont(Theme::strongFont());
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // never widens the panel
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
    return value;
}

QString EstimateCard::warning() const {
    return m_warning->isHidden() ? QString() : m_warning->text();
}

void EstimateCard::setEstimate(const Estimate& estimate, const DeviceInfo* device) {
    const Bytes installed = device ? device->memory : Bytes(),
                available = device ? device->available : Bytes();
    const Bytes inUse = device ? inUseAlready(*device) : Bytes();
    showInUse(inUse);
    if (!estimate.valid()) {
        for (QLabel* value : {m_parameters, m_work, m_peak, m_fits}) {
            value->setText(kNothing);
            value->setToolTip({});
        }
        m_bar->setParts({});
        m_warning->hide();
        m_fit = Fit::kUnknown;
        return;
    }
    const auto text = [](std::string s) { return toQString(s); };
    m_parameters->setText(text(formatCount(estimate.parameters)));
    m_parameters->setToolTip(text(formatGrouped(estimate.parameters)));
    m_work->setText(text(formatFlops(estimate.flops.total())));
    m_work->setToolTip(tr("%1 in matrix products").arg(text(formatFlops(estimate.flops.matmul()))));

    const Bytes peak = estimate.memory.given;
    const bool known = installed.value > 0;
    m_peak->setText(known ? sizeOfSize(peak, installed) : text(formatBytes(peak)));
    QString peakTip = tr("%1, in %2, %3")
                          .arg(text(formatBytesExact(peak)), text(estimate.memory.peakPhase()),
                               text(estimate.memory.peak().name));
    if (estimate.memory.reserved > estimate.memory.total())
        peakTip += tr("\nasked for %1, reserved by the allocator %2")
                       .arg(text(formatBytesExact(estimate.memory.total())),
                            text(formatBytesExact(estimate.memory.reserved)));
    m_peak->setToolTip(peakTip);
    std::vector<StackedBar::Part> parts;
    const auto atPeak = estimate.memory.atPeak();
    for (std::size_t c = 0; c < atPeak.size(); ++c) {
        const auto planned = static_cast<PlanCategory>(c);
        parts.push_back({Theme::categoryColor(categoryOf(planned)), static_cast<double>(atPeak[c].value),
                         QStringLiteral("%1: %2 (%3)")
                             .arg(toQString(planCategoryName(planned)), text(formatBytes(atPeak[c])),
                                  text(formatBytesExact(atPeak[c])))});
    }
    m_bar->setParts(std::move(parts));

    showFit(estimate.memory, installed, available, inUse);
}

void EstimateCard::showFit(const MemoryPrediction& memory, Bytes installed, Bytes available, Bytes inUse) {
    m_fit = fitOf(memory, available);
    // Where others hold a good part of the device, the whole of it says little.
    const Bytes whole = inUse.value > 0 ? available : installed;
    const double share = static_cast<double>(memory.reserved.value) /
                         static_cast<double>(std::max<std::int64_t>(whole.value, 1));
    const QString wording = inUse.value > 0 ? shareOf(share, tr("of free"), tr("free"))
                                            : shareOf(share, tr("of the device"), tr("the device"));
    m_fits->setText(installed.value <= 0      ? tr("not known")
                    : m_fit == Fit::kTooLarge ? tr("no: %1").arg(wording)
                                              : wording);
    const QString sentence =
        toQString(available.value > 0 ? fitSentence(memory, available, inUse)
                                      : unknownFitSentence(memory, "the chosen device", installed.value > 0));
    m_fits->setToolTip(sentence);
    const bool warn = m_fit == Fit::kTooLarge || m_fit == Fit::kTight;
    m_warning->setText(warn ? sentence : QString());
    m_warning->setVisible(warn);
}

/// The line is there only where there is something to say.
void EstimateCard::showInUse(Bytes inUse) {
    const bool shown = inUse.value > 0;
    m_inUse->setText(shown ? toQString(formatBytes(inUse)) : QString());
    m_inUse->setToolTip(shown ? toQString(formatBytesExact(inUse)) : QString());
    m_inUse->setVisible(shown);
    static_cast<QGridLayout*>(layout())->itemAtPosition(5, 0)->widget()->setVisible(shown);
}

}  // namespace warpglass::ui
