#include "ui/panels/setting_control.h"

#include <QToolButton>
#include <algorithm>
#include <limits>

#include "engine/plan/own_parts.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/size_field.h"
#include "ui/panels/preset_field.h"
#include "ui/panels/words_field.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

using Edited = std::function<void()>;

QString toolTipOf(const Choice& choice) {
    return toQString(choice.toolTip) + (choice.devices == Devices::kGpu   ? QStringLiteral("; GPUs only")
                                        : choice.devices == Devices::kCpu ? QStringLiteral("; CPU only")
                                                                          : QString());
}

QList<QWidget*> buttonsOf(const SegmentedControl& segments) {
    QList<QWidget*> buttons;
    for (int i = 0; i < segments.count(); ++i)
        buttons << segments.button(i);
    return buttons;
}

NumberField* makeNumber(const Setting& setting, NumberField::Steps steps, QWidget* parent,
                        const Edited& edited) {
    auto* number = new NumberField(toQString(setting.panel.unit), steps, parent);
    QObject::connect(number, &NumberField::valueEdited, parent, edited);
    return number;
}

SettingControl make(const WholeNumber& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* number = makeNumber(setting, kind.doubles ? NumberField::Steps::kByTwo : NumberField::Steps::kByOne,
                              parent, edited);
    return {
        &setting,
        number,
        {number},
        [number, &kind](RunConfig& config) {
            constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
            kind.value.in(config) = static_cast<std::int64_t>(std::min(number->value().value_or(0), kMost));
        },
        [number, &kind](const RunConfig& config) {
            number->setValue(static_cast<std::uint64_t>(std::max<std::int64_t>(0, kind.value.of(config))));
        }};
}

SettingControl make(const AnyNumber& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    NumberField* number = makeNumber(setting, NumberField::Steps::kByOne, parent, edited);
    return {&setting,
            number,
            {number},
            [number, &kind](RunConfig& config) { kind.value.in(config) = number->value().value_or(0); },
            [number, &kind](const RunConfig& config) { number->setValue(kind.value.of(config)); }};
}

SettingControl make(const SizeLimit& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* size = new SizeField(SizeField::tr("off"), parent);
    QObject::connect(size, &SizeField::valueEdited, parent, edited);
    return {&setting,
            size,
            {size},
            [size, &kind](RunConfig& config) { kind.value.in(config) = size->value().value_or(Bytes(-1)); },
            [size, &kind](const RunConfig& config) { size->setValue(kind.value.of(config)); }};
}

SettingControl makeList(const OneOf& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* list = new ComboBox(parent);
    for (const Choice& choice : kind.choices()) {
        list->addItem(toQString(choice.label));
        list->setItemData(list->count() - 1, toolTipOf(choice), Qt::ToolTipRole);
    }
    QObject::connect(list, &QComboBox::activated, parent, edited);
    return {&setting,
            list,
            {list},
            [list, &kind](RunConfig& config) {
                kind.choose(config, static_cast<std::size_t>(std::max(0, list->currentIndex())));
            },
            [list, &kind](const RunConfig& config) {
                list->setCurrentIndex(static_cast<int>(kind.index(config)));
            }};
}

SettingControl make(const OneOf& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    if (!setting.panel.label.empty())
        return makeList(kind, setting, parent, edited);
    QStringList labels;
    for (const Choice& choice : kind.choices())
        labels << toQString(choice.label);
    auto* segments = new SegmentedControl(labels, parent);
    for (int i = 0; i < segments->count(); ++i)
        segments->button(i)->setToolTip(toolTipOf(kind.choices()[static_cast<std::size_t>(i)]));
    QObject::connect(segments, &SegmentedControl::chosen, parent, edited);
    return {&setting, segments, buttonsOf(*segments),
            [segments, &kind](RunConfig& config) {
                kind.choose(config, static_cast<std::size_t>(std::max(0, segments->current())));
            },
            [segments, &kind](const RunConfig& config) {
                segments->setCurrent(static_cast<int>(kind.index(config)));
            }};
}

