// Which model: a preset, of which the smallest have a segment each and the others stand in the menu of the
// last one, or sizes of one's own. It keeps the sizes that the model has, or that one's own begin with.
#pragma once

#include "engine/plan/run_config.h"
#include "ui/theme/segmented_control.h"

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
    /// By the person.
    void modelChosen();

private:
    void choose(const QString& model);
    void showModel();

    QString m_model;
    ModelShape m_shape;
};

}  // namespace warpglass::ui
