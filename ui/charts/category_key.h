// Explains the categories' colors in figures of views that have a legend beside them in the window.
#pragma once

#include <vector>

#include "engine/trace/ids.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/run_document.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

/// The categories that the run has memory of at any time, in the order of a stack (kStackOrder).
std::vector<Category> seenCategories(RunDocument& document);
/// The categories as entries of a legend.
std::vector<LegendEntry> entriesOf(const std::vector<Category>& categories);

/// Hidden except in a figure, and where its view is shown without that legend.
class CategoryKey : public LegendStrip, public FigurePart {
    Q_OBJECT
public:
    explicit CategoryKey(RunDocument& document, QWidget* parent = nullptr);
    void setInFigure(bool inFigure) override;
    /// The view is without that legend; not so at first.
    void setAlone(bool alone);
    /// Entries after the categories.
    void setMore(std::vector<LegendEntry> entries);

private:
    void showCategories();

    RunDocument& m_document;
    std::vector<LegendEntry> m_more;
    bool m_inFigure = false, m_alone = false;
};

}  // namespace warpglass::ui
