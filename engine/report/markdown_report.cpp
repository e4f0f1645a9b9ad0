#include "engine/report/markdown_report.h"

#include <algorithm>
#include <variant>

#include "engine/io/utf8.h"
#include "engine/tables/control_characters.h"
#include "engine/tables/markdown.h"

namespace warpglass {
namespace {

std::string text(std::string_view of) {
    return markdownText(withoutControls(validUtf8(of)));
}

/// One line a quantity.
ReportTable turned(const ReportTable& oneRow) {
    ReportTable table{oneRow.title, {{"Quantity", "quantity"}, {"Value", "value"}}, {}, oneRow.key};
    for (std::size_t c = 0; c < oneRow.columns.size() && c < oneRow.rows.front().size(); ++c)
        table.rows.push_back(
            {oneRow.columns[c].title, readableCell(oneRow.rows.front()[c], oneRow.columns[c].unit)});
    return table;
}

class MarkdownWriter {
public:
    explicit MarkdownWriter(std::string_view figures) : m_folder(figures) {}

    void write(const ReportSection& section, std::size_t level) {
        m_out += "\n" + std::string(std::min<std::size_t>(level, 6), '#') + " " + text(section.title) + "\n";
        for (const ReportBlock& block : section.blocks)
            std::visit([this](const auto& of) { write(of); }, block);
        for (const ReportSection& inner : section.sections)
            write(inner, level + 1);
    }
    std::string page(const ReportDocument& document) {
        m_out = "# " + text(document.title) + "\n\n" + text(document.subtitle) + "\n";
        for (const std::string& note : document.notes)
            write(ReportParagraph{note, ReportParagraph::Tone::kCaution});
        for (const ReportSection& section : document.sections)
            write(section, 2);
        return m_out;
    }

private:
    void write(const ReportParagraph& paragraph) {
        const bool caution = paragraph.tone == ReportParagraph::Tone::kCaution;
        m_out += std::string("\n") + (caution ? "> " : "") + text(paragraph.text) + "\n";
    }
    void write(const ReportList& list) {
        m_out += "\n";
        for (const ReportList::Item& item : list.items) {
            m_out += "- " + text(item.text) + "\n";
            for (const std::string& more : item.more)
                m_out += "  - " + text(more) + "\n";
        }
    }
    void write(const ReportTableBlock& block) {
        ReportTable table = block.onItsSide && !block.table.rows.empty() ? turned(block.table) : block.table;
        m_out += "\n**" + text(table.title) + "**\n\n";
        table.title.clear();
        m_out += validUtf8(renderTable(table, TableFormat::kMarkdown));
    }
    void write(const ReportFigure& figure) {
        if (!figure.drawing.isThere())
            return;
        m_out += "\n![" + text(figure.alternative) + "](" + m_folder + "/" + figure.id +
                 ".svg)\n\n**Figure " + std::to_string(++m_figures) + ". " + text(figure.title) + ".**";
        m_out += figure.sentence.empty() ? "\n" : " " + text(figure.sentence) + "\n";
        if (!figure.setup.empty())
            m_out += "\n*" + text(figure.setup) + "*\n";
    }
    void write(const ReportCommands& commands) {
        m_out += "\n```sh\n";
        for (const std::string& line : commands.lines)
            m_out += withoutControls(validUtf8(line)) + "\n";
        m_out += "```\n";
    }

    std::string m_out, m_folder;
    int m_figures = 0;
};

}  // namespace

std::string reportMarkdown(const ReportDocument& document, std::string_view figures) {
    return MarkdownWriter(figures).page(document);
}

}  // namespace warpglass
