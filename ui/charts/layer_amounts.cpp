#include "ui/charts/layer_amounts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/base/median.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/layer_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

void LayerAmounts::setLayers(Layers layers) {
    m_layers = std::move(layers);
    measure();
}

void LayerAmounts::setSubject(Subject subject) {
    m_subject = subject;
    measure();
}

void LayerAmounts::measure() {
    m_highest = 0;
    m_anything = false;
    const bool onlyRest = m_layers.rows.size() == 1;
    std::vector<double> typical;
    for (const LayerRow& row : m_layers.rows) {
        const double amount = amountOf(row);
        m_anything = m_anything || amount > 0;
        if (row.name != kLayersRest || onlyRest)
            m_highest = std::max(m_highest, amount);
        if (isTypical(row))
            typical.push_back(amount);
    }
    m_ofAll = std::ssize(typical) == m_layers.blocks;
    m_median = typical.size() < 2 ? 0 : medianOf(typical);
}

std::vector<std::optional<double>> LayerAmounts::deviations() const {
    std::vector<std::optional<double>> shares(m_layers.rows.size());
    for (std::size_t i = 0; m_median > 0 && i < shares.size(); ++i) {
        if (isTypical(m_layers.rows[i]))
            shares[i] = amountOf(m_layers.rows[i]) / m_median - 1;
    }
    return shares;
}

int LayerAmounts::unknownRows() const {
    return static_cast<int>(std::count_if(m_layers.rows.begin(), m_layers.rows.end(),
                                          [](const LayerRow& row) { return !row.flopsKnown; }));
}

double LayerAmounts::amountOf(const LayerRow& row) const {
    switch (m_subject) {
        case Subject::kTime:
            return row.time();
        case Subject::kFlops:
            return static_cast<double>(row.flops().value);
        case Subject::kMemory:
            return static_cast<double>(row.memory().value);
    }
    return 0;
}

QString LayerAmounts::text(double amount) const {
    switch (m_subject) {
        case Subject::kTime:
            return durationText(amount);
        case Subject::kFlops:
            return flopsText(std::llround(amount));
        case Subject::kMemory:
            return bytesText(std::llround(amount));
    }
    return {};
}

QString LayerAmounts::nothingText() const {
    if (m_subject == Subject::kFlops && unknownRows() > 0)
        return unknownWorkWords();
    if (m_subject == Subject::kFlops && !m_layers.unplanned.empty())
        return toQString(m_layers.unplanned);
    if (!m_nothing.isEmpty())
        return m_nothing;
    switch (m_subject) {
        case Subject::kTime:
            return m_layers.steps == 0 ? tr("No step was completed: there is no time of a step to compare")
                                       : tr("No layer time was recorded here");
        case Subject::kFlops:
            return tr("This run states no configuration: its FLOPs are unknown");
        case Subject::kMemory:
            return tr("No layer has live memory at the peak");
    }
    return {};
}

bool LayerAmounts::isTypical(const LayerRow& row) const {
    // What is kept is of the peak, whatever the times are of.
    return row.block && (m_subject == Subject::kMemory || m_layers.isWhole(row)) &&
           (m_subject != Subject::kFlops || row.flopsKnown);
}

bool LayerAmounts::hasArrow(const LayerRow& row) const {
    return m_subject == Subject::kTime     ? row.standsOut()
           : m_subject == Subject::kMemory ? row.outlier[static_cast<std::size_t>(LayerMeasure::kActivations)]
                                           : false;
}

std::vector<LayerPiece> LayerAmounts::piecesOf(const LayerRow& row) const {
    const Theme& theme = Theme::instance();
    std::vector<LayerPiece> pieces;
    const auto add = [&](const QColor& color, std::string_view name, double amount, std::size_t order) {
        if (amount > 0)
            pieces.push_back({color, toQString(name), amount, {}, order});
    };
    const auto addPhase = [&](Phase phase, double amount) {
        const bool other = phase == Phase::kNone;
        add(theme.phaseColor(phase), other ? "other" : phaseName(phase), amount,
            other ? kPhaseCount : static_cast<std::size_t>(phase));
    };
    if (m_subject == Subject::kMemory) {
        for (std::size_t i = 0; i < kStackOrder.size(); ++i) {
            const Category category = kStackOrder[i];
            add(Theme::categoryColor(category), categoryName(category),
                static_cast<double>(row.alive[static_cast<std::size_t>(category)]), i);
        }
    } else {
        const bool time = m_subject == Subject::kTime;
        const auto flops = [](Flops f) { return static_cast<double>(f.value); };
        // What of no layer ran in no backward pass and no update is no forward pass either.
        const bool other = row.name == kLayersRest;
        addPhase(other        ? Phase::kNone
                 : row.module ? Phase::kForward
                              : Phase::kLoss,
                 time ? row.forward : flops(row.forwardFlops));
        addPhase(Phase::kBackward, time ? row.backward : flops(row.backwardFlops));
        addPhase(Phase::kOptimizer, time ? row.optimizer : flops(row.optimizerFlops));
    }
    return pieces;
}

std::vector<LegendEntry> LayerAmounts::legend() const {
    std::map<std::size_t, LegendEntry> entries;
    for (const LayerRow& row : m_layers.rows) {
        for (const LayerPiece& piece : piecesOf(row))
            entries.try_emplace(piece.order, LegendEntry{piece.color, piece.name});
    }
    std::vector<LegendEntry> inOrder;
    for (auto& [order, entry] : entries)
        inOrder.push_back(std::move(entry));
    return inOrder;
}

}  // namespace warpglass::ui
