// The normal distribution, exact in the tails.
#pragma once

namespace yard::tune {

double NormalDensity(double x);
double NormalCdf(double x);
// log of NormalCdf, also where NormalCdf is 0.
double LogNormalCdf(double x);
// p in (0, 1).
double NormalQuantile(double p);
// log of the probability of [a, b], a < b.
double LogNormalMass(double a, double b);
// log(φ(z) + z Φ(z)): the logarithm of the expected improvement of a unit normal, and its
// derivative.
double LogImprovement(double z);
double LogImprovementSlope(double z);
// A draw from the standard normal between a and b, by a uniform u in [0, 1).
double TruncatedNormal(double a, double b, double u);

}  // namespace yard::tune
