#include "engine/tables/span_columns.h"

#include "engine/base/format.h"
#include "engine/tables/control_characters.h"
#include "engine/tables/swatches.h"
#include "engine/tables/typed_op_columns.h"

namespace warpglass {
namespace {

using Span = Column<StatisticsNode, SpansShown>;
using Words = std::optional<std::string>;

/// An op's times are the CPU's, and its titles say so.
void titleTimes(Span& column, bool isOfCpu) {
    struct OfCpu {
        const char *key, *title, *plainTitle;
    };
    constexpr OfCpu kOfCpu[] = {{"self_share", "Self CPU %", "Self CPU, share"},
                                {"self_ns", "Self CPU", "Self CPU (ns)"},
                                {"time_share", "CPU total %", "CPU total, share"},
                                {"total_ns", "CPU total", "CPU total (ns)"}};
    for (const OfCpu& ofCpu : kOfCpu) {
        if (column.key != ofCpu.key)
            continue;
        column.formerTitle = ofCpu.title;
        if (!isOfCpu)
            continue;
        column.name = column.title;
        column.title = ofCpu.title;
        column.plainTitle = ofCpu.plainTitle;
        column.description =
            column.key == "time_share"
                ? "Total time over the self time of all ops, as in PyTorch's profiler. Nested ops count in "
                  "their parents too, so rows add up to more than 100%"
                : column.description +
                      ". This is time on CPU threads; for the GPU time of what ops launch, see Kernels";
    }
}

/// Names of a tree: those of their level are read, those that tell rows apart are copied.
void nameNodes(Span& column) {
    column.value = [](const StatisticsNode& node) {
        return node.isGroup && !node.row.group.empty() ? node.row.group : node.row.figures.name;
    };
    column.text = [](const StatisticsNode& node) { return withoutControls(node.row.figures.name); };
    column.exact = [value = column.value](const StatisticsNode& node, const SpansShown& of) {
        return std::get<std::string>(value(node, of));
    };
    column.sort = [](const StatisticsNode& node) { return node.row.figures.name; };
    column.swatch = [](const StatisticsNode& node, const SpansShown& of) -> std::optional<Swatch> {
        if (!node.isGroup)
            return swatchOf(node.row.figures.family);
        if (of.grouping != SpanGrouping::kPhase)
            return {};
        return swatchOfName(Swatch::kPhase, node.row.group).value_or(swatchOf(Phase::kNone));
    };
}

/// With how many others there are; nothing where there are none.
Words typesWords(const GroupedRow& row, const char* before, const char* after) {
    if (row.distinctTypes <= 1)
        return {};
    return withoutControls(row.types) + before + std::to_string(row.distinctTypes - 1) + after;
}

/// "memory · 83%": what the roof is of, where there is more than one.
Words roofWords(const StatisticsNode& node, const SpansShown&) {
    if (!node.row.shareOfPeak || node.row.roofOf.empty() || node.row.roofOf == "copies")
        return {};
    return std::string(node.row.roofOf) + " · " + formatPercent(*node.row.shareOfPeak);
}

/// "83.0% of 4.24 TB/s, measured 2026-11-23".
Words roofExactly(const StatisticsNode& node, const SpansShown& of) {
    if (!node.row.shareOfPeak)
        return "Unknown: it needs the FLOPs or bytes and the device's ceiling";
    if (node.row.roof <= 0)
        return {};
    return formatPercent(*node.row.shareOfPeak) + " of " +
           (node.row.roofOf == "compute" ? formatFlopRate(node.row.roof) : formatByteRate(node.row.roof)) +
           (node.row.roofFrom == "reached" ? ", the most that a product of this run or an earlier one reached"
            : node.row.roofFrom == "data-sheet" ? ", of the data sheet"
            : of.roofs.empty()                  ? std::string()
                                                : ", " + of.roofs);
}

/// Ops alone have types, and kernels alone may stand for several of the library's ops.
std::vector<Span> workColumns(bool ofCpu) {
    const Seen seen = ofCpu ? Seen::kEverywhere : Seen::kWindow;
    std::vector<Span> columns = {
        Span("launched_by", "Launched by", Unit::kText,
             "The op that launched it, or that launched most of its time",
             [](const StatisticsNode& node) { return textOrAbsent(node.row.launchedBy); },
             {.text = [](const StatisticsNode& node) -> Words {
                  if (node.row.launchers <= 1)
                      return {};
                  return withoutControls(node.row.launchedBy) + " +" + std::to_string(node.row.launchers - 1);
              },
              .code = kAlways,
              .seen = seen,
              .width = 168}),
        Span("flops", "FLOPs", Unit::kFlops,
             ofCpu ? "FLOPs of its GEMMs, as planned; – if unknown"
                   : "FLOPs of GEMMs, of our own kernels, and of norms and elementwise kernels, as planned; "
                     "– if none or unknown",
             [](const StatisticsNode& node) { return node.row.flops; },
             {.exact =
                  [](const StatisticsNode& node) {
                      return node.row.flops   ? Words()
                             : node.row.bytes ? Words("None: it only moves bytes")
                                              : Words(
                                                    "Unknown. FLOPs are only known for our own kernels, "
                                                    "norms and elementwise kernels, and GEMMs that can be "
                                                    "attributed to a single kernel");
                  },
              .width = 92}),
        Span("bytes", "Bytes", Unit::kBytes,
             ofCpu ? "Each operand and result of GEMMs once; – where it is not known"
                   : "What copies copied; each operand and result of other kernels once; – where it is not "
                     "known",
             [](const StatisticsNode& node) { return node.row.bytes; },
             {.exact = [](const StatisticsNode& node) { return node.row.bytes ? Words() : Words("Unknown"); },
              .width = 80}),
        Span("ceiling_share", "% of roof", Unit::kFraction,
             std::string("FLOP/s as a share of the device's ceiling in this precision, measured or from the "
                         "data sheet; for copies, bytes per second as a share of the measured rate. If the "
                         "run beat the measurement, its best is the ceiling") +
                 (ofCpu ? ""
                        : ". For GEMMs of few operations per byte, our own kernels, casts, elementwise "
                          "kernels and an update of all parameters, bytes per second as a share of what "
                          "memory allows, at most all of it"),
             [](const StatisticsNode& node) { return node.row.shareOfPeak; },
             {.text = roofWords, .exact = roofExactly, .plainTitle = "Share of the ceiling", .width = 108}),
        Span("types", kTypesTitle, Unit::kText,
             "The types and shapes of an op's inputs and, after the arrow, its outputs in the calls that "
             "took most of its time; – if the run was recorded without shapes",
             [](const StatisticsNode& node) { return textOrAbsent(node.row.types); },
             {.text = [](const StatisticsNode& node) { return typesWords(node.row, " +", ""); },
              .exact =
                  [](const StatisticsNode& node) {
                      return typesWords(node.row, ", and ",
                                        node.row.distinctTypes == 2 ? " other" : " others");
                  },
              .code = kAlways,
              .seen = seen,
              .width = 380})};
    if (!ofCpu)
        columns.push_back(Span(
            "not_moved_bytes", "Not moved", Unit::kBytes,
            "What the library's ops would have moved beyond the bytes of our own kernels, which do the work "
            "of several at once: mostly tensors between them that are written and read again",
            [](const StatisticsNode& node) { return node.row.notMoved; }, {.width = 84}));
    if (!ofCpu)
        columns.push_back(
            Span("shape", "M×N×K", Unit::kText,
                 "Rows, columns and inner dimension of the GEMMs, as planned. After “gradient of”, of the "
                 "product that they are gradients of: theirs are the same three numbers in another order",
                 [](const StatisticsNode& node) { return textOrAbsent(node.row.shape); },
                 {.text = [](const StatisticsNode& node) -> Words {
                      if (node.row.shape.empty())
                          return {};
                      return (node.row.isGradient ? "gradient of " : "") + node.row.shape +
                             (node.row.shapes > 1 ? " +" + std::to_string(node.row.shapes - 1) : "");
                  },
                  .seen = Seen::kWindow,
                  .width = 208}));
    if (!ofCpu)
        columns.push_back(Span("title", "Title", Unit::kText,
                               "What it does, from the signature, and what tells it from the run's other "
                               "kernels that do the same; the name where the signature tells no more",
                               [](const StatisticsNode& node) { return textOrAbsent(node.row.title); },
                               {.text = [](const StatisticsNode& node) { return titleWords(node.row); },
                                .seen = Seen::kCommandLine,
                                .after = std::string(kFirst)}));
    return columns;
}

TableDescription<StatisticsNode, SpansShown> describe(bool ofCpu) {
    TableDescription<StatisticsNode, SpansShown> table{
        ofCpu ? "ops-tree" : "kernels-tree",
        {},
        {"name", "family", "self_share", "self_ns", "time_share", "total_ns", "instances",
         "instances_per_step"}};
    for (const auto& from : statisticsTable(ofCpu ? StatisticsOf::kOps : StatisticsOf::kKernels).columns) {
        Span column = lifted<StatisticsNode, SpansShown>(
            from, [](const StatisticsNode& node) { return &node.row.figures; },
            [](const SpansShown& of) -> const StatisticsShown& { return of.statistics; });
        if (column.key == "name")
            nameNodes(column);
        titleTimes(column, ofCpu);
        table.columns.push_back(std::move(column));
    }
    for (Span& column : workColumns(ofCpu))
        table.columns.push_back(std::move(column));
    return table;
}

}  // namespace

std::optional<std::string> titleWords(const GroupedRow& row) {
    if (row.title.empty())
        return {};
    return withoutControls(row.title);
}

const TableDescription<StatisticsNode, SpansShown>& spansTable(bool ofCpu) {
    static const auto ofOps = describe(true), ofKernels = describe(false);
    return ofCpu ? ofOps : ofKernels;
}

}  // namespace warpglass
