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
#include <limits>

#include "engine/base/format.h"
#include "engine/sweep/grid.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/elided_label.h"
#include "ui/sweep/setting_ticks.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kLaterMilliseconds = 150, kMostRepeats = 1000;

QString countText(std::int64_t count) {
    return toQString(formatGrouped(count));
}

}  // namespace

NewSweepDialog::NewSweepDialog(const RunConfig& base, QWidget* parent)
    : QDialog(parent),
      m_base(base),
      m_forecast(named(new QLabel(this), "sweepForecast")),
      m_query([this] { return weigh(); }) {
    setObjectName(QStringLiteral("newSweep"));
    setWindowTitle(tr("New Sweep"));
    resize(760, 640);
    auto* words = new QLabel(tr("A run for every combination of the values below, each in a process of its "
                                "own. Lists have commas between their values."),
                             this);
    wrapWords(*words);
    wrapWords(*m_forecast);
    m_forecast->setMinimumHeight(2 * Metrics::kTableRow);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(tr("Start…"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    m_start->setDefault(true);
    // Enter starts it or, where it cannot be started, does nothing.
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_later.setSingleShot(true);
    m_later.setInterval(kLaterMilliseconds);
    connect(&m_later, &QTimer::timeout, this,
            [this] { m_query.invalidate(DeferredQuery::Cause::kOtherRun); });
    m_query.setActive(true);
    connect(&m_query, &DeferredQuery::failureChanged, this, [this](const QString& why) {
        if (!why.isEmpty())
            m_forecast->setText(why);
    });

    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setWidget(buildSettings(base));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Metrics::kSpace3);
    layout->addWidget(words);
    layout->addWidget(area, 1);
    addAll(layout, {buildOptions(), m_forecast, buttons});
    showWhatApplies();
    showForecast();
    m_settings.front()->setFocus();
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
        connect(ticks, &SettingTicks::changed, this, &NewSweepDialog::onEdited);
        m_settings.push_back(ticks);
    }
    return all;
}

QWidget* NewSweepDialog::buildOptions() {
    auto* row = new QWidget(this);
    auto* layout = spaced(new QHBoxLayout(row), {}, Metrics::kSpace3);
    m_repeats = named(new QSpinBox(row), "sweepRepeats");
    m_repeats->setRange(1, kMostRepeats);
    m_repeats->setAccessibleName(tr("Repeats"));
    m_order = new ComboBox(row);
    m_order->addItems({tr("in order of the grid"), tr("round by round"), tr("shuffled rounds")});
    m_order->setCurrentIndex(static_cast<int>(CellOrder::kInterleaved));
    m_order->setAccessibleName(tr("Order"));
    m_order->setObjectName(QStringLiteral("sweepOrder"));
    m_seedName = new QLabel(tr("Seed"), row);
    m_seed = named(new QSpinBox(row), "sweepSeed");
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setAccessibleName(tr("Seed of the order"));
    m_seed->setToolTip(tr("The same seed gives the same order"));
    m_seedName->setBuddy(m_seed);
    const auto showSeed = [this] {
        const bool isShuffled = static_cast<CellOrder>(m_order->currentIndex()) == CellOrder::kShuffled;
        m_seedName->setVisible(isShuffled);
        m_seed->setVisible(isShuffled);
    };
    showSeed();
    connect(m_order, &QComboBox::currentIndexChanged, this, showSeed);
    m_tryTooLarge = named(new QCheckBox(tr("Try what will not fit"), row), "sweepTry");
    m_keepRuns = new QCheckBox(tr("Keep every run"), row);
    m_keepRuns->setChecked(true);
    m_snapshots = named(new QCheckBox(tr("With memory snapshots"), row), "sweepSnapshots");
    layout->addWidget(new QLabel(tr("Repeats"), row));
    addAll(layout, {m_repeats, m_order, m_seedName, m_seed, m_tryTooLarge, m_keepRuns, m_snapshots});
    layout->addStretch(1);
    connect(m_repeats, &QSpinBox::valueChanged, this, &NewSweepDialog::onEdited);
    for (const QCheckBox* tick : {m_tryTooLarge, m_keepRuns, m_snapshots})
        connect(tick, &QCheckBox::toggled, this, &NewSweepDialog::onEdited);
    return row;
}

bool NewSweepDialog::keepsRuns() const {
    return m_keepRuns->isChecked();
}

SettingTicks* NewSweepDialog::ticksOf(const std::string& key) const {
    const auto found = std::ranges::find_if(
        m_settings, [&](const SettingTicks* ticks) { return ticks->setting().key == key; });
    return found == m_settings.end() ? nullptr : *found;
}

