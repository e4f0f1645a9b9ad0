#include "ui/figures/figure_head.h"

#include <QFontMetrics>
#include <QPainter>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "ui/figures/caption_lines.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kMargin = Metrics::kSpace3, kTop = 6, kBottom = 6, kBesideTitle = 10;
constexpr int kTitlePixels = 15;
constexpr int kChipPixels = 11, kChipHeight = 18, kChipPadding = 6, kChipGap = 6, kChipRow = 22;
/// A caption of more rows is set as text under the view, in less room; in a figure that is narrow and high it
/// may have more.
constexpr int kMostCaptionRows = 2, kMostNarrowRows = 6;
/// The largest part of a figure that its head takes, finding and all.
constexpr double kMostShare = 0.4;

QFont chipFont() {
    return sized(Theme::tableFont(), kChipPixels);
}

int chipWidth(const QString& text) {
    return QFontMetrics(chipFont()).horizontalAdvance(text) + 2 * kChipPadding;
}

QStringList partsOf(const QString& text) {
    return text.split(QStringLiteral(" · "), Qt::SkipEmptyParts);
}

bool allFit(const QStringList& parts, int width) {
    return std::ranges::all_of(parts, [width](const QString& part) { return chipWidth(part) <= width; });
}

int widthOf(const QStringList& parts) {
    int width = 0;
    for (const QString& part : parts)
        width += kChipGap + chipWidth(part);
    return width;
}

/// Rows of chips from (x, y) on; the place after the last one is left in `at`.
struct ChipFlow {
    QPoint at;
    int right = 0;
    int rows = 0;

    QList<FigureHead::Text> add(const QStringList& parts, bool ofView) {
        QList<FigureHead::Text> chips;
        for (const QString& part : parts) {
            const int width = chipWidth(part);
            if (rows == 0 || at.x() + width > right) {
                at = QPoint(kMargin, at.y() + (rows == 0 ? 0 : kChipRow));
                ++rows;
            }
            chips << FigureHead::Text{QRect(at, QSize(width, kChipHeight)), part, ofView};
            at.rx() += width + kChipGap;
        }
        return chips;
    }
};

/// Title and what stands beside it; returns the view's settings that do not.
QStringList layTitle(const QString& title, const QStringList& words, int right, FigureHead& head) {
    const QFontMetrics metrics(titleFont(kTitlePixels));
    const int room = right - kMargin, width = metrics.horizontalAdvance(title);
    const QRect lines = metrics.boundingRect(QRect(0, 0, room, 1 << 16), Qt::TextWordWrap, title);
    head.title = {
        QRect(kMargin, kTop, std::min(width, room), width > room ? lines.height() : metrics.height()), title,
        false};
    head.height = head.title.place.bottom() + 1;
    if (head.title.place.right() + 1 + kBesideTitle + widthOf(words) > right)
        return words;
    int x = head.title.place.right() + 1 + kBesideTitle;
    const int y = head.title.place.center().y() - kChipHeight / 2 + 1;
    for (const QString& word : words) {
        head.chips << FigureHead::Text{QRect(x, y, chipWidth(word), kChipHeight), word, true};
        x += chipWidth(word) + kChipGap;
    }
    return {};
}

/// Whether the run's settings have what became of one: "precision fp32 → bf16" in "fp32 → bf16", but of
/// numbers only "batch 2 → 4" in "context 512, batch 2 → 4": others may have become those, too.
bool haveChange(const QStringList& run, const QString& setting) {
    const qsizetype arrow = setting.indexOf(QStringLiteral(" → "));
    for (qsizetype from = 0; from < arrow; from = setting.indexOf(QLatin1Char(' '), from) + 1) {
        if (from > 0 && setting[from].isDigit())
            continue;
        const QRegularExpression change(
            QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(setting.mid(from))),
            QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
        if (std::ranges::any_of(run, [&](const QString& part) { return part.contains(change); }))
            return true;
    }
    return false;
}

