// The index of correlation ids of the shown run, made when it is first asked for and kept up to date as the
// run grows and as its file turns out damaged: on a worker when there are many spans, else at once.
//
// GUI thread only.
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

    // Of the shown run, by what is known now.
    SpanLinks links(SpanRef span);
    /// That in which follow() led to the span, where it did: so the way back is the way one came, also where
    /// an op has launched much and a module has many ops. A chain that is asked for of another span ends
    /// that.
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
