#include "ui/models/run_document.h"

#include "ui/models/link_indexer.h"
#include "ui/models/shared_overview.h"

namespace warpglass::ui {

namespace {

/// 40 times a second: smooth to the eye, with room for a turn that comes late, and an epoch that has not
/// moved costs one atomic load.
constexpr int kPollMilliseconds = 25;
/// Soon after the figures that lack what is damaged.
constexpr int kDamageMilliseconds = 300;

}  // namespace

RunDocument::RunDocument(QObject* parent)
    : QObject(parent),
      m_memory(std::make_shared<MemoryTimeline>()),
      m_links(new LinkIndexer(*this)),
      m_overview(new SharedOverview(*this)) {
    m_timer.setInterval(kPollMilliseconds);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RunDocument::poll);
    m_damageTimer.setInterval(kDamageMilliseconds);
    connect(&m_damageTimer, &QTimer::timeout, this, &RunDocument::checkDamage);
}

void RunDocument::follow(std::shared_ptr<TraceFeed> feed) {
    m_timer.stop();
    m_damageTimer.stop();
    m_feed = std::move(feed);
    m_awaiting = false;
    m_snapshot.reset();
    m_memory = std::make_shared<MemoryTimeline>();
    m_seenEpoch = 0;
    setWarnings({});
    emit runChanged();
    poll();
    if (m_feed)
        m_timer.start();
}

void RunDocument::stopFollowing() {
    if (!m_feed)
        return;
    poll();
    m_timer.stop();
    m_feed.reset();
    emit snapshotChanged();  // the run no longer grows: what says "live" changes even when no row did
}

void RunDocument::setSnapshot(std::shared_ptr<const Snapshot> snapshot,
                              std::shared_ptr<MemoryTimeline> memory) {
    show(std::move(snapshot), std::move(memory), false);
}

void RunDocument::show(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<MemoryTimeline> memory,
                       bool awaiting) {
    m_timer.stop();
    m_feed.reset();
    m_awaiting = awaiting;
    m_seenEpoch = 0;
    m_snapshot = std::move(snapshot);
    m_memory = memory ? std::move(memory) : std::make_shared<MemoryTimeline>();
    if (m_snapshot)
        m_memory->update(m_snapshot);
    setWarnings({});
    emit runChanged();
    emit snapshotChanged();
    if (m_snapshot)
        m_damageTimer.start();
    else
        m_damageTimer.stop();
}

QString RunDocument::noRunWords(const QString& what) const {
    return m_awaiting || isLive() ? tr("The run is being prepared") : tr("Open or record a run %1").arg(what);
}

void RunDocument::setWarnings(QStringList warnings, bool incomplete) {
    m_knownDamage = 0;
    if (m_snapshot) {
        const std::vector<std::string> damage = m_snapshot->damage().sentences();
        m_knownDamage = damage.size();
        incomplete = incomplete || !damage.empty();
        for (const std::string& sentence : damage) {
            const QString text = QString::fromStdString(sentence);
            if (!warnings.contains(text))
                warnings << text;
        }
    }
    if (warnings == m_warnings && incomplete == m_incomplete)
        return;
    m_incomplete = incomplete;
    m_warnings = std::move(warnings);
    emit warningsChanged();
}

/// Views read chunks as they need them, so damage may show long after the opening.
void RunDocument::checkDamage() {
    if (!m_snapshot || m_snapshot->damage().count() == m_knownDamage)
        return;
    setWarnings(QStringList(m_warnings), m_incomplete);
}

void RunDocument::poll() {
    if (!m_feed || m_feed->epoch() == m_seenEpoch)
        return;
    // The epoch is read before the snapshot: one published in between is seen as new at the next poll.
    m_seenEpoch = m_feed->epoch();
    std::shared_ptr<const Snapshot> latest = m_feed->latest();
    if (!latest || latest == m_snapshot)
        return;
    m_snapshot = std::move(latest);
    m_memory->update(m_snapshot);
    emit snapshotChanged();
}

}  // namespace warpglass::ui
