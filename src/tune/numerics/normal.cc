#include "tune/numerics/normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace yard::tune {
namespace {

constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

template <std::size_t kSize>
double Horner(const std::array<double, kSize>& coefficients, double x) {
  double sum = 0;
  for (double c : coefficients) sum = sum * x + c;
  return sum;
}

// Acklam's rational approximation, relative error 1e-9.
double RoughQuantile(double p) {
  constexpr std::array kA = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                             1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array kB = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                             6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
  constexpr std::array kC = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                             -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array kD = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                             3.754408661907416e+00, 1.0};
  constexpr double kLow = 0.02425;
  if (p < kLow) {
    double q = std::sqrt(-2 * std::log(p));
    return Horner(kC, q) / Horner(kD, q);
  }
  if (p > 1 - kLow) return -RoughQuantile(1 - p);
  double q = p - 0.5;
  return Horner(kA, q * q) * q / Horner(kB, q * q);
}

// 1 - 1/x² + 3/x⁴ - 15/x⁶ + ...: Mills' ratio times x for large x.
double MillsSeries(double x) {
  double inverse = 1 / (x * x);
  return 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse * (1 - 7 * inverse)));
}

}  // namespace

double NormalDensity(double x) {
  return std::exp(-0.5 * x * x - kLogSqrtTwoPi);
}

double NormalCdf(double x) {
  return 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2);
}

double LogNormalCdf(double x) {
  if (x > 6) return -NormalCdf(-x);
  if (x > -20) return std::log(NormalCdf(x));
  return -0.5 * x * x - std::log(-x) - kLogSqrtTwoPi + std::log(MillsSeries(x));
}

double NormalQuantile(double p) {
  double x = RoughQuantile(p);
  double error = NormalCdf(x) - p;
  double step = error / NormalDensity(x);
  return x - step / (1 + x * step / 2);
}

double LogNormalMass(double a, double b) {
  if (a > 0) return LogNormalMass(-b, -a);
  if (b > 0) return std::log1p(-NormalCdf(a) - NormalCdf(-b));
  double high = LogNormalCdf(b);
  double low = LogNormalCdf(a);
  return high + std::log1p(-std::exp(std::min(low - high, -1e-300)));
}

double LogImprovement(double z) {
  if (z > -6) return std::log(NormalDensity(z) + z * NormalCdf(z));
  double inverse = 1 / (z * z);
  double series = 1 - 3 * inverse * (1 - 5 * inverse * (1 - 7 * inverse));
  return -0.5 * z * z - kLogSqrtTwoPi - 2 * std::log(-z) + std::log(series);
}

double LogImprovementSlope(double z) {
  return std::exp(std::min(LogNormalCdf(z) - LogImprovement(z), 700.0));
}

double TruncatedNormal(double a, double b, double u) {
  if (a > 0) return -TruncatedNormal(-b, -a, 1 - u);
  double low = NormalCdf(a);
  double high = NormalCdf(b);
  double p = std::clamp(low + u * (high - low), 1e-300, 1 - 1e-16);
  return std::clamp(NormalQuantile(p), a, b);
}

}  // namespace yard::tune
