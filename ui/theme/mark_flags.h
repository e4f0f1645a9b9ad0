// Marks of a run as flags in a view: a box with the note at the moment's pixel, and a line through the view.
// The same in every view that shows them.
//
// GUI thread only.
#pragma once

#include <QFont>
#include <QRect>
#include <QString>
#include <optional>
#include <vector>

class QPainter;

namespace warpglass::ui {

struct MarkFlag {
    /// The first of the marks that it stands for.
    std::size_t mark = 0;
    std::size_t count = 1;
    /// That one's note.
    QString text;
    QRect box;
    /// Where each of them is.
    std::vector<int> lines;

    bool holds(std::size_t other) const { return other >= mark && other < mark + count; }
    bool operator==(const MarkFlag&) const = default;
};

inline constexpr int kFlagHeight = 17;
QFont markFlagFont();

/// "slow here"; of several the first one's note and how many more there are, "slow here +2": within `room`
/// pixels of that number, the note is cut.
QString markFlagLabel(const MarkFlag& flag, int room);

/// Adds the flag of a mark at the pixel x, right of those before or at the last one's: each is as wide as its
/// text where the next one leaves room, and none lies over another. Marks too near for the one before to be
/// read are counted in that.
void addMarkFlag(std::vector<MarkFlag>& flags, std::size_t mark, const QString& text, int x, int top);
/// The flag that holds the point, or a pixel about it; null for none.
const MarkFlag* flagAt(const std::vector<MarkFlag>& flags, QPoint at);
/// Each with its line from `top` to `bottom`; that of `current` is lit.
void paintMarkFlags(QPainter& painter, const std::vector<MarkFlag>& flags, std::optional<std::size_t> current,
                    int top, int bottom);

}  // namespace warpglass::ui
