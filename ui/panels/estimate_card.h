// What a run will be, before it runs: parameters, work, expected memory by category, and whether it fits.
#pragma once

#include <QFrame>

#include "engine/base/host_device.h"
#include "engine/plan/estimate.h"

class QLabel;

namespace warpglass::ui {

class StackedBar;

class EstimateCard : public QFrame {
    Q_OBJECT
public:
    explicit EstimateCard(QWidget* parent = nullptr);

    /// `device`: nothing, or memory that is not positive, when it is not known. An estimate with problems
    /// shows dashes: the problems stand beside their fields.
    void setEstimate(const Estimate& estimate, const DeviceInfo* device);
    Fit fit() const { return m_fit; }
    QString warning() const;

private:
    void showFit(const MemoryPrediction& memory, Bytes installed, Bytes available, Bytes inUse);
    void showInUse(Bytes inUse);
    QLabel* addLine(const QString& name, const QString& toolTip, int row);

    Fit m_fit = Fit::kUnknown;
    QLabel* m_parameters;
    QLabel* m_work;
    QLabel* m_peak;
    QLabel* m_fits;
    QLabel* m_inUse;
    StackedBar* m_bar;
    QLabel* m_warning;
};

}  // namespace warpglass::ui
