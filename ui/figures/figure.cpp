#include "ui/figures/figure.h"

#include <QBuffer>
#include <QFileInfo>
#include <QFontMetrics>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QScrollArea>
#include <QSvgGenerator>
#include <QWidget>
#include <QtMath>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/figures/caption_lines.h"
#include "ui/figures/compact_svg.h"
#include "ui/figures/figure_head.h"
#include "ui/figures/kept_state.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Parts of a figure, in logical pixels.
struct Layout {
    std::optional<FigureHead> head;
    QRect words;  // of what the view's controls say; empty without any
    QString wordsText;
    int viewTop = 0;
    int viewHeight = 0;
    int belowHeight = 0;
    QRect caption;  // of the text; empty without one
    QString captionText;
    QFont captionFont;
};

constexpr int kCaptionMargin = Metrics::kSpace3;
/// The lines of a paragraph in the type that tables have. A caption is read beside the figure, and does not
/// take its place: a longer one is set smaller.
constexpr int kMostLargeLines = 2;
constexpr double kSmallType = 7.0 / 8;
/// What needs more width than the figure has is drawn smaller, but not beyond reading.
constexpr double kMostSmaller = 1.75;
/// The height of a view that has none of its own, as a share of its width.
constexpr double kUsualHeight = 5.0 / 8;

int heightOf(const QString& lines, const QFont& font) {
    return QFontMetrics(font).boundingRect(QRect(0, 0, 1 << 20, 1 << 20), Qt::AlignLeft, lines).height();
}

void layCaption(const FigureSource& source, QSize size, Layout& layout) {
    const int width = qMax(1, size.width() - 2 * kCaptionMargin);
    layout.captionFont = Theme::tableFont();
    layout.captionText = brokenAtParts(source.caption, layout.captionFont, width);
    const auto linesOf = [](const QString& text) { return 1 + text.count(QLatin1Char('\n')); };
    if (linesOf(layout.captionText) > kMostLargeLines * linesOf(source.caption)) {
        layout.captionFont.setPixelSize(qRound(layout.captionFont.pixelSize() * kSmallType));
        layout.captionText = brokenAtParts(source.caption, layout.captionFont, width);
    }
    // Never more than a third: what does not fit of it is cut off.
    const int height = qMin(heightOf(layout.captionText, layout.captionFont), size.height() / 3);
    layout.caption = QRect(kCaptionMargin, size.height() - height - Metrics::kSpace2, width, height);
}

/// The heading of a view that is refreshed; empty for a figure without a head.
Heading headingOf(const FigureSource& source) {
    if (source.asItIs || source.title.isEmpty())
        return {};
    const auto* headed = dynamic_cast<const Headed*>(source.view);
    Heading heading = headed ? headed->heading() : Heading();
    if (heading.title.isEmpty())
        heading.title = source.title;
    return heading;
}

/// "The GPU was busy for 58% of step 1. …", and what was run.
QString descriptionOf(const FigureSource& source) {
    const QString finding = headingOf(source).finding;
    return finding.isEmpty() || source.caption.isEmpty() ? finding + source.caption
                                                         : finding + QLatin1Char(' ') + source.caption;
}

QString titleOf(const FigureSource& source) {
    const QString title = headingOf(source).title;
    return title.isEmpty() ? source.view->accessibleName() : title;
}

