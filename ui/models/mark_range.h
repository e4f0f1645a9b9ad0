// A mark has a moment and no length, in the run's file too. The mark of a range is at its start, and its note
// begins with the rest: "3.00 ms until 5.000 ms: slow". The range is written there when the mark is made and
// read back from there, with the precision of these digits. Editing the note edits only the words after it;
// the range stays.
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
/// The note with its words first and the range after them, "slow · 3.00 ms until 5.000 ms", for places where
/// not all of it may fit.
QString noteWordsFirst(const RunMark& mark);
/// The note with these words instead: that of a range begins as it did.
QString noteWithWords(const RunMark& mark, const QString& words);

}  // namespace warpglass::ui
