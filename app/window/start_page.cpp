#include "app/window/start_page.h"

#include <QDateTime>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/window/commands.h"
#include "app/window/lesson_library.h"
#include "app/window/recent_runs.h"
#include "app/window/sample_runs.h"
#include "ui/controls/elided_label.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

constexpr int kColumn = 860;    // the longest sentence of a sample, beside its name
constexpr int kReadable = 480;  // a comfortable line of text
constexpr int kSampleName = 184;
constexpr int kRecentName = 480;
constexpr int kMostRecent = 5;  // with all samples below them, as many as fit 1280 × 720

}  // namespace

StartPage::StartPage(RecentRuns& recent, QWidget* parent) : QScrollArea(parent), m_recent(recent) {
    setObjectName(QStringLiteral("startPage"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);  // its buttons take the focus, and are scrolled to
    auto* page = new QWidget(this);
    auto* outer = new QVBoxLayout(page);
    auto* column = new QWidget(page);
    column->setMaximumWidth(kColumn);
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(ui::Metrics::kSpace3);

    auto* title = new QLabel(tr("Record a Transformer run"), column);
    title->setFont(ui::titleFont(20));
    m_lead = ui::named(new QLabel(column), "startLead");
    m_lead->setWordWrap(true);
    m_lead->setProperty("secondary", true);
    m_lead->setMaximumWidth(kReadable);

    auto* buttons = new QHBoxLayout;
    m_run = ui::named(new QPushButton(tr("Run"), column), "startRun");
    m_run->setProperty("accent", true);
    setRunEnabled(true);
    auto* open = ui::named(new QPushButton(tr("Open a run…"), column), "startOpen");
    open->setToolTip(tr("Opens a .wgrun file (Ctrl+O)"));
    auto* experiment = ui::named(new QPushButton(tr("New experiment…"), column), "startExperiment");
    experiment->setToolTip(tr("Answers a question by runs: benchmark, memory, precision … (Ctrl+Shift+X)"));
    for (QPushButton* button : {m_run, open, experiment})
        button->setFixedHeight(ui::Metrics::kRunButtonHeight);
    ui::addAll(buttons, {m_run, open, experiment});
    buttons->addStretch(1);

    m_cannotRun = ui::named(new QLabel(column), "cannotRun");
    m_cannotRun->setTextFormat(Qt::PlainText);
    m_cannotRun->setWordWrap(true);
    m_cannotRun->setProperty("problem", true);
    m_cannotRun->hide();
    setRunPanelShown(true);

    layout->addWidget(title);
    // A row of its own, so that its height is asked for at the width that it really has.
    auto* leadRow = new QHBoxLayout;
    leadRow->addWidget(m_lead, 1000);
    leadRow->addStretch(1);
    layout->addLayout(leadRow);
    layout->addWidget(m_cannotRun);
    layout->addLayout(buttons);
    m_recentBox = makeBox(column);
    m_sampleBox = makeBox(column);
    m_sampleBox->setObjectName(QStringLiteral("sampleRuns"));
    m_lessonBox = makeBox(column);
    m_lessonBox->setObjectName(QStringLiteral("lessons"));
    ui::addAll(layout, {m_recentBox, m_lessonBox, m_sampleBox});
    // Stretches, not an alignment: an aligned widget gets its size hint, which ignores how the text wraps.
    auto* across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(column, 1000);
    across->addStretch(1);
    outer->addStretch(2);
    outer->addLayout(across);
    outer->addStretch(3);
    setWidget(page);

    connect(m_run, &QPushButton::clicked, this, &StartPage::runRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(experiment, &QPushButton::clicked, this, &StartPage::experimentRequested);
    connect(&m_recent, &RecentRuns::changed, this, &StartPage::listRecent);
    listRecent();
    listLessons();
    listSamples();
}

void StartPage::setRunEnabled(bool enabled) {
    m_run->setEnabled(enabled);
    m_run->setToolTip(enabled ? tr("Starts the run that the run panel describes")
                              : tr("The run panel says why nothing can be run now"));
}

void StartPage::setRunPanelShown(bool shown) {
    m_lead->setText(
        (shown ? tr("Choose the model on the left and press Run: ")
               : tr("Show the run panel (Ctrl+B), choose the model there and press Run: ")) +
        tr("every op and every byte appears here while it runs, on one time axis. Or open a saved "
           "run, or drop a .wgrun file or an experiment's folder on this window."));
    m_cannotRun->setText(shown ? tr("Nothing can be run here: the panel on the left says why.")
                               : tr("Nothing can be run here: the run panel says why (Ctrl+B shows it)."));
}

void StartPage::setCannotRun(bool cannotRun) {
    m_cannotRun->setVisible(cannotRun);
}

QWidget* StartPage::makeBox(QWidget* parent) {
    auto* box = new QWidget(parent);
    ui::spaced(new QVBoxLayout(box), {0, ui::Metrics::kSpace2, 0, 0}, 0);
    return box;
}

void StartPage::addHead(QWidget* box, const QString& text) {
    auto* head = new QLabel(text, box);
    ui::setSecondary(head, ui::Theme::headFont());
    head->setContentsMargins(0, 0, 0, ui::Metrics::kSpace1);
    box->layout()->addWidget(head);
}

void StartPage::addRun(QWidget* box, const QString& path, const QString& name, const QString& detail,
                       int nameWidth) {
    auto* row = new QPushButton(box);
    row->setProperty("flatRow", true);
    row->setToolTip(QStringLiteral("%1\n%2").arg(detail, path));
    row->setAccessibleName(QStringLiteral("%1: %2").arg(name, detail));
    auto* first = new ui::ElidedLabel(row);
    first->setText(name);
    first->setFixedWidth(nameWidth);
    auto* second = new ui::ElidedLabel(row);
    second->setText(detail);
    ui::setSecondary(second);
    auto* layout = ui::spaced(new QHBoxLayout(row), {ui::Metrics::kSpace2, 0, ui::Metrics::kSpace2, 0},
                              ui::Metrics::kSpace3);
    for (ui::ElidedLabel* label : {first, second}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);  // the whole row is the button
        layout->addWidget(label, label == second ? 1 : 0);
    }
    connect(row, &QPushButton::clicked, this, [this, path] { emit openPathRequested(path); });
    box->layout()->addWidget(row);
}

void StartPage::listRecent() {
    while (QLayoutItem* item = m_recentBox->layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList paths = m_recent.paths();
    m_recentBox->setVisible(!paths.isEmpty());
    if (paths.isEmpty())
        return;
    addHead(m_recentBox, tr("RECENT RUNS"));
    const QMap<QString, QString> titles = m_recent.titles();
    for (const QString& path : paths.mid(0, kMostRecent))
        addRun(m_recentBox, path, titles.value(path),
               QLocale().toString(QFileInfo(path).lastModified(), QLocale::ShortFormat), kRecentName);
}

/// Two beside each other: what each teaches is in its tool tip, and the samples are to be seen below them.
void StartPage::listLessons() {
    const std::vector<Lesson> lessons = bundledLessons();
    m_lessonBox->setVisible(!lessons.empty());
    if (lessons.empty())
        return;
    addHead(m_lessonBox, tr("LESSONS: GUIDED TOURS OF THE SAMPLES"));
    auto* grid = new QGridLayout;
    grid->setSpacing(0);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    const int rows = (static_cast<int>(lessons.size()) + 1) / 2;
    for (int i = 0; i < static_cast<int>(lessons.size()); ++i) {
        const Lesson& lesson = lessons[static_cast<std::size_t>(i)];
        auto* row = new QPushButton(m_lessonBox);
        row->setProperty("flatRow", true);
        row->setText(QStringLiteral("%1.  %2").arg(i + 1).arg(entryText(ui::toQString(lesson.title))));
        row->setToolTip(ui::toQString(lesson.summary));
        row->setAccessibleName(
            tr("Lesson: %1. %2").arg(ui::toQString(lesson.title), ui::toQString(lesson.summary)));
        connect(row, &QPushButton::clicked, this,
                [this, file = QString::fromStdString(lesson.file)] { emit lessonRequested(file); });
        grid->addWidget(row, i % rows, i / rows);
    }
    static_cast<QVBoxLayout*>(m_lessonBox->layout())->addLayout(grid);
}

void StartPage::listSamples() {
    const std::vector<SampleRun> samples = sampleRunsIn(sampleFolder());
    m_sampleBox->setVisible(!samples.empty());
    if (samples.empty())
        return;
    addHead(m_sampleBox, tr("SAMPLES"));
    for (const SampleRun& sample : samples)
        addRun(m_sampleBox, sample.path, QFileInfo(sample.path).completeBaseName(), sample.lookAt(),
               kSampleName);
}

}  // namespace warpglass::app
