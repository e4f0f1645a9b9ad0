#include "app/window/figure_commands.h"

#include <QApplication>
#include <QFileInfo>
#include <QPointer>

#include "app/window/figure_dialog.h"
#include "app/window/run_figure.h"
#include "app/window/session_controller.h"
#include "app/window/window_layout.h"
#include "app/window/window_pages.h"
#include "ui/charts/data_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/experiments/contents_list.h"
#include "ui/experiments/experiment_page.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

/// What is in front on an experiment's page comes back there: a figure brings its chart to the front.
class EntryKept {
public:
    explicit EntryKept(ui::ExperimentPage* page)
        : m_page(page), m_entry(page ? page->contents().current() : -1) {}
    ~EntryKept() {
        if (m_page)
            m_page->showEntry(m_entry);
    }
    EntryKept(const EntryKept&) = delete;
    EntryKept& operator=(const EntryKept&) = delete;

private:
    ui::ExperimentPage* m_page;
    int m_entry;
};

}  // namespace

FigureCommands::FigureCommands(SessionController& controller, WindowPages& pages, WindowLayout& layout,
                               QWidget& window)
    : QObject(&window), m_controller(controller), m_pages(pages), m_layout(layout), m_window(window) {}

QList<FigureChoice> FigureCommands::choices() {
    if (m_pages.compares())
        return {
            {QStringLiteral("comparison"), tr("Comparison"), &m_pages.comparison(), &m_pages.axis(), [] {}}};
    if (ui::SweepPage* sweep = m_pages.sweepInFront())
        return {{QStringLiteral("sweep"), tr("Chart"), &sweep->chart(), &m_pages.axis(), [] {}}};
    QList<FigureChoice> choices;
    if (ui::ExperimentPage* page = m_pages.experimentInFront()) {
        const std::size_t charts = page->experiment() ? page->experiment()->result.charts.size() : 0;
        for (std::size_t i = 0; i < charts; ++i) {
            const int at = static_cast<int>(i);
            choices << FigureChoice{QString::number(at),
                                    ui::toQString(page->experiment()->result.charts[i].title), &page->chart(),
                                    &m_pages.axis(), [page, at] { page->showEntry(at); }};
        }
        if (choices.isEmpty())
            emit failed(tr("This experiment has no figures."));
        return choices;
    }
    if (!m_pages.showsRun()) {
        emit failed(tr("There is no run to make a figure of: open one, or run one."));
        return choices;
    }
    Workspace& workspace = m_pages.workspace();
    for (const Workspace::ViewName& view : Workspace::views()) {
        QWidget* widget = workspace.viewHere(view.name);
        choices << FigureChoice{view.name, view.title, widget, &m_pages.axis(),
                                [&workspace, widget] { workspace.showView(widget); }};
    }
    return choices;
}

QString FigureCommands::caption() const {
    if (const ui::ExperimentPage* page = m_pages.experimentInFront(); page && page->experiment())
        return captionOf(page->experiment()->result);
    if (const ui::SweepPage* sweep = m_pages.sweepInFront())
        return captionOf(*sweep->sweep());
    const auto of = [this](const std::shared_ptr<const Snapshot>& run) {
        const int index = m_controller.runs().indexOf(run);  // −1 for a run that is being recorded
        return run ? captionOf(*run, index >= 0 && m_controller.run(index).incomplete) : QString();
    };
    const auto [a, b] = m_pages.compared();
    return a ? captionOf(of(a), of(b)) : of(m_controller.document().snapshot());
}

void FigureCommands::exportFigure() {
    const QList<FigureChoice> views = choices();
    if (views.isEmpty())
        return;
    const ui::SweepPage* sweep = m_pages.sweepInFront();
    ui::ExperimentPage* experiment = m_pages.experimentInFront();
    const EntryKept kept(experiment);
    const QString name =
        QFileInfo(sweep        ? sweep->path()
                  : experiment ? experiment->folder()
                               : m_controller.saving().suggestedFileName(m_controller.currentRun()))
            .completeBaseName();
    const QVariantMap before = m_layout.state();
    FigureDialog dialog(views, m_pages.viewInFront(), caption(), name, &m_window);
    dialog.exec();
    m_layout.apply(before);
}

void FigureCommands::copyFigure() {
    const QList<FigureChoice> views = choices();
    if (views.isEmpty())
        return;
    const EntryKept kept(m_pages.experimentInFront());
    FigureDialog dialog(views, m_pages.viewInFront(), caption(), {}, &m_window);
    // A figure does not show where the keyboard is.
    const QPointer<QWidget> focused = QApplication::focusWidget();
    if (focused)
        focused->clearFocus();
    const QString problem = dialog.copy();
    if (focused)
        focused->setFocus(Qt::OtherFocusReason);
    if (problem.isEmpty())
        emit done(tr("The figure is on the clipboard, as last exported: change that with Export Figure."));
    else
        emit failed(problem);
}

}  // namespace warpglass::app
