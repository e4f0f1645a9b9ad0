#include "ui/sweep/sweep_status.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "ui/controls/canvas.h"
#include "ui/controls/elided_label.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

QString wordsOf(const Sweep& sweep, const SweepState& state) {
    const auto total = static_cast<std::int64_t>(sweep.cells.size());
    const auto done = std::ranges::count_if(sweep.cells, &SweepCell::isDone);
    QStringList parts{SweepStatus::tr("%1 of %2 cells done")
                          .arg(toQString(formatGrouped(done)), toQString(formatGrouped(total)))};
    const std::pair<CellState, QString> kinds[] = {
        {CellState::kOutOfMemory, SweepStatus::tr("%1 out of memory")},
        {CellState::kFailed, SweepStatus::tr("%1 failed")},
        {CellState::kSkipped, SweepStatus::tr("%1 skipped")}};
    for (const auto& [state, words] : kinds) {
        if (const auto count = sweep.count(state); count > 0)
            parts << words.arg(toQString(formatGrouped(static_cast<std::int64_t>(count))));
    }
    if (state.isPaused)
        parts << SweepStatus::tr("paused");
    else if (const auto left = state.left)
        parts << SweepStatus::tr("about %1 left").arg(toQString(formatDuration(*left)));
    else if (state.isElsewhere)
        parts << (!state.isUnreadable ? SweepStatus::tr("it is running elsewhere")
                                      : SweepStatus::tr("its file cannot be read at the moment"));
    else if (!state.isRunning && sweep.count(CellState::kWaiting) > 0)
        parts << SweepStatus::tr("the others have not been run");
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

SweepStatus::SweepStatus(QWidget* parent)
    : QWidget(parent),
      m_words(named(new ElidedLabel(this), "sweepStatus")),
      m_grid(new SweepGrid(this)),
      m_pause(new QPushButton(this)),
      m_stop(new QPushButton(tr("Stop"), this)),
      m_goOn(new QPushButton(tr("Resume"), this)) {
    auto* row =
        spaced(new QHBoxLayout, {Metrics::kSpace3, Metrics::kSpace2, Metrics::kSpace3, 0}, Metrics::kSpace2);
    row->addWidget(m_words, 1);
    for (const auto& [button, name] :
         {std::pair{m_pause, "sweepPause"}, {m_stop, "sweepStop"}, {m_goOn, "sweepResume"}}) {
        button->setObjectName(QString::fromLatin1(name));
        button->setFixedHeight(Metrics::kControlHeight);
        row->addWidget(button);
    }
    auto* rows = spaced(new QVBoxLayout(this), {}, 0);
    rows->addLayout(row);
    rows->addWidget(m_grid);
    connect(m_pause, &QPushButton::clicked, this, &SweepStatus::pauseRequested);
    connect(m_stop, &QPushButton::clicked, this, &SweepStatus::stopRequested);
    connect(m_goOn, &QPushButton::clicked, this, &SweepStatus::goOnRequested);
    connect(m_grid, &Canvas::markChosen, this, &SweepStatus::cellChosen);
}

void SweepStatus::setSweep(std::shared_ptr<const Sweep> sweep) {
    m_grid->setSweep(std::move(sweep));
}

void SweepStatus::show(const Sweep& sweep, const SweepState& state) {
    m_said = wordsOf(sweep, state);
    m_words->setText(m_said);
    m_pause->setVisible(state.isRunning);
    m_pause->setText(state.isPaused ? tr("Continue") : tr("Pause"));
    m_stop->setVisible(state.isRunning);
    m_goOn->setVisible(state.canGoOn);
    // For a sweep that is done but for what was skipped, the menu's entry is enough.
    setVisible(state.isRunning || state.isElsewhere || sweep.count(CellState::kWaiting) > 0);
}

}  // namespace warpglass::ui
