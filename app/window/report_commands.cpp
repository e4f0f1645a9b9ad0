#include "app/window/report_commands.h"

#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/session_controller.h"
#include "app/window/window_pages.h"
#include "ui/experiments/experiment_page.h"
#include "ui/experiments/opened_experiment.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app {

ReportCommands::ReportCommands(SessionController& controller, WindowPages& pages, QWidget& window)
    : QObject(&window), m_controller(controller), m_pages(pages), m_window(window) {}

std::vector<ReportChoice> ReportCommands::choices() const {
    std::vector<ReportChoice> choices;
    const auto [a, b] = m_pages.compared();
    const bool runInFront = !m_pages.hasSweepOrExperiment();
    for (int i = 0; i < static_cast<int>(m_controller.runs().size()); ++i) {
        const OpenedRunEntry& run = m_controller.run(i);
        if (!run.snapshot)
            continue;  // it is being recorded
        ReportRun of{run.snapshot, {}, run.incomplete};
        for (const QString& warning : run.allWarnings())
            of.warnings.push_back(warning.toStdString());
        // One that is in no file yet is called what it would be saved as.
        const QString path = run.path.isEmpty() ? m_controller.saving().suggestedFileName(i) : run.path;
        const bool chosen = runInFront && (m_pages.compares() ? run.snapshot == a || run.snapshot == b
                                                              : i == m_controller.currentRun());
        choices.push_back({run.title, {path.toStdString(), {}, std::move(of)}, chosen});
    }
    for (int i = 0; i < m_pages.sweeps().count(); ++i) {
        const ui::SweepPage& page = m_pages.sweeps().page(i);
        if (page.sweep())
            choices.push_back({m_pages.sweeps().titleOf(i),
                               {page.path().toStdString(), {}, ReportSweep{*page.sweep()}},
                               &page == m_pages.sweepInFront()});
    }
    for (int i = 0; i < m_pages.experiments().count(); ++i) {
        const ui::ExperimentPage& page = m_pages.experiments().page(i);
        if (page.experiment() && page.experiment()->hasAnswer())
            choices.push_back({m_pages.experiments().titleOf(i),
                               {page.folder().toStdString(),
                                {},
                                ReportExperiment{page.experiment()->result, page.experiment()->request}},
                               &page == m_pages.experimentInFront()});
    }
    return choices;
}

bool ReportCommands::hasChoices() const {
    const auto& runs = m_controller.runs();
    for (const OpenedRunEntry& run : runs) {
        if (run.snapshot)
            return true;
    }
    return !choices().empty();
}

void ReportCommands::exportReport() {
    std::vector<ReportChoice> all = choices();
    if (all.empty())
        return;
    ReportDialog dialog(std::move(all), &m_window);
    dialog.exec();
}

}  // namespace warpglass::app
