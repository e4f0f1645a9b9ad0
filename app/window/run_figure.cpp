#include "app/window/run_figure.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/window/workspace.h"
#include "engine/query/summary/caption.h"
#include "engine/sweep/grid.h"
#include "engine/trace/snapshot.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/heading.h"
#include "ui/experiments/experiment_text.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_plot.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/time_ruler_bar.h"

namespace warpglass::app {

namespace {

/// What the window calls the view; or its own title, as that of a part of the memory page.
QString headTitleOf(const QWidget& view) {
    const QString name = view.objectName();
    for (const Workspace::ViewName& known : Workspace::views()) {
        if (known.name == name)
            return known.title;
    }
    const auto* headed = dynamic_cast<const ui::Headed*>(&view);
    return headed ? headed->heading().title : QString();
}

/// "small, context 512 → 1024, batch 2 → 4".
QString changeOf(const QString& a, const QString& b) {
    if (a == b)
        return a;
    const QString comma = QStringLiteral(", ");
    const QStringList ofA = a.split(comma), ofB = b.split(comma);
    if (ofA.size() == ofB.size() && ofA.size() > 1) {
        QStringList parts;
        for (qsizetype i = 0; i < ofA.size(); ++i)
            parts << changeOf(ofA[i], ofB[i]);
        return parts.join(comma);
    }
    QStringList before, from = a.split(QLatin1Char(' ')), to = b.split(QLatin1Char(' ')), after;
    while (from.size() > 1 && to.size() > 1 && from.front() == to.front()) {
        before << from.takeFirst();
        to.removeFirst();
    }
    while (from.size() > 1 && to.size() > 1 && from.back() == to.back()) {
        after.prepend(from.takeLast());
        to.removeLast();
    }
    return (before + from + QStringList{QStringLiteral("→")} + to + after).join(QLatin1Char(' '));
}

}  // namespace

bool hasRulerElsewhere(const QWidget& view) {
    // Over events it counts them itself.
    if (const auto* chart = qobject_cast<const ui::MemoryChart*>(&view))
        return chart->plot().spacing() == ui::MemoryPlot::Spacing::kTime;
    return qobject_cast<const ui::AllocationMapPanel*>(&view) != nullptr;
}

RunFigure::RunFigure(QWidget* view, const ui::TimeAxis& axis, QString caption)
    : m_view(view), m_caption(std::move(caption)) {
    if (!hasRulerElsewhere(*view))
        return;
    const auto* map = qobject_cast<const ui::AllocationMapPanel*>(view);
    m_ruler = std::make_unique<ui::TimeRulerBar>(
        axis, map ? map->labelWidth() : ui::MemoryChart::kFigureLabelWidth);
}

RunFigure::~RunFigure() = default;
RunFigure::RunFigure(RunFigure&&) noexcept = default;

ui::FigureSource RunFigure::source() const {
    // A figure without a caption is explained elsewhere: it has no head either. But a chart of data is a
    // document's, and without its title nobody would know what its axes are of.
    const bool headed = !m_caption.isEmpty() || qobject_cast<const ui::DataChart*>(m_view);
    return {m_view, m_ruler.get(), m_caption, false, headed ? headTitleOf(*m_view) : QString()};
}

QString captionOf(const Snapshot& run, bool incomplete) {
    QString caption = ui::toQString(runCaption(run.info()));
    if (incomplete || !run.damage().sentences().empty()) {
        caption += QStringLiteral(" · ") +
                   QCoreApplication::translate("RunFigure", "incomplete: part of the recording is missing");
    }
    return caption;
}

QString captionOf(const QString& a, const QString& b) {
    const QString dot = QStringLiteral(" · ");
    const QStringList ofA = a.split(dot), ofB = b.split(dot);
    if (ofA.size() != ofB.size())
        return QStringLiteral("A: %1\nB: %2").arg(a, b);
    QStringList parts;
    for (qsizetype i = 0; i < ofA.size(); ++i)
        parts << changeOf(ofA[i], ofB[i]);
    return parts.join(dot);
}

QString captionOf(const Sweep& sweep) {
    const auto of = [&](const std::string& key) {
        for (const auto& [known, value] : sweep.information) {
            if (known == key)
                return value;
        }
        return std::string();
    };
    std::string started;
    for (const SweepCell& cell : sweep.cells)
        started = std::max(started, cell.started);
    QStringList parts{ui::toQString(of("device.name"))};
    if (sweep.plan.repeats > 1)
        parts << QCoreApplication::translate("RunFigure", "%1 repeats").arg(sweep.plan.repeats);
    // The day of the last cell's start is enough.
    parts << ui::toQString(versionsText(of)) << ui::toQString(started.substr(0, 10));
    parts.removeAll({});
    return parts.join(QStringLiteral(" · "));
}

QString captionOf(const ExperimentResult& result) {
    const QString machine = ui::experimentMachine(result);
    return ui::toQString(result.title) + (machine.isEmpty() ? QString() : QStringLiteral(" · ") + machine);
}

}  // namespace warpglass::app
