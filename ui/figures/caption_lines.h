// Text below or above a figure, broken where its parts end: "small · bf16" and "NVIDIA H200 · CUDA 13.0"
// rather than a dot or a date alone on a line.
#pragma once

#include <QFont>
#include <QString>

namespace warpglass::ui {

/// Breaks text into as few lines as the width (logical pixels) allows, all of about the same length.
/// Paragraphs are kept. A line ends between two parts, whose " · " is left out there; a part wider than that
/// breaks between its words, and a wider word does not.
QString brokenAtParts(const QString& text, const QFont& font, int width);

}  // namespace warpglass::ui
