// What a search found, as a table: name, kind, start, duration, step and where in the model.
#pragma once

#include <memory>

#include "engine/query/span_search.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

struct MatchKeyOf {
    std::uint64_t operator()(const SearchMatch& match) const {
        // A lane has fewer rows than 2⁴⁰: a hundred years of them.
        return (std::uint64_t{match.at.lane.value} << 40) ^ match.at.row;
    }
};

class MatchesModel : public KeyedTableModel<SearchMatch, MatchKeyOf> {
    Q_OBJECT
public:
    enum Column { kName, kKind, kStart, kDuration, kStep, kWhere };

    explicit MatchesModel(QObject* parent = nullptr);

    void setMatches(std::shared_ptr<const Snapshot> snapshot, std::vector<SearchMatch> matches);
    /// −1 where it is not listed.
    int rowOf(SpanPosition position) const;

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    bool isMono(int column) const override;

private:
    std::shared_ptr<const Snapshot> m_snapshot;
};

}  // namespace warpglass::ui