WordsField::Chosen featuresOf(Recorded recorded) {
    WordsField::Chosen chosen;
    for (std::size_t i = 0; i < kFeatures.size(); ++i)
        chosen.push_back(recorded.has(static_cast<Feature>(i)));
    return chosen;
}

SettingControl make(const SomeOf& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* field =
        new WordsField(toQString(setting.key), toQString(setting.panel.head), kFeatures,
                       {{QObject::tr("all"), QObject::tr("Records everything but shapes and kernel clocks"),
                         featuresOf(Recorded())},
                        {QObject::tr("none"), QObject::tr("Records steps, phases and modules only"),
                         featuresOf(Recorded::none())}},
                       parent);
    QObject::connect(field, &WordsField::edited, parent, edited);
    return {&setting, field, field->controls(),
            [field, &kind](RunConfig& config) {
                const WordsField::Chosen chosen = field->value();
                for (std::size_t i = 0; i < chosen.size(); ++i)
                    kind.value.in(config).set(static_cast<Feature>(i), chosen[i]);
            },
            [field, &kind](const RunConfig& config) { field->setValue(featuresOf(kind.value.of(config))); }};
}

WordsField::Chosen ownPartsOf(const RunConfig& config) {
    WordsField::Chosen chosen;
    for (std::size_t i = 0; i < ownParts().size(); ++i)
        chosen.push_back(hasOwnPart(config, i));
    return chosen;
}

SettingControl make(const OwnKernels&, const Setting& setting, QWidget* parent, const Edited& edited) {
    const auto shortcut = [](std::string_view word, const QString& toolTip) {
        RunConfig config;
        static_cast<void>(takeOwnParts(word, config));
        return WordsField::Shortcut{toQString(word), toolTip, ownPartsOf(config)};
    };
    auto* field =
        new WordsField(toQString(setting.key), toQString(setting.panel.head), ownParts(),
                       {shortcut(kLibraryKernels, QObject::tr("Every part runs PyTorch's kernels")),
                        shortcut(kFusedKernels, QObject::tr("Every part runs Warpglass's fused kernels"))},
                       parent);
    QObject::connect(field, &WordsField::edited, parent, edited);
    return {&setting, field, field->controls(),
            [field](RunConfig& config) {
                const WordsField::Chosen chosen = field->value();
                for (std::size_t i = 0; i < chosen.size(); ++i)
                    setOwnPart(config, i, chosen[i]);
            },
            [field](const RunConfig& config) { field->setValue(ownPartsOf(config)); }};
}

SettingControl make(const ModelName& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* field = new PresetField(parent);
    QObject::connect(field, &PresetField::modelChosen, parent, edited);
    return {&setting, field, buttonsOf(*field),
            [field, &kind](RunConfig& config) {
                kind.value.in(config) = field->model().toStdString();
                config.shape = field->shape();
            },
            [field, &kind](const RunConfig& config) {
                field->setModel(toQString(kind.value.of(config)), config.shape);
            }};
}

SettingControl make(const DeviceName& kind, const Setting& setting, QWidget* parent, const Edited& edited) {
    auto* list = new ComboBox(parent);
    QObject::connect(list, &QComboBox::activated, parent, edited);
    return {&setting,
            list,
            {list},
            [list, &kind](RunConfig& config) {
                kind.value.in(config) = list->currentData().toString().toStdString();
            },
            [list, &kind](const RunConfig& config) {
                const QString device = toQString(kind.value.of(config));
                if (list->findData(device) < 0)
                    list->addItem(QObject::tr("%1 (not available)").arg(device), device);
                list->setCurrentIndex(list->findData(device));
            }};
}

}  // namespace

SettingControl makeSettingControl(const Setting& setting, QWidget* parent,
                                  const std::function<void()>& edited) {
    SettingControl control =
        std::visit([&](const auto& kind) { return make(kind, setting, parent, edited); }, setting.kind);
    const QString key = toQString(setting.key);
    if (control.widget->objectName().isEmpty() && !control.widget->findChild<QWidget*>(key))
        control.widget->setObjectName(key);
    if (!setting.panel.toolTip.empty())
        control.widget->setToolTip(toQString(setting.panel.toolTip));
    return control;
}

}  // namespace warpglass::ui
