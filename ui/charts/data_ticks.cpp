#include "ui/charts/data_ticks.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/chart_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Between two labels.
constexpr double kTickLabelGap = 8;
/// On a logarithmic axis they stand closer at one end.
constexpr int kMostEqualSteps = 6;

std::vector<double> powersOf(double base, double low, double high, int every) {
    std::vector<double> ticks;
    const int last = static_cast<int>(std::floor(std::log(high) / std::log(base) + 1e-9));
    for (int i = static_cast<int>(std::ceil(std::log(low) / std::log(base) - 1e-9)); i <= last; ++i) {
        if (i % every == 0)
            ticks.push_back(std::pow(base, i));
    }
    return ticks;
}

/// 1, 2 and 5 times powers of ten.
std::vector<double> finerDecades(double low, double high) {
    std::vector<double> ticks;
    for (int i = static_cast<int>(std::floor(std::log10(low))); i <= std::log10(high); ++i) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * std::pow(10.0, i);
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                ticks.push_back(tick);
        }
    }
    return ticks;
}

std::vector<double> logarithmicTicks(double low, double high, Unit unit, int most) {
    const bool binary = unit == Unit::kBytes;
    if (!binary) {
        if (auto finer = finerDecades(low, high); static_cast<int>(finer.size()) <= most)
            return finer;
    }
    std::vector<double> ticks;
    for (int every = 1; every < 64; ++every) {
        ticks = powersOf(binary ? 2 : 10, low, high, every);
        if (static_cast<int>(ticks.size()) <= most)
            break;
    }
    return ticks;
}

}  // namespace

QString tickText(double value, Unit unit) {
    if (value == 0)
        return QStringLiteral("0");
    QString text = toQString(readableCell(wholeIfExact(value), unit));
    const auto point = text.indexOf(QLatin1Char('.'));
    if (point < 0)
        return text;
    auto end = point + 1;
    while (end < text.size() && text[end].isDigit())
        ++end;
    auto from = end;
    while (text[from - 1] == QLatin1Char('0'))
        --from;
    if (from == point + 1)
        from = point;
    return text.remove(from, end - from);
}

std::vector<double> valueTicks(double low, double high, Unit unit, bool logarithmic, int most) {
    most = std::max(most, 2);
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high))
        return {};
    if (logarithmic) {
        if (low <= 0)
            return {};
        // Within a decade equal steps say more than the one or two powers that there are.
        auto ticks = logarithmicTicks(low, high, unit, most);
        if (ticks.size() > 2 || high > 10 * low)
            return ticks;
        most = std::min(most, kMostEqualSteps);
    }
    double step = 0;
    if (unit == Unit::kBytes) {
        step = std::max(1.0, std::exp2(std::ceil(std::log2((high - low) / most))));
    } else {
        const std::vector<double> steps = linearTicks(high - low, most);
        step = steps.size() > 1 ? steps[1] : high - low;
    }
    std::vector<double> ticks;
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::vector<std::size_t> labelsThatFit(const std::vector<double>& places, const std::vector<double>& widths) {
    std::vector<std::size_t> shown;
    if (places.empty())
        return shown;
    const std::size_t last = places.size() - 1;
    const auto meets = [&](std::size_t a, std::size_t b) {
        return places[b] - places[a] < (widths[a] + widths[b]) / 2 + kTickLabelGap;
    };
    for (std::size_t i = 0; i < last; ++i) {
        if ((shown.empty() || !meets(shown.back(), i)) && !meets(i, last))
            shown.push_back(i);
    }
    shown.push_back(last);
    return shown;
}

double labelWidth(const QString& label, const QFontMetricsF& metrics) {
    double width = 0;
    for (const QString& line : label.split(QLatin1Char('\n')))
        width = std::max(width, metrics.horizontalAdvance(line));
    return width;
}

QString nameInRoom(const QString& name, const QFontMetricsF& metrics, double room) {
    if (metrics.horizontalAdvance(name) <= room)
        return name;
    QString best = name;
    for (qsizetype at = name.indexOf(QLatin1Char(' ')); at >= 0;
         at = name.indexOf(QLatin1Char(' '), at + 1)) {
        const QString broken = name.left(at) + QLatin1Char('\n') + name.mid(at + 1);
        if (labelWidth(broken, metrics) < labelWidth(best, metrics))
            best = broken;
    }
    return best;
}

}  // namespace warpglass::ui
