#include "app/window/run_row.h"

#include <QMenuBar>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// The menus, two tabs and the pages.
constexpr int kRoomForMenus = 1100;

/// The width of the titles with what stands before them: the bar's own hint leaves the corner out.
int widthOf(const QMenuBar& menus) {
    constexpr int kAroundTitle = 2 * (8 + 2);  // as the style sheet has it
    int width = 2 * kAroundTitle;
    if (const QWidget* name = menus.cornerWidget(Qt::TopLeftCorner))
        width += name->sizeHint().width();
    for (const QAction* menu : menus.actions())
        width += menus.fontMetrics().size(Qt::TextShowMnemonic, menu->text()).width() + kAroundTitle;
    return width;
}

}  // namespace

RunRow::RunRow(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("runTabRow"));
}

void RunRow::fit(int width, QMenuBar& menus, QVBoxLayout& below) {
    const bool joined = width >= kRoomForMenus && !menus.isNativeMenuBar();
    if (joined == m_joined)
        return;
    m_joined = joined;
    const bool hidden = isHidden();  // it is, whenever its parent changes
    ui::restyle(menus, "joined", joined);
    if (joined) {
        m_menusWidth = widthOf(menus);
        m_width = std::max(0, width - m_menusWidth);
        below.removeWidget(this);
        menus.installEventFilter(this);
        menus.setCornerWidget(this, Qt::TopRightCorner);
    } else {
        menus.removeEventFilter(this);
        menus.setCornerWidget(nullptr, Qt::TopRightCorner);
        below.insertWidget(0, this);
    }
    setVisible(!hidden);
    menus.updateGeometry();
}

QSize RunRow::sizeHint() const {
    const QSize own = QFrame::sizeHint();
    return m_joined ? QSize(m_width, own.height()) : own;
}

/// The menu bar gives it the width that it asks for.
bool RunRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget())
        m_width = std::max(0, static_cast<QResizeEvent*>(event)->size().width() - m_menusWidth);
    return QFrame::eventFilter(watched, event);
}

}  // namespace warpglass::app
