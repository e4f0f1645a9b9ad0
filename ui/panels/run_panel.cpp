#include "ui/panels/run_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/estimate.h"
#include "ui/models/table_model.h"
#include "ui/panels/estimate_card.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/icons.h"
#include "ui/theme/number_field.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Presets that have a segment of their own; the others are in the menu of the last segment.
constexpr int kDirectPresets = 4;
constexpr const char* kCustom = "custom";
/// The labels' column: fits "Context length" in the text font.
constexpr int kLabelWidth = 107;
/// "Stopped in step 21 of 301; what was recorded is kept." takes two.
constexpr int kStatusLines = 2;

std::int64_t numberOf(const NumberField& field) {
    const auto value = field.value();
    if (!value)
        return 0;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(*value, kMost));
}

void setNumber(NumberField& field, std::int64_t value) {
    field.setValue(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)));
}

QString presetToolTip(const ModelPreset& preset) {
    const ModelShape& s = preset.shape;
    return RunPanel::tr("d_model %1, d_ff %2, %3 layers, %4 heads: %5 parameters")
        .arg(s.dModel)
        .arg(s.dFf)
        .arg(s.layers)
        .arg(s.heads)
        .arg(toQString(formatCount(parameterCount(s))));
}

}  // namespace

RunPanel::RunPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("runPanel"));
    setAccessibleName(tr("Run panel"));
    // The fields scroll where the window is low; the estimate and Run are always in sight.
    auto* fields = new QWidget(this);
    fields->setObjectName(QStringLiteral("runFields"));
    auto* column = new QVBoxLayout(fields);
    column->setContentsMargins(Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace2);
    column->setSpacing(0);
    buildModel(column);
    buildWork(column);
    buildProtocol(column);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("runFieldsScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(fields);
    auto* footer = new QVBoxLayout;
    footer->setContentsMargins(Metrics::kSpace4, 0, Metrics::kSpace4, Metrics::kSpace4);
    footer->setSpacing(0);
    buildRun(footer);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(scroll, 1);
    layout->addLayout(footer);
    setTabOrders();
    setDevices({});
    setConfig(RunConfig());
    connect(&Theme::instance(), &Theme::changed, this, &RunPanel::updateButton);
}

void RunPanel::addHead(QVBoxLayout* column, const QString& text) {
    if (column->count() > 0)
        column->addSpacing(Metrics::kSpace3);
    auto* head = new QLabel(text, this);
    head->setFont(Theme::headFont());
    head->setProperty("secondary", true);
    head->setFixedHeight(20);
    column->addWidget(head);
    column->addSpacing(Metrics::kSpace1);
}

QLabel* RunPanel::addProblem(QVBoxLayout* column, const QString& field) {
    auto* problem = new QLabel(this);
    problem->setObjectName(QStringLiteral("problem-") + field);
    problem->setFont(Theme::tableFont());
    problem->setProperty("problem", true);
    problem->setWordWrap(true);
    problem->setContentsMargins(0, Metrics::kSpace1, 0, 0);
    problem->hide();
    column->addWidget(problem);
    m_problemLabels.insert(field, problem);
    return problem;
}

void RunPanel::addRow(QVBoxLayout* column, const QString& text, QWidget* control, const QString& field) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* label = new QLabel(text, this);
    label->setProperty("secondary", true);
    label->setFixedWidth(kLabelWidth);
    label->setBuddy(control);
    control->setAccessibleName(text);
    row->addWidget(label);
    row->addWidget(control, 1);
    column->addLayout(row);
    addProblem(column, field);
    column->addSpacing(Metrics::kSpace2);
}

NumberField* RunPanel::addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                                 const QString& field, const QString& toolTip, bool doubles) {
    auto* number =
        new NumberField(unit, doubles ? NumberField::Steps::kByTwo : NumberField::Steps::kByOne, this);
    number->setObjectName(field);
    number->setToolTip(toolTip);
    addRow(column, label, number, field);
    connect(number, &NumberField::valueEdited, this, &RunPanel::edited);
    m_numbers.insert(field, number);
    return number;
}