FigureHead layHead(const Heading& heading, const QString& words, const QString& caption, QSize figure) {
    FigureHead head;
    const int width = figure.width();
    const int right = width - kMargin, inner = std::max(1, right - kMargin);
    QStringList settings = partsOf(words);
    const QStringList run = partsOf(caption);
    // What the title or the caption says is said once.
    settings.removeIf([&](const QString& word) {
        return !word.compare(heading.title, Qt::CaseInsensitive) || run.contains(word) ||
               haveChange(run, word);
    });
    const bool asChips = allFit(settings, inner);
    const QStringList left = layTitle(heading.title, asChips ? settings : QStringList(), right, head);
    if (!heading.finding.isEmpty()) {
        const QRect room(kMargin, head.height + 2, inner, 1 << 16);
        const QRect text =
            QFontMetrics(Theme::textFont()).boundingRect(room, Qt::TextWordWrap, heading.finding);
        head.finding = {QRect(room.topLeft(), QSize(inner, text.height())), heading.finding, false};
        head.height = head.finding.place.bottom() + 1;
    }
    if (!asChips) {
        const QString lines = brokenAtParts(words, Theme::tableFont(), inner);
        const int height =
            QFontMetrics(Theme::tableFont()).height() * static_cast<int>(1 + lines.count(QLatin1Char('\n')));
        head.words = {QRect(kMargin, head.height + 2, inner, height), lines, false};
        head.height = head.words.place.bottom() + 1;
    }
    ChipFlow flow{QPoint(kMargin, head.height + Metrics::kSpace1), right, 0};
    head.chips += flow.add(left, true);
    if (!run.isEmpty() && !caption.contains(QLatin1Char('\n')) && allFit(run, inner)) {
        ChipFlow all = flow;
        const QList<FigureHead::Text> chips = all.add(run, false);
        if (all.rows <= (figure.height() > 2 * width ? kMostNarrowRows : kMostCaptionRows)) {
            head.chips += chips;
            flow = all;
            head.saysCaption = true;
        }
    }
    if (flow.rows > 0)
        head.height = flow.at.y() + kChipHeight;
    head.height += kBottom;
    return head;
}

}  // namespace

FigureHead layFigureHead(const Heading& heading, const QString& words, const QString& caption, QSize figure) {
    FigureHead head = layHead(heading, words, caption, figure);
    if (leastHeightUnder(head) > figure.height() && head.saysCaption)
        head = layHead(heading, words, {}, figure);
    if (leastHeightUnder(head) > figure.height())
        head = layHead({heading.title, {}}, words, {}, figure);
    return head;
}

int leastHeightUnder(const FigureHead& head) {
    return static_cast<int>(head.height / kMostShare) + 1;
}

void paintFigureHead(QPainter& painter, const FigureHead& head, int width) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(QRect(0, 0, width, head.height), colors.panel);
    painter.setPen(colors.text);
    painter.setFont(titleFont(kTitlePixels));
    // In its width to the pixel, one line would be taken for too long now and then.
    const bool wraps = head.title.place.height() > painter.fontMetrics().height();
    painter.drawText(head.title.place, Qt::AlignLeft | Qt::AlignVCenter | (wraps ? Qt::TextWordWrap : 0),
                     head.title.text);
    painter.setFont(Theme::textFont());
    painter.drawText(head.finding.place, Qt::AlignLeft | Qt::TextWordWrap, head.finding.text);
    painter.setPen(colors.secondaryText);
    painter.setFont(Theme::tableFont());
    painter.drawText(head.words.place, Qt::AlignLeft, head.words.text);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(chipFont());
    for (const FigureHead::Text& chip : head.chips) {
        painter.setPen(colors.hairline);
        painter.setBrush(chip.ofView ? QBrush(colors.raised) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(chip.place).adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kSpace1,
                                Metrics::kSpace1);
        painter.setPen(chip.ofView ? colors.text : colors.secondaryText);
        painter.drawText(chip.place, Qt::AlignCenter, chip.text);
    }
}

}  // namespace warpglass::ui
