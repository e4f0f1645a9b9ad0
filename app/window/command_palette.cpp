#include "app/window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kWidth = 560, kRows = 12;
constexpr int kCommandRole = Qt::UserRole, kShortcutRole = Qt::UserRole + 1, kWhyNotRole = Qt::UserRole + 2;

/// The title at the left, its menu in quiet text before it, the shortcut at the right edge, or why it cannot
/// be chosen, which makes all of it quiet.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {kWidth, ui::Metrics::kControlHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ui::ThemeColors& colors = ui::Theme::instance().colors();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, colors.hover);
        QRect row = option.rect.adjusted(ui::Metrics::kSpace3, 0, -ui::Metrics::kSpace3, 0);
        const QString title = index.data().toString(), whyNot = index.data(kWhyNotRole).toString();
        const QString atEdge = whyNot.isEmpty() ? index.data(kShortcutRole).toString() : whyNot;
        const qsizetype last = title.lastIndexOf(QStringLiteral(" › "));
        const QString menu = last < 0 ? QString() : title.left(last + 3);
        painter->setFont(ui::Theme::textFont());
        const QFontMetrics metrics(ui::Theme::textFont());
        painter->setPen(colors.secondaryText);
        if (!atEdge.isEmpty()) {
            painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, atEdge);
            row.setRight(row.right() - metrics.horizontalAdvance(atEdge) - ui::Metrics::kSpace3);
        }
        // The way to it gives way to what it is.
        const QString name = title.mid(menu.size());
        const QString way =
            metrics.elidedText(menu, Qt::ElideMiddle, row.width() - metrics.horizontalAdvance(name));
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, way);
        row.setLeft(row.left() + metrics.horizontalAdvance(way));
        if (whyNot.isEmpty())
            painter->setPen(colors.text);
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(name, Qt::ElideRight, row.width()));
    }
};

}  // namespace

CommandPalette::CommandPalette(QList<Command> commands, QWidget* window)
    : QFrame(window, Qt::Popup), m_commands(std::move(commands)) {
    setAttribute(Qt::WA_DeleteOnClose);
    ui::setNames(this, "commandPalette", tr("Commands"));
    m_query = ui::named(new QLineEdit(this), "commandQuery");
    m_query->setPlaceholderText(tr("What do you want to do?"));
    m_query->setAccessibleName(tr("Search the commands"));
    m_query->installEventFilter(this);
    m_list = new QListWidget(this);
    ui::setNames(m_list, "commandList", tr("Commands found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    auto* layout = ui::spaced(new QVBoxLayout(this), ui::Metrics::kSpace2, ui::Metrics::kSpace2);
    ui::addAll(layout, {m_query, m_list});
    layout->addStretch(1);  // what is left over does not move the field
    setFixedWidth(kWidth);
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemEntered, m_list,
            [this](QListWidgetItem* item) { m_list->setCurrentItem(item); });
    fill({});
}

void CommandPalette::open() {
    const QWidget* window = parentWidget();
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, qMax(0, window->height() / 8))));
    show();
    m_query->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::fill(const QString& query) {
    QList<std::pair<int, int>> found;  // score, index
    for (int i = 0; i < m_commands.size(); ++i) {
        if (const auto score = commandScore(m_commands[i], query))
            found << std::pair(*score, i);
    }
    // What cannot be chosen now comes last, however well it answers.
    std::stable_sort(found.begin(), found.end(), [this](const auto& a, const auto& b) {
        const bool aNow = m_commands[a.second].whyNot.isEmpty(), bNow = m_commands[b.second].whyNot.isEmpty();
        return aNow != bNow ? aNow : a.first > b.first;
    });
    m_list->clear();
    for (const auto& [score, index] : found) {
        auto* item = new QListWidgetItem(m_commands[index].title, m_list);
        item->setData(kCommandRole, index);
        item->setData(kShortcutRole, m_commands[index].shortcut);
        item->setData(kWhyNotRole, m_commands[index].whyNot);
        if (!m_commands[index].whyNot.isEmpty())
            item->setFlags(Qt::NoItemFlags);
    }
    if (found.isEmpty()) {
        auto* none = new QListWidgetItem(tr("No command matches"), m_list);
        none->setFlags(Qt::NoItemFlags);
    } else {
        m_list->setCurrentRow(0);
    }
    m_list->setFixedHeight(qMin(kRows, m_list->count()) * ui::Metrics::kControlHeight);
    layout()->activate();  // else it could not become smaller yet
    adjustSize();
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_commands[item->data(kCommandRole).toInt()].action;
    close();
    // Once the palette is gone: what it opens belongs over the window.
    QTimer::singleShot(0, parentWidget(), [action] {
        if (action)
            action->trigger();
    });
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_query || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    // Those that can be chosen come first.
    int rows = 0;
    while (rows < m_list->count() && (m_list->item(rows)->flags() & Qt::ItemIsEnabled))
        ++rows;
    rows = qMax(1, rows);
    const auto go = [this, rows](int row) {
        m_list->setCurrentRow(qBound(0, row, rows - 1));
        return true;
    };
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
            return go(m_list->currentRow() == 0 ? rows - 1 : m_list->currentRow() - 1);
        case Qt::Key_Down:
            return go(m_list->currentRow() == rows - 1 ? 0 : m_list->currentRow() + 1);
        case Qt::Key_PageUp:
            return go(m_list->currentRow() - kRows);
        case Qt::Key_PageDown:
            return go(m_list->currentRow() + kRows);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            runCurrent();
            return true;
        case Qt::Key_Escape:
            close();
            return true;
        default:
            return QFrame::eventFilter(watched, event);
    }
}

}  // namespace warpglass::app
