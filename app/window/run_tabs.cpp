#include "app/window/run_tabs.h"

#include <QContextMenuEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QTabBar>
#include <algorithm>
#include <functional>
#include <utility>

#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/run_words.h"
#include "app/window/session_controller.h"
#include "app/window/window_pages.h"
#include "ui/experiments/experiment_page.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// Wider, one file's long name would push the others out, unless there is room for all.
constexpr int kMostTabWidth = 260;

/// What fits of a title. Its parts are left out from the second on, as what is first and last tells runs
/// apart; where that is not enough, letters are.
QString shortenedTitle(const QString& title, const QFontMetrics& metrics, int width) {
    const QString dot = QStringLiteral(" · ");
    const QStringList parts = title.split(dot);
    QString shorter = title;
    for (qsizetype from = 2; metrics.horizontalAdvance(shorter) > width && from < parts.size(); ++from)
        shorter = QStringList({parts.front(), QStringLiteral("…"), parts.mid(from).join(dot)}).join(dot);
    return metrics.elidedText(shorter, Qt::ElideMiddle, width);
}

/// Qt shrinks tabs that elide to a letter or two before it scrolls; these scroll first.
class Bar : public QTabBar {
public:
    using QTabBar::QTabBar;
    std::function<void(int index, QPoint at)> menuWanted;

    /// Takes each tab's whole title, of which it shows what fits.
    void setTitles(const QStringList& titles) {
        m_titles = titles;
        fitTitles();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTabBar::resizeEvent(event);
        fitTitles();
    }
    QSize tabSizeHint(int index) const override {
        const QSize whole = QTabBar::tabSizeHint(index);
        return {std::min(whole.width(), mostWidth()), whole.height()};
    }
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }

    /// Asked for with the keyboard it is that of the tab in front.
    void contextMenuEvent(QContextMenuEvent* event) override {
        const bool byKeyboard = event->reason() == QContextMenuEvent::Keyboard;
        const int index = byKeyboard ? currentIndex() : tabAt(event->pos());
        if (index >= 0)
            menuWanted(index, byKeyboard ? mapToGlobal(tabRect(index).bottomLeft()) : event->globalPos());
    }
    /// The middle button closes, as in a browser, where it is let go over the tab that it was pressed on.
    void mousePressEvent(QMouseEvent* event) override {
        m_pressed = event->button() == Qt::MiddleButton ? tabAt(event->position().toPoint()) : -1;
        if (event->button() != Qt::MiddleButton)
            QTabBar::mousePressEvent(event);
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        if (event->button() != Qt::MiddleButton)
            return QTabBar::mouseReleaseEvent(event);
        const int pressed = std::exchange(m_pressed, -1);
        if (pressed >= 0 && tabAt(event->position().toPoint()) == pressed)
            emit tabCloseRequested(pressed);
    }

private:
    int mostWidth() const { return std::max(kMostTabWidth, width() / std::max(1, count())); }

    void fitTitles() {
        for (int i = 0; i < std::min(count(), static_cast<int>(m_titles.size())); ++i) {
            const int beside = QTabBar::tabSizeHint(i).width() - fontMetrics().horizontalAdvance(tabText(i));
            // An ampersand would mark a key.
            QString shown = shortenedTitle(m_titles[i], fontMetrics(), mostWidth() - beside);
            shown.replace(QLatin1Char('&'), QLatin1String("&&"));
            if (tabText(i) != shown)
                setTabText(i, shown);
            setAccessibleTabName(i, m_titles[i]);
        }
    }

    QStringList m_titles;
    int m_pressed = -1;
};

}  // namespace