Result<SweepPlan> NewSweepDialog::plan() const {
    SweepPlan plan;
    plan.base = m_base;
    plan.repeats = m_repeats->value();
    plan.order = static_cast<CellOrder>(m_order->currentIndex());
    if (plan.order == CellOrder::kShuffled)
        plan.shuffleSeed = static_cast<std::uint64_t>(m_seed->value());
    plan.tooLarge = m_tryTooLarge->isChecked() ? TooLarge::kTry : TooLarge::kSkip;
    plan.memorySnapshots = m_snapshots->isEnabled() && m_snapshots->isChecked();
    if (plan.memorySnapshots)
        plan.runFolder = "runs";  // named after the file, once that has a name
    for (const SettingTicks* ticks : m_settings) {
        const std::vector<std::string> values = ticks->values();
        const Setting& setting = ticks->setting();
        if (!ticks->applies()) {
            // The base's value, which was of use on its device, must not forbid the plan on these.
            if (!isOnAnyDevice(setting))
                static_cast<void>(setting.take(setting.text(RunConfig()), plan.base));
            continue;
        }
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
    // What does not apply may have had any value before.
    if (configsOf("workload").size() == 1)
        plan.base = ofItsWorkload(plan.base);
    giveRepeatedCellAnAxis(plan);
    if (plan.axes.empty())
        return Error{"Tick a second value of a setting, give one a list, or raise Repeats, to make a grid."};
    if (const Status checked = checkPlan(plan); !checked)
        return checked.error();
    return plan;
}

/// Until it is known what the plan comes to now, it cannot be started.
void NewSweepDialog::onEdited() {
    showWhatApplies();
    m_start->setEnabled(false);
    m_later.start();
}

std::vector<RunConfig> NewSweepDialog::configsOf(const char* key) const {
    std::vector<RunConfig> configs;
    if (const SettingTicks* ticks = ticksOf(key)) {
        for (const std::string& value : ticks->values()) {
            RunConfig config = m_base;
            if (ticks->setting().take(value, config))
                configs.push_back(config);
        }
    }
    return configs.empty() ? std::vector<RunConfig>{m_base} : configs;
}

bool NewSweepDialog::isOnAnyDevice(const Setting& setting) const {
    const std::vector<RunConfig> devices = configsOf("device");
    return std::ranges::any_of(
        devices, [&](const RunConfig& config) { return includes(setting.devices, config.onGpu()); });
}

/// To one of the workloads, and of use on one of the devices.
void NewSweepDialog::showWhatApplies() {
    const std::vector<RunConfig> workloads = configsOf("workload"), devices = configsOf("device");
    const bool onGpu = std::ranges::any_of(devices, &RunConfig::onGpu);
    m_snapshots->setEnabled(onGpu && m_keepRuns->isChecked());
    m_snapshots->setToolTip(!onGpu ? toQString(std::string(kNoSnapshotOfCpu))
                            : m_keepRuns->isChecked()
                                ? tr("LibTorch's memory snapshot of each cell, a file for "
                                     "pytorch.org/memory_viz; allocations take longer for it")
                                : tr("A snapshot is kept beside its cell's run"));
    for (SettingTicks* ticks : m_settings) {
        const Setting& setting = ticks->setting();
        std::optional<std::string> why;
        for (const RunConfig& config : workloads) {
            why = setting.workloadProblem(config);
            if (!why)
                break;
        }
        if (!why && !isOnAnyDevice(setting))
            why = "Not on this device: " + std::string(setting.whyNotElsewhere) + ".";
        ticks->setWhyNot(why ? toQString(*why) : QString());
        if (auto* form = qobject_cast<QFormLayout*>(ticks->parentWidget()->layout())) {
            form->labelForField(ticks)->setEnabled(!why);
            form->labelForField(ticks)->setToolTip(ticks->toolTip());
        }
    }
}

void NewSweepDialog::showForecast() {
    m_later.stop();
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
    m_query.runNow();
}

DeferredQuery::Job NewSweepDialog::weigh() {
    const auto made = plan();
    const std::int64_t cells = made ? cellCount(*made) : 0;
    m_start->setEnabled(made && cells > kMostForecast);
    if (!made) {
        m_forecast->setText(toQString(made.message()));
        return {[] { return [] {}; }};
    }
    const QString count = cells == 1 ? tr("1 cell") : tr("%1 cells").arg(countText(cells));
    if (cells > kMostForecast) {
        m_forecast->setText(count + tr(": too many to say more before they run."));
        return {[] { return [] {}; }};
    }
    m_forecast->setText(count + QStringLiteral(" · …"));
    const auto look = [this, plan = *made] {
        return [this, plan, ahead = forecast(plan, Doubts::kFirst), busy = busyGpu(plan)] {
            showOutlook(plan, ahead, busy);
        };
    };
    return {look, true};
}

void NewSweepDialog::showOutlook(const SweepPlan& plan, const SweepForecast& ahead,
                                 const std::vector<std::string>& busy) {
    QStringList parts{ahead.cells == 1 ? tr("1 cell") : tr("%1 cells").arg(countText(ahead.cells))};
    if (ahead.time)
        parts << tr("about %1, without starting processes").arg(toQString(formatDuration(*ahead.time)));
    else
        parts << tr("time unknown: the device's ceilings have not been measured");
    if (ahead.largestPeak.value > 0)
        parts << tr("largest predicted peak %1").arg(toQString(formatBytes(ahead.largestPeak)));
    const bool skips = plan.tooLarge == TooLarge::kSkip;
    if (ahead.tooLarge > 0)
        parts << (skips ? tr("%1 will not fit and are skipped") : tr("%1 will likely not fit"))
                     .arg(countText(ahead.tooLarge));
    if (ahead.cannotRun > 0)
        parts << tr("%1 cannot be run").arg(countText(ahead.cannotRun));
    QString text = parts.join(QStringLiteral(" · "));
    const auto doubt =
        std::ranges::find_if(ahead.doubts, [](const std::string& why) { return !why.empty(); });
    if (doubt != ahead.doubts.end())
        text += QLatin1Char('\n') + toQString(*doubt);
    for (const std::string& program : busy)
        text += QLatin1Char('\n') + toQString(program);
    m_forecast->setText(text);
    // Not where nothing would be run, nor where something has been typed since.
    m_start->setEnabled(!m_later.isActive() && ahead.cannotRun + (skips ? ahead.tooLarge : 0) < ahead.cells);
}

QString NewSweepDialog::forecastText() const {
    return m_forecast->text();
}

}  // namespace warpglass::ui
