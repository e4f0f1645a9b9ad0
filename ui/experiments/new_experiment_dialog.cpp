#include "ui/experiments/new_experiment_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_run.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/elided_label.h"
#include "ui/sweep/setting_ticks.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kForecastAfter = 150;  // ms after the last change
constexpr int kListWidth = 290;

/// What the experiment itself chooses for a setting: the values of an axis of one of its sweeps, else what
/// its first sweep has. `varies`: an axis.
struct OwnChoice {
    std::vector<std::string> values;
    bool varies = false;
};

OwnChoice ownChoice(const Setting& setting, const std::vector<NamedSweep>& sweeps) {
    for (const NamedSweep& sweep : sweeps) {
        for (const SweepAxis& axis : sweep.plan.axes) {
            if (axis.key == setting.key)
                return {axis.values, true};
        }
    }
    return {{setting.text(sweeps.front().plan.base)}, false};
}

QString headOf(const Setting& setting) {
    const auto& panel = setting.panel;
    return toQString(std::string(panel.head.empty() ? panel.label : panel.head));
}

QLabel* addHead(QFormLayout& form, const QString& text) {
    auto* head = new QLabel(text);
    setSecondary(head, Theme::headFont());
    form.addRow(head);
    return head;
}

QString countText(std::int64_t count) {
    return toQString(formatGrouped(count));
}

}  // namespace

NewExperimentDialog::NewExperimentDialog(const std::vector<DeviceInfo>& devices, QString parentFolder,
                                         QWidget* parent)
    : QDialog(parent), m_parentFolder(std::move(parentFolder)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("newExperiment"));
    setWindowTitle(tr("New Experiment"));
    resize(1000, 660);
    setNames(m_list, "contents", tr("Experiment"));
    m_list->setFixedWidth(kListWidth);
    for (const Experiment& one : experiments()) {
        auto* item = new QListWidgetItem(toQString(one.title), m_list);
        item->setSizeHint({0, Metrics::kControlHeight});
        item->setToolTip(toQString(one.lookFor));
    }
    m_list->setCurrentRow(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("experimentStart"));
    m_start->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(Metrics::kSpace4);
    columns->addWidget(m_list);
    columns->addWidget(buildRight(), 1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Metrics::kSpace3);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    for (const DeviceInfo& device : devices) {
        const QString id = toQString(device.id);
        m_device->addItem(
            device.name.empty() ? id : QStringLiteral("%1 · %2").arg(id, toQString(device.name)), id);
    }
    const auto gpu = std::find_if(devices.begin(), devices.end(),
                                  [](const DeviceInfo& device) { return device.id != "cpu"; });
    if (gpu != devices.end())
        m_device->setCurrentIndex(static_cast<int>(gpu - devices.begin()));
    m_later.setSingleShot(true);
    m_later.setInterval(kForecastAfter);
    connect(&m_later, &QTimer::timeout, this, &NewExperimentDialog::showForecast);
    connect(m_list, &QListWidget::currentRowChanged, this, &NewExperimentDialog::showExperiment);
    connect(m_device, &QComboBox::currentIndexChanged, this, &NewExperimentDialog::showExperiment);
    showExperiment();
}

QWidget* NewExperimentDialog::buildRight() {
    auto* right = new QWidget(this);
    m_title = new QLabel(right);
    m_title->setFont(Theme::strongFont());
    m_lookFor = new QLabel(right);
    wrapWords(*m_lookFor);
    m_device = new ComboBox(right);
    setNames(m_device, "experimentDevice", tr("Device"));
    m_area = new QScrollArea(right);
    m_area->setWidgetResizable(true);
    m_forecast = named(new QLabel(right), "experimentForecast");
    m_forecast->setTextFormat(Qt::PlainText);
    wrapWords(*m_forecast);
    m_forecast->setMinimumHeight(3 * Metrics::kTableRow);
    m_forecast->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* device = new QHBoxLayout;
    device->setSpacing(Metrics::kSpace3);
    device->addWidget(new QLabel(tr("Device"), right));
    device->addWidget(m_device, 1);
    auto* layout = spaced(new QVBoxLayout(right), {}, Metrics::kSpace3);
    addAll(layout, {m_title, m_lookFor});
    layout->addLayout(device);
    layout->addWidget(m_area, 1);
    addAll(layout, {buildFolder(), m_forecast});
    return right;
}

