// What a FlameChart draws in its blocks: colors, names and figures, and in folded siblings what is in them.
#pragma once

#include <QColor>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ui/charts/flame_geometry.h"

class QPaintDevice;
class QPainter;

namespace warpglass::ui {

class FlamePainter {
public:
    void setTree(std::shared_ptr<const FlameTree> tree);
    /// By node: it, or what it is in, contains what is searched for; empty for no search.
    void setMatches(std::vector<bool> matches) { m_matches = std::move(matches); }
    /// Other siblings are folded.
    void forgetBlocks() { m_contents.clear(); }

    QColor colorOf(std::uint32_t node) const;
    /// A value as text: per step, if it is time.
    QString text(std::int64_t value) const;
    QString exact(std::int64_t value) const;
    /// What the node has, or all that are folded into the block.
    std::int64_t valueOf(const FlameBlock& block) const;
    /// Each block in its rectangle.
    void paint(QPainter& painter, const std::vector<FlameBlock>& blocks, const std::vector<QRectF>& rects);

    /// The height of each row in which its blocks say what they are and how much; `upward`: those too narrow
    /// for that from left to right, from bottom to top.
    std::vector<double> rowHeights(const std::vector<FlameBlock>& blocks, bool upward) const;

    /// In a row so high, a name may go from bottom to top in the width of a line.
    static constexpr double kNarrowestUpward = 13, kHighRow = 56;
    /// Folded siblings are faint enough for one text to be read over all their colors.
    static constexpr float kFoldedShare = 0.35F;

private:
    /// The own time or bytes of all folded nodes of one color, and one of these nodes.
    struct Amount {
        std::uint32_t node;
        std::int64_t value;
    };
    /// What stands in a block, the longest that fits its room; a value where there is room for it as well.
    struct Words {
        QString name, value;
        bool upright = true, twoLines = false;
        bool hasWholeName() const;
    };
    /// A line's length and the room across it, where text is drawn.
    struct Room {
        double along, across;
        bool upright = true;
    };

    /// Without the tone that tells siblings apart.
    QColor pureColorOf(std::uint32_t node) const;
    /// Found once for a layout: there may be thousands of nodes under a few pixels.
    const std::vector<Amount>& contentOf(const FlameBlock& block);
    void paintFolded(QPainter& painter, const FlameBlock& block, const QRectF& rect, float shown);
    void paintName(QPainter& painter, const FlameBlock& block, const QRectF& rect) const;
    /// The color under a block's name.
    QColor fillOf(const FlameBlock& block) const;
    /// How much of its color a block has: all, or less of what stands for others or is not searched for.
    float shownOf(const FlameBlock& block) const;
    Words wordsOf(const FlameBlock& block, const QSizeF& size, QPaintDevice* device) const;
    Words wordsIn(const FlameBlock& block, const Room& room, QPaintDevice* device) const;
    double heightOf(const FlameBlock& block, bool upward, QPaintDevice* device) const;
    /// What a block may be called, the longest first.
    QStringList namesOf(const FlameBlock& block) const;

    std::shared_ptr<const FlameTree> m_tree;  // never null once it is set
    std::vector<bool> m_matches;
    std::unordered_map<std::uint32_t, std::vector<Amount>> m_contents;  // by the first folded node
};

}  // namespace warpglass::ui
