#include "app/window/figure_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QtConcurrent/QtConcurrentRun>
#include <utility>

#include "ui/controls/combo_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/problem_mark.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/other_theme.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kFormWidth = 320;
constexpr QSize kPreview(640, 460);
/// The caption's field has room for all of what is usually given, and pixels around it.
constexpr int kCaptionLines = 5, kCaptionMargins = 16;
constexpr int kPreviewDelay = 150;  // ms after the last edit
constexpr int kDefaultWidthMm = 170, kDefaultHeightMm = 106;
/// ms of drawing that a person notices: from then on it is said while it goes on.
constexpr int kNoticed = 120;
const QStringList kFormats{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
const QString kGroup = QStringLiteral("figure/");

}  // namespace

FigureDialog::FigureDialog(QList<FigureChoice> choices, const QString& chosen, QString caption,
                           QString fileName, QWidget* parent)
    : QDialog(parent),
      m_choices(std::move(choices)),
      m_given(std::move(caption)),
      m_fileName(std::move(fileName)) {
    setWindowTitle(tr("Export Figure"));
    auto* layout = ui::spaced(new QHBoxLayout(this), ui::Metrics::kSpace4, ui::Metrics::kSpace4);
    m_preview = new QLabel(this);
    m_preview->setFixedSize(kPreview);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setAccessibleName(tr("Preview"));
    ui::addAll(layout, {m_preview, buildForm()});

    for (const FigureChoice& one : m_choices)
        m_view->addItem(one.title, one.name);
    m_view->setCurrentIndex(qMax(0, m_view->findData(chosen)));
    m_caption->setPlainText(m_given);
    m_givenText = m_caption->toPlainText();
    restoreChoices();

    m_previewTimer.setSingleShot(true);
    connect(&m_previewTimer, &QTimer::timeout, this, &FigureDialog::updatePreview);
    connect(m_view, &QComboBox::currentIndexChanged, this, &FigureDialog::onEdited);
    for (const ui::SegmentedControl* control : {m_format, m_theme, m_scale})
        connect(control, &ui::SegmentedControl::chosen, this, &FigureDialog::onEdited);
    for (const ui::NumberField* field : {m_width, m_height, m_text})
        connect(field, &ui::NumberField::valueEdited, this, &FigureDialog::onEdited);
    connect(m_heightFollows, &QCheckBox::toggled, this, &FigureDialog::onEdited);
    connect(m_hasCaption, &QCheckBox::toggled, this, &FigureDialog::onEdited);
    connect(m_caption, &QPlainTextEdit::textChanged, this, &FigureDialog::onEdited);
    onEdited();
}

FigureDialog::~FigureDialog() {
    if (isSaving())
        *m_canceled = true;
    rememberChoices();
}

QWidget* FigureDialog::buildForm() {
    auto* form = new QWidget(this);
    form->setFixedWidth(kFormWidth);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setVerticalSpacing(ui::Metrics::kSpace2);
    rows->setHorizontalSpacing(ui::Metrics::kSpace3);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto named = [](auto* widget, const char* name, const QString& spoken) {
        widget->setObjectName(QString::fromLatin1(name));
        widget->setAccessibleName(spoken);
        return widget;
    };
    m_view = named(new ui::ComboBox(form), "figureView", tr("View"));
    m_format = named(new ui::SegmentedControl({tr("PNG"), tr("SVG"), tr("PDF")}, form), "figureFormat",
                     tr("Format"));
    m_theme = named(new ui::SegmentedControl({tr("light"), tr("dark")}, form), "figureTheme", tr("Theme"));
    m_scale = named(new ui::SegmentedControl({tr("1×"), tr("2×"), tr("3×"), tr("4×")}, form), "figureScale",
                    tr("Pixels"));
    m_width = named(new ui::NumberField(tr("mm"), ui::NumberField::Steps::kByOne, form), "figureWidth",
                    tr("Width"));
    m_height = named(new ui::NumberField(tr("mm"), ui::NumberField::Steps::kByOne, form), "figureHeight",
                     tr("Height"));
    m_text = named(new ui::NumberField(tr("pt"), ui::NumberField::Steps::kByOne, form), "figureText",
                   tr("Text size"));
    m_width->setToolTip(tr("On paper: a column is about 84 mm wide, a page 170 mm"));
    m_text->setToolTip(tr("On paper: the smaller the text, the more fits into the figure"));
    m_heightFollows =
        named(new QCheckBox(tr("as needed"), form), "figureHeightFollows", tr("Height as the content needs"));
    m_heightFollows->setToolTip(tr("As high as what is in the view, up to a page of %1 mm").arg(ui::kPageMm));
    m_hasCaption =
        named(new QCheckBox(tr("Title, finding and what was run"), form), "figureHasCaption", tr("Caption"));
    m_caption = named(new QPlainTextEdit(form), "figureCaption", tr("Text of the caption"));
    m_caption->setTabChangesFocus(true);
    m_caption->setFixedHeight(kCaptionLines * m_caption->fontMetrics().lineSpacing() + kCaptionMargins);
    rows->addRow(tr("View"), m_view);
    rows->addRow(tr("Format"), m_format);
    rows->addRow(tr("Pixels"), m_scale);
    rows->addRow(tr("Theme"), m_theme);
    rows->addRow(tr("Width"), m_width);
    auto* height = new QHBoxLayout;
    height->addWidget(m_height, 1);
    height->addWidget(m_heightFollows);
    rows->addRow(tr("Height"), height);
    rows->addRow(tr("Text"), m_text);
    rows->addRow(tr("Caption"), m_hasCaption);
    rows->addRow(m_caption);

    m_message = ui::named(new QLabel(form), "figureMessage");
    m_message->setWordWrap(true);
    m_message->setProperty("secondary", true);
    m_message->setMinimumHeight(3 * m_message->fontMetrics().lineSpacing());
    m_message->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    rows->addRow(m_message);
    rows->addRow(buildProgress(form));

    m_save = ui::named(new QPushButton(tr("Save As…"), form), "figureSave");
    m_save->setDefault(true);
    auto* copyButton = ui::named(new QPushButton(tr("Copy"), form), "figureCopy");
    copyButton->setToolTip(tr("To the clipboard, as a picture and as SVG"));
    auto* close = new QPushButton(tr("Close"), form);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    for (QPushButton* button : {close, copyButton, m_save})
        buttons->addWidget(button);
    rows->addRow(buttons);
    connect(m_save, &QPushButton::clicked, this, &FigureDialog::askAndSave);
    connect(copyButton, &QPushButton::clicked, this, &FigureDialog::copy);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return form;
}

