// The head of a comparison: the runs, the differences in their configuration, what keeps their times from
// being comparable, the headline and the ways from A's step and peak to B's, and notes on the pair; below it,
// what they are aligned at: the step of each and the place in it. If there is little room it is the headline
// in one line, and the differences fold out.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/compare/comparison_query.h"
#include "ui/controls/heading.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class BridgeChart;
class ComboBox;
class ElidedLabel;
class LandmarkChooser;
class SentenceLabel;

class ComparisonHead : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonHead(QWidget* parent = nullptr);

    void setTitles(const QString& a, const QString& b);
    /// While there is nothing to say yet.
    void setComputing();
    /// There are no facts to come.
    void setFailed();
    void setFacts(std::shared_ptr<const ComparisonFacts> facts);
    /// Sets the headline of the chosen steps; until then it is that of the mean.
    void setHeadline(ComparisonHeadline headline);
    /// How the headline's differences come about, of the same steps.
    void setBridges(const std::optional<Bridge>& time, const std::optional<Bridge>& memory);
    void setSteps(const std::vector<ComparedStep>& a, const std::vector<ComparedStep>& b);
    /// Indices of the steps; −1 for none.
    void setChosenSteps(int a, int b);
    void setAlignedAt(const QString& what);
    LandmarkChooser& chooser() { return *m_landmark; }
    /// There is room for the differences and the headline's figures; the user may still fold and open them.
    void setRoomy(bool roomy);
    /// What the user last chose; nothing if the room decides.
    std::optional<bool> detailsChoice() const { return m_choice; }
    void setDetailsChoice(std::optional<bool> open);
    /// In a figure the runs, the headline, the differences and the choices are its head.
    void setFigure(bool figure);
    Heading heading() const;

signals:
    void stepsChosen(int a, int b);
    void swapRequested();
    void closeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTexts();
    void buildButtons();
    void buildBar();
    void showTitles();
    void showFacts();
    void showDetails();
    void showHeadline();
    void showBridges();
    QString alignedWords() const;

    QString m_titleA, m_titleB;
    SentenceLabel* m_titles;
    SentenceLabel* m_settings;
    QLabel* m_cautions;
    SentenceLabel* m_headline;
    BridgeChart* m_timeBridge;
    BridgeChart* m_memoryBridge;
    QBoxLayout* m_bridges;
    QLabel* m_notes;
    ElidedLabel* m_nameA;
    ElidedLabel* m_nameB;
    ComboBox* m_stepsA;
    ComboBox* m_stepsB;
    LandmarkChooser* m_landmark;
    QString m_alignedAt;
    QWidget* m_bar;
    QToolButton* m_fold;
    QPushButton* m_swap;
    QPushButton* m_close;
    std::shared_ptr<const ComparisonFacts> m_facts;
    ComparisonHeadline m_comparison;
    QString m_counts, m_differences;  // what is folded away, as numbers and in words
    std::optional<bool> m_choice;
    bool m_roomy = true;
    bool m_inFigure = false;
};

}  // namespace warpglass::ui
