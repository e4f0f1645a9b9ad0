// A report as data: what it says and in which order, before it is HTML, Markdown or pages. Texts are plain,
// in whatever bytes files had for names; writers escape them.
//
// A value; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/tables/chart.h"
#include "engine/tables/report_table.h"

namespace warpglass {

struct ReportParagraph {
    enum class Tone : std::uint8_t {
        kPlain,
        kQuiet,   // what a figure or a table is of
        kCaution  // what keeps a figure from being taken as it is
    };
    std::string text;
    Tone tone = Tone::kPlain;
};

/// Sentences, the most important first, each with what is said under it in smaller type.
struct ReportList {
    struct Item {
        std::string text;
        std::vector<std::string> more = {};
    };
    std::vector<Item> items;
};

/// `table.title` is its caption, `table.rows` have plain values.
struct ReportTableBlock {
    std::string id = {};
    ReportTable table;
    /// One row, read as one line a quantity.
    bool onItsSide = false;
};

/// A picture as SVG text in both themes, without XML declaration; empty where it was not drawn.
struct ReportDrawing {
    std::string light, dark;
    bool isThere() const { return !light.empty(); }
};

/// A view of a run as the window has it: "timeline" of the input with that index.
struct ReportRunView {
    std::size_t input = 0;
    std::string view;
};
/// Two runs side by side, by the indices of their inputs.
struct ReportRunPair {
    std::size_t a = 0, b = 0;
};

struct ReportFigure {
    std::string id = {};
    std::variant<ReportRunView, ReportRunPair, Chart> of;
    /// "Timeline".
    std::string title;
    /// What it says, in a sentence or two; may be empty.
    std::string sentence = {};
    /// What is seen in it, for those who do not see it. Never empty.
    std::string alternative;
    /// What it is of: settings, device.
    std::string setup = {};
    ReportDrawing drawing = {};
};

/// Lines for a shell.
struct ReportCommands {
    std::vector<std::string> lines;
};

using ReportBlock = std::variant<ReportParagraph, ReportList, ReportTableBlock, ReportFigure, ReportCommands>;

struct ReportSection {
    std::string id = {};
    std::string title;
    std::vector<ReportBlock> blocks = {};
    std::vector<ReportSection> sections = {};

    bool isEmpty() const { return blocks.empty() && sections.empty(); }
    void say(std::string text, ReportParagraph::Tone tone = ReportParagraph::Tone::kPlain) {
        blocks.emplace_back(ReportParagraph{std::move(text), tone});
    }
};

struct ReportDocument {
    std::string title;
    /// "2 runs · Warpglass 0.1.0 · 2026-11-25".
    std::string subtitle = {};
    /// Why something that was asked for is not in it; before all else.
    std::vector<std::string> notes = {};
    std::vector<ReportSection> sections = {};
};

/// Calls `visit(block)` for every block, in the order of reading. `Document`: const or not.
template <class Section, class Visit>
void forEachBlock(std::vector<Section>& sections, const Visit& visit) {
    for (Section& section : sections) {
        for (auto& block : section.blocks)
            visit(block);
        forEachBlock(section.sections, visit);
    }
}
template <class Section, class Visit>
void forEachBlock(const std::vector<Section>& sections, const Visit& visit) {
    for (const Section& section : sections) {
        for (const auto& block : section.blocks)
            visit(block);
        forEachBlock(section.sections, visit);
    }
}
/// Every figure, in the order of reading.
template <class Document>
auto figuresOf(Document& document) {
    std::vector<decltype(&std::get<ReportFigure>(document.sections.front().blocks.front()))> figures;
    forEachBlock(document.sections, [&](auto& block) {
        if (auto* figure = std::get_if<ReportFigure>(&block))
            figures.push_back(figure);
    });
    return figures;
}

/// Gives every section, table and figure an id of its own, made of its title: letters, digits and hyphens.
void nameAll(ReportDocument& document);

/// Leaves out the figures that were not drawn, and the sections that nothing is left of.
void leaveOutUndrawn(ReportDocument& document);

}  // namespace warpglass
