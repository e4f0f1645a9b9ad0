// The views of a run in a workspace that no one sees, to be drawn one by one.
#pragma once

#include <QString>
#include <cstddef>
#include <memory>

#include "app/window/session_controller.h"
#include "engine/report/report_input.h"

class QWidget;

namespace warpglass::app {

class Workspace;

class UnseenViews {
public:
    /// `input`: the index of the run among the report's, by which it is told from another.
    UnseenViews(const ReportInput& run, std::size_t input);
    ~UnseenViews();
    UnseenViews(const UnseenViews&) = delete;
    UnseenViews& operator=(const UnseenViews&) = delete;

    std::size_t input() const { return m_input; }
    const ui::TimeAxis& axis() { return m_controller.axis(); }
    /// The view of that name in front and up to date; null where there is none.
    QWidget* show(const QString& name);

private:
    std::size_t m_input;
    SessionController m_controller;
    std::unique_ptr<Workspace> m_workspace;
};

}  // namespace warpglass::app
