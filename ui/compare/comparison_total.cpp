#include "ui/compare/comparison_total.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include "ui/controls/data_table.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

ComparisonTotal::ComparisonTotal(DataTable& table, QWidget* parent) : QWidget(parent), m_table(table) {
    setObjectName(QStringLiteral("comparisonTotal"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(m_table.horizontalHeader(), &QHeaderView::sectionResized, this, repaint);
    connect(m_table.horizontalHeader(), &QHeaderView::sectionMoved, this, repaint);
    connect(m_table.horizontalScrollBar(), &QScrollBar::valueChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
    hide();
}

void ComparisonTotal::setTotal(const std::optional<ComparisonRow>& total, const ComparisonShown& shown) {
    m_model.setRows(total ? std::vector{*total} : std::vector<ComparisonRow>(), Unit::kNanoseconds, shown);
    setVisible(total.has_value());
    QString said;
    for (const char* key : {"name", "a", "b", "difference", "ratio"}) {
        if (total)
            said += m_model.index(0, m_model.column(key)).data().toString() + QLatin1Char(' ');
    }
    setAccessibleName(said.trimmed());
    update();
}

void ComparisonTotal::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(QRect(0, 0, width(), 1), colors.hairline);
    if (m_model.rowCount() == 0)
        return;
    const QWidget* common = parentWidget();
    const QPoint origin = m_table.viewport()->mapTo(common, QPoint(0, 0)) - pos();
    for (int column = 0; column < m_model.columnCount(); ++column) {
        if (m_table.isColumnHidden(column))
            continue;
        QStyleOptionViewItem option;
        option.initFrom(this);
        option.state = QStyle::State_Enabled;
        option.widget = &m_table;
        option.rect = QRect(origin.x() + m_table.columnViewportPosition(column), 1,
                            m_table.columnWidth(column), kHeight - 1);
        m_table.itemDelegate()->paint(&painter, option, m_model.index(0, column));
    }
}

}  // namespace warpglass::ui
