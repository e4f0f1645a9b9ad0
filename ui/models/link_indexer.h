// The index of correlation ids of the shown run. It is made on first use and kept up to date as the run grows
// and as its file turns out to be damaged: on a worker if there are many spans, otherwise at once.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/query/links/link_index.h"
#include "engine/query/links/span_links.h"
#include "ui/models/deferred_query.h"

namespace warpglass::ui {

class RunDocument;

class LinkIndexer : public QObject {
    Q_OBJECT
public:
    /// Belongs to the document.
    explicit LinkIndexer(RunDocument& document);

    /// The latest there is; null while the first is being made, and without a run.
    std::shared_ptr<const LinkIndex> current();
    /// Waits for it.
    void runNow();

    // Links of a span of the shown run, from what is known now.
    SpanLinks links(SpanRef span);
    /// The chain in which follow() led to the span, if it did: the way back is then the way there, even if an
    /// op launched much or a module has many ops. Requesting the chain of another span ends that.
    CauseChain chain(SpanRef span);
    /// The next span up (−1) or down (+1) the chain, followed.
    std::optional<SpanRef> walk(SpanRef from, int by);
    /// One goes from a span to another of its chain.
    void follow(SpanRef from, SpanRef to);

signals:
    void changed();

private:
    /// Whose chain is followed, and where one is in it.
    struct Walk {
        SpanRef chain, at;
    };
    DeferredQuery::Job makeJob();

    RunDocument& m_document;
    std::shared_ptr<const LinkIndex> m_index;
    std::optional<Walk> m_walk;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
