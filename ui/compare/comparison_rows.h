// The contents of a comparison's tables: their rows, the memory beside them, the words about them, and the
// place in a timeline that a row represents.
//
// Pure functions over figures; any thread.
#pragma once

#include <QString>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/compare/landmark.h"
#include "ui/compare/comparison_query.h"

namespace warpglass::ui {

enum class ComparedTable : std::uint8_t { kKernels, kOps, kModules, kPhases, kMemory };
inline constexpr std::array kComparedTables = {ComparedTable::kKernels, ComparedTable::kOps,
                                               ComparedTable::kModules, ComparedTable::kPhases,
                                               ComparedTable::kMemory};

/// The rows of any table, as compared; for kernels, as matched.
std::vector<ComparisonRow> rowsOf(const ComparisonFigures& figures, ComparedTable table);
/// The sum of a table's rows, where each time is in one of them alone; nothing where it is not known.
std::optional<ComparisonRow> totalOf(const ComparisonFigures& figures, ComparedTable table);
/// Bytes of the same names; none of a table without them.
std::vector<ComparisonRow> memoryRowsOf(const ComparisonFigures& figures, ComparedTable table);

/// How many names of a table contain the text: of its times, of its bytes, or of both.
int namesWith(const ComparisonFigures& figures, ComparedTable table, const QString& text);

/// "GPU time, mean per measured step (n = 3 each)".
QString wordsOf(const ComparisonFigures& figures, ComparedTable table);

/// What a row represents in a run's step; nothing if the run has none of it, and for memory.
std::optional<Landmark> landmarkOf(const ComparisonFigures& figures, ComparedTable table,
                                   const ComparisonRow& row, bool ofA);
/// The name of the row that holds a landmark of a run; "" for none. `kernel`: the name of one that ran there.
std::string rowNameOf(const ComparisonFigures& figures, ComparedTable table, const Landmark& landmark,
                      const std::string& kernel, bool ofA);

/// Nothing for "peak", which covers all categories.
std::optional<Category> categoryNamed(const std::string& name);

}  // namespace warpglass::ui