void RunPanel::buildModel(QVBoxLayout* column) {
    addHead(column, tr("Model"));
    QStringList names;
    const auto presets = modelPresets();
    for (int i = 0; i < kDirectPresets; ++i)
        names << toQString(presets[static_cast<std::size_t>(i)].name);
    names << QStringLiteral("…");
    m_preset = new SegmentedControl(names, this);
    m_preset->setObjectName(QStringLiteral("preset"));
    m_preset->setAccessibleName(tr("Model preset"));
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("presetMenu"));
    menu->setToolTipsVisible(true);
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const QString name = toQString(presets[i].name);
        if (i < kDirectPresets) {
            m_preset->button(static_cast<int>(i))->setToolTip(presetToolTip(presets[i]));
            continue;
        }
        menu->addAction(name, this, [this, name] { choosePreset(name); })
            ->setToolTip(presetToolTip(presets[i]));
    }
    menu->addSeparator();
    menu->addAction(tr("custom sizes"), this, [this] { choosePreset(QString::fromLatin1(kCustom)); });
    QToolButton* more = m_preset->button(kDirectPresets);
    more->setMenu(menu);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setToolTip(tr("Larger presets, and sizes of your own"));
    more->setAccessibleName(tr("More presets"));
    connect(m_preset, &SegmentedControl::chosen, this, [this](int index) {
        if (index < kDirectPresets)
            choosePreset(toQString(modelPresets()[static_cast<std::size_t>(index)].name));
    });
    column->addWidget(m_preset);
    addProblem(column, QStringLiteral("model"));
    column->addSpacing(Metrics::kSpace3);

    m_sizes = new QWidget(this);
    m_sizes->setObjectName(QStringLiteral("sizes"));
    auto* sizes = new QVBoxLayout(m_sizes);
    sizes->setContentsMargins(0, 0, 0, 0);
    sizes->setSpacing(0);
    m_dModel = addNumber(sizes, tr("d_model"), {}, QStringLiteral("d-model"),
                         tr("Width of the residual stream"), true);
    m_dFf = addNumber(sizes, tr("d_ff"), {}, QStringLiteral("d-ff"), tr("Width inside the feed-forward part"),
                      true);
    m_layers = addNumber(sizes, tr("Layers"), {}, QStringLiteral("layers"), tr("How many blocks"), false);
    m_heads = addNumber(sizes, tr("Heads"), {}, QStringLiteral("heads"),
                        tr("Attention heads a block; d_model must be a multiple"), false);
    m_vocabulary = addNumber(sizes, tr("Vocabulary"), tr("tokens"), QStringLiteral("vocab"),
                             tr("How many tokens there are"), false);
    column->addWidget(m_sizes);
    m_context = addNumber(column, tr("Context length"), tr("tokens"), QStringLiteral("context"),
                          tr("Tokens in each sequence; Up and Down double and halve"), true);
    m_batch = addNumber(column, tr("Batch"), tr("sequences"), QStringLiteral("batch"),
                        tr("Sequences in each step"), true);
}

void RunPanel::buildWork(QVBoxLayout* column) {
    const auto words = [](const auto& names) {
        QStringList list;
        for (const std::string_view name : names)
            list << toQString(name);
        return list;
    };
    addHead(column, tr("Precision"));
    m_precision = new SegmentedControl(words(kPrecisionNames), this);
    m_precision->setObjectName(QStringLiteral("precision"));
    m_precision->setAccessibleName(tr("Precision"));
    m_precision->button(0)->setToolTip(tr("Everything in 32-bit floating point"));
    m_precision->button(1)->setToolTip(tr("32-bit tensors, matrix products in TensorFloat-32; GPUs only"));
    m_precision->button(2)->setToolTip(
        tr("Mixed: matrix products in bfloat16; parameters, norms and loss stay fp32"));
    m_precision->button(3)->setToolTip(
        tr("Mixed: matrix products in half precision, with loss scaling; GPUs only"));
    connect(m_precision, &SegmentedControl::chosen, this, &RunPanel::edited);
    column->addWidget(m_precision);
    addProblem(column, QStringLiteral("precision"));

    addHead(column, tr("Attention"));
    m_attention = new ComboBox(this);
    m_attention->setObjectName(QStringLiteral("attention"));
    const QStringList variants = {tr("naive"),      tr("SDPA math"),  tr("SDPA efficient"),
                                  tr("SDPA flash"), tr("SDPA cuDNN"), tr("tiled (ours)")};
    const QStringList tips = {
        tr("Scores, softmax and values as three separate steps"),
        tr("PyTorch's scaled_dot_product_attention, math backend"),
        tr("PyTorch's scaled_dot_product_attention, memory-efficient backend; GPUs only"),
        tr("PyTorch's scaled_dot_product_attention, flash backend"),
        tr("PyTorch's scaled_dot_product_attention, cuDNN backend; GPUs only"),
        tr("FlashAttention-2 by tiles, our readable reference: no S × S matrix; CPU only")};
    for (int i = 0; i < variants.size(); ++i) {
        m_attention->addItem(variants[i]);
        m_attention->setItemData(i, tips[i], Qt::ToolTipRole);
    }
    m_attention->setToolTip(tr("How attention is computed"));
    connect(m_attention, &QComboBox::activated, this, &RunPanel::edited);
    addRow(column, tr("Variant"), m_attention, QStringLiteral("attention"));

    addHead(column, tr("Mode"));
    m_mode = new SegmentedControl({tr("forward"), tr("fwd + bwd"), tr("step")}, this);
    m_mode->setObjectName(QStringLiteral("mode"));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->button(0)->setToolTip(tr("Inference: forward only, no gradients"));
    m_mode->button(1)->setToolTip(tr("Forward, loss and backward"));
    m_mode->button(2)->setToolTip(tr("A full training step: forward, loss, backward, AdamW"));
    connect(m_mode, &SegmentedControl::chosen, this, &RunPanel::edited);
    column->addWidget(m_mode);
    addProblem(column, QStringLiteral("mode"));
    column->addSpacing(Metrics::kSpace3);
}

