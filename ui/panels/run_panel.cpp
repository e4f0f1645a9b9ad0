#include "ui/panels/run_panel.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/plan/estimate.h"
#include "ui/controls/elided_label.h"
#include "ui/panels/estimate_card.h"
#include "ui/panels/run_fields.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// As high as the fields, where there is room.
class FieldsArea : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    QSize sizeHint() const override {
        const QSize whole = widget()->sizeHint();
        const bool wraps = widget()->hasHeightForWidth() && viewport()->width() > 0;
        return {whole.width(), wraps ? widget()->heightForWidth(viewport()->width()) : whole.height()};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

}  // namespace

RunPanel::RunPanel(QWidget* parent) : QWidget(parent) {
    setNames(this, "runPanel", tr("Run panel"));
    // The fields scroll where the window is low; the estimate and Run are always in sight.
    m_fields = new RunFields(this);
    auto* scroll = m_scroll = named(new FieldsArea(this), "runFieldsScroll");
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);  // its fields take the focus, and are scrolled to
    scroll->setWidget(m_fields);
    scroll->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_footer = spaced(new QVBoxLayout, {Metrics::kSpace4, 0, Metrics::kSpace4, Metrics::kSpace4}, 0);
    buildRun(m_footer);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addWidget(scroll);
    layout->addLayout(m_footer);
    layout->addStretch(1);
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int most) {
        if (m_fieldsScroll != (most > 0))
            placeStatus(most > 0);
    });
    setTabOrder(m_fields->lastField(), m_run);
    connect(m_fields, &RunFields::edited, this, &RunPanel::onEdited);
    connect(m_fields, &RunFields::unfoldedByHand, this, [this](QWidget* fields) {
        // Once they are laid out.
        QTimer::singleShot(0, this, [this, fields] { m_scroll->ensureWidgetVisible(fields, 0, 0); });
    });
    connect(&Theme::instance(), &Theme::changed, this, &RunPanel::updateButton);
    updateEstimate();
}

void RunPanel::buildRun(QVBoxLayout* column) {
    column->addSpacing(Metrics::kSpace2);
    m_estimate = new EstimateCard(this);
    column->addWidget(m_estimate);
    column->addSpacing(Metrics::kSpace3);
    m_run = named(new QPushButton(this), "runButton");
    m_run->setProperty("accent", true);
    m_run->setFixedHeight(Metrics::kRunButtonHeight);
    m_run->setIconSize({Metrics::kIcon, Metrics::kIcon});
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_running)
            requestStop();
        else
            requestRun();
    });
    column->addWidget(m_run);
    m_progress = new QProgressBar(this);
    setNames(m_progress, "runProgress", tr("Progress of the run"));
    m_progress->setTextVisible(false);
    m_progress->hide();
    m_status = new QWidget(this);
    auto* lines = m_statusLines = new QVBoxLayout(m_status);
    lines->setSpacing(0);
    m_progressText = named(new QLabel(this), "runProgressText");
    m_progressText->hide();
    m_lastResult = named(new QLabel(this), "lastResult");
    wrapWords(*m_lastResult);
    m_lastResult->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lastResult->hide();
    lines->addWidget(m_progress);
    for (QLabel* label : {m_progressText, m_lastResult}) {
        setSecondary(label);
        label->setContentsMargins(0, Metrics::kSpace1, 0, 0);
        lines->addWidget(label);
    }
    column->addWidget(m_status);
    placeStatus(false);
    updateButton();
}

/// Under the button, where it may grow. Where the fields scroll and the panel ends at the button, over it: in
/// one line whose room is kept, so that neither the button nor a field jumps when a run begins or ends.
void RunPanel::placeStatus(bool fieldsScroll) {
    m_fields->setScrollBarWidth(fieldsScroll ? m_scroll->verticalScrollBar()->sizeHint().width() : 0);
    m_footer->removeWidget(m_status);
    m_footer->insertWidget(m_footer->indexOf(m_run) + (fieldsScroll ? 0 : 1), m_status);
    m_fieldsScroll = fieldsScroll;
    showResult();
}

/// Its margins are there only with something to say.
void RunPanel::showStatus() {
    const bool any = m_running || !m_lastResult->isHidden();
    m_status->setVisible(any || m_fieldsScroll);
    m_statusLines->setContentsMargins(0, m_fieldsScroll ? 0 : Metrics::kSpace2, 0,
                                      m_fieldsScroll ? Metrics::kSpace2 : 0);
    // The progress, and a line of text under it.
    const int line = m_progress->sizeHint().height() + m_progressText->sizeHint().height();
    m_status->setMinimumHeight(m_fieldsScroll ? line + Metrics::kSpace2 : 0);
}

RunConfig RunPanel::config() const {
    return m_fields->config();
}

void RunPanel::setConfig(const RunConfig& config) {
    m_fields->setConfig(config);
    updateEstimate();
}

void RunPanel::setDevices(std::vector<DeviceInfo> devices) {
    m_fields->setDevices(std::move(devices));
    updateEstimate();
    emit refusalChanged();
}