/// Its room is kept, or the form would jump.
QWidget* FigureDialog::buildProgress(QWidget* parent) {
    m_progress = ui::named(new QWidget(parent), "figureProgress");
    auto* bar = new QProgressBar(m_progress);
    bar->setRange(0, 0);  // how far it is no one knows
    bar->setTextVisible(false);
    bar->setAccessibleName(tr("The figure is being written"));
    auto* cancel = ui::named(new QPushButton(tr("Cancel"), m_progress), "figureCancel");
    cancel->setAutoDefault(false);
    cancel->setToolTip(tr("Stops saving; no file is left behind"));
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (isSaving())
            *m_canceled = true;
    });
    auto* layout = ui::spaced(new QHBoxLayout(m_progress), {}, ui::Metrics::kSpace2);
    layout->addWidget(bar, 1);
    layout->addWidget(cancel);
    QSizePolicy keepsItsRoom = m_progress->sizePolicy();
    keepsItsRoom.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsItsRoom);
    m_progress->hide();
    return m_progress;
}

void FigureDialog::restoreChoices() {
    const QSettings settings;
    const auto number = [&settings](const char* key, int otherwise) {
        return settings.value(kGroup + QString::fromLatin1(key), otherwise).toInt();
    };
    // A slip that was never corrected is none of the next figure's.
    const auto within = [&number](const char* key, double least, double otherwise, double most) {
        return static_cast<std::uint64_t>(
            qBound(least, static_cast<double>(number(key, qRound(otherwise))), most));
    };
    m_format->setCurrent(qBound(0, number("format", 0), 2));
    m_theme->setCurrent(qBound(0, number("theme", 0), 1));
    m_scale->setCurrent(qBound(0, number("scale", 1), 3));
    m_width->setValue(within("width", ui::kLeastMm, kDefaultWidthMm, ui::kMostMm));
    m_height->setValue(within("height", ui::kLeastMm, kDefaultHeightMm, ui::kMostMm));
    m_heightFollows->setChecked(settings.value(kGroup + QStringLiteral("heightFollows"), true).toBool());
    m_text->setValue(within("text", ui::kLeastTextPt, ui::kDefaultTextPt, ui::kMostTextPt));
    m_hasCaption->setChecked(settings.value(kGroup + QStringLiteral("caption"), true).toBool());
}

void FigureDialog::rememberChoices() const {
    QSettings settings;
    const auto keep = [&settings](const char* key, const QVariant& value) {
        settings.setValue(kGroup + QString::fromLatin1(key), value);
    };
    keep("format", m_format->current());
    keep("theme", m_theme->current());
    keep("scale", m_scale->current());
    for (const auto& [key, field] : {std::pair{"width", m_width}, {"height", m_height}, {"text", m_text}}) {
        if (const auto value = field->value())
            keep(key, static_cast<qulonglong>(*value));
    }
    keep("caption", m_hasCaption->isChecked());
    keep("heightFollows", m_heightFollows->isChecked());
}

