// What the categories' colours mean, in figures of views that stand beside a legend in the window.
#pragma once

#include <vector>

#include "engine/trace/ids.h"
#include "ui/charts/legend.h"
#include "ui/models/run_document.h"
#include "ui/theme/figure_mode.h"

namespace warpglass::ui {

/// Those that the run has memory of at any time, in their order.
std::vector<Category> seenCategories(RunDocument& document);
/// In a legend.
std::vector<LegendEntry> entriesOf(const std::vector<Category>& categories);

/// Hidden but in a figure.
class CategoryKey : public LegendStrip, public FigurePart {
    Q_OBJECT
public:
    explicit CategoryKey(RunDocument& document, QWidget* parent = nullptr);
    void setInFigure(bool inFigure) override;

private:
    RunDocument& m_document;
};

}  // namespace warpglass::ui
