// A chart's legend: swatches with names, in as many rows as its width requires.
//
// Pure but for the painting; GUI thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

class QPainter;

namespace warpglass::ui {

struct LegendEntry {
    QColor color;
    QString name;
    /// How the entry is drawn in the chart: as an area or as a line.
    bool line = false;
    /// An area of lines of the color (fillHatch()).
    bool hatched = false;
    /// A line that is not drawn through.
    bool dashed = false;
    bool dotted = false;
    bool operator==(const LegendEntry&) const = default;
};

/// From one row to the next.
inline constexpr double kLegendRow = 18;

/// The entries' places in a legend of that width, from its upper left corner: rows of kLegendRow, none
/// beyond the width unless it is alone in its row.
std::vector<QRectF> legendPlaces(const std::vector<LegendEntry>& entries, const QFont& font, double width);
/// Height of all rows; 0 without entries.
double legendHeight(const std::vector<LegendEntry>& entries, const QFont& font, double width);
/// As many as fit one row, in their order: those of least weight (one of `weights` for each entry) go first,
/// and "…" stands at the end for them.
std::vector<LegendEntry> inOneRow(std::vector<LegendEntry> entries, std::vector<double> weights,
                                  const QFont& font, double width);
/// In the painter's font, from the area's upper left corner.
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries);

/// A legend as a part of a layout.
class LegendStrip : public QWidget {
    Q_OBJECT
public:
    explicit LegendStrip(QWidget* parent = nullptr);

    void setEntries(std::vector<LegendEntry> entries);
    const std::vector<LegendEntry>& entries() const { return m_entries; }
    /// What it takes in one row.
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LegendEntry> m_entries;
};

}  // namespace warpglass::ui
