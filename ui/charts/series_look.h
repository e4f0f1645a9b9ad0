// How the series of a chart of data are told apart: the color and the kind of line of each, what it is
// called, and what a legend says of them. Names are those of the chart; where they are two choices ("flash,
// bf16"), the first has the color and the second the kind of line.
//
// GUI thread, whose theme has the colors.
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/tables/chart.h"
#include "engine/tables/series_choices.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class SeriesLook {
public:
    /// `chart` outlives this.
    explicit SeriesLook(const Chart& chart) : m_chart(chart) {}
    /// The chart is another one.
    void read();

    /// Those that stand for themselves, without models: their order within a slot of bars.
    const std::vector<std::size_t>& own() const { return m_own; }
    /// The place in own() of a series, or of the one that it belongs to.
    std::size_t placeOf(std::size_t series) const;
    /// The lines with points that ran out of memory or failed.
    const std::vector<std::size_t>& unmeasured() const { return m_unmeasured; }
    bool hasChoices() const { return m_choices.has_value(); }
    /// 0 or 1: how its line is drawn, where names are two choices.
    std::size_t styleOf(std::size_t series) const { return m_choices ? m_choices->of[series].second : 0; }
    QColor colorOf(std::size_t series) const;
    /// Fitted lines and predicted ones are told apart by their dashes.
    bool isPredicted(std::size_t series) const;
    bool isFitted(std::size_t series) const;
    /// Whether its line ends because the next length ran out of memory: its name then stands beside that
    /// cross.
    bool endsOutOfMemory(std::size_t series) const;
    /// What the series is called at its end or in a legend, with what is fitted to it.
    QString labelOf(std::size_t series) const;
    std::vector<LegendEntry> legend(bool namesSeries) const;
    /// "× out of memory", "□ failed": of the marks that the chart has.
    QStringList unmeasuredWords() const;

private:
    /// What model series are called that carry their series' name: "predicted".
    QString sharedModelName(const ChartSeries& model) const;

    const Chart& m_chart;
    std::vector<std::size_t> m_own, m_unmeasured;
    std::optional<SeriesChoices> m_choices;  // of lines
};

}  // namespace warpglass::ui