const FigureChoice& FigureDialog::choice() const {
    return m_choices[qBound(0, m_view->currentIndex(), static_cast<int>(m_choices.size()) - 1)];
}

ui::FigureSize FigureDialog::size() const {
    const auto number = [](const ui::NumberField* field, double otherwise) {
        return field->value() ? static_cast<double>(*field->value()) : otherwise;
    };
    return ui::FigureSize::onPaper(number(m_width, kDefaultWidthMm),
                                   m_heightFollows->isChecked() ? 0 : number(m_height, 0),
                                   number(m_text, ui::kDefaultTextPt));
}

double FigureDialog::pixelRatio() const {
    return m_scale->current() + 1;
}

QString FigureDialog::suffix() const {
    return kFormats.value(m_format->current());
}

void FigureDialog::draw(const std::function<void(const ui::FigureSource&)>& draw) {
    const FigureChoice& chosen = choice();
    chosen.show();
    const ui::OtherTheme theme(*chosen.view,
                               m_theme->current() == 0 ? ui::ThemeKind::kLight : ui::ThemeKind::kDark);
    const RunFigure figure(chosen.view, *chosen.axis, caption());
    draw(figure.source());
}

QString FigureDialog::caption() const {
    if (!m_hasCaption->isChecked())
        return {};
    const QString text = m_caption->toPlainText();
    return text == m_givenText ? m_given : text;
}

void FigureDialog::updatePreview() {
    ui::FigureSize fitted;
    // Drawn in full and made smaller: Qt draws at no ratio below one.
    QImage image;
    QElapsedTimer timer;
    timer.start();
    draw([&](const ui::FigureSource& source) {
        fitted = ui::fitted(source, size());
        // This has the size that save() asks for: a height that follows is not drawn like a given one.
        image = ui::figureImage(source, size(), qMax(1.0, devicePixelRatioF()));
    });
    showPreview(std::move(image));
    if (m_heightFollows->isChecked())
        m_height->setValue(static_cast<std::uint64_t>(qRound(fitted.heightMm())));
    m_took = static_cast<int>(timer.elapsed());
    if (m_message->property("ofFigure").toBool())
        return;  // what came of a save stays until something is changed
    const QString mm = tr("%1 × %2 mm").arg(qRound(fitted.widthMm())).arg(qRound(fitted.heightMm()));
    say(suffix() == QLatin1String("png") ? tr("%1, %2 × %3 pixels")
                                               .arg(mm)
                                               .arg(qRound(fitted.pixels.width() * pixelRatio()))
                                               .arg(qRound(fitted.pixels.height() * pixelRatio()))
                                         : tr("%1, drawn with lines and letters").arg(mm),
        false);
}

/// With an edge: a light figure on a light dialog would have none.
void FigureDialog::showPreview(QImage image) {
    if (image.isNull()) {
        m_preview->setText(tr("There is not enough memory for a preview."));
        return;
    }
    image = image.scaled((QSizeF(kPreview) * devicePixelRatioF()).toSize(), Qt::KeepAspectRatio,
                         Qt::SmoothTransformation);
    image.setDevicePixelRatio(1);  // the edge is a device pixel
    QPainter painter(&image);
    painter.setPen(QPen(ui::Theme::instance().colors().hairline, 1));
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1));
    painter.end();
    image.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(QPixmap::fromImage(image));
}

QString FigureDialog::problemOfSizes() {
    const auto within = [](const ui::NumberField* field, double least, double most) {
        return field->value() && static_cast<double>(*field->value()) >= least &&
               static_cast<double>(*field->value()) <= most;
    };
    const bool widthOk = within(m_width, ui::kLeastMm, ui::kMostMm);
    const bool heightOk = m_heightFollows->isChecked() || within(m_height, ui::kLeastMm, ui::kMostMm);
    const bool textOk = within(m_text, ui::kLeastTextPt, ui::kMostTextPt);
    ui::markProblem(*m_width, !widthOk);
    ui::markProblem(*m_height, !heightOk);
    ui::markProblem(*m_text, !textOk);
    if (!widthOk || !heightOk)
        return tr("Width and height are %1 to %2 mm.").arg(ui::kLeastMm).arg(ui::kMostMm);
    if (!textOk)
        return tr("Text is %1 to %2 points high.").arg(ui::kLeastTextPt).arg(ui::kMostTextPt);
    if (suffix() == QLatin1String("png") && !size().isWithinPicture(pixelRatio()))
        return tr("A picture of that size would take more than %1 GiB; choose fewer pixels, or a smaller "
                  "figure.")
            .arg(ui::kMostPictureGiB);
    return {};
}

