#include "app/window/start_page.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/window/recent_runs.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

StartPage::StartPage(RecentRuns& recent, QWidget* parent) : QWidget(parent), m_recent(recent) {
    setObjectName(QStringLiteral("startPage"));
    auto* outer = new QVBoxLayout(this);
    auto* column = new QWidget(this);
    column->setFixedWidth(480);  // a comfortable line of text
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(ui::Metrics::kSpace3);

    auto* title = new QLabel(tr("Record a Transformer run"), column);
    QFont titleFont = ui::Theme::textFont();
    titleFont.setPixelSize(20);
    titleFont.setWeight(QFont::DemiBold);
    title->setFont(titleFont);
    auto* lead = new QLabel(tr("Choose the model on the left and press Run: every op and every byte appears "
                               "here while it runs, on "
                               "one time axis. Or open a saved run, or drop a .wgrun file on this window."),
                            column);
    lead->setWordWrap(true);
    lead->setProperty("secondary", true);

    auto* buttons = new QHBoxLayout;
    m_run = new QPushButton(tr("Run"), column);
    m_run->setObjectName(QStringLiteral("startRun"));
    m_run->setProperty("accent", true);
    setRunEnabled(true);
    auto* open = new QPushButton(tr("Open a run…"), column);
    open->setObjectName(QStringLiteral("startOpen"));
    open->setToolTip(tr("Opens a .wgrun file (Ctrl+O)"));
    for (QPushButton* button : {m_run, open})
        button->setFixedHeight(ui::Metrics::kRunButtonHeight);
    buttons->addWidget(m_run);
    buttons->addWidget(open);
    buttons->addStretch(1);

    m_cannotRun = new QLabel(column);
    m_cannotRun->setObjectName(QStringLiteral("cannotRun"));
    m_cannotRun->setTextFormat(Qt::PlainText);
    m_cannotRun->setWordWrap(true);
    m_cannotRun->setProperty("problem", true);
    m_cannotRun->hide();

    m_recentBox = new QWidget(column);
    layout->addWidget(title);
    layout->addWidget(lead);
    layout->addWidget(m_cannotRun);
    layout->addLayout(buttons);
    layout->addWidget(m_recentBox);
    // Stretches, not an alignment: an aligned widget gets its size hint, which ignores how the text wraps.
    auto* across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(column);
    across->addStretch(1);
    outer->addStretch(2);
    outer->addLayout(across);
    outer->addStretch(3);

    connect(m_run, &QPushButton::clicked, this, &StartPage::runRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(&m_recent, &RecentRuns::changed, this, &StartPage::listRecent);
    new QVBoxLayout(m_recentBox);
    listRecent();
}

void StartPage::setRunEnabled(bool enabled) {
    m_run->setEnabled(enabled);
    m_run->setToolTip(enabled ? tr("Starts the run that the panel on the left describes")
                              : tr("The panel on the left says why nothing can be run now"));
}

void StartPage::setCannotRun(const QString& sentence) {
    m_cannotRun->setText(sentence);
    m_cannotRun->setVisible(!sentence.isEmpty());
}

void StartPage::listRecent() {
    auto* layout = static_cast<QVBoxLayout*>(m_recentBox->layout());
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    layout->setContentsMargins(0, ui::Metrics::kSpace4, 0, 0);
    layout->setSpacing(0);
    const QStringList paths = m_recent.paths();
    m_recentBox->setVisible(!paths.isEmpty());
    if (paths.isEmpty())
        return;
    auto* head = new QLabel(tr("RECENT RUNS"), m_recentBox);
    head->setFont(ui::Theme::headFont());
    head->setProperty("secondary", true);
    layout->addWidget(head);
    for (const QString& path : paths.mid(0, 6)) {
        const QFileInfo file(path);
        auto* row = new QPushButton(
            QStringLiteral("%1    %2")
                .arg(file.completeBaseName(), QLocale().toString(file.lastModified(), QLocale::ShortFormat)),
            m_recentBox);
        row->setProperty("flatRow", true);
        row->setToolTip(path);
        connect(row, &QPushButton::clicked, this, [this, path] { emit openPathRequested(path); });
        layout->addWidget(row);
    }
}

}  // namespace warpglass::app
