// Shows a finding's evidence in a workspace: zooms, brings its view to the front with exactly what the
// finding counted, and names the finding in a bar above it. It is one step in the filter's history: going
// back restores page and zoom too.
#pragma once

#include <QObject>
#include <optional>

#include "app/window/workspace.h"
#include "engine/base/units.h"

namespace warpglass {
struct Evidence;
}

namespace warpglass::app {

class ShownFinding : public QObject {
    Q_OBJECT
public:
    /// All outlive this; the workspace has its filter and owns this and the bar.
    ShownFinding(Workspace& workspace, ui::RunDocument& document, ui::TimeAxis& axis, CalmStrip& messages);

    EvidenceBar& bar() const { return *m_bar; }
    void show(const Finding& finding);

private:
    /// What it leaves besides the filter.
    struct Place {
        Workspace::Page page;
        TimeRange visible;
        bool whole, following;
        std::optional<Nanoseconds> pinned;
        std::optional<SpanRef> lookedAt;
    };
    Place place() const;
    void goTo(const Place& place);
    void showEvidence(const Evidence& evidence);
    void showEvidenceView(const Evidence& evidence);

    Workspace& m_workspace;
    ui::RunDocument& m_document;
    ui::TimeAxis& m_axis;
    ui::RunFilter& m_filter;
    CalmStrip& m_messages;
    EvidenceBar* m_bar;
};

}  // namespace warpglass::app
