#include "ui/report/report_text.h"

#include <QAbstractTextDocumentLayout>
#include <QTextCursor>
#include <QTextList>
#include <QTextTable>
#include <variant>

#include "ui/report/figure_object.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {
namespace {

constexpr int kTextPixelSize = 13, kTablePixelSize = 11;

bool isText(Unit unit) {
    return unit == Unit::kText || unit == Unit::kAddress;
}

QFont printed(QFont font, int pixels) {
    font.setPixelSize(pixels);
    font.setHintingPreference(QFont::PreferNoHinting);
    // Inter draws --, − and ± by alternates that a PDF has no letters for: lost where text is copied.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

class TextWriter {
public:
    TextWriter(QTextDocument& document, const ReportTextLook& look)
        : m_look(look), m_cursor(&document), m_figures(new FigureObject(look, &document)) {}
    void write(const ReportDocument& report);
    FigureObject* figures() const { return m_figures; }

private:
    void write(const ReportSection& section, int level);
    void write(const ReportParagraph& paragraph);
    void write(const ReportList& list);
    void write(const ReportTableBlock& block);
    void write(const ReportFigure& figure);
    void write(const ReportCommands& commands);

    QTextCharFormat letters(const QFont& font, const QColor& color) const;
    /// A paragraph of its own, with room before it; the first is the document's.
    void begin(double above, bool leads = false, double indent = 0);
    /// `leads`: a head's cell, which leads to the rows under it.
    void fillCell(QTextTable& table, int row, int column, const QString& text, bool right,
                  const QTextCharFormat& format, bool leads = false);
    QTextTable* beginTable(int rows, int columns, bool header);

    const ReportTextLook& m_look;
    QTextCursor m_cursor;
    FigureObject* m_figures;
    bool m_first = true;
    int m_count = 0;
};

QTextCharFormat TextWriter::letters(const QFont& font, const QColor& color) const {
    QTextCharFormat format;
    format.setFont(font);
    format.setForeground(color);
    return format;
}

void TextWriter::begin(double above, bool leads, double indent) {
    QTextBlockFormat format;
    format.setTopMargin(above);
    format.setLeftMargin(indent);
    format.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
    if (leads)
        format.setProperty(kLeadsToNext, true);
    if (m_first)
        m_cursor.setBlockFormat(format);
    else
        m_cursor.insertBlock(format);
    m_first = false;
}

void TextWriter::write(const ReportParagraph& paragraph) {
    begin(6);
    const bool plain = paragraph.tone == ReportParagraph::Tone::kPlain;
    const bool caution = paragraph.tone == ReportParagraph::Tone::kCaution;
    m_cursor.insertText(toQString(paragraph.text), letters(printed(Theme::textFont(), kTextPixelSize),
                                                           caution ? m_look.colors.warning
                                                           : plain ? m_look.colors.text
                                                                   : m_look.colors.secondaryText));
}

void TextWriter::write(const ReportList& list) {
    const QFont font = printed(Theme::textFont(), kTextPixelSize);
    for (const ReportList::Item& item : list.items) {
        begin(5, false, 14);
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setTextIndent(-14);
        m_cursor.setBlockFormat(format);
        m_cursor.insertText(QStringLiteral("•\u2002") + toQString(item.text),
                            letters(font, m_look.colors.text));
        for (const std::string& more : item.more) {
            begin(1, false, 14);
            m_cursor.insertText(toQString(more), letters(printed(font, 12), m_look.colors.secondaryText));
        }
    }
}

QTextTable* TextWriter::beginTable(int rows, int columns, bool header) {
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellPadding(3);
    format.setCellSpacing(0);
    // Repeated on every page, which a table of one page must not be: Qt would draw the head over its caption,
    // where that begins a page.
    constexpr int kRowsOfAPage = 40;
    format.setHeaderRowCount(header && rows > kRowsOfAPage ? 1 : 0);
    format.setTopMargin(4);
    format.setBottomMargin(10);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    return m_cursor.insertTable(rows, columns, format);
}

void TextWriter::fillCell(QTextTable& table, int row, int column, const QString& text, bool right,
                          const QTextCharFormat& format, bool leads) {
    QTextTableCell cell = table.cellAt(row, column);
    QTextTableCellFormat look;
    look.setBottomBorder(0.5);
    look.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    look.setBottomBorderBrush(m_look.colors.hairline);
    look.setTopPadding(2.5);
    look.setBottomPadding(2.5);
    look.setLeftPadding(column == 0 ? 0 : 5);
    look.setRightPadding(5);
    cell.setFormat(look);
    QTextCursor at = cell.firstCursorPosition();
    QTextBlockFormat block;
    block.setAlignment(right ? Qt::AlignRight : Qt::AlignLeft);
    if (leads)
        block.setProperty(kLeadsToNext, true);
    at.setBlockFormat(block);
    at.insertText(text, format);
}

void TextWriter::write(const ReportTableBlock& block) {
    const ReportTable& table = block.table;
    const QFont font = printed(Theme::tableFont(), kTablePixelSize);
    begin(14, true);
    m_cursor.insertText(toQString(table.title),
                        letters(printed(Theme::strongFont(), 12), m_look.colors.text));
    const QTextCharFormat quiet = letters(font, m_look.colors.secondaryText),
                          plain = letters(font, m_look.colors.text);
    const auto text = [&](std::size_t row, std::size_t column) {
        const auto& cells = table.rows[row];
        return toQString(
            readableCell(column < cells.size() ? cells[column] : Cell(), table.columns[column].unit));
    };
    const int columns = static_cast<int>(table.columns.size()), rows = static_cast<int>(table.rows.size());
    if (block.onItsSide) {
        QTextTable* into = beginTable(columns, 2, false);
        for (int c = 0; c < columns; ++c) {
            fillCell(*into, c, 0, toQString(table.columns[static_cast<std::size_t>(c)].title), false, quiet);
            fillCell(*into, c, 1, text(0, static_cast<std::size_t>(c)), false, plain);
        }
    } else {
        QTextTable* into = beginTable(rows + 1, columns, true);
        for (int c = 0; c < columns; ++c) {
            const ReportColumn& column = table.columns[static_cast<std::size_t>(c)];
            fillCell(*into, 0, c, toQString(column.title), !isText(column.unit), quiet, true);
            for (int r = 0; r < rows; ++r)
                fillCell(*into, r + 1, c, text(static_cast<std::size_t>(r), static_cast<std::size_t>(c)),
                         !isText(column.unit), plain);
        }
    }
    m_cursor.movePosition(QTextCursor::End);
}

void TextWriter::write(const ReportFigure& figure) {
    if (!figure.drawing.isThere())
        return;
    begin(12);
    // One object is as high as it is: proportional lines would stretch it.
    QTextBlockFormat format;
    format.setTopMargin(12);
    m_cursor.setBlockFormat(format);
    QString caption = toQString(figure.sentence);
    if (!figure.setup.empty())
        caption += (caption.isEmpty() ? QString() : QStringLiteral(" ")) + toQString(figure.setup);
    m_cursor.insertText(
        QString(QChar::ObjectReplacementCharacter),
        m_figures->add(figure, QStringLiteral("Figure %1. %2.").arg(++m_count).arg(toQString(figure.title)),
                       caption));
}

void TextWriter::write(const ReportCommands& commands) {
    for (const std::string& line : commands.lines) {
        begin(&line == &commands.lines.front() ? 6 : 0);
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setBackground(m_look.colors.background);
        m_cursor.setBlockFormat(format);
        m_cursor.insertText(toQString(line),
                            letters(printed(Theme::monoFont(), kTablePixelSize), m_look.colors.text));
    }
}

void TextWriter::write(const ReportSection& section, int level) {
    begin(level == 1 ? 26 : 18, true);
    m_cursor.insertText(toQString(section.title),
                        letters(printed(Theme::strongFont(), level == 1 ? 18 : 15), m_look.colors.text));
    for (const ReportBlock& block : section.blocks)
        std::visit([this](const auto& of) { write(of); }, block);
    for (const ReportSection& inner : section.sections)
        write(inner, level + 1);
}

void TextWriter::write(const ReportDocument& report) {
    begin(0);
    m_cursor.insertText(toQString(report.title),
                        letters(printed(Theme::strongFont(), 25), m_look.colors.text));
    begin(2);
    m_cursor.insertText(toQString(report.subtitle),
                        letters(printed(Theme::textFont(), kTextPixelSize), m_look.colors.secondaryText));
    for (const std::string& note : report.notes)
        write(ReportParagraph{note, ReportParagraph::Tone::kCaution});
    for (const ReportSection& section : report.sections)
        write(section, 1);
}

}  // namespace

std::unique_ptr<QTextDocument> reportText(const ReportDocument& report, const ReportTextLook& look) {
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setUseDesignMetrics(true);
    document->setDefaultFont(printed(Theme::textFont(), kTextPixelSize));
    TextWriter writer(*document, look);
    writer.write(report);
    // Only now: with a layout each paragraph would be laid out as it comes.
    document->documentLayout()->registerHandler(FigureObject::kType, writer.figures());
    return document;
}

}  // namespace warpglass::ui
