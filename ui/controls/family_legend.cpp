#include "ui/controls/family_legend.h"

#include <QAbstractItemModel>

#include "ui/controls/cell_roles.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

QString familyName(OpFamily family) {
    return toQString(kOpFamilyNames[static_cast<std::size_t>(family)]);
}

LegendEntry familyEntry(OpFamily family) {
    return {Theme::instance().familyColor(family), familyName(family)};
}

FamilyLegend familyLegend(const std::array<double, kOpFamilyCount>& amounts) {
    FamilyLegend legend;
    for (std::size_t i = 0; i < kOpFamilyCount; ++i) {
        if (amounts[i] <= 0)
            continue;
        legend.entries.push_back(familyEntry(static_cast<OpFamily>(i)));
        legend.weights.push_back(amounts[i]);
    }
    return legend;
}

FamilyKey::FamilyKey(const QAbstractItemModel& model, int column, QWidget* parent)
    : LegendStrip(parent), m_model(model), m_column(column) {
    setObjectName(QStringLiteral("familyKey"));
    setContentsMargins(Metrics::kSpace3, 0, Metrics::kSpace3, 0);
    hide();
    connect(&model, &QAbstractItemModel::modelReset, this, &FamilyKey::showFamilies);
    connect(&model, &QAbstractItemModel::dataChanged, this, &FamilyKey::showFamilies);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &FamilyKey::showFamilies);
    connect(&Theme::instance(), &Theme::changed, this, &FamilyKey::showFamilies);
}

void FamilyKey::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    showFamilies();
}

void FamilyKey::setHeightOfView(int height) {
    constexpr int kHighEnough = 420;
    if (m_roomy == (height >= kHighEnough))
        return;
    m_roomy = !m_roomy;
    showFamilies();
}

void FamilyKey::showFamilies() {
    if (!m_inFigure && !m_roomy)
        return hide();
    std::array<double, kOpFamilyCount> rows{};
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QVariant swatch = m_model.index(row, m_column).data(kSwatchRole);
        if (const auto of = swatch.value<Swatch>(); swatch.isValid() && of.kind == Swatch::kFamily)
            ++rows[of.value];
    }
    setEntries(familyLegend(rows).entries);
    setVisible(!entries().empty());
}

}  // namespace warpglass::ui
