// What a run will be, before it runs: parameters, work, expected memory by category, and whether it fits; or,
// where it cannot be run, why. It is as high with the one as with the other, so that nothing moves as one
// types.
#pragma once

#include <QFrame>
#include <QStringList>

#include "engine/base/host_device.h"
#include "engine/plan/estimate.h"

class QLabel;

namespace warpglass::ui {

class StackedBar;

class EstimateCard : public QFrame {
    Q_OBJECT
public:
    explicit EstimateCard(QWidget* parent = nullptr);

    /// Why there is no estimate.
    void setProblems(const std::vector<ConfigProblem>& problems);
    /// `device`: nothing, or memory that is not positive, if unknown. `devicesKnown`: if there is no device,
    /// it is known to be absent.
    void setEstimate(const Estimate& estimate, const DeviceInfo* device, bool devicesKnown = false);
    Fit fit() const { return m_fit; }
    /// A sentence saying that it only just fits, or does not fit; empty otherwise.
    const QString& warning() const { return m_warning; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFit(const Estimate& estimate, const DeviceInfo* device, bool isAbsent);
    void placeProblem();
    QLabel* addLine(const QString& name, const QString& toolTip, int row);

    Fit m_fit = Fit::kUnknown;
    QLabel* m_parameters;
    QLabel* m_work;
    QLabel* m_peak;
    QLabel* m_fits;
    StackedBar* m_bar;
    QLabel* m_problem;
    QStringList m_problems;
    QString m_warning;
};

}  // namespace warpglass::ui
