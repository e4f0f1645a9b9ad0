#include "ui/report/figure_object.h"

#include <QPainter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QTextLayout>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

constexpr int kWhich = QTextFormat::UserProperty + 1;
constexpr double kGap = 6, kAfter = 10;
/// A margin of the page.
constexpr double kBeyond = 60;

}  // namespace

FigureObject::FigureObject(const ReportTextLook& look, QObject* parent) : QObject(parent), m_look(look) {}

FigureObject::~FigureObject() = default;

QTextCharFormat FigureObject::add(const ReportFigure& figure, const QString& title, const QString& caption) {
    const int which = static_cast<int>(m_figures.size());
    const QByteArray svg = QByteArray::fromStdString(figure.drawing.light);
    m_figures.insert(which, {&figure, std::make_shared<QSvgRenderer>(svg), title, caption});
    QTextCharFormat format;
    format.setObjectType(kType);
    format.setProperty(kWhich, which);
    return format;
}

const FigureObject::Figure* FigureObject::of(const QTextFormat& format) const {
    const auto found = m_figures.constFind(format.property(kWhich).toInt());
    return found == m_figures.constEnd() ? nullptr : &*found;
}

double FigureObject::widthIn(const QTextDocument& document) const {
    const double text = document.pageSize().isValid() ? document.pageSize().width() : document.textWidth();
    const double inside = text - 2 * document.documentMargin();
    return inside > 0 ? std::min(m_look.width, inside) : m_look.width;
}

QSizeF FigureObject::pictureSize(const Figure& figure, double width) const {
    const QRectF box = figure.picture->viewBoxF();
    if (box.width() <= 0 || box.height() <= 0)
        return {};
    const double scale = std::min(width / box.width(), m_look.tallest / box.height());
    return {box.width() * scale, box.height() * scale};
}

double FigureObject::caption(const Figure& figure, double width, QPainter* painter, QPointF at) const {
    const QFont font = sized(Theme::textFont(), 12);
    QTextLayout layout(figure.title + QLatin1Char(' ') + figure.caption, font);
    QTextLayout::FormatRange strong;
    strong.start = 0;
    strong.length = static_cast<int>(figure.title.size());
    strong.format.setFontWeight(QFont::DemiBold);
    layout.setFormats({strong});
    double height = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, height});
        height += line.height();
    }
    layout.endLayout();
    if (painter) {
        painter->setPen(m_look.colors.text);
        layout.draw(painter, at);
    }
    return height;
}

QSizeF FigureObject::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
    const Figure* figure = of(format);
    if (!figure)
        return {};
    const double width = widthIn(*document);
    return {width,
            pictureSize(*figure, width).height() + kGap + caption(*figure, width, nullptr, {}) + kAfter};
}

void FigureObject::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int,
                              const QTextFormat& format) {
    const Figure* figure = of(format);
    if (!figure)
        return;
    const QRectF picture(place.topLeft(), pictureSize(*figure, place.width()));
    const PainterScope undone(*painter);
    if (m_look.paint)
        m_look.paint(*figure->of, *painter, picture);
    else
        figure->picture->render(painter, picture);
    if (m_look.paint)  // what the view has painted beyond its place is covered, as in a figure's file
        painter->fillRect(QRectF(picture.right(), picture.top(), kBeyond, picture.height()), Qt::white);
    painter->setPen(QPen(m_look.colors.hairline, 0));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(picture);
    caption(*figure, place.width(), painter, {place.left(), picture.bottom() + kGap});
}

}  // namespace warpglass::ui
