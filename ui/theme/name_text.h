// Names as shown on screen. A name may have any length (a file can contain anything), and measuring one of
// hundreds of thousands of letters takes seconds, so whatever is measured or drawn goes through cutName()
// first.
//
// Where there is no room for a whole name, what a library's names have in common goes first, so that names
// stay apart: a kernel's signature loses its return type, namespaces and parameters, a GEMM's name
// its architecture and wrapper, and keeps its tile and the layout of its operands. Tool tips and copies have
// the whole name.
//
// Pure functions; any thread but for the metrics'.
#pragma once

#include <QString>

class QFontMetricsF;

namespace warpglass::ui {

/// More letters than any place shows, and few enough to be measured at once.
inline constexpr qsizetype kMostLetters = 400;
/// In a tool tip, which has lines.
inline constexpr qsizetype kMostToolTipLetters = 2000;

/// Between the two names that a cell of code has, an op and what it launched (an em space): the first is
/// drawn in the text's color.
inline constexpr QChar kAfterFirstName = u'\u2003';

/// The text, or of a longer one its beginning and its end around "…".
QString cutName(const QString& text, qsizetype most = kMostLetters);

/// "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>" of the whole signature, "mm" of "aten::mm",
/// "FlashAttention, backward" of an op that is a template by name (opTitle()),
/// "nvjet…128x256_64x4_2x4_h_bz_coopA_NNN" of "nvjet_sm90_tst_128x256_…"; other names as they are.
QString shortenedName(const QString& name);

/// The longest form that fits: the name, without the "aten::" that ops have in common, or the title of an op
/// that is a template by name; its short form; for a GEMM, ever fewer of its parts; or else both ends. For
/// "… → …", each side is shortened this way.
QString elidedName(const QFontMetricsF& metrics, const QString& name, double room);

}  // namespace warpglass::ui