RunTabs::RunTabs(SessionController& controller, WindowPages& pages, QWidget* parent)
    : QFrame(parent), m_controller(controller), m_pages(pages), m_bar(new Bar(this)) {
    ui::setNames(m_bar, "runTabs", tr("Open runs"));
    m_bar->setDocumentMode(true);
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setTabsClosable(true);
    m_bar->setUsesScrollButtons(true);
    m_bar->setElideMode(Qt::ElideMiddle);  // what tells runs apart stands at either end
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(ui::Metrics::kSpace1, 0, 0, 0);
    layout->addWidget(m_bar);
    connect(m_bar, &QTabBar::currentChanged, this, &RunTabs::show);
    connect(m_bar, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= runs())
            show(index);
        else if (index >= 0)
            emit clicked();
    });
    connect(m_bar, &QTabBar::tabCloseRequested, this, &RunTabs::close);
    static_cast<Bar*>(m_bar)->menuWanted = [this](int index, QPoint at) {
        if (index < runs())
            emit menuRequested(index, at);
    };
    connect(&m_pages.sweeps(), &OpenSweeps::changed, this, &RunTabs::refresh);
    connect(&m_pages, &WindowPages::sweepShown, this, &RunTabs::refresh);
    connect(&m_pages.experiments(), &OpenExperiments::changed, this, &RunTabs::refresh);
    connect(&m_pages, &WindowPages::experimentShown, this, &RunTabs::refresh);
    connect(&m_pages, &WindowPages::runShown, this, &RunTabs::refresh);
    connect(&m_controller, &SessionController::runsChanged, this, &RunTabs::refresh);
    connect(&m_controller, &SessionController::currentRunChanged, this, &RunTabs::refresh);
    refresh();
}

void RunTabs::refresh() {
    const QSignalBlocker quiet(m_bar);
    const auto& runs = m_controller.runs();
    OpenSweeps& sweeps = m_pages.sweeps();
    OpenExperiments& experiments = m_pages.experiments();
    while (m_bar->count() > runsAndSweeps() + experiments.count())
        m_bar->removeTab(m_bar->count() - 1);
    QStringList titles;
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const OpenedRunEntry& run = runs[static_cast<std::size_t>(i)];
        titles << run.title;
        const QString where = run.path.isEmpty() ? tr("In memory only: save it to keep it")
                                                 : QFileInfo(run.path).absoluteFilePath();
        addTab(i, run.title + QLatin1Char('\n') + where);
    }
    for (int i = 0; i < sweeps.count(); ++i) {
        titles << tr("Sweep %1").arg(sweeps.titleOf(i));
        addTab(this->runs() + i, sweeps.page(i).path());
    }
    for (int i = 0; i < experiments.count(); ++i) {
        titles << experiments.titleOf(i);
        addTab(runsAndSweeps() + i, experiments.page(i).folder());
    }
    static_cast<Bar*>(m_bar)->setTitles(titles);
    const int sweep = sweeps.indexOf(m_pages.sweepInFront());
    const int experiment = experiments.indexOf(m_pages.experimentInFront());
    m_bar->setCurrentIndex(experiment >= 0 ? runsAndSweeps() + experiment
                           : sweep >= 0    ? this->runs() + sweep
                                           : m_controller.currentRun());
}

int RunTabs::runs() const {
    return static_cast<int>(m_controller.runs().size());
}

int RunTabs::runsAndSweeps() const {
    return runs() + m_pages.sweeps().count();
}

void RunTabs::close(int index) {
    if (index >= runsAndSweeps())
        emit closeExperimentRequested(index - runsAndSweeps());
    else if (index >= runs())
        emit closeSweepRequested(index - runs());
    else
        emit closeRequested(index);
}

void RunTabs::show(int index) {
    if (index >= runsAndSweeps())
        m_pages.showExperiment(index - runsAndSweeps());
    else if (index >= runs())
        m_pages.showSweep(index - runs());
    else if (index >= 0 && index == m_controller.currentRun())
        m_pages.closeComparison();
    else
        m_controller.showRun(index);
}

void RunTabs::addTab(int at, const QString& toolTip) {
    if (at >= m_bar->count())
        m_bar->addTab({});
    m_bar->setTabToolTip(at, plainToolTip(toolTip));
}

}  // namespace warpglass::app
