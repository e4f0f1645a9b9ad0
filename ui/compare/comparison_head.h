// The head of a comparison: which runs, what differs in their configuration, the headline, what to know of
// the pair; and under it what they are aligned at: the step of each and the place in it.
//
// GUI thread only.
#pragma once

#include <QWidget>

#include "engine/query/landmark.h"
#include "ui/compare/comparison_query.h"

class QLabel;
class QPushButton;

namespace warpglass::ui {

class ComboBox;
class ElidedLabel;
class LandmarkChooser;

class ComparisonHead : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonHead(QWidget* parent = nullptr);

    void setTitles(const QString& a, const QString& b);
    /// While there is nothing to say yet.
    void setComputing();
    /// There are no facts to come.
    void setFailed();
    void setFacts(const ComparisonFacts& facts);
    void setSteps(const std::vector<ComparedStep>& a, const std::vector<ComparedStep>& b);
    /// Indices of the steps; −1 for none.
    void setChosenSteps(int a, int b);
    void setLandmark(const warpglass::Landmark& landmark);
    LandmarkChooser& chooser() { return *m_landmark; }
    /// One line at the right: the selected span in both runs, a measured range, what one of them lacks.
    void setMessage(const QString& rich);
    /// In a figure the choices stand as text, and there are no controls.
    void setFigure(bool figure);

signals:
    void stepsChosen(int a, int b);
    void swapRequested();
    void closeRequested();

private:
    void showTitles();
    void showFacts();

    QString m_titleA, m_titleB;
    QLabel* m_titles;
    QLabel* m_settings;
    QLabel* m_headline;
    QLabel* m_notes;
    QLabel* m_choices;
    ElidedLabel* m_message;
    ComboBox* m_stepsA;
    ComboBox* m_stepsB;
    LandmarkChooser* m_landmark;
    QString m_landmarkText;
    QWidget* m_bar;
    QPushButton* m_swap;
    QPushButton* m_close;
    std::shared_ptr<const ComparisonFacts> m_facts;
};

}  // namespace warpglass::ui