Layout layoutOf(const FigureSource& source, QSize size, const QString& words) {
    Layout layout;
    int left = size.height();
    if (const Heading heading = headingOf(source); !heading.title.isEmpty())
        layout.head = layFigureHead(heading, words, source.caption, size);
    if (!source.caption.isEmpty() && !(layout.head && layout.head->saysCaption)) {
        layCaption(source, size, layout);
        left -= layout.caption.height() + 2 * Metrics::kSpace2;
    }
    if (source.below)
        layout.belowHeight =
            qMin(qMax(source.below->sizeHint().height(), source.below->minimumHeight()), left / 2);
    if (layout.head) {
        layout.viewTop = layout.head->height;
    } else if (!words.isEmpty()) {
        const int width = qMax(1, size.width() - 2 * kCaptionMargin);
        layout.wordsText = brokenAtParts(words, Theme::tableFont(), width);
        layout.words = QRect(kCaptionMargin, Metrics::kSpace1, width,
                             qMin(heightOf(layout.wordsText, Theme::tableFont()), left / 4));
        layout.viewTop = layout.words.bottom() + 1 + Metrics::kSpace1;
    }
    layout.viewHeight = qMax(1, left - layout.belowHeight - layout.viewTop);
    return layout;
}

/// How high a figure has to be for layoutOf() to give what stands around the view as much as here.
int leastHeight(const Layout& layout) {
    const int caption = layout.caption.height();
    const int under = caption > 0 ? caption + 2 * Metrics::kSpace2 : 0;
    const int head = layout.head ? leastHeightUnder(*layout.head) : 0;
    return std::max({head, 3 * caption, under + 4 * layout.words.height(), under + 2 * layout.belowHeight});
}

/// The least width at which nothing in the view is cut off.
int leastWidth(const QWidget& view) {
    int least = view.minimumSizeHint().width();
    for (const auto* area : view.findChildren<QScrollArea*>()) {
        if (area->widget() && area->isVisibleTo(&view))
            least = std::max(least, area->widget()->minimumSizeHint().width());
    }
    if (const auto* area = qobject_cast<const QScrollArea*>(&view); area && area->widget())
        least = std::max(least, area->widget()->minimumSizeHint().width());
    return least;
}

/// How much smaller than it is the view is drawn, so that nothing of its width is cut off; `given`: nor of
/// the height, which a window of its own does not get below what is in it.
double smallerFor(QWidget& view, QSize place, bool given) {
    double needs = 1;
    // Laid out once without what has been hidden, or its room would still be counted.
    withWidgetAt(view, place, [&] {
        needs = static_cast<double>(leastWidth(view)) / std::max(1, place.width());
        if (given)
            needs = std::max(needs, static_cast<double>(view.height()) / std::max(1, place.height()));
    });
    return std::clamp(needs, 1.0, kMostSmaller);
}

/// How many times as large as its place the view stays at the least.
double timesTooLarge(const QWidget& view, QSize place) {
    return std::max({1.0, static_cast<double>(view.width()) / std::max(1, place.width()),
                     static_cast<double>(view.height()) / std::max(1, place.height())});
}

/// How many times smaller a view is drawn as it is: laid out at so many times its place, it fills it.
double smallerAsItIs(QWidget& view, QSize place) {
    double smaller = 1;
    withWidgetAt(view, place, [&] { smaller = timesTooLarge(view, place); });
    return smaller;
}

void paintView(QPainter& painter, FigureMode* figure, QWidget& view, QRect place) {
    // Without Qt's own background fill, which would be a second one.
    const QWidget::RenderFlags flags = QWidget::DrawChildren | QWidget::DrawWindowBackground;
    const double smaller = figure ? smallerFor(view, place.size(), true) : smallerAsItIs(view, place.size());
    const QSize size(qRound(place.width() * smaller), qRound(place.height() * smaller));
    withWidgetAt(view, size, [&] {
        if (figure)
            figure->fit();
        // A window of its own does not get smaller than what is in it.
        const double all = std::max(smaller, timesTooLarge(view, place.size()));
        if (all == 1.0) {
            view.render(&painter, place.topLeft(), QRegion(), flags);
            return;
        }
        const PainterScope undone(painter);
        painter.translate(place.topLeft());
        painter.scale(1 / all, 1 / all);
        view.render(&painter, QPoint(), QRegion(), flags);
    });
}

