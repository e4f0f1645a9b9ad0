// A run on one page, which a user sees first: what ran, its figures against the device's ceilings, what a
// step, the GPU's time and the peak consist of, and the findings, costliest first.
#pragma once

#include <QList>
#include <QPointer>
#include <QScrollArea>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/findings/run_overview.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/run_document.h"
#include "ui/models/shared_overview.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class FindingCard;
class SentenceLabel;
class ShareCard;
class SummaryLabel;
class SummaryTiles;

class SummaryPage : public QScrollArea, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    explicit SummaryPage(RunDocument& document, QWidget* parent = nullptr);
    ~SummaryPage() override;

    /// What is shown; nothing before it has been computed.
    const std::optional<RunOverview>& overview() const { return m_document.overview().current(); }
    /// One figure under the title, by its caption: "Time per step"; empty when it is not shown.
    QString figure(const QString& caption) const;
    const ShareCard& phases() const { return *m_phases; }
    const ShareCard& gpu() const { return *m_gpu; }
    const ShareCard& memory() const { return *m_memory; }
    const std::vector<FindingCard*>& findings() const { return m_findings; }
    /// What the user calls the run: its heading, over its own title; empty for none.
    void setName(const QString& name);
    /// How far the page is scrolled, in pixels; restored as soon as what is shown is high enough for it,
    /// unless the user scrolls before.
    int scrollTop() const;
    void restoreScrollTop(int top);
    /// Asked of every trial that is offered, and again by refreshTrials(): why it cannot be run here, in a
    /// sentence; empty where it can.
    void setTrialRefusal(std::function<QString(const Trial&)> whyNot);
    void refreshTrials();

    void refreshNow() override;
    /// What bounds the run's speed.
    Heading heading() const override;
    // In a figure, cards are shown completely or not at all: summary_figure.cpp.
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;
    void fitInFigure() override;

    /// Logical pixels: in less, a finding's cost is over its sentence.
    static constexpr int kNarrow = 560;

signals:
    /// The user wants to see where.
    void showRequested(const warpglass::Finding& finding);
    /// The user wants to have that run.
    void tryRequested(const warpglass::Trial& trial);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead(QVBoxLayout* column, QWidget* page);
    void showOverview();
    void showHead();
    void takeScrollTop();
    void leaveFocusOf(const QWidget& card);
    void showConditions();
    void showShares();
    void showFindings();
    void layOutColumns();
    QList<QWidget*> partsInOrder() const;
    qsizetype wholeParts(const QList<QWidget*>& parts, int height) const;
    int bottomOf(const QWidget& part) const;
    int moreHeight() const;
    /// Whether what is beside a sentence would take too much of the line.
    bool isNarrow() const { return width() < kNarrow; }
    void setBrief(bool brief);
    QList<QWidget*> partsFor(int height);

    RunDocument& m_document;
    QWidget* m_page;
    QWidget* m_content;
    /// The figures, and the findings beneath or beside them.
    QBoxLayout* m_columns;
    // These are a figure's head.
    SentenceLabel* m_title;
    SummaryLabel* m_description;
    SentenceLabel* m_bound;
    SentenceLabel* m_state;
    SentenceLabel* m_losses;
    QLabel* m_incomplete;
    /// What disturbed the run, and what it ran under.
    QLabel* m_caution;
    QLabel* m_conditions;
    std::unique_ptr<SummaryTiles> m_tiles;
    ShareCard* m_phases;
    ShareCard* m_gpu;
    ShareCard* m_memory;
    QList<QLabel*> m_findingHeads;
    QLabel* m_nothing;
    QVBoxLayout* m_findingColumn;
    std::vector<FindingCard*> m_findings;
    std::function<QString(const Trial&)> m_trialRefusal;
    QLabel* m_more;
    /// In a figure, what did not fit.
    QList<QPointer<QWidget>> m_leftOut;
    QString m_name;
    std::optional<int> m_wantedTop;  // until it is there
};

}  // namespace warpglass::ui
