// The head of a figure: title, finding and settings, from the top. The settings are chips: those of the view
// beside its title where there is room, and those of the run under the finding.
//
// GUI thread only. All lengths are logical pixels.
#pragma once

#include <QList>
#include <QRect>
#include <QSize>
#include <QString>

#include "ui/controls/heading.h"

class QPainter;

namespace warpglass::ui {

struct FigureHead {
    struct Text {
        QRect place;
        QString text;
        /// Whether a chip states a setting of the view rather than one of the run.
        bool ofView = false;
    };
    Text title, finding;
    /// What the view's controls say, where chips would not hold it.
    Text words;
    QList<Text> chips;
    int height = 0;
    /// The caption is among the chips: there is none under the view.
    bool saysCaption = false;
};

/// `words` and `caption` have parts, parted by " · ". Where little room is left for the view, the finding is
/// left out, and a caption of many parts is for the foot.
FigureHead layFigureHead(const Heading& heading, const QString& words, const QString& caption, QSize figure);

/// How high a figure has to be to have all of that head.
int leastHeightUnder(const FigureHead& head);

/// Over what is there.
void paintFigureHead(QPainter& painter, const FigureHead& head, int width);

}  // namespace warpglass::ui
