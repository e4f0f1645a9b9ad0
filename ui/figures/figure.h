// A view as a figure of its own: painted by the view itself at the figure's size, with what is under it in
// the window (a time ruler) and a caption, to PNG, SVG, PDF or an image. Controls are left out; their
// settings are written above the view (ui/controls/figure_mode.h), under its title and its finding.
//
// GUI thread only. The view is laid out at the figure's size and put back; it keeps its zoom, selection and
// sorting. Vector files hold what the view paints (its merged geometry), not a picture of it.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <functional>

#include "engine/base/result.h"
#include "ui/figures/figure_size.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

/// What is drawn, from the top; none is owned.
struct FigureSource {
    QWidget* view = nullptr;
    /// A widget below, at its own height and as wide as the figure; null for none.
    QWidget* below = nullptr;
    /// Below everything, one paragraph per run, in as many lines as it needs up to a third of the figure, and
    /// in smaller type if there are many; empty for none. Under a title it stands as chips where they take
    /// few rows (figure_head.h). The file's description has the whole caption.
    QString caption;
    /// A picture of the view with its controls; drawn smaller where it must not be laid out so small.
    bool asItIs = false;
    /// What the window calls the view; with the finding of a view that is Headed (ui/controls/heading.h) it
    /// stands over it. Without it there is no head, and what the view's controls say is a line of text.
    QString title = {};
};

/// The figure's size; if its height follows the content, with that height. The other functions accept both.
FigureSize fitted(const FigureSource& source, const FigureSize& size);

/// `pixelRatio` device pixels a logical one, 1 to kMostPixelRatio. Null where there is not the memory for it,
/// and beyond kMostPicturePixels.
QImage figureImage(const FigureSource& source, const FigureSize& size, double pixelRatio);

/// Paints it with a painter whose unit is a logical pixel, at the origin and fitted(): for a page that has
/// more on it.
void paintOnPage(QPainter& painter, const FigureSource& source, const FigureSize& size);

/// The same as SVG text, for the clipboard. Empty when it cannot be drawn.
QByteArray figureSvg(const FigureSource& source, const FigureSize& size);

/// A figure of which all is done that only the GUI thread can do: its view is painted, and may go on. What is
/// left, compressing a PNG, an SVG in few bytes, and writing, takes seconds for large ones.
class PaintedFigure {
public:
    /// Like saveFigure(); on the GUI thread.
    PaintedFigure(const FigureSource& source, const FigureSize& size, double pixelRatio, QString path);

    /// Any thread. `canceled` is called there, before each piece is written and at the end; once it returns
    /// true the result is an error, no file is written, and an existing file stays.
    Status write(const std::function<bool()>& canceled = {}) const;

private:
    enum class Format { kPng, kSvg, kPdf };

    bool writeTo(QIODevice& device) const;

    QString m_path, m_title, m_description;
    Format m_format = Format::kPng;
    Status m_painted;
    QImage m_image;        // of a PNG
    QByteArray m_drawing;  // of the others; an SVG's as Qt has written it
};

/// The name's suffix, .png, .svg or .pdf, is the format; `pixelRatio` is for PNG. Replaces the file.
Status saveFigure(const FigureSource& source, const FigureSize& size, double pixelRatio, const QString& path);

/// Whether saveFigure() takes a file of that name.
bool isFigureName(const QString& path);

}  // namespace warpglass::ui
