#include "engine/sweep/growth.h"

#include <algorithm>
#include <cmath>

#include "engine/base/student_t.h"

namespace warpglass {
namespace {

bool isPositive(double value) {
    return std::isfinite(value) && value > 0;
}

double meanValue(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<Growth> fitGrowth(std::span<const double> x, std::span<const double> y) {
    if (x.size() != y.size() || x.size() < 2 || !std::ranges::all_of(x, isPositive) ||
        !std::ranges::all_of(y, isPositive))
        return std::nullopt;
    if (std::ranges::all_of(x, [&x](double value) { return value == x.front(); }))
        return std::nullopt;
    std::vector<double> u, v;
    for (std::size_t i = 0; i < x.size(); ++i) {
        u.push_back(std::log(x[i]));
        v.push_back(std::log(y[i]));
    }
    const double meanU = meanValue(u), meanV = meanValue(v);
    double uu = 0, uv = 0, vv = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        uu += (u[i] - meanU) * (u[i] - meanU);
        uv += (u[i] - meanU) * (v[i] - meanV);
        vv += (v[i] - meanV) * (v[i] - meanV);
    }
    Growth growth;
    growth.exponent = uv / uu;
    growth.factor = std::exp(meanV - growth.exponent * meanU);
    double residual = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        const double off = v[i] - meanV - growth.exponent * (u[i] - meanU);
        residual += off * off;
    }
    // Equal y lie on the fitted line.
    growth.rSquared = vv > 0 ? std::clamp(1 - residual / vv, 0.0, 1.0) : 1;
    if (u.size() > 2) {
        const std::size_t degrees = u.size() - 2;
        growth.margin = studentQuantile95(degrees) * std::sqrt(residual / static_cast<double>(degrees) / uu);
    }
    return growth;
}

std::optional<Growth> powerLaw(std::span<const double> x, std::span<const double> y) {
    if (x.size() < kLeastPoints)
        return std::nullopt;
    const std::optional<Growth> growth = fitGrowth(x, y);
    const bool isClear = growth && growth->rSquared >= kLeastExplained && growth->margin &&
                         *growth->margin <= kWidestMargin * std::abs(growth->exponent);
    return isClear ? growth : std::nullopt;
}

std::optional<TailGrowth> tailPowerLaw(std::vector<std::pair<double, double>> points) {
    std::ranges::sort(points);
    std::vector<double> x, y;
    for (const auto& [at, value] : points) {
        x.push_back(at);
        y.push_back(value);
    }
    constexpr std::size_t kMostWhole = 4;
    const std::size_t from = x.size() > kMostWhole ? x.size() / 2 - 1 : 0;
    const auto growth = powerLaw(std::span(x).subspan(from), std::span(y).subspan(from));
    return growth ? std::optional(TailGrowth{*growth, from > 0, x[from], x.back()}) : std::nullopt;
}

std::optional<FlatStart> flatStart(std::vector<std::pair<double, double>> points) {
    std::ranges::sort(points);
    const auto isFlat = [](const auto& a, const auto& b) {
        return std::abs(std::log(b.second / a.second)) <= kFlatExponent * std::log(b.first / a.first);
    };
    const auto allPositive = std::ranges::all_of(
        points, [](const auto& point) { return isPositive(point.first) && isPositive(point.second); });
    std::size_t last = 0;
    while (allPositive && last + 1 < points.size() && isFlat(points[last], points[last + 1]) &&
           isFlat(points.front(), points[last + 1]))
        ++last;
    if (last == 0)
        return std::nullopt;
    return FlatStart{points[last].first, points[last].first / points.front().first,
                     points[last].second / points.front().second, last + 1 == points.size()};
}

}  // namespace warpglass
