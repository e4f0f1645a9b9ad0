// The phases of the plot of memory: light bands behind the stack, with their names at the upper edge where no
// lanes above the plot have them. They are the host's, which allocates; where it is in none, as when it waits
// for the end of a step, what the GPU still does is hatched.
//
// GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QString>
#include <vector>

#include "engine/trace/ids.h"
#include "ui/charts/label_place.h"
#include "ui/charts/memory_scale.h"
#include "ui/charts/phase_bands.h"
#include "ui/models/run_document.h"

class QFontMetricsF;
class QPainter;

namespace warpglass::ui {

class MemoryBands {
    Q_DECLARE_TR_FUNCTIONS(MemoryBands)
public:
    /// All outlive it.
    MemoryBands(const RunDocument& document, const TimeAxis& axis, const MemoryScale& scale)
        : m_document(document), m_axis(axis), m_scale(scale) {}

    enum class Names {
        kNone,
        kWide,  // of bands that have room for theirs
        kAll
    };
    void setNames(Names names) { m_names = names; }

    void paint(QPainter& painter) const;
    void paintNames(QPainter& painter, LabelPlace& place) const;

    /// A name beside its band, which is too narrow for it.
    struct Name {
        QRectF chip;
        double middle = 0;  // of the band
        QString text;
    };
    std::vector<Name> narrowNames(const QFontMetricsF& metrics) const {
        return narrowNames(bands().host, metrics);
    }

private:
    struct Band {
        QRectF rect;
        Phase phase = Phase::kNone;
    };
    /// The host's phases, and the GPU's while the host is in none.
    struct Bands {
        std::vector<Band> host, gpu;
    };
    Bands bands() const;
    std::vector<Band> rects(const std::vector<PhaseBand>& phases) const;
    std::vector<Name> narrowNames(const std::vector<Band>& bands, const QFontMetricsF& metrics) const;
    void paintNarrowNames(QPainter& painter, LabelPlace& place, const std::vector<Band>& bands) const;

    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const MemoryScale& m_scale;
    Names m_names = Names::kNone;
};

}  // namespace warpglass::ui
