#include "ui/panels/preset_field.h"

#include <QMenu>
#include <QToolButton>

#include "engine/base/format.h"
#include "engine/plan/parameters.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Presets that have a segment of their own.
constexpr int kDirectPresets = 4;

QStringList segmentNames() {
    QStringList names;
    for (const ModelPreset& preset : modelPresets().first(kDirectPresets))
        names << toQString(preset.name);
    return names << QStringLiteral("…");
}

QString toolTipOf(const ModelPreset& preset) {
    const ModelShape& s = preset.shape;
    return PresetField::tr("d_model %1, d_ff %2, %3 layers, %4 heads: %5 parameters")
        .arg(s.dModel)
        .arg(s.dFf)
        .arg(s.layers)
        .arg(s.heads)
        .arg(toQString(formatCount(parameterCount(s))));
}

}  // namespace

PresetField::PresetField(QWidget* parent) : SegmentedControl(segmentNames(), parent) {
    setObjectName(QStringLiteral("preset"));
    setAccessibleName(tr("Model preset"));
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("presetMenu"));
    menu->setToolTipsVisible(true);
    const auto presets = modelPresets();
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const QString name = toQString(presets[i].name), toolTip = toolTipOf(presets[i]);
        if (i < kDirectPresets)
            button(static_cast<int>(i))->setToolTip(toolTip);
        else
            menu->addAction(name, this, [this, name] { choose(name); })->setToolTip(toolTip);
    }
    menu->addSeparator();
    menu->addAction(tr("custom sizes"), this, [this] { choose(toQString(kCustomModel)); });
    QToolButton* more = button(kDirectPresets);
    more->setMenu(menu);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setToolTip(tr("Larger presets and custom sizes"));
    more->setAccessibleName(tr("More presets"));
    connect(this, &SegmentedControl::chosen, this, [this](int index) {
        if (index < kDirectPresets)
            choose(toQString(modelPresets()[static_cast<std::size_t>(index)].name));
    });
}

bool PresetField::isCustom() const {
    return m_model == toQString(kCustomModel);
}

void PresetField::setModel(const QString& model, const ModelShape& shape) {
    const auto preset = presetShape(model.toStdString());
    m_model = preset && *preset == shape ? model : toQString(kCustomModel);
    m_shape = shape;
    showModel();
}

void PresetField::choose(const QString& model) {
    m_model = model;
    // Custom sizes start from those of the preset before.
    if (const auto preset = presetShape(model.toStdString()))
        m_shape = *preset;
    showModel();
    emit modelChosen();
}

void PresetField::showModel() {
    const auto presets = modelPresets();
    int segment = kDirectPresets;
    for (int i = 0; i < kDirectPresets; ++i) {
        if (toQString(presets[static_cast<std::size_t>(i)].name) == m_model)
            segment = i;
    }
    setCurrent(segment);
    button(kDirectPresets)->setText(segment == kDirectPresets ? m_model : QStringLiteral("…"));
}

}  // namespace warpglass::ui
