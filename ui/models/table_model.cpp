#include "ui/models/table_model.h"

namespace warpglass::ui {

void TableModel::setHeads(std::vector<Head> heads) {
    m_heads = std::move(heads);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_heads.size());
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Head& head = m_heads[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return head.title;
        case Qt::ToolTipRole:
            return head.toolTip;
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(int(head.atRight ? Qt::AlignRight : Qt::AlignLeft) |
                                       int(Qt::AlignVCenter));
        case Qt::InitialSortOrderRole:
            return static_cast<int>(head.mostFirst ? Qt::DescendingOrder : Qt::AscendingOrder);
        case kWidthRole:
            return head.width;
        case kPlainTitleRole:
            return head.plainTitle;
        case kColumnNameRole:
            return head.name.isEmpty() ? head.title : head.name;
        case kFormerTitleRole:
            return head.formerTitle.isEmpty() ? QVariant() : head.formerTitle;
        case kLongBarRole:
            return head.longBar;
        default:
            return {};
    }
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    return cell(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()), role);
}

}  // namespace warpglass::ui
