#include "ui/models/table_model.h"

namespace warpglass::ui {

TableModel::TableModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
        case kColumnNameRole:
            return column.title;
        case Qt::ToolTipRole:
            return column.toolTip;
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(int(column.number ? Qt::AlignRight : Qt::AlignLeft) |
                                       int(Qt::AlignVCenter));
        case Qt::InitialSortOrderRole: {
            const bool most = column.firstSort == FirstSort::kMost ||
                              (column.firstSort == FirstSort::kByKind && column.number);
            return static_cast<int>(most ? Qt::DescendingOrder : Qt::AscendingOrder);
        }
        case kWidthRole:
            return column.width;
        case kPlainTitleRole:
            return column.plainTitle.isEmpty() ? column.title : column.plainTitle;
        default:
            return {};
    }
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(row, column);
        case Qt::ToolTipRole:
            return exactText(row, column);
        case Qt::TextAlignmentRole:
            return headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        case kSortRole:
            return sortValue(row, column);
        case kPlainRole:
            return plainValue(row, column);
        case kSwatchRole:
            return swatch(row, column);
        case kShareRole:
            return shareBar(row, column);
        case kMonoRole:
            return isMono(column);
        case kStrongRole:
            return isStrong(row);
        case kTrendRole:
            return trend(row, column);
        case kDepthRole:
            return depth(row, column);
        case kExpansionRole:
            return expansion(row, column);
        default:
            return {};
    }
}

}  // namespace warpglass::ui
