#include "engine/sweep/growth.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpglass {
namespace {

/// P(|T| ≤ t) of Student's distribution with a whole number of degrees of freedom: the finite sums of
/// M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
double withinProbability(double t, int degrees) {
    const double pi = std::acos(-1.0);
    const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double cosine = std::cos(angle), square = cosine * cosine;
    const bool odd = degrees % 2 != 0;
    // Odd: cos θ + 2/3 cos³ θ + …; even: 1 + 1/2 cos² θ + …; the last power is degrees − 2.
    double term = odd ? cosine : 1, sum = 0;
    for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
        sum += term;
        term *= square * (power + 1) / (power + 2);
    }
    return odd ? 2 / pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

/// Beyond this many degrees the sums' cost grows and the quantile changes by less than a thousandth.
constexpr int kMostDegrees = 1000;

/// The t with P(|T| ≤ t) = 95 %.
double quantile95(std::size_t degrees) {
    const int whole = static_cast<int>(std::min<std::size_t>(degrees, kMostDegrees));
    double low = 0, high = 20;  // 12.7 at one degree
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (withinProbability(middle, whole) < 0.95 ? low : high) = middle;
    }
    return high;
}

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
    if (x.size() != y.size() || x.size() < 2 || !std::all_of(x.begin(), x.end(), isPositive) ||
        !std::all_of(y.begin(), y.end(), isPositive))
        return std::nullopt;
    if (std::all_of(x.begin(), x.end(), [&x](double value) { return value == x.front(); }))
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
        growth.margin = quantile95(degrees) * std::sqrt(residual / static_cast<double>(degrees) / uu);
    }
    return growth;
}

}  // namespace warpglass