const std::vector<DeviceInfo>& RunPanel::devices() const {
    return m_fields->devices();
}

const DeviceInfo* RunPanel::device(const std::string& id) const {
    return m_fields->device(id);
}

void RunPanel::onEdited() {
    // How a run of other settings ended says nothing of these.
    if (!m_running)
        setLastResult({});
    updateEstimate();
    emit configEdited();
}

/// What is wrong with a configuration here, and not in itself.
std::optional<ConfigProblem> RunPanel::absenceOf(const RunConfig& config) const {
    if (!m_fields->knowsDevices() || m_fields->device(config.device))
        return std::nullopt;
    return ConfigProblem{
        "device", "The device \"" + config.device + "\" is not here: choose one that this machine has."};
}

void RunPanel::updateEstimate() {
    std::vector<ConfigProblem> problems;
    m_config = ValidConfig::of(config(), &problems);
    // What it takes can be said of a device that is not here too.
    if (m_config)
        m_estimate->setEstimate(estimateRun(*m_config), m_fields->chosenDevice(), m_fields->knowsDevices());
    else
        m_estimate->setProblems(problems);
    if (const auto absence = m_config ? absenceOf(*m_config) : std::nullopt) {
        problems.push_back(*absence);
        m_config.reset();
    }
    m_fields->showProblems(problems);
    updateButton();
}

QString RunPanel::whyNot(const RunConfig& config) const {
    if (m_running)
        return tr("A run is being recorded: stop it first (Ctrl+.).");
    if (m_forbidden)
        return m_cannotRun;
    std::vector<ConfigProblem> problems;
    if (!ValidConfig::of(config, &problems))
        return toQString(problems.front().sentence);
    const std::optional<ConfigProblem> absence = absenceOf(config);
    return absence ? toQString(absence->sentence) : QString();
}

bool RunPanel::saysWhyNot(const QString& sentence) const {
    return m_lastResult->isVisible() && resultOrReason() == sentence;
}

void RunPanel::requestRun() {
    if (canRun())
        emit runRequested(*m_config);
}

void RunPanel::requestRunOf(const RunConfig& config) {
    if (!whyNot(config).isEmpty())
        return;
    setConfig(config);
    requestRun();
}

void RunPanel::updateButton() {
    const ThemeColors& colors = Theme::instance().colors();
    m_run->setText(m_stopping ? tr("Stopping…") : m_running ? tr("Stop") : tr("Run"));
    m_run->setAccessibleName(m_running ? tr("Stop") : tr("Run"));
    m_run->setIcon(makeIcon(m_running ? Icon::kStop : Icon::kRun, m_running ? colors.text : colors.onAccent));
    m_run->setEnabled(m_running ? !m_stopping : canRun());
    m_run->setToolTip(m_running     ? tr("Ends the run between two ops; what was recorded is kept")
                      : m_forbidden ? m_cannotRun
                      : !m_config   ? tr("A field has a value that is not valid: see above")
                                    : tr("Runs this and shows it live (Ctrl+R)"));
    if (m_couldRun != canRun()) {
        m_couldRun = canRun();
        emit canRunChanged();
    }
    if (m_run->property("running").toBool() != m_running) {
        restyle(*m_run, "running", m_running);
    }
}

void RunPanel::requestStop() {
    if (!m_running || m_stopping)
        return;
    m_stopping = true;
    updateButton();
    emit stopRequested();
}

void RunPanel::setRunning(bool running) {
    m_running = running;
    m_stopping = false;
    m_progress->setVisible(running);
    m_progressText->setVisible(running);
    showResult();
    if (running)
        setProgress(0, 0);
    updateButton();
    emit refusalChanged();
}

void RunPanel::setProgress(int step, int total) {
    if (total <= 0) {
        m_progress->setRange(0, 0);  // moves without an end: the model is being built
        m_progressText->setText(tr("Starting…"));
        return;
    }
    m_progress->setRange(0, total);
    m_progress->setValue(std::clamp(step, 0, total));
    m_progressText->setText(tr("%1 of %2 steps done").arg(std::min(step, total)).arg(total));
}

void RunPanel::setLastResult(const QString& sentence) {
    m_result = sentence;
    showResult();
}

void RunPanel::setCannotRun(const QString& sentence, bool forbid) {
    m_cannotRun = sentence;
    m_forbidden = forbid && !sentence.isEmpty();
    showResult();
    updateButton();
    emit refusalChanged();
}

void RunPanel::showResult() {
    const QString& sentence = resultOrReason();
    // Why nothing can be run at all stands there from the start, in as many lines as it takes.
    const bool oneLine = m_fieldsScroll && !m_result.isEmpty();
    const int room = width() - 2 * Metrics::kSpace4;
    m_lastResult->setText(oneLine ? m_lastResult->fontMetrics().elidedText(sentence, Qt::ElideRight, room)
                                  : sentence);
    m_lastResult->setToolTip(oneLine ? sentence : QString());
    m_lastResult->setVisible(!m_running && !sentence.isEmpty());
    showStatus();
}

}  // namespace warpglass::ui
