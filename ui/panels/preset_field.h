// Which model: a preset or custom sizes. The smallest presets have a segment each, and the others are in the
// menu of the last segment. It keeps the sizes of the model, from which custom sizes start.
#pragma once

#include "engine/plan/run_config.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::ui {

class PresetField : public SegmentedControl {
    Q_OBJECT
public:
    explicit PresetField(QWidget* parent = nullptr);

    const QString& model() const { return m_model; }
    const ModelShape& shape() const { return m_shape; }
    bool isCustom() const;
    /// A preset's name over other sizes (an edited file) would run something else than it says: these are
    /// shown as custom. Does not emit modelChosen().
    void setModel(const QString& model, const ModelShape& shape);

signals:
    /// By the user.
    void modelChosen();

private:
    void choose(const QString& model);
    void showModel();

    QString m_model;
    ModelShape m_shape;
};

}  // namespace warpglass::ui
