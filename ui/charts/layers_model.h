// A model's layers as a table, with bars in the cells for time, activations and memory.
#pragma once

#include "engine/query/layers.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct LayerNameOf {
    const std::string& operator()(const LayerRow& row) const { return row.name; }
};

class LayersModel : public KeyedTableModel<LayerRow, LayerNameOf> {
    Q_OBJECT
public:
    enum Column {
        kLayer,
        kTime,
        kForward,
        kBackward,
        kOptimizer,
        kFlops,
        kRate,
        kMoved,
        kActivations,
        kMemory,
        kStandsOut
    };

    explicit LayersModel(QObject* parent = nullptr);
    void setLayers(const Layers& layers);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    int trend(std::size_t row, int column) const override;
    bool isMono(int column) const override { return column == kLayer; }

private:
    /// A column of what is planned.
    static bool isPlanned(int column);
    /// FLOPs and what goes with them, where some of the layer's are not known.
    bool isUnknown(std::size_t row, int column) const;
    /// ns, operations, bytes; nothing for a column of text.
    std::optional<double> amount(const LayerRow& row, int column) const;

    Layers m_layers;  // without its rows
    double m_longest = 0;
    std::int64_t m_mostActivations = 0, m_mostMemory = 0;
};

}  // namespace warpglass::ui
