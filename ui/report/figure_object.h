// A figure within rich text: its SVG as lines and letters, over its caption, and never divided between two
// pages.
//
// GUI thread only.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>
#include <QTextCharFormat>
#include <QTextObjectInterface>
#include <memory>

class QSvgRenderer;

namespace warpglass::ui {

struct ThemeColors;

class FigureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    static constexpr int kType = QTextFormat::UserObject + 1;

    /// `width`: the widest that a figure is, in the document's units; the text's width where that is less.
    FigureObject(const ThemeColors& colors, double width, double tallest, QObject* parent);
    ~FigureObject() override;

    /// The format of the character that stands for a figure. `title` is set in strong type before `caption`.
    QTextCharFormat add(const QByteArray& svg, const QString& title, const QString& caption);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    struct Figure {
        std::shared_ptr<QSvgRenderer> picture;
        QString title, caption;
    };
    const Figure* of(const QTextFormat& format) const;
    double widthIn(const QTextDocument& document) const;
    QSizeF pictureSize(const Figure& figure, double width) const;
    /// Lays the caption out at `width`, draws it at `at` with a painter, and says how high it is.
    double caption(const Figure& figure, double width, QPainter* painter, QPointF at) const;

    const ThemeColors& m_colors;
    double m_width, m_tallest;
    QHash<int, Figure> m_figures;
};

}  // namespace warpglass::ui
