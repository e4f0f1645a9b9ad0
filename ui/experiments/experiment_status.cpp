#include "ui/experiments/experiment_status.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/controls/elided_label.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString progressWords(const ExperimentProgress& progress) {
    using Stage = ExperimentProgress::Stage;
    if (progress.stage == Stage::kAnswer)
        return progress.cells == 0 ? ExperimentStatus::tr("Computing the answer")
                                   : ExperimentStatus::tr("All cells are done: working out the answer");
    if (progress.stage == Stage::kFigures)
        return ExperimentStatus::tr("Drawing the figures");
    QStringList parts{
        ExperimentStatus::tr("%1 of %2 cells done")
            .arg(toQString(formatGrouped(progress.done)), toQString(formatGrouped(progress.cells)))};
    if (progress.left)
        parts << ExperimentStatus::tr("about %1 left").arg(toQString(formatDuration(*progress.left)));
    if (!progress.cell.empty())
        parts << ExperimentStatus::tr("now %1 (%2)").arg(toQString(progress.cell), toQString(progress.name));
    return parts.join(QStringLiteral(" · "));
}

ExperimentStatus::ExperimentStatus(QWidget* parent)
    : QWidget(parent),
      m_words(named(new ElidedLabel(this), "experimentStatusWords")),
      m_bar(new QProgressBar(this)),
      m_grid(new SweepGrid(this)),
      m_stop(named(new QPushButton(tr("Stop"), this), "experimentStop")),
      m_goOn(named(new QPushButton(tr("Resume"), this), "experimentResume")) {
    setObjectName(QStringLiteral("experimentStatus"));
    m_goOn->setToolTip(tr("Goes on after the last finished cell"));
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the experiment"));
    auto* row =
        spaced(new QHBoxLayout, {Metrics::kSpace4, Metrics::kSpace2, Metrics::kSpace3, Metrics::kSpace2},
               Metrics::kSpace2);
    row->addWidget(m_words, 1);
    for (QPushButton* button : {m_stop, m_goOn}) {
        button->setFixedHeight(Metrics::kControlHeight);
        row->addWidget(button);
    }
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Metrics::kSpace4, 0, Metrics::kSpace3, Metrics::kSpace1);
    bar->addWidget(m_bar);
    auto* line = hairline(Qt::Horizontal, this);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addLayout(row);
    layout->addLayout(bar);
    addAll(layout, {m_grid, line});
    connect(m_stop, &QPushButton::clicked, this, &ExperimentStatus::stopRequested);
    connect(m_goOn, &QPushButton::clicked, this, &ExperimentStatus::goOnRequested);
}

void ExperimentStatus::showProgress(const ExperimentProgress& progress) {
    const bool counts = progress.cells > 0 && progress.stage == ExperimentProgress::Stage::kCells;
    m_words->setText(progressWords(progress));
    // Without an end that is known the bar goes to and fro.
    constexpr std::int64_t kMostSteps = 1'000'000;
    m_bar->setMaximum(counts ? static_cast<int>(std::min(progress.cells, kMostSteps)) : 0);
    m_bar->setValue(static_cast<int>(std::min(progress.done, kMostSteps)));
    m_bar->show();
    m_grid->setVisible(progress.sweep && !progress.sweep->cells.empty());
    if (progress.sweep)
        m_grid->setSweep(progress.sweep);
    m_stop->show();
    m_goOn->hide();
}

void ExperimentStatus::showEnd(const QString& sentence, bool canGoOn) {
    m_words->setText(sentence);
    m_bar->hide();
    m_grid->hide();
    m_stop->hide();
    m_goOn->setVisible(canGoOn);
}

QString ExperimentStatus::words() const {
    return m_words->text();
}

}  // namespace warpglass::ui
