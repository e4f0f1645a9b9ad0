#include "ui/theme/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/hatch.h"
#include "ui/theme/name_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {
constexpr double kNameAfter = Metrics::kSwatch + 6;
/// Words alone have no place for a swatch.
double nameAfter(const LegendEntry& entry) {
    return entry.color.alpha() > 0 ? kNameAfter : 0;
}
/// Between two entries: the memory chart's eight fit a row beside the panels of a window of 1280 px.
constexpr double kBetween = 10;
/// The lines of a hatched swatch are closer than a chart's, or a square would hold one of them.
constexpr double kSwatchPeriod = 4;
/// From a side of a dashed line to the end of its other dash: dashes long enough not to be taken for dots.
constexpr double kDash = 5;
constexpr double kDot = 2;
}  // namespace

std::vector<QRectF> legendPlaces(const std::vector<LegendEntry>& entries, const QFont& font, double width) {
    const QFontMetricsF metrics(font);
    std::vector<QRectF> places;
    places.reserve(entries.size());
    double x = 0, y = 0;
    for (const LegendEntry& entry : entries) {
        const double needs = nameAfter(entry) + std::ceil(metrics.horizontalAdvance(cutName(entry.name))) + 1;
        if (x > 0 && x + needs > width) {
            x = 0;
            y += kLegendRow;
        }
        places.emplace_back(x, y, needs, kLegendRow);
        x += needs + kBetween;
    }
    return places;
}

double legendHeight(const std::vector<LegendEntry>& entries, const QFont& font, double width) {
    const std::vector<QRectF> places = legendPlaces(entries, font, width);
    return places.empty() ? 0 : places.back().bottom();
}

std::vector<LegendEntry> inOneRow(std::vector<LegendEntry> entries, std::vector<double> weights,
                                  const QFont& font, double width) {
    const auto fits = [&](const std::vector<LegendEntry>& shown) {
        const std::vector<QRectF> places = legendPlaces(shown, font, width);
        return places.empty() || (places.back().top() == 0 && places.back().right() <= width);
    };
    std::vector<LegendEntry> shown = entries;
    while (!entries.empty() && !fits(shown)) {
        const auto least = std::min_element(weights.begin(), weights.end()) - weights.begin();
        entries.erase(entries.begin() + least);
        weights.erase(weights.begin() + least);
        shown = entries;
        shown.push_back({QColor(Qt::transparent), QStringLiteral("…")});
    }
    return shown;
}

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries) {
    const std::vector<QRectF> places = legendPlaces(entries, painter.font(), area.width());
    const PainterScope undone(painter);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QRectF place = places[i].translated(area.topLeft());
        const double middle = place.center().y();
        if (entries[i].line) {
            const QRectF line(place.left(), std::floor(middle), Metrics::kSwatch, 1);
            const double step = entries[i].dotted ? 2 * kDot : entries[i].dashed ? kDash : line.width();
            const double part = entries[i].dotted   ? kDot
                                : entries[i].dashed ? line.width() - kDash
                                                    : line.width();
            for (double x = line.left(); x < line.right(); x += step)
                painter.fillRect(QRectF(x, line.top(), part, 1), entries[i].color);
        } else if (entries[i].color.alpha() > 0) {
            const QRectF square(place.left(), std::round(middle - Metrics::kSwatch / 2.0), Metrics::kSwatch,
                                Metrics::kSwatch);
            painter.fillRect(square,
                             entries[i].hatched ? Theme::instance().colors().raised : entries[i].color);
            if (entries[i].hatched)
                fillHatch(painter, square, entries[i].color, kSwatchPeriod);
            // A square of the canvas's own color is one by its edge alone.
            if (entries[i].color == Theme::instance().colors().background) {
                painter.setPen(Theme::instance().colors().secondaryText);
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.drawText(place.adjusted(nameAfter(entries[i]), 0, 0, 0),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, cutName(entries[i].name));
    }
}

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    setFont(Theme::tableFont());
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendStrip::setEntries(std::vector<LegendEntry> entries) {
    if (entries == m_entries)
        return;
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

QSize LegendStrip::sizeHint() const {
    const std::vector<QRectF> places = legendPlaces(m_entries, Theme::tableFont(), 1e9);
    const QSize row(places.empty() ? 0 : static_cast<int>(std::ceil(places.back().right())),
                    static_cast<int>(kLegendRow));
    return row.grownBy(contentsMargins());
}

int LegendStrip::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    const double inner = width - margins.left() - margins.right();
    return margins.top() + margins.bottom() +
           std::max(static_cast<int>(kLegendRow),
                    static_cast<int>(legendHeight(m_entries, Theme::tableFont(), inner)));
}

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(Theme::tableFont());
    paintLegend(painter, QRectF(contentsRect()), m_entries);
}

}  // namespace warpglass::ui
