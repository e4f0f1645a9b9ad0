#include "app/window/report_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/report_job.h"
#include "engine/report/report_request.h"
#include "ui/controls/segmented_control.h"
#include "ui/report/report_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {
namespace {

constexpr int kReportFormWidth = 300, kReportPreviewDelay = 150;  // ms after the last edit
constexpr QSize kReportDialog(1120, 720);
/// Inputs that are seen without scrolling.
constexpr int kInputsHeight = 150;
const QStringList kReportSuffixes{QStringLiteral("html"), QStringLiteral("md"), QStringLiteral("pdf")};
const QString kReportGroup = QStringLiteral("report/");

QLabel* headOf(const QString& text, QWidget* parent) {
    auto* head = new QLabel(text, parent);
    head->setFont(ui::Theme::strongFont());
    return head;
}

}  // namespace

ReportDialog::ReportDialog(std::vector<ReportChoice> choices, QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)) {
    setWindowTitle(tr("Export Report"));
    resize(kReportDialog);
    auto* layout = ui::spaced(new QHBoxLayout(this), ui::Metrics::kSpace4, ui::Metrics::kSpace4);
    m_preview = new QTextBrowser(this);
    ui::setNames(m_preview, "reportPreview", tr("Preview"));
    m_preview->setOpenLinks(false);
    layout->addWidget(buildForm());
    layout->addWidget(m_preview, 1);
    m_previewTimer.setSingleShot(true);
    m_titleTimer.setSingleShot(true);
    connect(&m_titleTimer, &QTimer::timeout, this, &ReportDialog::showTitle);
    connect(&m_previewTimer, &QTimer::timeout, this, &ReportDialog::startPreview);
    onEdited();
}

ReportDialog::~ReportDialog() {
    // The browser must not be left with a text that goes before it.
    m_preview->setDocument(nullptr);
    QSettings settings;
    settings.setValue(kReportGroup + QStringLiteral("format"), m_format->current());
}

QWidget* ReportDialog::buildForm() {
    auto* form = new QWidget(this);
    form->setFixedWidth(kReportFormWidth);
    auto* rows = ui::spaced(new QVBoxLayout(form), {}, ui::Metrics::kSpace2);
    buildTicks(*rows);
    rows->addWidget(headOf(tr("Title"), form));
    m_title = new QLineEdit(form);
    ui::setNames(m_title, "reportTitle", tr("Title of the report"));
    m_title->setPlaceholderText(tr("What the report is of"));
    connect(m_title, &QLineEdit::textChanged, this, &ReportDialog::onTitleEdited);
    rows->addWidget(m_title);
    rows->addWidget(headOf(tr("Format"), form));
    m_format = new ui::SegmentedControl({tr("HTML"), tr("Markdown"), tr("PDF")}, form);
    ui::setNames(m_format, "reportFormat", tr("Format"));
    m_format->setCurrent(qBound(0, QSettings().value(kReportGroup + QStringLiteral("format"), 0).toInt(), 2));
    rows->addWidget(m_format);
    rows->addStretch(1);
    m_message = ui::named(new QLabel(form), "reportMessage");
    m_message->setWordWrap(true);
    m_message->setProperty("secondary", true);
    rows->addWidget(m_message);
    m_progress = new QProgressBar(form);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Figures of the report that are drawn"));
    QSizePolicy keepsItsRoom = m_progress->sizePolicy();
    keepsItsRoom.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keepsItsRoom);
    m_progress->hide();
    rows->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    m_cancel = ui::named(new QPushButton(tr("Close"), form), "reportClose");
    m_cancel->setAutoDefault(false);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_save = ui::named(new QPushButton(tr("Save As…"), form), "reportSave");
    m_save->setDefault(true);
    connect(m_save, &QPushButton::clicked, this, &ReportDialog::askAndSave);
    ui::addAll(buttons, {m_cancel, m_save});
    rows->addLayout(buttons);
    return form;
}

