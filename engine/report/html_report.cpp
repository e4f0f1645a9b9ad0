#include "engine/report/html_report.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "engine/io/utf8.h"
#include "engine/report/html_style.h"
#include "engine/report/html_text.h"
#include "engine/report/svg_themes.h"
#include "engine/tables/control_characters.h"

namespace warpglass {
namespace {

bool isText(Unit unit) {
    return unit == Unit::kText || unit == Unit::kAddress;
}

/// A number as people read it, with its plain value for scripts.
std::string cellText(const Cell& cell, Unit unit) {
    const std::string readable = htmlText(readableCell(cell, unit));
    if (isAbsent(cell) || std::holds_alternative<std::string>(cell))
        return readable;
    return "<data value=\"" + htmlText(plainCell(cell)) + "\">" + readable + "</data>";
}

const Cell& cellOfRow(const std::vector<Cell>& row, std::size_t column) {
    static const Cell absent;
    return column < row.size() ? row[column] : absent;
}

/// Whether it has words alone, two a line: narrow enough that two such tables stand side by side.
bool isPair(const ReportTableBlock& block) {
    return block.onItsSide || (block.table.columns.size() == 2 && isText(block.table.columns[0].unit) &&
                               isText(block.table.columns[1].unit));
}

class HtmlWriter {
public:
    std::string page(const ReportDocument& document);

private:
    void write(const ReportSection& section, int level);
    void write(const ReportParagraph& paragraph);
    void write(const ReportList& list);
    void write(const ReportTableBlock& block);
    void write(const ReportFigure& figure);
    void write(const ReportCommands& commands);
    void writeRows(const ReportTable& table);
    void writeOnItsSide(const ReportTable& table);
    void writeContents(const std::vector<ReportSection>& sections, int depth);

