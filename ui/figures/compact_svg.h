// SVG as QSvgGenerator writes it, in few bytes. The generator states pen, brush, font and place anew for
// every shape, some 300 bytes for a block of a timeline. Here shapes say only what is not usual, those of one
// look are a group, and filled rectangles of one color are one path, also where others lie between them that
// they do not overlap: a figure is as large as its outlines.
//
// Lines and texts stay lines and texts. Coordinates are rounded to hundredths of a logical pixel.
//
// Pure; any thread. Linear in the shapes, but for filled rectangles: each is held against those of other
// colors, some thousand at most, that it is painted over.
#pragma once

#include <QByteArray>

namespace warpglass::ui {

/// The same picture. What is not as Qt 6's generator writes SVG Tiny 1.2 comes back as it is.
QByteArray compactSvg(const QByteArray& svg);

}  // namespace warpglass::ui