void FigureDialog::onEdited() {
    m_message->setProperty("ofFigure", false);
    m_scale->setEnabled(suffix() == QLatin1String("png"));
    m_caption->setEnabled(m_hasCaption->isChecked());
    m_height->setEnabled(!m_heightFollows->isChecked());
    const QString problem = problemOfSizes();
    m_sizesOk = problem.isEmpty();
    m_save->setEnabled(m_sizesOk && !isSaving());
    if (m_sizesOk)
        return schedulePreview();
    m_previewTimer.stop();  // of the sizes before, or it would say theirs
    say(problem, true);
}

/// The dialog answers first; a drawing that takes long is announced, for nothing moves while it goes on.
void FigureDialog::schedulePreview() {
    if (m_took > kNoticed)
        say(tr("Drawing…"), false);
    m_previewTimer.start(kPreviewDelay);
}

QString FigureDialog::copy() {
    const QString problem = copyOrProblem();
    say(problem.isEmpty() ? tr("The figure is on the clipboard.") : problem, !problem.isEmpty());
    m_message->setProperty("ofFigure", true);
    return problem;
}

QString FigureDialog::copyOrProblem() {
    if (const QString problem = problemOfSizes(); !problem.isEmpty())
        return tr("The figure is not on the clipboard. %1").arg(problem);
    // Lines and letters have no choice of pixels: too many of a choice made before are not asked for.
    const double ratio = size().isWithinPicture(pixelRatio()) ? pixelRatio() : 1;
    QImage image;
    QByteArray svg;
    draw([&](const ui::FigureSource& source) {
        image = ui::figureImage(source, size(), ratio);
        if (!image.isNull())
            svg = ui::figureSvg(source, size());
    });
    if (image.isNull())
        return tr("The figure is not on the clipboard: there is not enough memory for its picture.");
    auto* data = new QMimeData;
    data->setImageData(image);
    data->setData(QStringLiteral("image/svg+xml"), svg);
    QApplication::clipboard()->setMimeData(data);
    return {};
}

void FigureDialog::save(const QString& path) {
    if (isSaving())
        return;
    say(tr("Saving…"), false);
    m_message->repaint();  // nothing moves while it is drawn
    m_message->setProperty("ofFigure", true);
    std::shared_ptr<const ui::PaintedFigure> figure;
    draw([&](const ui::FigureSource& source) {
        figure = std::make_shared<const ui::PaintedFigure>(source, size(), pixelRatio(), path);
    });
    const auto canceled = m_canceled = std::make_shared<std::atomic<bool>>(false);
    m_save->setEnabled(false);
    // Most are written at once, and a bar would only flash.
    QTimer::singleShot(kNoticed, this, [this, canceled] {
        if (m_canceled == canceled)
            m_progress->show();
    });
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        watcher->deleteLater();
        showSaved(path, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&ui::workerPool(), [figure, canceled] {
        const Status written = figure->write([&canceled] { return canceled->load(); });
        return written ? QString() : QString::fromStdString(written.message());
    }));
}

void FigureDialog::showSaved(const QString& path, const QString& problem) {
    const bool wasCanceled = *m_canceled, ok = problem.isEmpty();
    m_canceled.reset();
    m_progress->hide();
    m_save->setEnabled(m_sizesOk);
    if (ok)
        QSettings().setValue(kGroup + QStringLiteral("folder"), QFileInfo(path).absolutePath());
    say(ok ? tr("Saved %1.").arg(path) : problem, !ok && !wasCanceled);
    m_message->setProperty("ofFigure", true);
    emit saved(ok);
    // Where it was not saved, that is to be read.
    if (std::exchange(m_closeOnceSaved, false) && (ok || wasCanceled))
        reject();
}

void FigureDialog::reject() {
    if (isSaving())
        m_closeOnceSaved = true;
    else
        QDialog::reject();
}

void FigureDialog::askAndSave() {
    const QString folder = QSettings()
                               .value(kGroup + QStringLiteral("folder"),
                                      QStandardPaths::writableLocation(QStandardPaths::PicturesLocation))
                               .toString();
    const QString name = QStringLiteral("%1-%2.%3").arg(m_fileName, choice().name, suffix());
    QFileDialog dialog(this, tr("Save Figure"), folder,
                       tr("%1 figures (*.%2)").arg(suffix().toUpper(), suffix()));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix());
    dialog.selectFile(name);
    if (dialog.exec() != QDialog::Accepted)
        return;
    save(dialog.selectedFiles().value(0));
}

void FigureDialog::say(const QString& sentence, bool problem) {
    m_message->setText(sentence);
    ui::restyle(*m_message, "problem", problem);
}

}  // namespace warpglass::app