void RunPanel::buildProtocol(QVBoxLayout* column) {
    m_device = new ComboBox(this);
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setToolTip(tr("Where it runs"));
    connect(m_device, &QComboBox::activated, this, &RunPanel::edited);
    addRow(column, tr("Device"), m_device, QStringLiteral("device"));
    m_execution = new ComboBox(this);
    m_execution->setObjectName(QStringLiteral("execution"));
    m_execution->addItem(tr("eager"));
    m_execution->addItem(tr("CUDA graph"));
    m_execution->setItemData(0, tr("Op by op, as PyTorch does"), Qt::ToolTipRole);
    m_execution->setItemData(1, tr("The step captured once and replayed with one launch; GPUs only"),
                             Qt::ToolTipRole);
    m_execution->setToolTip(tr("How a step is run"));
    connect(m_execution, &QComboBox::activated, this, &RunPanel::edited);
    addRow(column, tr("Execution"), m_execution, QStringLiteral("execution"));
    m_warmup = addNumber(column, tr("Warm-up"), tr("steps"), QStringLiteral("warmup"),
                         tr("Steps that run first and are left out of the figures"), false);
    m_steps = addNumber(column, tr("Measured"), tr("steps"), QStringLiteral("steps"),
                        tr("Steps that are measured"), false);
    m_seed = addNumber(column, tr("Seed"), {}, QStringLiteral("seed"),
                       tr("The same seed gives the same weights, tokens and loss"), false);
}

void RunPanel::buildRun(QVBoxLayout* column) {
    column->addSpacing(Metrics::kSpace2);
    m_estimate = new EstimateCard(this);
    column->addWidget(m_estimate);
    column->addSpacing(Metrics::kSpace3);
    addProblem(column, QString());
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("runButton"));
    m_run->setProperty("accent", true);
    m_run->setFixedHeight(Metrics::kRunButtonHeight);
    m_run->setIconSize({Metrics::kIcon, Metrics::kIcon});
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_running)
            requestStop();
        else
            requestRun();
    });
    column->addWidget(m_run);
    column->addSpacing(Metrics::kSpace2);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("runProgress"));
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setTextVisible(false);
    m_progress->hide();
    // Of the height of what stands in it, so that the button above does not jump when a run begins or ends.
    auto* status = new QWidget(this);
    status->setMinimumHeight(kStatusLines * QFontMetrics(Theme::tableFont()).lineSpacing() +
                             Metrics::kSpace1);
    auto* lines = new QVBoxLayout(status);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    m_progressText = new QLabel(this);
    m_progressText->setObjectName(QStringLiteral("runProgressText"));
    m_progressText->hide();
    m_lastResult = new QLabel(this);
    m_lastResult->setObjectName(QStringLiteral("lastResult"));
    m_lastResult->setWordWrap(true);
    m_lastResult->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lastResult->hide();
    lines->addWidget(m_progress);
    for (QLabel* label : {m_progressText, m_lastResult}) {
        label->setFont(Theme::tableFont());
        label->setProperty("secondary", true);
        label->setContentsMargins(0, Metrics::kSpace1, 0, 0);
        lines->addWidget(label);
    }
    lines->addStretch(1);
    column->addWidget(status);
    updateButton();
}

void RunPanel::setTabOrders() {
    QWidget* last = m_preset->button(0);
    const auto next = [&last](QWidget* widget) {
        QWidget::setTabOrder(last, widget);
        last = widget;
    };
    for (int i = 1; i < m_preset->count(); ++i)
        next(m_preset->button(i));
    for (NumberField* field : {m_dModel, m_dFf, m_layers, m_heads, m_vocabulary, m_context, m_batch})
        next(field);
    for (int i = 0; i < m_precision->count(); ++i)
        next(m_precision->button(i));
    next(m_attention);
    for (int i = 0; i < m_mode->count(); ++i)
        next(m_mode->button(i));
    next(m_device);
    next(m_execution);
    for (NumberField* field : {m_warmup, m_steps, m_seed})
        next(field);
    next(m_run);
}

