#include "app/window/unseen_views.h"

#include <QCoreApplication>

#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "ui/controls/refresh.h"

namespace warpglass::app {
namespace {

/// Room for every view; a figure is laid out at its own size.
constexpr QSize kRoom(1280, 800);

}  // namespace

UnseenViews::UnseenViews(const ReportInput& run, std::size_t input) : m_input(input) {
    OpenedRun opened;
    opened.snapshot = run.run()->snapshot;
    opened.warnings = run.run()->warnings;
    opened.isIncomplete = run.run()->isIncomplete;
    m_workspace = std::make_unique<Workspace>(m_controller.document(), m_controller.axis());
    m_workspace->resize(kRoom);
    m_workspace->setAttribute(Qt::WA_DontShowOnScreen);
    m_workspace->show();
    m_controller.showSnapshot(QString::fromStdString(run.path.string()), opened);
}

UnseenViews::~UnseenViews() = default;

QWidget* UnseenViews::show(const QString& name) {
    QWidget* view = m_workspace->view(name);
    if (!view)
        return nullptr;
    m_workspace->showView(view);
    QCoreApplication::sendPostedEvents();
    ui::refreshAll(*view);
    QCoreApplication::sendPostedEvents();
    return view;
}

}  // namespace warpglass::app
