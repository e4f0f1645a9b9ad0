// What a roofline is drawn from, and its roofs: what the device can do, as lines in the plane of operations
// per second over operations per byte, and their names beside them.
#pragma once

#include <QCoreApplication>
#include <QLineF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/query/model/roofline.h"
#include "ui/theme/legend.h"

class QFontMetricsF;
class QPainter;

namespace warpglass::ui {

class LabelRoom;

/// What the chart draws: the points and the ceilings of their device.
struct RooflineData {
    std::vector<RooflinePoint> points;
    /// What all of a GPU's kernels took, of which the points took a part; ns. 0 on the CPU.
    double kernelTime = 0;
    /// Raised to a run's best product where one beat them; the sentence that says so is then `raised`, and
    /// whether it was this run, `raisedHere`.
    std::optional<DeviceCeilings> measured;
    QString raised;
    bool raisedHere = false;
    std::optional<DataSheet> sheet;
    Precision precision = Precision::kFp32;

    /// Operations per byte at which the roof of the run's precision begins: the roof that points are compared
    /// with, the measured one or else the data sheet's; 0 without either.
    double ridge() const;
};

/// Both scales are logarithmic.
struct RooflinePlane {
    QRectF area;
    // Powers of ten.
    double left = 0, right = 3, bottom = 9, top = 15;

    /// In logical pixels.
    QPointF at(double intensity, double flopsPerSecond) const;
};

class RooflineRoofs {
    Q_DECLARE_TR_FUNCTIONS(warpglass::ui::RooflineRoofs)
public:
    /// Takes the roofs of the run's precision: others' would be lines without a reader.
    void setDevice(const RooflineData& data);

    double highest() const;
    /// Operations per byte of the last ridge of what was measured.
    double lastRidge() const;
    /// The lines that are seen, each roof's from its ridge, and the slopes up to the run's own roof.
    std::vector<QLineF> lines(const RooflinePlane& plane) const;
    /// What names the lines where they have no room for it themselves.
    std::vector<LegendEntry> legend() const;

    /// Where memory ceases to be the roof: a line from the scale to the roof with its name, and a word for
    /// either side.
    void paintRidge(QPainter& painter, const RooflinePlane& plane, LabelRoom& room) const;
    void paintLines(QPainter& painter, const RooflinePlane& plane) const;
    /// The names of the roofs that have room, and where.
    struct Name {
        QString text;
        QRectF rect;
    };
    std::vector<Name> placeNames(const RooflinePlane& plane, const QFontMetricsF& metrics,
                                 LabelRoom& room) const;
    void paintSlopeName(QPainter& painter, const RooflinePlane& plane, bool measured, LabelRoom& room) const;

private:
    struct Roof {
        double flopsPerSecond = 0;
        QString name;
        bool measured = false;
    };
    QLineF lineOf(const Roof& roof, const RooflinePlane& plane) const;
    QLineF slope(bool measured, const RooflinePlane& plane) const;
    double bandwidth(bool measured) const { return measured ? m_measured : m_sheet; }

    std::vector<Roof> m_roofs;
    double m_measured = 0, m_sheet = 0;  // bytes per second
    double m_ridge = 0;                  // of the roof that points are compared with
    QString m_precision;
};

}  // namespace warpglass::ui
