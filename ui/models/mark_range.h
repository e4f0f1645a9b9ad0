// A mark has a moment and no length, in the run's file too. That of a range is at its beginning, and its note
// begins with the rest, "3.00 ms until 5.000 ms: slow": written so when it is made, and read from there. So
// it reaches as far as these digits tell. Editing the note is editing the words after that: what the mark
// reaches stays.
#pragma once

#include <QString>
#include <optional>

#include "engine/io/run_marks.h"

namespace warpglass::ui {

/// How the note of a mark of that range begins.
QString rangeNote(TimeRange range);
/// Where the range of a mark ends, by the finer of the two numbers; nothing for a mark of a moment.
std::optional<Nanoseconds> endOfRange(const RunMark& mark);
/// The note without how that of a range begins.
QString wordsOfNote(const RunMark& mark);
/// The note with its words first, and what it reaches after them, "slow · 3.00 ms until 5.000 ms": where
/// there may not be room for all of it.
QString noteWordsFirst(const RunMark& mark);
/// The note with these words instead: that of a range begins as it did.
QString noteWithWords(const RunMark& mark, const QString& words);

}  // namespace warpglass::ui
