// A comparison's tables in a figure, where names matter more than the last columns and no controls stand.
#include <QHeaderView>
#include <QLayout>
#include <algorithm>

#include "ui/compare/comparison_tables.h"

namespace warpglass::ui {
namespace {

/// The room for names in a figure: so much that kernels of one op are told apart, and so much that the
/// numbers need not make room.
constexpr int kRoomForName = 160, kMostRoomForName = 440;

}  // namespace

void ComparisonTables::fitInFigure() {
    if (!m_figures || m_model.rowCount() == 0 || !m_table->chosenColumns().isEmpty())
        return;
    layout()->activate();  // a later size of the table would fit its columns anew
    const QHeaderView& across = *m_table->horizontalHeader();
    const QAbstractItemView& cells = *m_table;
    const int kName = m_model.column("name");
    const int longest = cells.sizeHintForColumn(kName);
    const bool cutsNames = across.sectionSize(kName) < std::min(longest, kMostRoomForName);
    if (!cutsNames && !across.isSectionHidden(m_model.column("ratio")))
        return;
    int left = m_table->viewport()->width() - std::min(longest, kRoomForName);
    bool fits = true;
    for (const int column : m_model.priority(!memoryRowsOf(*m_figures, shownTable()).empty())) {
        if (column == kName)
            continue;
        m_table->setColumnHidden(column, false);  // a hidden one's title asks for no width
        const int needs = std::max(across.sectionSizeHint(column), cells.sizeHintForColumn(column));
        fits = fits && needs <= left;
        m_table->setColumnHidden(column, !fits);
        if (!fits)
            continue;
        m_table->setColumnWidth(column, needs);
        left -= needs;
    }
    m_table->setColumnWidth(kName, std::max(left, 0) + std::min(longest, kRoomForName));
}

void ComparisonTables::setFigure(bool figure) {
    m_bar->setFigure(figure);
    m_inFigure = figure;
    setMessage(m_message);
    showMemory();
    showWords();
}

}  // namespace warpglass::ui
