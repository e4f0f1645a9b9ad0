// The points of the roofline as a table.
#pragma once

#include "engine/query/roofline.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct RooflineKeyOf {
    std::string operator()(const RooflinePoint& point) const {
        return std::string(planPhaseName(point.phase)) + '/' + point.name;
    }
};

class RooflineModel : public KeyedTableModel<RooflinePoint, RooflineKeyOf> {
    Q_OBJECT
public:
    /// As they stand: what a narrow table leaves out is last.
    enum Column { kPhase, kName, kTime, kRate, kRoof, kShare, kIntensity, kFlops, kMoved };

    explicit RooflineModel(QObject* parent = nullptr);
    /// `ridge`: the intensity, in operations a byte, under which memory is the roof; 0 where it is not known.
    void setPoints(const std::vector<RooflinePoint>& points, double ridge);

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    bool isMono(int column) const override { return column == kName; }

private:
    double value(const RooflinePoint& row, int column) const;
    double m_longest = 0, m_ridge = 0;
};

}  // namespace warpglass::ui
