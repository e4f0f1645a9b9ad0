#include "ui/panels/run_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/parameters.h"
#include "ui/models/table_model.h"
#include "ui/theme/combo_box.h"
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
    return RunFields::tr("d_model %1, d_ff %2, %3 layers, %4 heads: %5 parameters")
        .arg(s.dModel)
        .arg(s.dFf)
        .arg(s.layers)
        .arg(s.heads)
        .arg(toQString(formatCount(parameterCount(s))));
}

}  // namespace

QLabel* makeProblemLabel(const QString& field, QWidget* parent) {
    auto* problem = new QLabel(parent);
    problem->setObjectName(QStringLiteral("problem-") + field);
    problem->setFont(Theme::tableFont());
    problem->setProperty("problem", true);
    problem->setWordWrap(true);
    problem->setContentsMargins(0, Metrics::kSpace1, 0, 0);
    problem->hide();
    return problem;
}

void showProblem(QLabel* label, const QString& sentence) {
    label->setText(sentence);
    label->setVisible(!sentence.isEmpty());
}

RunFields::RunFields(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("runFields"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace2);
    column->setSpacing(0);
    buildModel(column);
    buildWork(column);
    buildProtocol(column);
    column->addStretch(1);
    setTabOrders();
    setDevices({});
    setConfig(RunConfig());
}

void RunFields::setScrollBarWidth(int width) {
    layout()->setContentsMargins(Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4 - width,
                                 Metrics::kSpace2);
}

QWidget* RunFields::lastField() const {
    return m_seed;
}

void RunFields::addHead(QVBoxLayout* column, const QString& text) {
    if (column->count() > 0)
        column->addSpacing(Metrics::kSpace2);  // after that of the control above
    auto* head = new QLabel(text, this);
    head->setFont(Theme::headFont());
    head->setProperty("secondary", true);
    head->setFixedHeight(20);
    column->addWidget(head);
    column->addSpacing(Metrics::kSpace1);
}

void RunFields::addProblem(QVBoxLayout* column, const QString& field) {
    QLabel* problem = makeProblemLabel(field, this);
    column->addWidget(problem);
    m_problemLabels.insert(field, problem);
}

void RunFields::addRow(QVBoxLayout* column, const QString& text, QWidget* control, const QString& field) {
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

NumberField* RunFields::addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                                  const QString& field, const QString& toolTip, bool doubles) {
    auto* number =
        new NumberField(unit, doubles ? NumberField::Steps::kByTwo : NumberField::Steps::kByOne, this);
    number->setObjectName(field);
    number->setToolTip(toolTip);
    addRow(column, label, number, field);
    connect(number, &NumberField::valueEdited, this, &RunFields::onEdited);
    m_numbers.insert(field, number);
    return number;
}

