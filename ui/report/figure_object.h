// A figure within rich text: its SVG as lines and letters, over its caption, never divided between pages.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QTextCharFormat>
#include <QTextObjectInterface>
#include <memory>

#include "ui/report/report_text.h"

class QSvgRenderer;

namespace warpglass::ui {

class FigureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    static constexpr int kType = QTextFormat::UserObject + 1;

    /// `look` is copied.
    FigureObject(const ReportTextLook& look, QObject* parent);
    ~FigureObject() override;

    /// The format of the character that stands for a figure. `title` is set in strong type before `caption`.
    /// `figure` outlives this.
    QTextCharFormat add(const ReportFigure& figure, const QString& title, const QString& caption);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    struct Figure {
        const ReportFigure* of = nullptr;
        std::shared_ptr<QSvgRenderer> picture;
        QString title, caption;
    };
    const Figure* of(const QTextFormat& format) const;
    double widthIn(const QTextDocument& document) const;
    QSizeF pictureSize(const Figure& figure, double width) const;
    /// Lays the caption out at `width`, draws it at `at` with a painter, and says how high it is.
    double caption(const Figure& figure, double width, QPainter* painter, QPointF at) const;

    ReportTextLook m_look;
    QHash<int, Figure> m_figures;
};

}  // namespace warpglass::ui
