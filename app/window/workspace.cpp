#include "app/window/workspace.h"

#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/charts/memory_breakdown_view.h"
#include "ui/charts/memory_chart.h"
#include "ui/panels/allocations_table.h"
#include "ui/panels/inspector.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

QStringList Workspace::viewNames() {
    return {QStringLiteral("timeline"), QStringLiteral("memory"),    QStringLiteral("ops"),
            QStringLiteral("phases"),   QStringLiteral("breakdown"), QStringLiteral("allocations"),
            QStringLiteral("inspector")};
}

Workspace::Workspace(ui::RunDocument& document, ui::TimeAxis& axis, QWidget* parent) : QWidget(parent) {
    m_timeline = new ui::TimelineView(&document, &axis, this);
    m_timeline->setObjectName(QStringLiteral("timeline"));
    auto* memory = new ui::MemoryChart(document, axis, this);
    memory->setObjectName(QStringLiteral("memory"));
    memory->setLabelWidth(ui::kTrackLabelWidth);
    auto* ops = new ui::OpTable(document, axis, this);
    ops->setObjectName(QStringLiteral("ops"));
    auto* phases = new ui::PhasesTable(document, axis, this);
    phases->setObjectName(QStringLiteral("phases"));
    auto* breakdown = new ui::MemoryBreakdownView(document, axis, this);
    breakdown->setObjectName(QStringLiteral("breakdown"));
    auto* allocations = new ui::AllocationsTable(document, axis, this);
    allocations->setObjectName(QStringLiteral("allocations"));
    auto* inspector = new ui::Inspector(document, axis, this);
    inspector->setObjectName(QStringLiteral("inspector"));

    m_tabs = new QTabWidget(this);
    m_tabs->setObjectName(QStringLiteral("tables"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(ops, tr("Ops"));
    m_tabs->addTab(breakdown, tr("Memory at cursor"));
    m_tabs->addTab(allocations, tr("Allocations"));
    m_tabs->addTab(phases, tr("Phases"));

    m_inner = new QSplitter(Qt::Vertical, this);
    m_inner->addWidget(m_timeline);
    m_inner->addWidget(memory);
    m_inner->addWidget(m_tabs);
    m_inner->setChildrenCollapsible(false);
    m_inner->setHandleWidth(1);
    m_inner->setSizes({340, 230, 330});
    for (int i = 0; i < 3; ++i)
        m_inner->setStretchFactor(i, 1);

    m_outer = new QSplitter(Qt::Horizontal, this);
    m_outer->addWidget(m_inner);
    m_outer->addWidget(inspector);
    m_outer->setChildrenCollapsible(false);
    m_outer->setHandleWidth(1);
    m_outer->setStretchFactor(0, 1);
    m_outer->setStretchFactor(1, 0);
    m_outer->setSizes({1000, 264});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_outer);
}

QWidget* Workspace::view(const QString& name) const {
    return viewNames().contains(name) ? findChild<QWidget*>(name) : nullptr;
}

void Workspace::showView(QWidget* view) {
    if (m_tabs->indexOf(view) >= 0)
        m_tabs->setCurrentWidget(view);
}

}  // namespace warpglass::app
