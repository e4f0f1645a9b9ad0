#include "ui/sweep/new_sweep_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/format.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_run.h"
#include "ui/sweep/setting_ticks.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// A prediction for each cell takes microseconds; of more cells only the number is said while typing.
constexpr std::int64_t kMostForecast = 20'000;
constexpr int kLaterMilliseconds = 150, kMostRepeats = 1000;

QString countText(std::int64_t count) {
    return toQString(formatGrouped(count));
}

}  // namespace

NewSweepDialog::NewSweepDialog(const RunConfig& base, QWidget* parent)
    : QDialog(parent), m_base(base), m_forecast(new QLabel(this)) {
    setObjectName(QStringLiteral("newSweep"));
    setWindowTitle(tr("New Sweep"));
    resize(760, 640);
    auto* words = new QLabel(tr("A run for every combination of the values below, each in a process of its "
                                "own. Lists have commas between their values."),
                             this);
    wrapWords(*words);
    m_forecast->setObjectName(QStringLiteral("sweepForecast"));
    wrapWords(*m_forecast);
    m_forecast->setMinimumHeight(2 * Metrics::kTableRow);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(tr("Start…"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_later.setSingleShot(true);
    m_later.setInterval(kLaterMilliseconds);
    connect(&m_later, &QTimer::timeout, this, &NewSweepDialog::showForecast);

    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setWidget(buildSettings(base));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Metrics::kSpace3);
    layout->addWidget(words);
    layout->addWidget(area, 1);
    layout->addWidget(buildOptions());
    layout->addWidget(m_forecast);
    layout->addWidget(buttons);
    showForecast();
}

QWidget* NewSweepDialog::buildSettings(const RunConfig& base) {
    auto* all = new QWidget(this);
    auto* form = new QFormLayout(all);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setHorizontalSpacing(Metrics::kSpace4);
    form->setVerticalSpacing(Metrics::kSpace2);
    for (const Setting& setting : settings()) {
        // What is recorded is no property of the model, and the seed is what repeats are for.
        if (std::holds_alternative<SomeOf>(setting.kind))
            continue;
        auto* ticks = new SettingTicks(setting, base, all);
        const auto& panel = setting.panel;
        form->addRow(toQString(std::string(panel.head.empty() ? panel.label : panel.head)), ticks);
        connect(ticks, &SettingTicks::changed, &m_later, qOverload<>(&QTimer::start));
        m_settings.push_back(ticks);
    }
    return all;
}

QWidget* NewSweepDialog::buildOptions() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kSpace3);
    m_repeats = new QSpinBox(row);
    m_repeats->setObjectName(QStringLiteral("sweepRepeats"));
    m_repeats->setRange(1, kMostRepeats);
    m_repeats->setAccessibleName(tr("Repeats"));
    m_order = new ComboBox(row);
    m_order->addItems({tr("in order of the grid"), tr("round by round"), tr("shuffled rounds")});
    m_order->setCurrentIndex(static_cast<int>(CellOrder::kInterleaved));
    m_order->setAccessibleName(tr("Order"));
    m_tryTooLarge = new QCheckBox(tr("Try what will not fit"), row);
    m_tryTooLarge->setObjectName(QStringLiteral("sweepTry"));
    m_keepRuns = new QCheckBox(tr("Keep every run"), row);
    m_keepRuns->setChecked(true);
    layout->addWidget(new QLabel(tr("Repeats"), row));
    layout->addWidget(m_repeats);
    layout->addWidget(m_order);
    layout->addWidget(m_tryTooLarge);
    layout->addWidget(m_keepRuns);
    layout->addStretch(1);
    connect(m_repeats, &QSpinBox::valueChanged, &m_later, qOverload<>(&QTimer::start));
    connect(m_tryTooLarge, &QCheckBox::toggled, &m_later, qOverload<>(&QTimer::start));
    return row;
}

bool NewSweepDialog::keepsRuns() const {
    return m_keepRuns->isChecked();
}

SettingTicks* NewSweepDialog::ticksOf(const std::string& key) const {
    const auto found = std::find_if(m_settings.begin(), m_settings.end(),
                                    [&](const SettingTicks* ticks) { return ticks->setting().key == key; });
    return found == m_settings.end() ? nullptr : *found;
}

Result<SweepPlan> NewSweepDialog::plan() const {
    SweepPlan plan;
    plan.base = m_base;
    plan.repeats = m_repeats->value();
    plan.order = static_cast<CellOrder>(m_order->currentIndex());
    plan.tooLarge = m_tryTooLarge->isChecked() ? TooLarge::kTry : TooLarge::kSkip;
    for (const SettingTicks* ticks : m_settings) {
        const std::vector<std::string> values = ticks->values();
        const Setting& setting = ticks->setting();
        if (values.empty())
            return Error{"The " + std::string(setting.noun) + " needs a value."};
        if (values.size() == 1) {
            // Another model brings its sizes, which those that nobody has changed must not replace.
            if (values.front() != setting.text(m_base)) {
                if (const Status taken = setting.take(values.front(), plan.base); !taken)
                    return taken.error();
            }
            continue;
        }
        auto axis = sweepAxis(setting.key, values);
        if (!axis)
            return axis.error();
        plan.axes.push_back(std::move(*axis));
    }
    if (plan.axes.empty())
        return Error{"Tick a second value of a setting, or give one a list, to make a grid."};
    if (const Status checked = checkPlan(plan); !checked)
        return checked.error();
    return plan;
}

void NewSweepDialog::showForecast() {
    const Result<SweepPlan> made = plan();
    m_start->setEnabled(static_cast<bool>(made));
    if (!made) {
        m_forecast->setText(toQString(made.message()));
        return;
    }
    const std::int64_t cells = cellCount(*made);
    QStringList parts{cells == 1 ? tr("1 cell") : tr("%1 cells").arg(countText(cells))};
    if (cells > kMostForecast) {
        m_forecast->setText(parts.join(QString()) + tr(": too many to say more before they run."));
        return;
    }
    const SweepForecast ahead = forecast(*made, Doubts::kFirst);
    if (ahead.time)
        parts << tr("about %1, without starting processes").arg(toQString(formatDuration(*ahead.time)));
    else
        parts << tr("time unknown: the device's ceilings have not been measured");
    if (ahead.largestPeak.value > 0)
        parts << tr("largest predicted peak %1").arg(toQString(formatBytes(ahead.largestPeak)));
    if (ahead.tooLarge > 0)
        parts << (made->tooLarge == TooLarge::kSkip ? tr("%1 will not fit and are skipped")
                                                    : tr("%1 will likely not fit"))
                     .arg(countText(ahead.tooLarge));
    if (ahead.cannotRun > 0)
        parts << tr("%1 cannot be run").arg(countText(ahead.cannotRun));
    QString text = parts.join(QStringLiteral(" · "));
    const auto doubt = std::find_if(ahead.doubts.begin(), ahead.doubts.end(),
                                    [](const std::string& why) { return !why.empty(); });
    if (doubt != ahead.doubts.end())
        text += QLatin1Char('\n') + toQString(*doubt);
    for (const std::string& busy : busyGpu(*made))
        text += QLatin1Char('\n') + toQString(busy);
    m_forecast->setText(text);
    // Nothing would be run.
    m_start->setEnabled(ahead.cannotRun + (made->tooLarge == TooLarge::kSkip ? ahead.tooLarge : 0) < cells);
}

QString NewSweepDialog::forecastText() const {
    return m_forecast->text();
}

}  // namespace warpglass::ui
