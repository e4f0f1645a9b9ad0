#include "ui/report/report_pages.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QtMath>

#include "engine/base/whole_file.h"
#include "ui/report/report_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {
namespace {

// Logical pixels: 96 to an inch. A4 is 210 × 297 mm.
constexpr double kPixelsPerMm = 96 / 25.4;
constexpr double kMarginMm = 16, kFootMm = 8;
constexpr double kWidth = (210 - 2 * kMarginMm) * kPixelsPerMm;
constexpr double kHeight = (297 - 2 * kMarginMm - kFootMm) * kPixelsPerMm;
/// The tallest that a figure is: its caption has to have room on its page.
constexpr double kTallest = kHeight - 90;

/// Its first line: a figure without room on a page is on the next, though its block begins before.
int pageOf(const QTextDocument& text, const QTextBlock& block) {
    const double top = text.documentLayout()->blockBoundingRect(block).top();
    const QTextLayout* lines = block.layout();
    // Qt rounds where it puts what it moves to the next page, by less than a pixel.
    constexpr double kRounding = 1;
    const double line = lines && lines->lineCount() > 0 ? lines->lineAt(0).y() : 0;
    return qFloor((top + line + kRounding) / kHeight);
}

/// A heading at the end of a page goes on to the next, with what it leads to.
void keepWithNext(QTextDocument& text) {
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        // The head of a table goes on with what is over it.
        if (!block.blockFormat().hasProperty(kLeadsToNext) || !block.next().isValid() ||
            QTextCursor(block).currentTable())
            continue;
        // A heading may lead to another.
        QTextBlock led = block.next();
        while (led.isValid() && led.blockFormat().hasProperty(kLeadsToNext))
            led = led.next();
        if (!led.isValid() || pageOf(text, led) == pageOf(text, block))
            continue;
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        cursor.setBlockFormat(format);
        // Qt lays out again from the changed block only as far as it has to, and leaves a table that follows
        // where it was, over the heading, and all that comes after it out of the count of pages.
        text.markContentsDirty(0, text.characterCount());
    }
}

void paintFoot(QPainter& painter, const ReportTextLook& look, const QString& title, int page, int pages) {
    QFont font = Theme::textFont();
    font.setPixelSize(10);
    painter.setFont(font);
    painter.setPen(look.colors.secondaryText);
    // On paper a view heeds no clip: what it has begun below the page's end is covered.
    painter.fillRect(
        QRectF(0, kHeight, kWidth + kMarginMm * kPixelsPerMm, (kFootMm + kMarginMm) * kPixelsPerMm),
        Qt::white);
    const QRectF foot(0, kHeight, kWidth, kFootMm * kPixelsPerMm);
    const QString number = QStringLiteral("%1 of %2").arg(page + 1).arg(pages);
    painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, number);
    const double room = kWidth - painter.fontMetrics().horizontalAdvance(number) - 20;
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom,
                     painter.fontMetrics().elidedText(title, Qt::ElideRight, qFloor(room)));
}

}  // namespace

Status writeReportPages(
    const ReportDocument& report, const std::filesystem::path& path,
    const std::function<void(const ReportFigure&, QPainter&, const QRectF& place)>& paint) {
    const ReportTextLook look{Theme::colorsOf(ThemeKind::kLight), kWidth, kTallest, paint};
    const std::unique_ptr<QTextDocument> text = reportText(report, look);
    text->setDocumentMargin(0);
    text->setPageSize({kWidth, kHeight});
    keepWithNext(*text);

    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter);
    writer.setResolution(1200);
    writer.setTitle(toQString(report.title));
    writer.setCreator(QStringLiteral("Warpglass"));
    QPainter painter(&writer);
    painter.scale(1200.0 / 96, 1200.0 / 96);
    const int pages = text->pageCount();
    for (int page = 0; page < pages; ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.translate(0, -page * kHeight);
        const QRectF part(0, page * kHeight, kWidth, kHeight);
        painter.setClipRect(part);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = part;
        context.palette.setColor(QPalette::Text, look.colors.text);
        text->documentLayout()->draw(&painter, context);
        painter.restore();
        paintFoot(painter, look, toQString(report.title), page, pages);
    }
    painter.end();
    return writeWholeFile(path, buffer.data().toStdString());
}

}  // namespace warpglass::ui