void RunPanel::choosePreset(const QString& name) {
    m_model = name;
    // Custom sizes start from those of the preset before.
    if (const auto shape = presetShape(name.toStdString()))
        m_shape = *shape;
    showPreset();
    edited();
}

void RunPanel::showPreset() {
    const auto presets = modelPresets();
    int segment = kDirectPresets;
    for (int i = 0; i < kDirectPresets; ++i) {
        if (toQString(presets[static_cast<std::size_t>(i)].name) == m_model)
            segment = i;
    }
    m_preset->setCurrent(segment);
    m_preset->button(kDirectPresets)->setText(segment == kDirectPresets ? m_model : QStringLiteral("…"));
    const bool custom = m_model == QLatin1String(kCustom);
    m_sizes->setVisible(custom);
    setNumber(*m_dModel, m_shape.dModel);
    setNumber(*m_dFf, m_shape.dFf);
    setNumber(*m_layers, m_shape.layers);
    setNumber(*m_heads, m_shape.heads);
    setNumber(*m_vocabulary, m_shape.vocabulary);
}

RunConfig RunPanel::config() const {
    RunConfig c;
    c.model = m_model.toStdString();
    c.shape = m_shape;
    if (m_model == QLatin1String(kCustom)) {
        c.shape.dModel = numberOf(*m_dModel);
        c.shape.dFf = numberOf(*m_dFf);
        c.shape.layers = numberOf(*m_layers);
        c.shape.heads = numberOf(*m_heads);
        c.shape.vocabulary = numberOf(*m_vocabulary);
    }
    c.context = numberOf(*m_context);
    c.batch = numberOf(*m_batch);
    c.precision = static_cast<Precision>(std::max(0, m_precision->current()));
    c.attention = static_cast<AttentionVariant>(std::max(0, m_attention->currentIndex()));
    c.mode = static_cast<Mode>(std::max(0, m_mode->current()));
    c.execution = static_cast<Execution>(std::max(0, m_execution->currentIndex()));
    c.device = m_device->currentData().toString().toStdString();
    c.warmup = numberOf(*m_warmup);
    c.steps = numberOf(*m_steps);
    c.seed = m_seed->value().value_or(0);
    return c;
}

void RunPanel::setConfig(const RunConfig& c) {
    m_loading = true;
    m_model = toQString(c.model);
    m_shape = c.shape;
    // A preset's name over other sizes (an edited file) would run something else than it says.
    if (const auto shape = presetShape(c.model); !shape || !(*shape == c.shape))
        m_model = QString::fromLatin1(kCustom);
    showPreset();
    setNumber(*m_context, c.context);
    setNumber(*m_batch, c.batch);
    m_precision->setCurrent(static_cast<int>(c.precision));
    m_attention->setCurrentIndex(static_cast<int>(c.attention));
    m_mode->setCurrent(static_cast<int>(c.mode));
    m_execution->setCurrentIndex(static_cast<int>(c.execution));
    const QString device = toQString(c.device);
    if (m_device->findData(device) < 0)
        m_device->addItem(tr("%1 (not found)").arg(device), device);
    m_device->setCurrentIndex(m_device->findData(device));
    setNumber(*m_warmup, c.warmup);
    setNumber(*m_steps, c.steps);
    m_seed->setValue(c.seed);
    m_loading = false;
    updateEstimate();
}

void RunPanel::setDevices(std::vector<DeviceInfo> devices) {
    const QString chosen = m_device->currentData().toString();
    const bool wasLoading = std::exchange(m_loading, true);  // nobody edits anything
    m_devices = std::move(devices);
    m_device->clear();
    for (const DeviceInfo& device : m_devices) {
        const QString id = toQString(device.id);
        m_device->addItem(
            device.name.empty() ? id : QStringLiteral("%1 · %2").arg(id, toQString(device.name)), id);
        m_device->setItemData(
            m_device->count() - 1,
            tr("%1 of %2 available")
                .arg(toQString(formatBytes(device.available)), toQString(formatBytes(device.memory))),
            Qt::ToolTipRole);
    }
    if (m_devices.empty())
        m_device->addItem(QStringLiteral("cpu"), QStringLiteral("cpu"));
    if (!chosen.isEmpty() && m_device->findData(chosen) < 0)
        m_device->addItem(tr("%1 (not found)").arg(chosen), chosen);
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
    m_loading = wasLoading;
    updateEstimate();
}

