// What a chart of layers draws of them, apart from where: the amount of each by its subject and the pieces
// that it is of, what blocks have in the median and how far each is from that, and what is said where there
// is none.
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/query/model/layers.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

struct LayerPiece {
    QColor color;
    QString name;
    double amount = 0;
    QRectF rect;  // where a chart draws it
    /// Position in the legend: by phase or category, with what belongs to none last.
    std::size_t order = 0;
};

class LayerAmounts {
    Q_DECLARE_TR_FUNCTIONS(warpglass::ui::LayerAmounts)
public:
    enum class Subject { kTime, kFlops, kMemory };

    void setLayers(Layers layers);
    void setSubject(Subject subject);
    /// Said if no layer has any of the subject; empty for the default reasons.
    void setNothingText(const QString& sentence) { m_nothing = sentence; }

    const Layers& layers() const { return m_layers; }
    Subject subject() const { return m_subject; }
    double amountOf(const LayerRow& row) const;
    QString text(double amount) const;
    /// From the bottom up, none empty.
    std::vector<LayerPiece> piecesOf(const LayerRow& row) const;
    std::vector<LegendEntry> legend() const;

    /// Whether any row has something of the subject, and what is said where none has.
    bool hasAnything() const { return m_anything; }
    QString nothingText() const;
    /// How many rows have unknown FLOPs and therefore no bar for them.
    int unknownRows() const;
    /// The largest of the layers' amounts; what belongs to none is left out unless there is nothing else.
    double highest() const { return m_highest; }

    /// The median of the blocks that ran completely in the range, which may be all; 0 for fewer than two.
    double median() const { return m_median; }
    bool isMedianOfAll() const { return m_ofAll; }
    /// A block that the median is of.
    bool isTypical(const LayerRow& row) const;
    /// By row, where it is typical.
    std::vector<std::optional<double>> deviations() const;
    /// A block that stands out by the subject.
    bool hasArrow(const LayerRow& row) const;

private:
    void measure();

    Layers m_layers;
    Subject m_subject = Subject::kTime;
    QString m_nothing;
    bool m_anything = false;
    double m_highest = 0;
    double m_median = 0;
    bool m_ofAll = true;
};

}  // namespace warpglass::ui
