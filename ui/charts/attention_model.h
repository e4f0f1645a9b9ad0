// Attention's parts as a table.
#pragma once

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

    bool m_wholeSteps = true;
    double m_largestTime = 0, m_largestFlops = 0;
};

}  // namespace warpglass::ui
