#include "ui/panels/estimate_card.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/plan/available_memory.h"
#include "engine/trace/stack_order.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/problem_mark.h"
#include "ui/controls/stacked_bar.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The plan's categories are a subset of the trace's, by the same words: where among them.
std::optional<std::size_t> plannedIndex(Category category) {
    const auto found = std::ranges::find(kPlanCategoryNames, categoryName(category));
    return found == kPlanCategoryNames.end() ? std::nullopt
                                             : std::optional(std::size_t(found - kPlanCategoryNames.begin()));
}

const QString kNothing = QStringLiteral("–");
constexpr int kFitLines = 2;

/// What is hidden leaves a gap of its size, so that the card is as high with a problem as without.
void keepRoom(QWidget& widget) {
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
}

/// "3.07 of 24.0 GiB"; where units differ the device is far larger, and the line would not fit: "38.2 MiB".
QString sizeOfSize(Bytes part, Bytes whole) {
    const QString a = toQString(formatBytes(part)), b = toQString(formatBytes(whole));
    const QChar thinSpace(0x202F);
    if (a.section(thinSpace, 1) != b.section(thinSpace, 1))
        return a;
    return EstimateCard::tr("%1 of %2").arg(a.section(thinSpace, 0, 0), b);
}

/// "12% of", and from twice as much on "15,364×".
QString shareOf(double share) {
    if (share < 2)
        return EstimateCard::tr("%1 of").arg(toQString(formatPercent(share)));
    return EstimateCard::tr("%1×").arg(
        share < 10 ? QString::number(share, 'g', 2)
                   : toQString(formatGrouped(static_cast<std::int64_t>(std::llround(share)))));
}

/// Two lines at the panel's least width, whatever the numbers.
QString fitWords(Fit fit, double share, const AvailableMemory& available) {
    const QString size = toQString(formatBytes(available.bytes));
    const QString whole = available.isLimit           ? EstimateCard::tr("the limit of %1").arg(size)
                          : available.inUse.value > 0 ? EstimateCard::tr("the %1 others leave free").arg(size)
                                                      : EstimateCard::tr("the %1 available").arg(size);
    switch (fit) {
        case Fit::kFits:
            return EstimateCard::tr("Fits: reserves %1 %2").arg(shareOf(share), whole);
        case Fit::kTight:
            return EstimateCard::tr("Only just fits: reserves %1 %2").arg(shareOf(share), whole);
        case Fit::kTooLarge:
            return EstimateCard::tr("Does not fit: needs %1 %2").arg(shareOf(share), whole);
        case Fit::kUnknown:
            break;
    }
    return EstimateCard::tr("Fit unknown: device memory not reported");
}

}  // namespace

