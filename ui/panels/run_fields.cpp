#include "ui/panels/run_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/parameters.h"
#include "ui/models/table_model.h"
#include "ui/panels/recorded_field.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/icons.h"
#include "ui/theme/number_field.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/size_field.h"
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

RunFields::RunFields(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("runFields"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace2);
    column->setSpacing(0);
    buildModel(column);
    buildWork(column);
    buildProtocol(column);
    buildExtras(column);
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
    return m_recorded->controls().last();
}

QLabel* RunFields::addHead(QVBoxLayout* column, const QString& text) {
    if (column->count() > 0)
        column->addSpacing(Metrics::kSpace2);  // after that of the control above
    auto* head = new QLabel(text, this);
    head->setFont(Theme::headFont());
    head->setProperty("secondary", true);
    head->setFixedHeight(20);
    column->addWidget(head);
    column->addSpacing(Metrics::kSpace1);
    return head;
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
    column->addSpacing(Metrics::kSpace2);
    m_marks.add(field, label, control);
}

NumberField* RunFields::addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                                  const QString& field, const QString& toolTip, bool doubles) {
    auto* number =
        new NumberField(unit, doubles ? NumberField::Steps::kByTwo : NumberField::Steps::kByOne, this);
    number->setObjectName(field);
    number->setToolTip(toolTip);
    addRow(column, label, number, field);
    connect(number, &NumberField::valueEdited, this, &RunFields::onEdited);
    return number;
}

void RunFields::buildModel(QVBoxLayout* column) {
    QLabel* head = addHead(column, tr("Model"));
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
    m_marks.add(QStringLiteral("model"), head, m_preset);
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
    QLabel* precision = addHead(column, tr("Precision"));
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
    m_marks.add(QStringLiteral("precision"), precision, m_precision);
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

    QLabel* mode = addHead(column, tr("Mode"));
    m_mode = new SegmentedControl({tr("forward"), tr("fwd + bwd"), tr("step")}, this);
    m_mode->setObjectName(QStringLiteral("mode"));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->button(0)->setToolTip(tr("Inference: forward only, no gradients"));
    m_mode->button(1)->setToolTip(tr("Forward, loss and backward"));
    m_mode->button(2)->setToolTip(tr("A full training step: forward, loss, backward, AdamW"));
    connect(m_mode, &SegmentedControl::chosen, this, &RunFields::onEdited);
    column->addWidget(m_mode);
    m_marks.add(QStringLiteral("mode"), mode, m_mode);
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
}

/// What seldom is anything but the usual, so that the panel is no longer for it.
void RunFields::buildExtras(QVBoxLayout* column) {
    m_fold = new QToolButton(this);
    m_fold->setObjectName(QStringLiteral("moreSettings"));
    m_fold->setProperty("fold", true);
    m_fold->setText(tr("More settings"));
    m_fold->setToolTip(tr("The seed, a limit of memory, and what is recorded"));
    m_fold->setAccessibleName(m_fold->text());
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setIconSize({Metrics::kIcon, Metrics::kIcon});
    column->addWidget(m_fold);
    column->addSpacing(Metrics::kSpace2);
    m_extras = new QWidget(this);
    m_extras->setObjectName(QStringLiteral("extras"));
    auto* extras = new QVBoxLayout(m_extras);
    extras->setContentsMargins(0, 0, 0, 0);
    extras->setSpacing(0);
    m_seed = addNumber(extras, tr("Seed"), {}, QStringLiteral("seed"),
                       tr("The same seed gives the same weights, tokens and loss"), false);
    m_limit = new SizeField(tr("off"), this);
    m_limit->setObjectName(QStringLiteral("memory-limit"));
    m_limit->setToolTip(
        tr("What LibTorch may take of a GPU's memory at most, as in 16 GiB; empty for all there is"));
    connect(m_limit, &SizeField::valueEdited, this, &RunFields::onEdited);
    addRow(extras, tr("Memory limit"), m_limit, QStringLiteral("memory-limit"));
    m_recorded = new RecordedField(this);
    connect(m_recorded, &RecordedField::edited, this, &RunFields::onEdited);
    extras->addWidget(m_recorded);
    extras->addSpacing(Metrics::kSpace2);
    m_marks.add(QStringLiteral("record"), m_recorded->head(), m_recorded);
    column->addWidget(m_extras);
    connect(m_fold, &QToolButton::clicked, this, [this](bool unfolded) {
        setUnfolded(unfolded);
        if (unfolded)
            emit unfoldedByHand(m_extras);
    });
    m_marks.add(m_fold->objectName(), m_fold, m_fold);
    setUnfolded(false);
}

bool RunFields::isUnfolded() const {
    return !m_extras->isHidden();
}

void RunFields::setUnfolded(bool unfolded) {
    m_extras->setVisible(unfolded);
    m_fold->setIcon(makeQuietIcon(unfolded ? Icon::kChevronDown : Icon::kChevronRight));
    m_fold->setChecked(unfolded);
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
    for (QWidget* field : std::initializer_list<QWidget*>{m_warmup, m_steps, m_fold, m_seed, m_limit})
        next(field);
    for (QWidget* control : m_recorded->controls())
        next(control);
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
    c.memoryLimit = m_limit->value().value_or(Bytes(-1));
    c.recorded = m_recorded->value();
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
    m_limit->setValue(c.memoryLimit);
    m_recorded->setValue(c.recorded);
    const RunConfig usual;
    if (c.seed != usual.seed || c.memoryLimit != usual.memoryLimit || c.recorded != usual.recorded)
        setUnfolded(true);
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

/// The box shows as much of the name as fits. A limit is a GPU's; one that is set can be taken back.
void RunFields::nameDevice() {
    m_marks.setToolTip(QStringLiteral("device"), chosenDevice()
                                                     ? tr("Where it runs: %1").arg(m_device->currentText())
                                                     : tr("Where it runs"));
    const bool onGpu = m_device->currentData().toString() != QLatin1String("cpu");
    m_limit->setEnabled(onGpu || !m_limit->text().isEmpty());
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

void RunFields::showProblems(const std::vector<ConfigProblem>& problems) {
    QHash<QString, QString> sentences;
    for (const ConfigProblem& problem : problems) {
        QString field = toQString(problem.field);
        // Sizes that are not on screen are the preset's, and what is folded away is marked where it unfolds.
        const QWidget* control = findChild<QWidget*>(field);
        if (control && m_sizes->isHidden() && m_sizes->isAncestorOf(control))
            field = QStringLiteral("model");
        QString& text = sentences[field];
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + toQString(problem.sentence);
        if (control && m_extras->isAncestorOf(control))
            sentences.insert(m_fold->objectName(), toQString(problem.sentence));
    }
    m_marks.show(sentences);
}

}  // namespace warpglass::ui
