#include "ui/panels/run_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/problem_mark.h"
#include "ui/panels/preset_field.h"
#include "ui/panels/words_field.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The labels' column: fits "Context length" in the text font.
constexpr int kFieldLabelWidth = 107;

/// "Seed, memory limit, recorded".
QString namesOf(PanelPart part) {
    QStringList names;
    for (const Setting& setting : settings()) {
        if (setting.panel.part == part)
            names << (names.isEmpty() ? toQString(setting.name()) : toQString(setting.name()).toLower());
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace

void FieldMarks::add(const QString& field, QWidget* label, QWidget* control) {
    m_fields.insert(field, {label, control, control->toolTip(), {}});
}

void FieldMarks::setToolTip(const QString& field, const QString& toolTip) {
    Field& found = m_fields[field];
    found.toolTip = toolTip;
    tell(found);
}

void FieldMarks::show(const QHash<QString, QString>& sentences) {
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        Field& field = it.value();
        const QString sentence = sentences.value(it.key());
        if (sentence == field.sentence)
            continue;
        field.sentence = sentence;
        markProblem(*field.label, !sentence.isEmpty());
        markProblem(*field.control, !sentence.isEmpty());
        tell(field);
    }
}

void FieldMarks::tell(const Field& field) {
    const bool both = !field.sentence.isEmpty() && !field.toolTip.isEmpty();
    field.control->setToolTip(field.sentence + (both ? QStringLiteral("\n") : QString()) + field.toolTip);
    field.control->setAccessibleDescription(field.sentence);
    field.label->setToolTip(field.sentence);
}

RunFields::RunFields(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("runFields"));
    auto* column = spaced(new QVBoxLayout(this),
                          {Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace2}, 0);
    addFields(column, PanelPart::kModel);
    addFields(addGroup(column, "sizes", m_sizes), PanelPart::kSizes);
    addFields(column, PanelPart::kWork);
    // What seldom is anything but the usual, so that the panel is no longer for it.
    addFold(column);
    addFields(addGroup(column, "extras", m_extras), PanelPart::kMore);
    column->addStretch(1);
    setUnfolded(false);
    setTabOrders();
    setDevices({});
    for (const SettingControl& control : m_controls)
        control.show(RunConfig());
    setConfig(RunConfig());
}

void RunFields::setScrollBarWidth(int width) {
    layout()->setContentsMargins(Metrics::kSpace4, Metrics::kSpace4, Metrics::kSpace4 - width,
                                 Metrics::kSpace2);
}

QWidget* RunFields::lastField() const {
    return m_controls.back().stops.last();
}

QLabel* RunFields::addHead(QVBoxLayout* column, const QString& text, bool isFirst) {
    if (!isFirst)
        column->addSpacing(Metrics::kSpace2);  // after that of the control above
    auto* head = new QLabel(text, this);
    setSecondary(head, Theme::headFont());
    head->setFixedHeight(20);
    column->addWidget(head);
    column->addSpacing(Metrics::kSpace1);
    return head;
}

void RunFields::addRow(QVBoxLayout* column, const QString& text, QWidget* control, const QString& field) {
    auto* row = spaced(new QHBoxLayout, {}, 0);
    auto* label = new QLabel(text, this);
    label->setProperty("secondary", true);
    label->setFixedWidth(kFieldLabelWidth);
    label->setBuddy(control);
    control->setAccessibleName(text);
    row->addWidget(label);
    row->addWidget(control, 1);
    column->addLayout(row);
    column->addSpacing(Metrics::kSpace2);
    m_marks.add(field, label, control);
}

QVBoxLayout* RunFields::addGroup(QVBoxLayout* column, const char* name, QWidget*& group) {
    group = new QWidget(this);
    group->setObjectName(QString::fromLatin1(name));
    auto* fields = spaced(new QVBoxLayout(group), {}, 0);
    column->addWidget(group);
    return fields;
}

void RunFields::addFields(QVBoxLayout* column, PanelPart part) {
    const auto all = settings();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool headFollows = i + 1 < all.size() && !all[i + 1].panel.head.empty();
        if (all[i].panel.part == part)
            addField(column, all[i], headFollows);
    }
}

void RunFields::addField(QVBoxLayout* column, const Setting& setting, bool headFollows) {
    const QString key = toQString(setting.key), head = toQString(setting.panel.head);
    const bool isModel = std::holds_alternative<ModelName>(setting.kind);
    auto* box = new QWidget(this);
    auto* within = spaced(new QVBoxLayout(box), {}, 0);
    const bool isFirst = column->count() == 0;
    column->addWidget(box);
    m_fields.push_back({&setting, box});
    column = within;
    const bool isWorkload = setting.key == "workload";
    const SettingControl& made =
        m_controls.emplace_back(makeSettingControl(setting, this, [this, isModel, isWorkload] {
            if (isModel)
                showSizes();
            if (isWorkload)
                adaptToWorkload();
            onEdited();
        }));
    QWidget* control = made.widget;
    if (isModel)
        m_preset = qobject_cast<PresetField*>(control);
    if (std::holds_alternative<DeviceName>(setting.kind))
        m_device = qobject_cast<ComboBox*>(control);
    auto* words = qobject_cast<WordsField*>(control);  // has a head of its own
    QLabel* over = words ? words->head() : head.isEmpty() ? nullptr : addHead(column, head, isFirst);
    if (!setting.panel.label.empty())
        return addRow(column, toQString(setting.panel.label), control, key);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(head);
    column->addWidget(control);
    column->addSpacing(headFollows || words ? Metrics::kSpace2 : Metrics::kSpace3);
    m_marks.add(key, over, control);
}

