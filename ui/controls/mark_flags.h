// Marks of a run as flags in a view: a box with the note at the moment's pixel, and a line through the view;
// for a range a line along it, and the box stays in view with it. The same in every view that shows them.
#pragma once

#include <QFont>
#include <QRect>
#include <QString>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace warpglass::ui {

struct MarkFlag {
    /// The marks that it stands for, in order; never empty.
    std::vector<std::size_t> marks;
    /// The first one's note.
    QString text;
    QRect box;
    /// Where each of them is, unless it began before what is in view.
    std::vector<int> lines;
    /// The ranges among them, as far as they are in view: from, to.
    std::vector<std::pair<int, int>> ranges;

    bool holds(std::size_t mark) const;
    bool operator==(const MarkFlag&) const = default;
};

/// In pixels of the view.
struct MarkPlace {
    std::size_t mark = 0;
    int x = 0;
    /// Whether it is, or begins, in view; otherwise it begins before.
    bool beginsInView = true;
    /// The end of a range, in view.
    std::optional<int> end;
};

/// Where the flags are: from `top` down, and up to the column `right`.
struct FlagLane {
    int top = 0;
    int right = 0;
};

inline constexpr int kFlagHeight = 17;
QFont markFlagFont();

/// "slow here"; of several the first one's note and how many more there are, "slow here +2": within `room`
/// pixels of that number, the note is cut.
QString markFlagLabel(const MarkFlag& flag, int room);

/// The flags of marks from left to right. Each is as wide as its text if the next one, or the end of the
/// lane, leaves room, and none overlaps another; the last one starts before its mark if too little of the
/// lane is left. Marks too near for the previous flag to stay readable are counted in that flag. Only the
/// notes of marks that a flag is named after are requested.
std::vector<MarkFlag> layMarkFlags(const std::vector<MarkPlace>& places,
                                   const std::function<QString(std::size_t mark)>& noteOf,
                                   const FlagLane& lane);
/// The flag that holds the point, or a pixel about it; null for none.
const MarkFlag* flagAt(const std::vector<MarkFlag>& flags, QPoint at);
/// Paints each flag with its line from `top` to `bottom`; the flag of `current` is highlighted.
void paintMarkFlags(QPainter& painter, const std::vector<MarkFlag>& flags, std::optional<std::size_t> current,
                    int top, int bottom);

}  // namespace warpglass::ui
