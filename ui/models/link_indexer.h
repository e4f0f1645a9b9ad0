// The index of correlation ids of the shown run, made when it is first asked for and kept up to date as the
// run grows: on a worker when there are many spans, else at once.
//
// GUI thread only.
#pragma once

#include <QObject>
#include <memory>

#include "engine/query/link_index.h"
#include "engine/query/span_links.h"
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
    CauseChain chain(SpanRef span);

signals:
    void changed();

private:
    DeferredQuery::Job makeJob();

    RunDocument& m_document;
    std::shared_ptr<const LinkIndex> m_index;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