    std::string m_out;
    ThemedColors m_colors;
    int m_figures = 0;
};

void HtmlWriter::write(const ReportParagraph& paragraph) {
    const char* tone = paragraph.tone == ReportParagraph::Tone::kQuiet     ? " class=\"quiet\""
                       : paragraph.tone == ReportParagraph::Tone::kCaution ? " class=\"caution\""
                                                                           : "";
    m_out += std::string("<p") + tone + ">" + htmlText(paragraph.text) + "</p>\n";
}

void HtmlWriter::write(const ReportList& list) {
    m_out += "<ul>\n";
    for (const ReportList::Item& item : list.items) {
        m_out += "<li>" + htmlText(item.text);
        for (const std::string& more : item.more)
            m_out += "<p>" + htmlText(more) + "</p>";
        m_out += "</li>\n";
    }
    m_out += "</ul>\n";
}

void HtmlWriter::writeOnItsSide(const ReportTable& table) {
    m_out += "<tbody>\n";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        m_out += "<tr><th scope=\"row\">" + htmlText(table.columns[c].title) + "</th><td data-key=\"" +
                 htmlText(table.columns[c].key) + "\">" +
                 cellText(cellOfRow(table.rows.front(), c), table.columns[c].unit) + "</td></tr>\n";
    m_out += "</tbody>\n";
}

void HtmlWriter::writeRows(const ReportTable& table) {
    // The widest column of text gets room; numbers are never broken.
    const auto className = [&](std::size_t c) {
        return !isText(table.columns[c].unit)   ? " class=\"n\""
               : table.columns[c].key == "name" ? " class=\"name\""
                                                : "";
    };
    m_out += "<thead><tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        m_out += "<th scope=\"col\" data-key=\"" + htmlText(table.columns[c].key) + "\"" + className(c) +
                 ">" + htmlText(table.columns[c].title) + "</th>";
    m_out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        m_out += "<tr>";
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            m_out += std::string("<td") + className(c) + ">" +
                     cellText(cellOfRow(row, c), table.columns[c].unit) + "</td>";
        m_out += "</tr>\n";
    }
    m_out += "</tbody>\n";
}

void HtmlWriter::write(const ReportTableBlock& block) {
    const std::string title = htmlText(block.table.title), name = block.id + "-title";
    m_out += std::string("<div class=\"table") + (isPair(block) ? " pair" : "") + "\"><p id=\"" + name +
             "\">" + title + "</p>\n<div class=\"scroll\" tabindex=\"0\" " +
             "role=\"region\" aria-labelledby=\"" + name + "\">\n<table id=\"" + block.id +
             "\" data-table=\"" + htmlText(block.table.key) + "\" aria-labelledby=\"" + name + "\">\n";
    if (block.onItsSide && !block.table.rows.empty())
        writeOnItsSide(block.table);
    else
        writeRows(block.table);
    m_out += "</table></div></div>\n";
}

void HtmlWriter::write(const ReportFigure& figure) {
    if (!figure.drawing.isThere())
        return;
    m_out += "<figure id=\"" + figure.id + "\">\n<div class=\"scroll\">" +
             inlineSvg(figure.drawing, figure.id, figure.alternative, m_colors) +
             "</div>\n<figcaption><b>Figure " + std::to_string(++m_figures) + ". " + htmlText(figure.title) +
             ".</b>";
    if (!figure.sentence.empty())
        m_out += " " + htmlText(figure.sentence);
    if (!figure.setup.empty())
        m_out += " <span class=\"setup\">" + htmlText(figure.setup) + "</span>";
    m_out += "</figcaption>\n</figure>\n";
}

void HtmlWriter::write(const ReportCommands& commands) {
    m_out += "<pre>";
    for (std::size_t i = 0; i < commands.lines.size(); ++i)
        m_out += (i > 0 ? "\n" : "") + htmlText(commands.lines[i]);
    m_out += "</pre>\n";
}

void HtmlWriter::write(const ReportSection& section, int level) {
    const std::string tag = "h" + std::to_string(std::min(level, 6));
    m_out +=
        "<section id=\"" + section.id + "\">\n<" + tag + ">" + htmlText(section.title) + "</" + tag + ">\n";
    for (const ReportBlock& block : section.blocks)
        std::visit([this](const auto& of) { write(of); }, block);
    for (const ReportSection& inner : section.sections)
        write(inner, level + 1);
    m_out += "</section>\n";
}

void HtmlWriter::writeContents(const std::vector<ReportSection>& sections, int depth) {
    m_out += "<ul>\n";
    for (const ReportSection& section : sections) {
        m_out += "<li><a href=\"#" + section.id + "\">" + htmlText(section.title) + "</a>";
        if (depth > 1 && !section.sections.empty())
            writeContents(section.sections, depth - 1);
        m_out += "</li>\n";
    }
    m_out += "</ul>\n";
}

std::string HtmlWriter::page(const ReportDocument& document) {
    const std::string title = htmlText(document.title);
    m_out = "<main>\n<header><h1>" + title + "</h1>\n<p class=\"subtitle\">" + htmlText(document.subtitle) +
            "</p></header>\n";
    for (const std::string& note : document.notes)
        write(ReportParagraph{note, ReportParagraph::Tone::kCaution});
    // A long list of chapters says enough by itself.
    constexpr std::size_t kFewChapters = 6;
    m_out += "<nav aria-label=\"Contents\">\n";
    writeContents(document.sections, document.sections.size() <= kFewChapters ? 2 : 1);
    m_out += "</nav>\n";
    for (const ReportSection& section : document.sections)
        write(section, 2);
    m_out += "</main>\n";
    const std::string light = m_colors.declarations(false), dark = m_colors.declarations(true);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           // Whatever a file had for a name, nothing is fetched and nothing runs.
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; img-src data:\">\n<meta name=\"generator\" content=\"Warpglass\">\n<title>" +
           title + "</title>\n<style>" + std::string(kReportStyle) + ":root{" + light +
           "}\n@media (prefers-color-scheme:dark){:root{" + dark + "}}\n@media print{:root{" + light +
           "}}\n</style>\n</head>\n<body>\n" + m_out + "</body>\n</html>\n";
}

}  // namespace

std::string htmlText(std::string_view text) {
    std::string out;
    for (const char c : withoutControls(validUtf8(text))) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string reportHtml(const ReportDocument& document) {
    return HtmlWriter().page(document);
}

}  // namespace warpglass
