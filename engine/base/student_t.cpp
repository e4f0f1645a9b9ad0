#include "engine/base/student_t.h"

#include <algorithm>
#include <cmath>

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

/// Beyond this many degrees the sums' cost grows and the quantile changes by less than two thousandths.
constexpr int kMostDegrees = 1000;

}  // namespace

double studentQuantile95(std::size_t degrees) {
    const int whole = static_cast<int>(std::min<std::size_t>(degrees, kMostDegrees));
    double low = 0, high = 20;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (withinProbability(middle, whole) < 0.95 ? low : high) = middle;
    }
    return high;
}

}  // namespace warpglass