EstimateCard::EstimateCard(QWidget* parent) : QFrame(parent) {
    setNames(this, "estimateCard", tr("Estimate"));
    setProperty("card", true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(Metrics::kSpace3, Metrics::kSpace3 - 2, Metrics::kSpace3, Metrics::kSpace3 - 2);
    grid->setHorizontalSpacing(Metrics::kSpace2);
    grid->setVerticalSpacing(Metrics::kSpace1);
    grid->setColumnStretch(1, 1);
    m_parameters = addLine(tr("Parameters"), tr("How many numbers the model learns"), 0);
    m_work = addLine(tr("FLOPs per step"),
                     tr("Floating-point operations of one step; a multiply-add counts as two"), 1);
    m_peak = addLine(tr("Predicted peak"), tr("The most memory that will be allocated at once"), 2);
    m_bar = named(new StackedBar(this), "estimateBar");
    grid->setRowMinimumHeight(3, Metrics::kSpace3);
    grid->addWidget(m_bar, 3, 0, 1, 2, Qt::AlignVCenter);
    m_fits = new QLabel(this);
    m_fits->setFont(Theme::strongFont());
    m_fits->setWordWrap(true);
    m_fits->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_fits->setFixedHeight(kFitLines * m_fits->fontMetrics().lineSpacing());
    keepRoom(*m_fits);
    grid->addWidget(m_fits, 4, 0, 1, 2);
    keepRoom(*m_bar);
    m_parameters->setObjectName(QStringLiteral("estimateParameters"));
    m_work->setObjectName(QStringLiteral("estimateWork"));
    m_peak->setObjectName(QStringLiteral("estimatePeak"));
    m_fits->setObjectName(QStringLiteral("estimateFits"));
    m_problem = named(new QLabel(this), "estimateProblem");
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_problem->setProperty("problem", true);
    wrapWords(*m_problem);
    m_problem->hide();
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
    keepRoom(*label);
    keepRoom(*value);
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
    return value;
}

void EstimateCard::setProblems(const std::vector<ConfigProblem>& problems) {
    m_problems.clear();
    for (const ConfigProblem& problem : problems)
        m_problems << toQString(problem.sentence);
    for (QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        child->setVisible((child == m_problem) == !problems.empty());
    if (problems.empty())
        return;
    for (QLabel* value : {m_parameters, m_work, m_peak})
        value->setText(kNothing);
    m_fits->clear();
    m_warning.clear();
    m_fit = Fit::kUnknown;
    placeProblem();
}

void EstimateCard::setEstimate(const Estimate& estimate, const DeviceInfo* device, bool devicesKnown) {
    setProblems({});
    const auto text = [](std::string s) { return toQString(s); };
    const bool hasModel = !estimate.config->isAttention();
    m_parameters->setText(hasModel ? text(formatCount(estimate.parameters)) : kNothing);
    m_parameters->setToolTip(hasModel ? text(formatGrouped(estimate.parameters)) : QString());
    m_work->setText(text(formatFlops(estimate.flops.total())));
    m_work->setToolTip(tr("%1 in GEMMs").arg(text(formatFlops(estimate.flops.matmul()))));

    const Bytes peak = estimate.memory.given;
    const Bytes installed = device ? device->memory : Bytes();
    const bool known = installed.value > 0;
    m_peak->setText(known ? sizeOfSize(peak, installed) : text(formatBytes(peak)));
    QString peakTip = tr("%1, in %2, %3")
                          .arg(text(formatBytesExact(peak)), text(estimate.memory.peakPhase()),
                               text(estimate.memory.peak().name));
    if (estimate.memory.reserved > estimate.memory.total())
        peakTip += tr("\nrequested %1, reserved by the allocator %2")
                       .arg(text(formatBytesExact(estimate.memory.total())),
                            text(formatBytesExact(estimate.memory.reserved)));
    m_peak->setToolTip(peakTip);
    std::vector<StackedBar::Part> parts;
    const auto atPeak = estimate.memory.atPeak();
    for (const Category category : kStackOrder) {
        const auto planned = plannedIndex(category);
        if (!planned)
            continue;
        const Bytes bytes = atPeak[*planned];
        parts.push_back({Theme::categoryColor(category), static_cast<double>(bytes.value),
                         QStringLiteral("%1: %2 (%3)")
                             .arg(toQString(categoryName(category)), text(formatBytes(bytes)),
                                  text(formatBytesExact(bytes)))});
    }
    m_bar->setParts(std::move(parts));

    showFit(estimate, device, devicesKnown && !device);
}

void EstimateCard::showFit(const Estimate& estimate, const DeviceInfo* device, bool isAbsent) {
    const AvailableMemory available = availableMemory(estimate.config, device ? *device : DeviceInfo());
    m_fit = fitOf(estimate.memory, available.bytes);
    const double share = static_cast<double>(estimate.memory.reserved.value) /
                         static_cast<double>(std::max<std::int64_t>(available.bytes.value, 1));
    m_fits->setText(isAbsent ? tr("The device is not here: choose another to run it")
                             : fitWords(m_fit, share, available));
    const bool present = device && device->memory.value > 0;
    const QString sentence = toQString(
        available.bytes.value > 0 ? fitSentence(estimate.memory, available.bytes, available.inUse)
                                  : unknownFitSentence(estimate.memory, "the chosen device", present));
    m_fits->setToolTip(sentence);
    m_fits->setAccessibleDescription(sentence);
    const bool warn = m_fit == Fit::kTooLarge || m_fit == Fit::kTight;
    m_warning = warn ? sentence : QString();
    markProblem(*m_fits, warn || isAbsent);
}

/// As many of the problems as there is room for, in the place of the figures that there are none of.
void EstimateCard::placeProblem() {
    const QRect room = contentsRect().marginsRemoved(layout()->contentsMargins());
    m_problem->setGeometry(room);
    const qsizetype count = m_problems.size();
    for (qsizetype shown = count; shown > 0; --shown) {
        QStringList sentences = m_problems.mid(0, shown);
        if (shown + 1 == count)
            sentences << tr("One more problem is marked at its field.");
        else if (shown < count)
            sentences << tr("%1 more problems are marked at their fields.").arg(count - shown);
        m_problem->setText(sentences.join(QLatin1Char('\n')));
        if (m_problem->heightForWidth(room.width()) <= room.height())
            break;
    }
    m_problem->setToolTip(m_problems.join(QLatin1Char('\n')));
}

void EstimateCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (!m_problems.isEmpty())
        placeProblem();
}

}  // namespace warpglass::ui