QWidget* NewExperimentDialog::buildFolder() {
    auto* row = new QWidget(this);
    m_folder = new QLineEdit(row);
    setNames(m_folder, "experimentFolder", tr("Folder"));
    auto* choose = new QPushButton(tr("Choose…"), row);
    auto* layout = spaced(new QHBoxLayout(row), {}, Metrics::kSpace2);
    layout->addWidget(new QLabel(tr("Folder"), row));
    layout->addWidget(m_folder, 1);
    layout->addWidget(choose);
    for (QWidget* part : std::initializer_list<QWidget*>{m_folder, choose})
        part->setFixedHeight(Metrics::kControlHeight);
    connect(choose, &QPushButton::clicked, this, &NewExperimentDialog::chooseFolder);
    connect(m_folder, &QLineEdit::textChanged, &m_later, qOverload<>(&QTimer::start));
    return row;
}

const Experiment& NewExperimentDialog::experiment() const {
    return experiments()[static_cast<std::size_t>(std::max(0, m_list->currentRow()))];
}

void NewExperimentDialog::setExperiment(const std::string& name) {
    for (std::size_t i = 0; i < experiments().size(); ++i) {
        if (experiments()[i].name == name)
            m_list->setCurrentRow(static_cast<int>(i));
    }
}

ExperimentOptions NewExperimentDialog::options() const {
    ExperimentOptions options;
    if (m_device->currentIndex() >= 0)
        options.device = m_device->currentData().toString().toStdString();
    return options;
}

