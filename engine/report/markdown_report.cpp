#include "engine/report/markdown_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <variant>

#include "engine/io/utf8.h"
#include "engine/tables/control_characters.h"
#include "engine/tables/markdown.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

std::string text(std::string_view of) {
    return markdownText(withoutControls(validUtf8(of)));
}

/// As the target of a link, in which spaces and brackets would end it.
std::string linkTarget(std::string_view path) {
    std::string target;
    for (const char c : path) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                           std::string_view("-._~/").find(c) != std::string_view::npos;
        if (plain) {
            target += c;
        } else {
            std::array<char, 4> escape{};
            std::snprintf(escape.data(), escape.size(), "%%%02X", static_cast<unsigned char>(c));
            target += escape.data();
        }
    }
    return target;
}

class MarkdownWriter {
public:
    explicit MarkdownWriter(std::string_view figures) : m_folder(linkTarget(figures)) {}

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
        ReportTable table = block.onItsSide ? asRecord(block.table, TableFormat::kMarkdown) : block.table;
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
