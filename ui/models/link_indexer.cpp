#include "ui/models/link_indexer.h"

#include "ui/models/run_document.h"

namespace warpglass::ui {

LinkIndexer::LinkIndexer(RunDocument& document)
    : QObject(&document), m_document(document), m_query([this] { return makeJob(); }) {
    // First, so that those whom changed() makes ask again do not get what is being made of the former run.
    m_query.follow(document);
    connect(&document, &RunDocument::runChanged, this, [this] {
        m_index.reset();
        m_walk.reset();
        emit changed();
    });
    // What another reader finds damaged may be what a graph's captures were linked by.
    m_query.followDamage(document);
}

DeferredQuery::Job LinkIndexer::makeJob() {
    const auto snapshot = m_document.snapshot();
    if (!snapshot)
        return {[] { return [] {}; }};
    // A copy costs 24 bytes a chunk; readers keep the one that they have.
    auto index = m_index ? std::make_shared<LinkIndex>(*m_index) : std::make_shared<LinkIndex>();
    return {[this, snapshot, index] {
                index->update(*snapshot);
                return [this, index] {
                    m_index = index;
                    emit changed();
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

std::shared_ptr<const LinkIndex> LinkIndexer::current() {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return nullptr;
    m_query.setActive(true);
    if (snapshot->spanCount() <= DeferredQuery::kHeavySpans && !m_query.isIdle())
        m_query.runNow();
    return m_index;
}

void LinkIndexer::runNow() {
    m_query.setActive(true);
    m_query.runNow();
}

SpanLinks LinkIndexer::links(SpanRef span) {
    const auto index = current();
    return m_document.snapshot() ? spanLinks(*m_document.snapshot(), index.get(), span) : SpanLinks();
}

CauseChain LinkIndexer::chain(SpanRef span) {
    const auto index = current();
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return {};
    if (m_walk && m_walk->at == span) {
        CauseChain followed = causeChain(*snapshot, index.get(), m_walk->chain);
        if (const auto level = followed.levelOf(span)) {
            followed.at = level;
            return followed;
        }
    }
    m_walk.reset();
    return causeChain(*snapshot, index.get(), span);
}

std::optional<SpanRef> LinkIndexer::walk(SpanRef from, int by) {
    const auto next = chain(from).beside(by);
    if (next)
        follow(from, *next);
    return next;
}

void LinkIndexer::follow(SpanRef from, SpanRef to) {
    const bool goesOn = m_walk && m_walk->at == from;
    m_walk = Walk{goesOn ? m_walk->chain : from, to};
}

}  // namespace warpglass::ui