/// How high the view is in a figure; of one whose height follows, what it has without a height of its own.
int usualHeight(const FigureSource& source, const FigureSize& size) {
    // Words take a line and the caption some: whether a table has room is told by what is left about.
    return size.heightFollows ? qRound(size.pixels.width() * kUsualHeight)
                              : layoutOf(source, size.pixels, QString()).viewHeight;
}

/// The painter's unit is a logical pixel. `given`: before it was fitted.
void paintFigure(QPainter& painter, const FigureSource& source, const FigureSize& given, QSize size) {
    const ThemeColors& colors = Theme::instance().colors();
    if (!source.asItIs)
        refreshAll(*source.view);
    const KeptColumns columns(*source.view);
    const WrittenCapitals capitals(*source.view);
    std::optional<FigureMode> figure;
    if (!source.asItIs)
        figure.emplace(*source.view, QSize(size.width(), usualHeight(source, given)), given.heightFollows);
    const QString words = figure ? figure->words() : QString();
    const Layout layout = layoutOf(source, size, words);
    painter.fillRect(QRect(QPoint(0, 0), size), colors.panel);
    paintView(painter, figure ? &*figure : nullptr, *source.view,
              QRect(0, layout.viewTop, size.width(), layout.viewHeight));
    const int below = layout.viewTop + layout.viewHeight, end = below + layout.belowHeight;
    if (source.below) {
        withWidgetAt(*source.below, {size.width(), layout.belowHeight}, [&] {
            source.below->render(&painter, QPoint(0, below), QRegion(),
                                 QWidget::DrawChildren | QWidget::DrawWindowBackground);
        });
    }
    // An SVG has no clips: what a view has painted beyond its place is covered.
    if (layout.head)
        paintFigureHead(painter, *layout.head, size.width());
    painter.setPen(colors.secondaryText);
    if (!layout.words.isEmpty()) {
        painter.fillRect(QRect(0, 0, size.width(), layout.viewTop), colors.panel);
        painter.setFont(Theme::tableFont());
        painter.drawText(layout.words, Qt::AlignLeft, layout.wordsText);
    }
    if (layout.caption.isEmpty())
        return;
    painter.fillRect(QRect(0, end, size.width(), size.height() - end), colors.panel);
    painter.fillRect(QRect(0, end, size.width(), 1), colors.hairline);
    painter.setFont(layout.captionFont);
    painter.drawText(layout.caption, Qt::AlignLeft, layout.captionText);
}

Status unwritable(const QString& path, const QString& cause) {
    return Error{"The figure " + path.toStdString() + " cannot be written: " + cause.toStdString() + "."};
}

/// Opaque, and with what a PNG says of itself. Null as figureImage().
QImage pngOf(const FigureSource& source, const FigureSize& size, double pixelRatio) {
    QImage image = figureImage(source, size, pixelRatio).convertToFormat(QImage::Format_RGB32);
    if (image.isNull())
        return image;
    const int dotsPerMeter = qRound(size.dotsPerInch * pixelRatio / 0.0254);
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    if (const QString description = descriptionOf(source); !description.isEmpty())
        image.setText(QStringLiteral("Description"), description);
    return image;
}

/// Passes on what is written to it until someone has had enough: Qt's writers stop at a device that fails.
class UntilCanceled : public QIODevice {
public:
    UntilCanceled(QIODevice& file, const std::function<bool()>& canceled)
        : m_file(file), m_canceled(canceled) {
        open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }
    bool isSequential() const override { return true; }

protected:
    qint64 readData(char*, qint64) override { return -1; }
    qint64 writeData(const char* data, qint64 size) override {
        return m_canceled && m_canceled() ? -1 : m_file.write(data, size);
    }

private:
    QIODevice& m_file;
    const std::function<bool()>& m_canceled;
};