void RunFields::addFold(QVBoxLayout* column) {
    m_fold = named(new QToolButton(this), "moreSettings");
    m_fold->setProperty("fold", true);
    m_fold->setText(tr("More settings"));
    m_fold->setToolTip(namesOf(PanelPart::kMore));
    m_fold->setAccessibleName(m_fold->text());
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setIconSize({Metrics::kIcon, Metrics::kIcon});
    column->addWidget(m_fold);
    column->addSpacing(Metrics::kSpace2);
    connect(m_fold, &QToolButton::clicked, this, [this](bool unfolded) {
        setUnfolded(unfolded);
        if (unfolded)
            emit unfoldedByHand(m_extras);
    });
    m_marks.add(m_fold->objectName(), m_fold, m_fold);
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
    QWidget* last = nullptr;
    const auto next = [&last](QWidget* widget) {
        if (last)
            QWidget::setTabOrder(last, widget);
        last = widget;
    };
    bool beforeFold = true;
    for (const SettingControl& control : m_controls) {
        if (beforeFold && control.setting->panel.part == PanelPart::kMore)
            next(m_fold);
        beforeFold = control.setting->panel.part != PanelPart::kMore;
        for (QWidget* stop : control.stops)
            next(stop);
    }
}

/// Another workload may bring another mode.
void RunFields::adaptToWorkload() {
    RunConfig now = config();
    const Setting& workload = *findSetting("workload");
    static_cast<void>(workload.take(workload.text(now), now));
    for (const SettingControl& control : m_controls) {
        if (control.setting->key == "mode")
            control.show(now);
    }
    if (!now.isAttention() && m_preset->isCustom())
        showSizes();
}

void RunFields::showWhatApplies() {
    const RunConfig now = config();
    for (const Field& field : m_fields)
        field.box->setVisible(field.setting->applies(now));
    m_sizes->setVisible(now.isAttention() || m_preset->isCustom());
}

void RunFields::showSizes() {
    RunConfig chosen = config();
    m_sizes->setVisible(chosen.isAttention() || m_preset->isCustom());
    chosen.shape = m_preset->shape();
    for (const SettingControl& control : m_controls) {
        if (control.setting->panel.part == PanelPart::kSizes && control.setting->applies(chosen))
            control.show(chosen);
    }
}

RunConfig RunFields::config() const {
    RunConfig config;
    for (const SettingControl& control : m_controls) {
        const bool isPresets = control.setting->panel.part == PanelPart::kSizes && !m_preset->isCustom();
        if (control.setting->applies(config) && (config.isAttention() || !isPresets))
            control.read(config);
    }
    return config;
}

void RunFields::setConfig(const RunConfig& config) {
    m_loading = true;
    for (const SettingControl& control : m_controls) {
        const Setting& setting = *control.setting;
        if (!setting.applies(config))
            continue;  // it keeps what it has, for when the workload is another again
        control.show(config);
        if (setting.panel.part == PanelPart::kMore && !setting.isUsual(config))
            setUnfolded(true);
    }
    if (!config.isAttention())
        showSizes();
    m_loading = false;
    showWhatApplies();
    adaptToDevice();
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
        m_device->addItem(tr("%1 (not available)").arg(chosen), chosen);
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
    m_loading = wasLoading;
    adaptToDevice();
}

/// The box shows as much of the name as fits. What another kind of device has no use for can be taken back.
void RunFields::adaptToDevice() {
    m_marks.setToolTip(QStringLiteral("device"), chosenDevice()
                                                     ? tr("Where it runs: %1").arg(m_device->currentText())
                                                     : tr("Where it runs"));
    const RunConfig now = config();
    for (const SettingControl& control : m_controls) {
        const Setting& setting = *control.setting;
        if (setting.devices != Devices::kAll)
            control.widget->setEnabled(includes(setting.devices, now.onGpu()) || !setting.isUsual(now));
    }
}

const DeviceInfo* RunFields::chosenDevice() const {
    return device(m_device->currentData().toString().toStdString());
}

const DeviceInfo* RunFields::device(const std::string& id) const {
    const auto found = std::ranges::find(m_devices, id, &DeviceInfo::id);
    return found == m_devices.end() ? nullptr : &*found;
}

void RunFields::onEdited() {
    if (m_loading)
        return;
    showWhatApplies();
    adaptToDevice();
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