void ReportDialog::buildTicks(QVBoxLayout& into) {
    into.addWidget(headOf(tr("Of"), this));
    auto* list = new QWidget(this);
    auto* inputs = ui::spaced(new QVBoxLayout(list), {}, ui::Metrics::kSpace1);
    for (const ReportChoice& choice : m_choices) {
        auto* tick =
            new QCheckBox(QString(choice.title).replace(QLatin1Char('&'), QStringLiteral("&&")), list);
        tick->setToolTip(ui::toQString(choice.input.path.string()));
        tick->setChecked(choice.isChosen);
        connect(tick, &QCheckBox::toggled, this, &ReportDialog::onEdited);
        inputs->addWidget(tick);
        m_inputs << tick;
    }
    inputs->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(list);
    area->setMaximumHeight(std::min(kInputsHeight, list->sizeHint().height() + ui::Metrics::kSpace1));
    area->setAccessibleName(tr("What the report is of"));
    into.addWidget(area);
    into.addWidget(headOf(tr("What goes in"), this));
    for (std::size_t i = 0; i < kReportPartCount; ++i) {
        auto* tick = new QCheckBox(ui::toQString(std::string(kReportPartTitles[i])), this);
        tick->setObjectName(QStringLiteral("report-") + ui::toQString(std::string(kReportPartNames[i])));
        tick->setChecked(true);
        connect(tick, &QCheckBox::toggled, this, &ReportDialog::onEdited);
        into.addWidget(tick);
        m_parts[i] = tick;
    }
}

QString ReportDialog::suffix() const {
    return kReportSuffixes.value(m_format->current());
}

ReportOptions ReportDialog::options() const {
    ReportOptions options;
    options.title = m_title->text().trimmed().toStdString();
    options.parts = ReportParts();
    for (std::size_t i = 0; i < kReportPartCount; ++i)
        options.parts.set(static_cast<ReportPart>(i), m_parts[i]->isChecked());
    options.made = reportMade(QApplication::applicationVersion().toStdString());
    return options;
}

std::vector<ReportInput> ReportDialog::chosen() const {
    std::vector<ReportInput> inputs;
    for (qsizetype i = 0; i < m_inputs.size(); ++i) {
        if (m_inputs[i]->isChecked())
            inputs.push_back(m_choices[static_cast<std::size_t>(i)].input);
    }
    return inputs;
}

QString ReportDialog::problem() const {
    const auto ticked = [](const QCheckBox* tick) { return tick->isChecked(); };
    const auto count = std::count_if(m_inputs.begin(), m_inputs.end(), ticked);
    if (count == 0)
        return tr("Tick what the report is of.");
    if (static_cast<std::size_t>(count) > kMostReportInputs)
        return tr("A report takes up to %1 inputs.").arg(kMostReportInputs);
    if (std::none_of(m_parts.begin(), m_parts.end(), ticked))
        return tr("Tick what goes into the report.");
    return {};
}

void ReportDialog::onEdited() {
    const QString wrong = problem();
    m_save->setEnabled(wrong.isEmpty() && !isSaving());
    if (!wrong.isEmpty()) {
        m_previewTimer.stop();
        return say(wrong, true);
    }
    m_previewTimer.start(kReportPreviewDelay);
}

/// The figures stay: none of them has the title in it.
void ReportDialog::onTitleEdited() {
    const bool isShown = m_shown && m_isCurrent && !m_previewing && !m_previewTimer.isActive();
    if (!isShown || m_title->text().trimmed().isEmpty())
        return onEdited();
    m_titleTimer.start(kReportPreviewDelay);
}

void ReportDialog::showTitle() {
    const QString title = m_title->text().trimmed();
    if (m_previewing || m_previewTimer.isActive() || title.isEmpty())
        return;
    auto renamed = std::make_shared<ReportDocument>(*m_shown);
    renamed->title = title.toStdString();
    showDocument(std::move(renamed));
}