/// What it is called and what it shows. Some of Qt's versions write these as they are, so that an & of theirs
/// would make a file that nothing reads.
QByteArray withWords(QByteArray svg, const QString& title, const QString& description) {
    QByteArray words;
    for (const auto& [name, text] : {std::pair<QByteArray, QString>("title", title), {"desc", description}}) {
        if (!text.isEmpty())
            words += '<' + name + '>' + text.toHtmlEscaped().toUtf8() + "</" + name + ">\n";
    }
    const qsizetype head = svg.indexOf(">\n", svg.indexOf("<svg"));
    return head < 0 ? svg : svg.insert(head + 2, words);
}

/// As large on paper as it is to be, whatever resolution it was drawn at.
QByteArray withSize(QByteArray svg, const FigureSize& size) {
    const qsizetype from = svg.indexOf(" width=\"", svg.indexOf("<svg")), to = svg.indexOf("mm\"", from);
    const qsizetype end = svg.indexOf("mm\"", to + 1);
    if (from < 0 || to < 0 || end < 0)
        return svg;
    const QByteArray width = QByteArray::number(size.widthMm()), height = QByteArray::number(size.heightMm());
    return svg.replace(from, end + 3 - from, " width=\"" + width + "mm\" height=\"" + height + "mm\"");
}

/// As Qt writes it: large, and without its words.
Result<QByteArray> drawSvg(const FigureSource& source, const FigureSize& given) {
    const FigureSize size = fitted(source, given);
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&drawn);
    svg.setResolution(source.view->logicalDpiY());  // sizes in points are written as the view's pixels
    svg.setSize(size.pixels);
    svg.setViewBox(QRect(QPoint(0, 0), size.pixels));
    svg.setTitle({});
    svg.setDescription({});
    QPainter painter;
    if (!painter.begin(&svg))
        return Error{"the drawing could not begin"};
    paintFigure(painter, source, given, size.pixels);
    painter.end();
    return withSize(drawn.data(), size);
}

Result<QByteArray> drawPdf(const FigureSource& source, const FigureSize& given) {
    const FigureSize size = fitted(source, given);
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&drawn);
    pdf.setResolution(size.dotsPerInch);  // a logical pixel of the view is one of the page's units
    pdf.setPageSize(QPageSize(QSizeF(size.pixels) * (72.0 / size.dotsPerInch), QPageSize::Point, {},
                              QPageSize::ExactMatch));
    pdf.setPageMargins({});
    pdf.setTitle(source.caption.isEmpty() ? titleOf(source) : source.caption);
    QPainter painter;
    if (!painter.begin(&pdf))
        return Error{"the drawing could not begin"};
    paintFigure(painter, source, given, size.pixels);
    if (!painter.end())
        return Error{"the drawing was not completed"};
    return drawn.data();
}

QString suffixOf(const QString& path) {
    return QFileInfo(path).suffix().toLower();
}

}  // namespace

bool isFigureName(const QString& path) {
    const QString suffix = suffixOf(path);
    return suffix == QLatin1String("png") || suffix == QLatin1String("svg") || suffix == QLatin1String("pdf");
}

FigureSize fitted(const FigureSource& source, const FigureSize& size) {
    if (!size.heightFollows || source.asItIs)
        return size;
    const int width = size.pixels.width(), usual = usualHeight(source, size);
    const int most = qRound(kPageMm / 25.4 * size.dotsPerInch);
    // A view not seen yet makes its parts here: those it makes later, FigureMode would not hide.
    refreshAll(*source.view);
    const KeptColumns columns(*source.view);
    FigureMode figure(*source.view, {width, usual}, true);
    const double smaller = smallerFor(*source.view, {width, usual}, false);
    // What stands around the view has at most what it has of a whole page.
    const Layout layout = layoutOf(source, {width, most}, figure.words());
    int content = usual;
    withWidgetAt(*source.view, QSize(qRound(width * smaller), qRound(usual * smaller)), [&] {
        content = qCeil(figure.contentHeight(qFloor(layout.viewHeight * smaller)) / smaller);
    });
    FigureSize fitted = size;
    const int height = qMax(content, qRound(kLeastMm / 25.4 * size.dotsPerInch)) + most - layout.viewHeight;
    // Around a low view no less than that, or the end of its caption would be cut off.
    fitted.pixels.setHeight(qMin(most, qMax(height, leastHeight(layout))));
    return fitted;
}

