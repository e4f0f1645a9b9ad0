// Names and colors of the op families, the same in the legend of every view.
//
// GUI thread.
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "engine/query/spans/op_family.h"
#include "ui/controls/figure_mode.h"
#include "ui/theme/legend.h"

class QAbstractItemModel;

namespace warpglass::ui {

/// "matmul", as tables have it.
QString familyName(OpFamily family);
/// In the current theme's colors.
LegendEntry familyEntry(OpFamily family);

/// The families of which there is any, with how much in one unit of the caller's, in the order of all views.
struct FamilyLegend {
    std::vector<LegendEntry> entries;
    std::vector<double> weights;
};
FamilyLegend familyLegend(const std::array<double, kOpFamilyCount>& amounts);

/// The families of a table's rows, over the table: in a figure, and in a window where it costs no row that is
/// needed.
class FamilyKey : public LegendStrip, public FigurePart {
    Q_OBJECT
public:
    /// `column` has the swatches.
    FamilyKey(const QAbstractItemModel& model, int column, QWidget* parent);
    void setInFigure(bool inFigure) override;
    /// How high the view is in which the table stands.
    void setHeightOfView(int height);

private:
    void showFamilies();

    const QAbstractItemModel& m_model;
    int m_column;
    bool m_inFigure = false, m_roomy = false;
};

}  // namespace warpglass::ui
