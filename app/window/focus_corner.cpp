#include "app/window/focus_corner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "app/window/commands.h"
#include "ui/models/run_filter.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kWordsWidth = 360;
/// From the window's edges: beside a view's scroll bar, and over the status bar, which says what cannot wait.
constexpr int kMargin = ui::Metrics::kSpace4, kLowerMargin = 40;
/// As near to the lower edge the pointer asks for the way out.
constexpr int kNear = 96;

}  // namespace

FocusCorner::FocusCorner(ui::RunFilter& filter, QWidget& window)
    : QWidget(&window),
      m_filter(filter),
      m_window(window),
      m_counts(ui::named(new QToolButton(this), "focusFilter")),
      m_leave(ui::named(new QPushButton(tr("Show everything (Esc)"), this), "leaveFocus")) {
    setObjectName(QStringLiteral("focusCorner"));
    m_counts->setProperty("chip", true);
    m_counts->setFont(ui::Theme::tableFont());
    m_counts->setPopupMode(QToolButton::InstantPopup);
    m_counts->setFocusPolicy(Qt::TabFocus);
    m_counts->setMenu(new QMenu(m_counts));
    connect(m_counts->menu(), &QMenu::aboutToShow, this, &FocusCorner::fillMenu);
    m_leave->setFocusPolicy(Qt::TabFocus);
    m_leave->setToolTip(tr("All views and the run panel again (Esc, F11)"));
    connect(m_leave, &QPushButton::clicked, this, &FocusCorner::leaveRequested);
    auto* layout = ui::spaced(new QHBoxLayout(this), {}, ui::Metrics::kSpace2);
    ui::addAll(layout, {m_counts, m_leave});
    connect(&m_filter, &ui::RunFilter::changed, this, [this] {
        if (m_shown)
            showFilter();
    });
    m_hideLeave.setSingleShot(true);
    m_hideLeave.setInterval(kWayOutShown);
    connect(&m_hideLeave, &QTimer::timeout, this, [this] {
        if (m_leave->underMouse() || m_leave->hasFocus())
            return m_hideLeave.start();
        m_leave->hide();
        place();
    });
    m_window.installEventFilter(this);
    hide();
}

void FocusCorner::setShown(bool shown, bool filtered) {
    m_filtered = filtered;
    m_shown = shown;
    if (!shown) {
        m_hideLeave.stop();
        return hide();
    }
    showFilter();
    showWayOut();
}

void FocusCorner::showWayOut() {
    m_leave->show();
    m_hideLeave.start();
    place();
}

void FocusCorner::notice(QPoint inWindow) {
    if (m_shown && m_leave->isHidden() && inWindow.y() >= m_window.height() - kNear)
        showWayOut();
}

/// Empty, it would lie over the view for nothing.
void FocusCorner::place() {
    // In its place before it is shown: what appears under the mouse counts as pointed at.
    adjustSize();
    move(m_window.width() - width() - kMargin, m_window.height() - height() - kLowerMargin);
    raise();
    setVisible(m_shown && (!m_leave->isHidden() || !m_counts->isHidden()));
}

bool FocusCorner::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window && event->type() == QEvent::Resize && m_shown)
        place();
    return QWidget::eventFilter(watched, event);
}

void FocusCorner::showFilter() {
    const QString words = tr("Counts %1").arg(m_filter.words().all());
    m_counts->setText(m_counts->fontMetrics().elidedText(words, Qt::ElideRight, kWordsWidth));
    m_counts->setAccessibleName(words);
    m_counts->setToolTip(tr("%1; click to remove conditions").arg(words));
    m_counts->setVisible(m_filtered && m_filter.state() != ui::RunFilter::State());
    place();
}

void FocusCorner::fillMenu() {
    QMenu& menu = *m_counts->menu();
    menu.clear();
    const QIcon cross = ui::makeQuietIcon(ui::Icon::kClose);
    const auto removal = [](const QString& what) { return tr("Remove %1").arg(entryText(what)); };
    for (const ui::FilterWords::Chip& chip : m_filter.words().chips())
        menu.addAction(cross, removal(chip.text), this,
                       [this, condition = chip.condition] { m_filter.remove(condition); });
    if (!m_filter.state().text.isEmpty())
        menu.addAction(cross, removal(QStringLiteral("“%1”").arg(m_filter.state().text)), this,
                       [this] { m_filter.setText({}); });
    menu.addSeparator();
    menu.addAction(tr("Clear the Filter"), &m_filter, &ui::RunFilter::reset);
}

}  // namespace warpglass::app
