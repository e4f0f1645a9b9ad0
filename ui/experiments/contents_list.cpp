#include "ui/experiments/contents_list.h"

#include <QSignalBlocker>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kEntryRole = Qt::UserRole;

}  // namespace

ContentsList::ContentsList(QWidget* parent) : QListWidget(parent) {
    setObjectName(QStringLiteral("contents"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    setUniformItemSizes(true);
    connect(this, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && item->flags().testFlag(Qt::ItemIsSelectable))
            emit chosen(item->data(kEntryRole).toInt());
    });
}

void ContentsList::setSections(const std::vector<Section>& sections) {
    const QSignalBlocker quiet(this);
    clear();
    m_count = 0;
    const auto add = [this](const QString& text) {
        auto* item = new QListWidgetItem(text, this);
        item->setSizeHint({0, Metrics::kTableRow});
        return item;
    };
    for (const Section& section : sections) {
        if (section.titles.isEmpty())
            continue;
        QListWidgetItem* head = add(section.head);
        head->setFlags(Qt::NoItemFlags);
        head->setFont(Theme::headFont());
        for (const QString& title : section.titles) {
            QListWidgetItem* item = add(title);
            item->setData(kEntryRole, m_count++);
            item->setToolTip(title);
            item->setFont(Theme::textFont());
        }
    }
    setCurrent(0);
    updateGeometry();
}

int ContentsList::current() const {
    const QListWidgetItem* item = currentItem();
    return item ? item->data(kEntryRole).toInt() : -1;
}

void ContentsList::setCurrent(int entry) {
    for (int row = 0; row < count(); ++row) {
        const QListWidgetItem* item = this->item(row);
        if (item->flags().testFlag(Qt::ItemIsSelectable) && item->data(kEntryRole).toInt() == entry)
            return setCurrentRow(row);
    }
}

QSize ContentsList::sizeHint() const {
    return {240, count() * Metrics::kTableRow + 2 * Metrics::kSpace1};
}

}  // namespace warpglass::ui
