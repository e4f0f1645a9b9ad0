// Attention's parts as a table.
#pragma once

#include <array>

#include "engine/query/attention_parts.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct AttentionKeyOf {
    int operator()(const AttentionPartRow& row) const {
        return static_cast<int>(row.phase) * static_cast<int>(kAttentionPartCount) +
               static_cast<int>(row.part);
    }
};

class AttentionModel : public KeyedTableModel<AttentionPartRow, AttentionKeyOf> {
    Q_OBJECT
public:
    enum Column {
        kPhase,
        kPart,
        kTimeShare,
        kTime,
        kFlopsShare,
        kFlops,
        kRate,
        kMoved,
        kProducts,
        kInstances
    };

    explicit AttentionModel(QObject* parent = nullptr);
    void setParts(const AttentionParts& parts);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;

private:
    double value(const AttentionPartRow& row, int column) const;
    /// A column of what is planned.
    static bool isPlanned(int column);
    /// Some of what it states is not known; its value is 0.
    bool isUnknown(const AttentionPartRow& row, int column) const;

    bool m_rates = true;
    QString m_unplanned;
    std::array<bool, 2> m_sharesKnown = {true, true};  // of FLOPs: forward, backward
    double m_largestTime = 0, m_largestFlops = 0;
};

}  // namespace warpglass::ui
