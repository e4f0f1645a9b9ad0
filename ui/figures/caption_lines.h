// Text under or over a figure, broken where its parts end: "small · bf16" and "NVIDIA H200 · CUDA 13.0"
// rather than a dot, or a date, alone on a line.
#pragma once

#include <QFont>
#include <QString>

namespace warpglass::ui {

/// In as few lines as the width, in logical pixels, allows, all about as long. Paragraphs stay. A line ends
/// between two parts, whose " · " is left out there; a part wider than that breaks between its words, and a
/// wider word does not.
QString brokenAtParts(const QString& text, const QFont& font, int width);

}  // namespace warpglass::ui