const DeviceInfo* RunPanel::chosenDevice() const {
    const std::string id = m_device->currentData().toString().toStdString();
    const auto found =
        std::find_if(m_devices.begin(), m_devices.end(), [&id](const DeviceInfo& d) { return d.id == id; });
    return found == m_devices.end() ? nullptr : &*found;
}

void RunPanel::edited() {
    if (m_loading)
        return;
    // How a run of other settings ended says nothing of these.
    if (!m_running)
        setLastResult({});
    updateEstimate();
    emit configEdited();
}

void RunPanel::updateEstimate() {
    if (m_loading || !m_estimate)
        return;
    const Estimate estimate = estimateRun(config());
    QHash<QString, QString> sentences;
    for (const ConfigProblem& problem : estimate.problems) {
        QString field = toQString(problem.field);
        // A problem of sizes that are not on screen stands under the preset.
        if (m_sizes->isHidden() && m_numbers.contains(field) && m_sizes->isAncestorOf(m_numbers[field]))
            field = QStringLiteral("model");
        if (!m_problemLabels.contains(field))
            field.clear();
        QString& text = sentences[field];
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + toQString(problem.sentence);
    }
    for (auto it = m_problemLabels.begin(); it != m_problemLabels.end(); ++it) {
        const QString sentence = sentences.value(it.key());
        it.value()->setText(sentence);
        it.value()->setVisible(!sentence.isEmpty());
        if (NumberField* number = m_numbers.value(it.key())) {
            number->setProblem(!sentence.isEmpty());
            number->setAccessibleDescription(sentence);
        }
    }
    m_problems = !estimate.valid();
    const DeviceInfo* device = chosenDevice();
    m_device->setToolTip(device ? tr("Where it runs: %1").arg(m_device->currentText()) : tr("Where it runs"));
    m_estimate->setEstimate(estimate, device);
    updateButton();
}

bool RunPanel::canRun() const {
    return !m_running && !m_problems && !m_forbidden;
}

void RunPanel::requestRun() {
    if (canRun())
        emit runRequested(config());
}

void RunPanel::updateButton() {
    const ThemeColors& colors = Theme::instance().colors();
    m_run->setText(m_stopping ? tr("Stopping…") : m_running ? tr("Stop") : tr("Run"));
    m_run->setAccessibleName(m_running ? tr("Stop") : tr("Run"));
    m_run->setIcon(makeIcon(m_running ? Icon::kStop : Icon::kRun, m_running ? colors.text : colors.onAccent));
    m_run->setEnabled(m_running ? !m_stopping : canRun());
    m_run->setToolTip(m_running     ? tr("Ends the run between two ops; what was recorded is kept")
                      : m_forbidden ? m_cannotRun
                      : m_problems  ? tr("Something above needs another value first")
                                    : tr("Runs this and shows it live (Ctrl+R)"));
    if (m_couldRun != canRun()) {
        m_couldRun = canRun();
        emit canRunChanged();
    }
    if (m_run->property("running").toBool() != m_running) {
        m_run->setProperty("running", m_running);
        m_run->style()->unpolish(m_run);
        m_run->style()->polish(m_run);
    }
}

void RunPanel::requestStop() {
    if (!m_running || m_stopping)
        return;
    m_stopping = true;
    updateButton();
    emit stopRequested();
}

void RunPanel::setRunning(bool running) {
    m_running = running;
    m_stopping = false;
    m_progress->setVisible(running);
    m_progressText->setVisible(running);
    showResult();
    if (running)
        setProgress(0, 0);
    updateButton();
}

void RunPanel::setProgress(int step, int total) {
    if (total <= 0) {
        m_progress->setRange(0, 0);  // moves without an end: the model is being built
        m_progressText->setText(tr("Starting…"));
        return;
    }
    m_progress->setRange(0, total);
    m_progress->setValue(std::clamp(step, 0, total));
    m_progressText->setText(tr("Step %1 of %2").arg(std::min(step + 1, total)).arg(total));
}

void RunPanel::setLastResult(const QString& sentence) {
    m_result = sentence;
    showResult();
}

void RunPanel::setCannotRun(const QString& sentence, bool forbid) {
    m_cannotRun = sentence;
    m_forbidden = forbid && !sentence.isEmpty();
    showResult();
    updateButton();
}

void RunPanel::showResult() {
    const QString& sentence = m_result.isEmpty() ? m_cannotRun : m_result;
    m_lastResult->setText(sentence);
    m_lastResult->setVisible(!m_running && !sentence.isEmpty());
}

}  // namespace warpglass::ui
