// Export of a view as a figure: which view, in which format, how large on paper, light or dark, with which
// caption; a preview beside it. To a file or to the clipboard.
//
// The view is drawn as the window shows it now: its zoom, selection, filter and sorting are the figure's.
// What was chosen is remembered for the next figure.
#pragma once

#include <QDialog>
#include <QList>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>

#include "app/window/run_figure.h"
#include "app/window/window_fwd.h"
#include "ui/figures/figure.h"

namespace warpglass::app {

/// A view that can become a figure.
struct FigureChoice {
    QString name, title;
    QWidget* view = nullptr;
    const ui::TimeAxis* axis = nullptr;
    /// Brings it to the front: what was never seen has nothing to draw.
    std::function<void()> show;
};

class FigureDialog : public QDialog {
    Q_OBJECT
public:
    /// `choices` is not empty and its widgets outlive the dialog; `chosen` is a name of one of them.
    /// `fileName`: suggested, without a suffix and without the view's name.
    FigureDialog(QList<FigureChoice> choices, const QString& chosen, QString caption, QString fileName,
                 QWidget* parent);
    ~FigureDialog() override;

    /// Copies the figure with these settings to the clipboard, as a picture and as SVG for programs that
    /// accept it. Returns why that failed, which the dialog then shows too and the clipboard is unchanged;
    /// empty on success.
    QString copy();
    /// Paints the figure now and writes it on a worker, while the dialog shows progress and can cancel. Then
    /// it reports the result there and emits saved(). One at a time: does nothing while one is in progress.
    void save(const QString& path);
    bool isSaving() const { return m_canceled != nullptr; }
    /// Not before what is being written is there.
    void reject() override;

signals:
    void saved(bool ok);

private:
    QWidget* buildProgress(QWidget* parent);
    void showSaved(const QString& path, const QString& problem);
    QWidget* buildForm();
    void restoreChoices();
    void rememberChoices() const;
    const FigureChoice& choice() const;
    ui::FigureSize size() const;
    double pixelRatio() const;
    QString suffix() const;
    /// Draws in the chosen theme, which does not affect the window behind.
    void draw(const std::function<void(const ui::FigureSource&)>& draw);
    void schedulePreview();
    void updatePreview();
    void showPreview(QImage image);
    void onEdited();
    /// A sentence; empty where a figure can be made of them.
    QString problemOfSizes();
    QString copyOrProblem();
    void askAndSave();
    void say(const QString& sentence, bool problem);

    /// What was given, or what was written in its place.
    QString caption() const;

    QList<FigureChoice> m_choices;
    QString m_given;
    QString m_givenText;  // as the field shows it
    QString m_fileName;
    ui::ComboBox* m_view;
    ui::SegmentedControl* m_format;
    ui::SegmentedControl* m_theme;
    ui::SegmentedControl* m_scale;
    ui::NumberField* m_width;
    ui::NumberField* m_height;
    ui::NumberField* m_text;
    QCheckBox* m_heightFollows;
    QCheckBox* m_hasCaption;
    QPlainTextEdit* m_caption;
    QLabel* m_preview;
    QLabel* m_message;
    QPushButton* m_save;
    QWidget* m_progress;
    bool m_sizesOk = false;
    /// Cancels the figure being written; null if there is none.
    std::shared_ptr<std::atomic<bool>> m_canceled;
    bool m_closeOnceSaved = false;
    QTimer m_previewTimer;
    int m_took = 0;  // ms of the last preview
};

}  // namespace warpglass::app