bool ReportDialog::isSaving() const {
    return m_saving;
}

void ReportDialog::startPreview() {
    if (m_previewing)
        m_previewing->deleteLater();
    auto* job = new ReportJob(chosen(), options(), {}, this);
    m_previewing = job;
    if (!isSaving())
        say(tr("Working out the report…"), false);
    const auto isCurrent = [this, job] { return m_previewing == job; };
    connect(job, &ReportJob::made, this, [this, isCurrent] {
        if (isCurrent())
            showPreview();
    });
    connect(job, &ReportJob::progressed, this, [this, isCurrent](int drawn, int of) {
        if (isCurrent() && !isSaving())
            say(tr("Drawing figure %1 of %2…").arg(drawn + 1).arg(of), false);
    });
    connect(job, &ReportJob::ended, this, [this, job, isCurrent](const QString& wrong) {
        job->deleteLater();
        if (!isCurrent())
            return;
        m_isCurrent = wrong.isEmpty();
        if (m_isCurrent)
            showPreview();
        m_previewing.clear();
        if (!isSaving())
            say(wrong, !wrong.isEmpty());
        emit previewed();
    });
    job->start();
}

/// What is there of it: words first, then figures.
void ReportDialog::showPreview() {
    auto shown = std::make_shared<ReportDocument>(*m_previewing->document());
    leaveOutUndrawn(*shown);
    showDocument(std::move(shown));
}

void ReportDialog::showDocument(std::shared_ptr<ReportDocument> shown) {
    const int before = m_preview->verticalScrollBar()->value();
    const ui::ReportTextLook look{ui::Theme::instance().colors()};
    std::unique_ptr<QTextDocument> text = ui::reportText(*shown, look);
    text->setDocumentMargin(ui::Metrics::kSpace4);
    m_preview->setDocument(text.get());
    m_text = std::move(text);
    m_shown = std::move(shown);
    m_preview->verticalScrollBar()->setValue(before);
}

void ReportDialog::save(const QString& path) {
    if (isSaving() || !problem().isEmpty())
        return;
    auto* job = new ReportJob(chosen(), options(), path.toStdString(), this);
    m_saving = job;
    m_save->setEnabled(false);
    m_progress->setRange(0, 0);
    m_progress->show();
    say(tr("Saving…"), false);
    connect(job, &ReportJob::progressed, this, [this](int drawn, int of) {
        m_progress->setRange(0, of);
        m_progress->setValue(drawn);
        say(tr("Saving: figure %1 of %2…").arg(drawn + 1).arg(of), false);
    });
    connect(job, &ReportJob::ended, this, [this, job, path](const QString& wrong) {
        job->deleteLater();
        endSaving(path, wrong);
    });
    job->start();
}

void ReportDialog::endSaving(const QString& path, const QString& wrong) {
    m_saving.clear();
    m_progress->hide();
    m_save->setEnabled(problem().isEmpty());
    if (wrong.isEmpty())
        QSettings().setValue(kReportGroup + QStringLiteral("folder"), QFileInfo(path).absolutePath());
    say(wrong.isEmpty() ? tr("Saved %1.").arg(path) : wrong, !wrong.isEmpty());
    emit saved(wrong.isEmpty());
}

void ReportDialog::askAndSave() {
    const QString folder = QSettings()
                               .value(kReportGroup + QStringLiteral("folder"),
                                      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                               .toString();
    QFileDialog dialog(this, tr("Save Report"), folder,
                       tr("%1 reports (*.%2)").arg(suffix().toUpper(), suffix()));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix());
    dialog.selectFile(QStringLiteral("report.") + suffix());
    if (dialog.exec() == QDialog::Accepted)
        save(dialog.selectedFiles().value(0));
}

void ReportDialog::say(const QString& sentence, bool isProblem) {
    m_message->setText(sentence);
    ui::restyle(*m_message, "problem", isProblem);
}

}  // namespace warpglass::app
