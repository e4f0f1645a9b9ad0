// The parts of the timeline's page, one below the other: the lanes under the overview and the ruler, the
// memory over time, the tables.
//
// Their sizes follow the room until the user moves a divider; then they keep those proportions.
#pragma once

#include <QByteArray>
#include <QSplitter>

namespace warpglass::app {

class TableTabs;

class TimelinePanes : public QSplitter {
    Q_OBJECT
public:
    /// `tables`: the last of its parts.
    TimelinePanes(const TableTabs& tables, QWidget* parent);

    /// Where the user has put the dividers, for applyChoice(); empty while they follow the room.
    QByteArray choice() const;
    void applyChoice(const QByteArray& choice);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    const TableTabs& m_tables;
    bool m_chosen = false;
};

}  // namespace warpglass::app
