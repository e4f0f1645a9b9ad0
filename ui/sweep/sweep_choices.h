// What the chart of a sweep shows, as compact controls: measure, kind, axes, the values of the other axes, a
// baseline, logarithmic axes, predictions and fits. What has no effect in the chosen kind is grayed.
#pragma once

#include <QWidget>

#include "engine/sweep/sweep_chart.h"

class QHBoxLayout;
class QLabel;

namespace warpglass::ui {

class ComboBox;
class SegmentedControl;

class SweepChoices : public QWidget {
    Q_OBJECT
public:
    explicit SweepChoices(QWidget* parent = nullptr);

    /// Offers what there is in the sweep, and keeps the view.
    void setSweep(const Sweep& sweep);
    void setView(const SweepView& view);
    const SweepView& view() const { return m_view; }

signals:
    /// By the user.
    void viewChanged();

private:
    enum Toggle : int { kLogX, kLogY, kPredicted, kFit };

    ComboBox* addChoice(QHBoxLayout& row, const QString& label, const char* name);
    void offerMeasures(const Sweep& sweep);
    void offerFixed();
    bool hasOpenList() const;
    void offerBaselines();
    void showView();
    void change(const std::function<void()>& change);

    std::vector<SweepAxis> m_axes;
    SweepView m_view;
    ComboBox* m_measure;
    ComboBox* m_x;
    ComboBox* m_series;
    ComboBox* m_baseline;
    SegmentedControl* m_kind;
    SegmentedControl* m_toggles;
    QHBoxLayout* m_fixedRow;
    QWidget* m_fixed = nullptr;
    std::vector<std::string> m_fixedKeys;
    bool m_isShowing = false;
};

}  // namespace warpglass::ui
