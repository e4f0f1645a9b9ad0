// What a run will be, before it runs: parameters, work, expected memory by category, and whether it fits.
#pragma once

#include <QFrame>

#include "engine/plan/estimate.h"

class QLabel;

namespace warpglass::ui {

class StackedBar;

class EstimateCard : public QFrame {
    Q_OBJECT
public:
    explicit EstimateCard(QWidget* parent = nullptr);

    /// `installed` and `available` are the device's memory; not positive when it is not known. An estimate
    /// with problems shows dashes: the problems stand beside their fields.
    void setEstimate(const Estimate& estimate, Bytes installed, Bytes available);
    Fit fit() const { return m_fit; }
    QString warning() const;

private:
    QLabel* addLine(const QString& name, const QString& toolTip, int row);

    Fit m_fit = Fit::kUnknown;
    QLabel* m_parameters;
    QLabel* m_work;
    QLabel* m_peak;
    QLabel* m_fits;
    StackedBar* m_bar;
    QLabel* m_warning;
};

}  // namespace warpglass::ui
