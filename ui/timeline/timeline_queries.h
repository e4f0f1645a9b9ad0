// What the timeline finds out about a run beside its rows, large runs on a worker: what the filter leaves
// out, what the stacks of its rows and the GPUs' Busy lanes are made of, and what the host did meanwhile.
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/query/activity/host_while_idle.h"
#include "ui/models/deferred_query.h"
#include "ui/timeline/filter_shade.h"
#include "ui/timeline/timeline_geometry.h"

class QWidget;

namespace warpglass::ui {

class RunDocument;
class TimeAxis;

class TimelineQueries : public QObject {
    Q_OBJECT
public:
    /// All outlive it. What fails is written in the view.
    TimelineQueries(QWidget& view, const RunDocument& document, const TimeAxis& axis);

    /// It outlives the view. Without one, nothing is left out.
    void setFilter(RunFilter* filter);
    /// The shade for the current filter and snapshot.
    FilterShade& shade();
    /// Rises whenever shade() is one that draws otherwise.
    std::uint64_t shades() const { return m_shades; }
    /// Null before they are known.
    const std::shared_ptr<const TimelineGeometry::GpuTimes>& gpuTimes() const { return m_gpuTimes; }
    const std::shared_ptr<const ColorTimes>& hostTimes() const { return m_hostTimes; }
    /// What the host did while the first GPU waited for it; nothing before that is known.
    const HostWhileIdle& host() const { return m_host; }

    /// Another run is shown, or the run has grown.
    void forgetRun();
    void takeGrowth();
    /// Whether the view is seen.
    void setActive(bool active);
    /// What the host did follows later where the run is large, but not in a figure.
    void runNow();
    void setInFigure(bool inFigure) { m_inFigure = inFigure; }
    bool inFigure() const { return m_inFigure; }
    /// Something more for the head of a figure; empty for nothing.
    void addFigureWords(std::function<QString()> words);
    bool hasFilter() const { return m_filter != nullptr; }

signals:
    void gpuTimesChanged();
    /// Also hostTimes().
    void hostChanged();

private:
    void dropShade();
    /// What a figure says of what is faded in it; empty where nothing is.
    QString figureWords();
    /// Which spans count, for merged blocks.
    DeferredQuery::Job makePassingJob();
    DeferredQuery::Job makeGpuJob();
    DeferredQuery::Job makeHostJob();
    void setGpuTimes(std::shared_ptr<const TimelineGeometry::GpuTimes> times);

    QWidget& m_view;
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    RunFilter* m_filter = nullptr;
    FilterShade m_shade;
    bool m_shadeValid = false;
    std::uint64_t m_shades = 0;
    std::shared_ptr<const PassingRows> m_passing;
    DeferredQuery m_passingQuery;
    std::shared_ptr<const TimelineGeometry::GpuTimes> m_gpuTimes;
    DeferredQuery m_gpuQuery;
    HostWhileIdle m_host;
    std::shared_ptr<const ColorTimes> m_hostTimes;
    DeferredQuery m_hostQuery;
    bool m_inFigure = false;
};

}  // namespace warpglass::ui
