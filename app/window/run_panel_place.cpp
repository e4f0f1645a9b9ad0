#include "app/window/run_panel_place.h"

#include <QAbstractButton>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/session_controller.h"
#include "app/window/window_pages.h"
#include "app/window/workspace.h"
#include "ui/experiments/experiment_page.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

const QString kAutomatic = QStringLiteral("auto"), kShown = QStringLiteral("shown"),
              kHidden = QStringLiteral("hidden");
constexpr int kPanelWidth = 284;  // the widest segmented control in Inter 13, and a scroll bar beside it
constexpr int kRailWidth = 20;
constexpr int kHeadingHeight = 36;

/// All of it can be pressed; its title is read from the bottom up.
class Rail : public QAbstractButton {
public:
    Rail(const QString& title, QWidget* parent) : QAbstractButton(parent) {
        setText(title);
        setFixedWidth(kRailWidth);
        setSizePolicy(QSizePolicy::Fixed,
                      QSizePolicy::Expanding);  // a button is otherwise as high as its hint
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ui::ThemeColors& colors = ui::Theme::instance().colors();
        QPainter painter(this);
        const bool lit = underMouse() || hasFocus();
        painter.fillRect(rect(), lit ? colors.raised : colors.panel);
        const QColor ink = lit ? colors.text : colors.secondaryText;
        ui::paintIcon(painter, QRectF(0, 0, width(), kHeadingHeight), ui::Icon::kChevronRight, ink);
        painter.setFont(ui::Theme::strongFont());
        painter.setPen(ink);
        painter.translate(0, height());
        painter.rotate(-90);
        const int length = height() - kHeadingHeight - ui::Metrics::kSpace2;
        painter.drawText(QRect(0, 0, length, width()), Qt::AlignRight | Qt::AlignVCenter, text());
    }
};

}  // namespace

RunPanelPlace::RunPanelPlace(ui::RunPanel& panel, SessionController& controller, WindowPages& pages,
                             QWidget* parent)
    : QWidget(parent), m_panel(panel), m_controller(controller), m_pages(pages) {
    const QString title = tr("Run settings");
    m_open = new QWidget(this);
    m_open->setFixedWidth(kPanelWidth);
    auto* heading = new QLabel(title, m_open);
    heading->setFont(ui::Theme::strongFont());
    auto* fold = new QToolButton(m_open);
    m_fold = fold;
    fold->setObjectName(QStringLiteral("foldRunPanel"));
    fold->setAutoRaise(true);
    fold->setIcon(ui::makeQuietIcon(ui::Icon::kChevronLeft));
    fold->setToolTip(tr("Hide the run panel (Ctrl+B)"));
    fold->setAccessibleName(tr("Hide the run panel"));
    fold->setFocusPolicy(Qt::TabFocus);
    auto* above = new QHBoxLayout;
    above->setContentsMargins(ui::Metrics::kSpace4, ui::Metrics::kSpace1, ui::Metrics::kSpace2, 0);
    above->addWidget(heading, 1);
    above->addWidget(fold);
    auto* open = ui::spaced(new QVBoxLayout(m_open), {}, 0);
    open->addLayout(above);
    open->addWidget(&m_panel, 1);

    m_rail = ui::named(new Rail(title, this), "runRail");
    m_rail->setToolTip(tr("Show the run panel: what to run, and Run (Ctrl+B)"));
    m_rail->setAccessibleName(tr("Show the run panel"));
    auto* layout = ui::spaced(new QHBoxLayout(this), {}, 0);
    ui::addAll(layout, {m_open, m_rail});

    connect(m_rail, &QAbstractButton::clicked, this, &RunPanelPlace::toggle);
    connect(fold, &QToolButton::clicked, this, &RunPanelPlace::toggle);
    connect(&m_panel, &ui::RunPanel::configEdited, this,
            [this] { m_edits = m_edits || m_controller.isRunning(); });
    connect(&m_controller, &SessionController::runStarted, this, [this] { m_edits = false; });
    for (const auto signal : {&SessionController::runsChanged, &SessionController::runStarted})
        connect(&m_controller, signal, this, &RunPanelPlace::arrange);
    connect(&m_controller, &SessionController::runEnded, this, &RunPanelPlace::arrange);
    connect(&m_pages, &WindowPages::runShown, this, &RunPanelPlace::arrange);
    connect(&m_pages, &WindowPages::comparisonShown, this, &RunPanelPlace::arrange);
    connect(&m_pages, &WindowPages::experimentShown, this, &RunPanelPlace::arrange);
    window()->installEventFilter(this);
    arrange();
}

bool RunPanelPlace::showsPanel() const {
    return !isHidden() && !m_open->isHidden();
}

void RunPanelPlace::toggle() {
    const bool shown = showsPanel();
    show();  // one view alone hides the whole place
    choose(!shown);
}

QVariant RunPanelPlace::choice() const {
    return !m_chosen ? kAutomatic : *m_chosen ? kShown : kHidden;
}

void RunPanelPlace::setChoice(const QVariant& choice) {
    const QString word = choice.toString();
    if (word == kShown)
        choose(true);
    else if (word == kHidden || word == QLatin1String("false"))  // as earlier versions kept it
        choose(false);
    else
        choose(std::nullopt);
}

void RunPanelPlace::choose(std::optional<bool> shown) {
    m_chosen = shown;
    m_edits = false;
    arrange();
}

void RunPanelPlace::arrange() {
    const bool looks =
        (m_controller.currentRun() >= 0 || m_pages.experimentInFront()) && !m_controller.isRunning();
    const bool narrow = window()->width() < kRoomForBoth;
    const bool shown = m_chosen.value_or(!(looks && narrow) || m_edits);
    if (m_open->isHidden() == !shown && m_rail->isHidden() == shown)
        return;
    const QWidget* holder = QApplication::focusWidget();
    const bool held = holder && isAncestorOf(holder);
    m_open->setVisible(shown);
    m_rail->setVisible(!shown);
    if (held)  // the keyboard does not go with what is hidden
        moveFocus(shown);
    emit changed();
}

/// By hand it stays at this edge, to go back; else the run has come to the front, and its view takes the
/// keys; or an experiment has, and what it shows takes them.
void RunPanelPlace::moveFocus(bool shown) {
    if (!shown && !m_chosen && m_pages.experimentInFront())
        return m_pages.experimentInFront()->takeFocus();
    if (!shown && !m_chosen)
        return m_pages.workspace().focusView(m_pages.workspace().mainView());
    (shown ? m_fold : m_rail)->setFocus(Qt::OtherFocusReason);
}

bool RunPanelPlace::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        emit changed();
    return handled;
}

bool RunPanelPlace::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize)
        arrange();
    return QWidget::eventFilter(watched, event);
}

}  // namespace warpglass::app
