#include "ui/models/shared_overview.h"

#include <utility>

#include "ui/models/run_document.h"

namespace warpglass::ui {

SharedOverview::SharedOverview(RunDocument& document)
    : QObject(&document),
      m_document(document),
      m_timeline(std::make_shared<MemoryTimeline>()),
      m_query([this] { return makeJob(); }) {
    m_growth.setSingleShot(true);
    m_growth.setInterval(kLiveInterval);
    using Cause = DeferredQuery::Cause;
    connect(&m_growth, &QTimer::timeout, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&document, &RunDocument::runChanged, this, [this] {
        m_growth.stop();
        m_timeline = std::make_shared<MemoryTimeline>();
        set(std::nullopt);  // nothing of the former run is left beside this one
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&document, &RunDocument::snapshotChanged, this, &SharedOverview::onGrowth);
    // Damage is found when a chunk is read, which another view may be the first to do.
    m_query.followDamage(document);
    m_query.invalidate(Cause::kOtherRun);
}

void SharedOverview::onGrowth() {
    if (!m_document.isLive()) {
        m_growth.stop();
        m_query.invalidate(DeferredQuery::Cause::kGrowth);
    } else if (!m_growth.isActive()) {
        m_growth.start();
    }
}

void SharedOverview::setWanted(const QObject& by, bool wanted) {
    if (wanted) {
        m_wantedBy.insert(&by);
        connect(&by, &QObject::destroyed, this, &SharedOverview::forget, Qt::UniqueConnection);
    } else {
        m_wantedBy.erase(&by);
    }
    m_query.setActive(!m_wantedBy.empty());
}

void SharedOverview::forget(QObject* gone) {
    m_wantedBy.erase(gone);
    m_query.setActive(!m_wantedBy.empty());
}

void SharedOverview::runNow() {
    if (m_growth.isActive()) {
        m_growth.stop();
        m_query.invalidate(DeferredQuery::Cause::kGrowth);
    }
    m_query.runNow();
}

DeferredQuery::Job SharedOverview::makeJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[this] { return [this] { set(std::nullopt); }; }};
    const bool heavy = snapshot->spanCount() + snapshot->memoryEventCount() > DeferredQuery::kHeavySpans;
    if (!heavy)
        return {[this] { return [this] { set(overviewOf(m_document.memory())); }; }};
    // The document's timeline grows on the window's thread.
    return {[this, snapshot, timeline = m_timeline] {
                timeline->update(snapshot);
                return [this, overview = overviewOf(*timeline)]() mutable { set(std::move(overview)); };
            },
            true};
}

void SharedOverview::set(std::optional<RunOverview> overview) {
    m_current = std::move(overview);
    emit changed();
}

}  // namespace warpglass::ui