void RunFields::buildModel(QVBoxLayout* column) {
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

void RunFields::buildWork(QVBoxLayout* column) {
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
    connect(m_precision, &SegmentedControl::chosen, this, &RunFields::onEdited);
    column->addWidget(m_precision);
    addProblem(column, QStringLiteral("precision"));
    column->addSpacing(Metrics::kSpace2);

    addHead(column, tr("Attention"));
    m_attention = new ComboBox(this);
    m_attention->setObjectName(QStringLiteral("attention"));
    const QStringList variants = words(kAttentionNames);
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
    connect(m_attention, &QComboBox::activated, this, &RunFields::onEdited);
    addRow(column, tr("Variant"), m_attention, QStringLiteral("attention"));

    addHead(column, tr("Mode"));
    m_mode = new SegmentedControl({tr("forward"), tr("fwd + bwd"), tr("step")}, this);
    m_mode->setObjectName(QStringLiteral("mode"));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->button(0)->setToolTip(tr("Inference: forward only, no gradients"));
    m_mode->button(1)->setToolTip(tr("Forward, loss and backward"));
    m_mode->button(2)->setToolTip(tr("A full training step: forward, loss, backward, AdamW"));
    connect(m_mode, &SegmentedControl::chosen, this, &RunFields::onEdited);
    column->addWidget(m_mode);
    addProblem(column, QStringLiteral("mode"));
    column->addSpacing(Metrics::kSpace3);
}

void RunFields::buildProtocol(QVBoxLayout* column) {
    m_device = new ComboBox(this);
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setToolTip(tr("Where it runs"));
    connect(m_device, &QComboBox::activated, this, &RunFields::onEdited);
    addRow(column, tr("Device"), m_device, QStringLiteral("device"));
    m_execution = new ComboBox(this);
    m_execution->setObjectName(QStringLiteral("execution"));
    for (const std::string_view name : kExecutionNames)
        m_execution->addItem(toQString(name));
    m_execution->setItemData(0, tr("Op by op, as PyTorch does"), Qt::ToolTipRole);
    m_execution->setItemData(
        1, tr("The step captured once as a CUDA graph and replayed with one launch; GPUs only"),
        Qt::ToolTipRole);
    m_execution->setToolTip(tr("How a step is run"));
    connect(m_execution, &QComboBox::activated, this, &RunFields::onEdited);
    addRow(column, tr("Execution"), m_execution, QStringLiteral("execution"));
    m_warmup = addNumber(column, tr("Warm-up"), tr("steps"), QStringLiteral("warmup"),
                         tr("Steps that run first and are left out of the figures"), false);
    m_steps = addNumber(column, tr("Measured"), tr("steps"), QStringLiteral("steps"),
                        tr("Steps that are measured"), false);
    m_seed = addNumber(column, tr("Seed"), {}, QStringLiteral("seed"),
                       tr("The same seed gives the same weights, tokens and loss"), false);
}

void RunFields::setTabOrders() {
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
}

void RunFields::choosePreset(const QString& name) {
    m_model = name;
    // Custom sizes start from those of the preset before.
    if (const auto shape = presetShape(name.toStdString()))
        m_shape = *shape;
    showPreset();
    onEdited();
}

void RunFields::showPreset() {
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

RunConfig RunFields::config() const {
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

void RunFields::setConfig(const RunConfig& c) {
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
        m_device->addItem(tr("%1 (absent)").arg(device), device);
    m_device->setCurrentIndex(m_device->findData(device));
    setNumber(*m_warmup, c.warmup);
    setNumber(*m_steps, c.steps);
    m_seed->setValue(c.seed);
    m_loading = false;
    nameDevice();
}

void RunFields::setDevices(std::vector<DeviceInfo> devices) {
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
        m_device->addItem(tr("%1 (absent)").arg(chosen), chosen);
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
    m_loading = wasLoading;
    nameDevice();
}

/// The box shows as much of the name as fits.
void RunFields::nameDevice() {
    m_device->setToolTip(chosenDevice() ? tr("Where it runs: %1").arg(m_device->currentText())
                                        : tr("Where it runs"));
}

const DeviceInfo* RunFields::chosenDevice() const {
    return device(m_device->currentData().toString().toStdString());
}

const DeviceInfo* RunFields::device(const std::string& id) const {
    const auto found =
        std::find_if(m_devices.begin(), m_devices.end(), [&id](const DeviceInfo& d) { return d.id == id; });
    return found == m_devices.end() ? nullptr : &*found;
}

void RunFields::onEdited() {
    if (m_loading)
        return;
    nameDevice();
    emit edited();
}

QWidget* RunFields::firstProblem() const {
    QWidget* first = nullptr;
    for (QLabel* label : m_problemLabels) {
        if (!label->isHidden() && (!first || label->y() < first->y()))
            first = label;
    }
    return first;
}

QString RunFields::showProblems(const std::vector<ConfigProblem>& problems) {
    QHash<QString, QString> sentences;
    for (const ConfigProblem& problem : problems) {
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
        showProblem(it.value(), sentence);
        if (NumberField* number = m_numbers.value(it.key())) {
            number->setProblem(!sentence.isEmpty());
            number->setAccessibleDescription(sentence);
        }
    }
    return sentences.value(QString());
}

}  // namespace warpglass::ui
