// Parts beside or below each other with dividers. Their sizes follow the room until the user moves a divider;
// then they keep those proportions. And what the parts of the timeline's page get of it. GUI thread only.
#pragma once

#include <QByteArray>
#include <QSplitter>
#include <functional>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class FittedPanes : public QSplitter {
    Q_OBJECT
public:
    FittedPanes(Qt::Orientation orientation, QWidget* parent);

    /// A size for each part, given the logical pixels that they share. What it calls outlives the panes.
    using Sizes = std::function<QList<int>(int room)>;
    void setSizesFor(Sizes sizes);

    /// Where the user has put the dividers, for applyChoice(); empty while they follow the room.
    QByteArray choice() const;
    void applyChoice(const QByteArray& choice);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    Sizes m_sizesFor;
    bool m_chosen = false;
};

/// The lanes under the overview and the ruler, none of them cut where that leaves them enough room; the
/// memory over time, the tables. All outlive what is returned.
FittedPanes::Sizes sizesOfTimelinePage(const ui::TimelineViewport& lanes, const ui::MemoryChart& memory,
                                       const TableTabs& tables);
/// The views, whose plots have the width first, and the inspector beside them.
QList<int> sizesBesideInspector(int width);

}  // namespace warpglass::app