QImage figureImage(const FigureSource& source, const FigureSize& given, double pixelRatio) {
    const FigureSize size = fitted(source, given);
    if (!size.isWithinPicture(pixelRatio))
        return {};
    QImage image(size.pixels * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;  // views paint on what there is
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Theme::instance().colors().panel);
    QPainter painter(&image);
    paintFigure(painter, source, given, size.pixels);
    painter.end();
    return image;
}

void paintOnPage(QPainter& painter, const FigureSource& source, const FigureSize& size) {
    paintFigure(painter, source, size, fitted(source, size).pixels);
}

QByteArray figureSvg(const FigureSource& source, const FigureSize& size) {
    const Result<QByteArray> drawn = drawSvg(source, size);
    return drawn ? withWords(compactSvg(*drawn), titleOf(source), descriptionOf(source)) : QByteArray();
}

PaintedFigure::PaintedFigure(const FigureSource& source, const FigureSize& size, double pixelRatio,
                             QString path)
    : m_path(std::move(path)) {
    const QString suffix = suffixOf(m_path);
    if (!isFigureName(m_path)) {
        m_painted =
            Error{"The figure " + m_path.toStdString() + " needs a name that ends in .png, .svg or .pdf."};
        return;
    }
    if (suffix == QLatin1String("png")) {
        m_image = pngOf(source, size, pixelRatio);
        if (m_image.isNull()) {
            m_painted = unwritable(
                m_path,
                size.isWithinPicture(pixelRatio)
                    ? QStringLiteral("there is not enough memory for it")
                    : QStringLiteral("its picture would take more than %1\u202fGiB").arg(kMostPictureGiB));
        }
        return;
    }
    m_format = suffix == QLatin1String("svg") ? Format::kSvg : Format::kPdf;
    const Result<QByteArray> drawn = m_format == Format::kSvg ? drawSvg(source, size) : drawPdf(source, size);
    // Once it is drawn, the view is refreshed, and so is its finding.
    m_title = titleOf(source);
    m_description = descriptionOf(source);
    if (drawn)
        m_drawing = *drawn;
    else
        m_painted = unwritable(m_path, QString::fromStdString(drawn.message()));
}

bool PaintedFigure::writeTo(QIODevice& device) const {
    // As small as it gets: a figure is written once and sent around often.
    constexpr int kSmallest = 0;
    if (m_format == Format::kPng)
        return m_image.save(&device, "png", kSmallest);
    const QByteArray text =
        m_format == Format::kSvg ? withWords(compactSvg(m_drawing), m_title, m_description) : m_drawing;
    return device.write(text) == text.size();
}

Status PaintedFigure::write(const std::function<bool()>& canceled) const {
    if (!m_painted)
        return m_painted;
    // A failure leaves what was there.
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return unwritable(m_path, file.errorString());
    UntilCanceled device(file, canceled);
    const bool written = writeTo(device);
    if (canceled && canceled())
        return Error{"The figure " + m_path.toStdString() + " was canceled: there is no new file."};
    if (!written)
        return unwritable(m_path, m_format != Format::kPng || file.error() != QFileDevice::NoError
                                      ? file.errorString()
                                      : QStringLiteral("the picture was not taken"));
    return file.commit() ? Status() : unwritable(m_path, file.errorString());
}

Status saveFigure(const FigureSource& source, const FigureSize& size, double pixelRatio,
                  const QString& path) {
    return PaintedFigure(source, size, pixelRatio, path).write();
}

}  // namespace warpglass::ui