void NewExperimentDialog::showExperiment() {
    m_title->setText(toQString(experiment().title));
    m_lookFor->setText(toQString(experiment().lookFor));
    const QString name = toQString(experiment().name);
    m_folder->setText(QDir::toNativeSeparators(
        QDir(m_parentFolder)
            .filePath(name + QLatin1Char('-') +
                      QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")))));
    offerSettings();
    showForecast();
}

void NewExperimentDialog::offerSettings() {
    m_settings.clear();
    auto* all = new QWidget;
    auto* form = new QFormLayout(all);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setHorizontalSpacing(Metrics::kSpace4);
    form->setVerticalSpacing(Metrics::kSpace2);
    const std::vector<NamedSweep> sweeps = experiment().sweeps(options());
    const auto offer = [&](const Setting& setting, const OwnChoice& own) {
        auto* ticks = new SettingTicks(setting, sweeps.front().plan.base, all);
        ticks->setValues(own.values);
        form->addRow(headOf(setting), ticks);
        connect(ticks, &SettingTicks::changed, &m_later, qOverload<>(&QTimer::start));
        m_settings.push_back({ticks, ticks->values()});
    };
    for (const bool varies : {true, false}) {
        bool any = false;
        for (const Setting& setting : settings()) {
            // The device is chosen above; of what workload it is and what is recorded the answer rests on.
            const bool isFixed = setting.key == "workload" || std::holds_alternative<SomeOf>(setting.kind) ||
                                 std::holds_alternative<DeviceName>(setting.kind);
            if (sweeps.empty() || isFixed || !setting.applies(sweeps.front().plan.base))
                continue;
            const OwnChoice own = ownChoice(setting, sweeps);
            if (own.varies != varies)
                continue;
            if (!std::exchange(any, true))
                addHead(*form, varies ? tr("WHAT IT VARIES") : tr("WHAT IT KEEPS"));
            offer(setting, own);
        }
    }
    if (sweeps.empty())
        form->addRow(new QLabel(tr("There are no settings to choose."), all));
    m_area->setWidget(all);
}

SettingTicks* NewExperimentDialog::ticksOf(const std::string& key) const {
    for (const Offered& offered : m_settings) {
        if (offered.ticks->setting().key == key)
            return offered.ticks;
    }
    return nullptr;
}

Result<ExperimentRequest> NewExperimentDialog::request() const {
    ExperimentRequest request{&experiment(), options()};
    for (const Offered& offered : m_settings) {
        const std::vector<std::string> values = offered.ticks->values();
        if (values == offered.own)
            continue;
        const Setting& setting = offered.ticks->setting();
        if (values.empty())
            return Error{"The " + std::string(setting.noun) + " needs a value."};
        auto axis = sweepAxis(setting.key, values);
        if (!axis)
            return axis.error();
        request.options.given.push_back(std::move(*axis));
    }
    for (const NamedSweep& sweep : request.experiment->sweeps(request.options)) {
        if (const Status checked = checkPlan(sweep.plan); !checked)
            return checked.error();
    }
    return request;
}

QString NewExperimentDialog::folder() const {
    const QString text = QDir::fromNativeSeparators(m_folder->text().trimmed());
    return text.isEmpty() ? QString() : QDir::cleanPath(QDir(m_parentFolder).absoluteFilePath(text));
}

void NewExperimentDialog::chooseFolder() {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Folder of the Experiment"), m_parentFolder);
    if (!chosen.isEmpty())
        m_folder->setText(QDir::toNativeSeparators(chosen));
}

QString NewExperimentDialog::forecastText() const {
    return m_forecast->text();
}

/// `runs`: some of it would be run.
QStringList NewExperimentDialog::forecastLines(const ExperimentRequest& request, bool& runs) const {
    const std::vector<NamedSweep> sweeps = request.experiment->sweeps(request.options);
    if (sweeps.empty()) {
        ExperimentOptions onGpu = request.options;
        onGpu.device = "cuda:0";
        return {request.experiment->sweeps(onGpu).empty()
                    ? tr("It runs no model: the answer is computed within some seconds.")
                    : tr("It needs a GPU: on the CPU there is nothing to run, and the answer says so.")};
    }
    std::int64_t cells = 0;
    for (const NamedSweep& sweep : sweeps)
        cells += cellCount(sweep.plan);
    const QString count =
        (cells == 1 ? tr("1 run") : tr("%1 runs, each in a process of its own").arg(countText(cells)));
    if (cells > kMostForecast)
        return {count + tr(": too many to say more before they run.")};
    const SweepForecast ahead = forecastOf(sweeps);
    QStringList parts{count}, lines;
    if (ahead.time)
        parts << tr("about %1, without starting processes").arg(toQString(formatDuration(*ahead.time)));
    else if (!hasCpuSizes(request.options))
        parts << tr("time unknown: the device's ceilings have not been measured");
    if (ahead.largestPeak.value > 0)
        parts << tr("largest predicted peak %1").arg(toQString(formatBytes(ahead.largestPeak)));
    if (ahead.tooLarge > 0)
        parts << tr("%1 will not fit or are tried beyond what fits").arg(countText(ahead.tooLarge));
    if (ahead.cannotRun > 0)
        parts << tr("%1 cannot be run").arg(countText(ahead.cannotRun));
    lines << parts.join(QStringLiteral(" · "));
    if (hasCpuSizes(request.options))
        lines << tr(
            "On the CPU it runs at sizes that a laptop finishes in about a minute: they show the method, "
            "and a GPU's figures differ.");
    const auto doubt = std::find_if(ahead.doubts.begin(), ahead.doubts.end(),
                                    [](const std::string& why) { return !why.empty(); });
    if (doubt != ahead.doubts.end())
        lines << toQString(*doubt);
    for (const std::string& busy : busyGpu(sweeps.front().plan))
        lines << toQString(busy);
    runs = ahead.cannotRun < cells;
    return lines;
}

/// What the folder holds already; `taken`: something else.
QStringList NewExperimentDialog::folderLines(const ExperimentRequest& request, bool& taken) const {
    const std::string path = QFile::encodeName(folder()).toStdString();
    taken = requestInTheWay(request, path).has_value();
    if (taken)
        return {tr("The folder holds another experiment, or this one with other settings: choose another.")};
    const auto kept = readRequest(path);
    if (kept && isSameRequest(*kept, request))
        return {tr("The folder holds this experiment: what is done there is not run again.")};
    return kept ? QStringList{tr(
                      "The folder holds an experiment without any result, which this one replaces.")}
                : QStringList();
}

void NewExperimentDialog::showForecast() {
    const Result<ExperimentRequest> asked = request();
    QStringList lines;
    bool runs = true;
    if (!asked)
        lines << toQString(asked.message());
    else
        lines << forecastLines(*asked, runs);
    bool taken = false;
    if (asked)
        lines << folderLines(*asked, taken);
    m_forecast->setText(lines.join(QLatin1Char('\n')));
    m_start->setEnabled(asked && runs && !taken && !folder().isEmpty());
}

}  // namespace warpglass::ui
