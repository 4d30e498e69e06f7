/** The normal, Student's t and the chi-square distribution: what confidence intervals, tests and sample sizes need of them. */

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** P(Z ≤ x) of the standard normal distribution, to 1e-15 absolute (Marsaglia 2004, "Evaluating the normal distribution"). */
export const normalCdf = (x: number): number => {
  if (Math.abs(x) > 9) return x < 0 ? 0 : 1;
  let term = x;
  let sum = x;
  for (let i = 3; sum + term !== sum; i += 2) {
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + sum * density(x);
};

const invert = (cdf: (x: number) => number, probability: number, reach: number): number => {
  let low = -reach;
  let high = reach;
  // 2e6 · 2⁻⁷⁵ is beyond what doubles of a quantile's size can tell.
  for (let step = 0; step < 75; step++) {
    const middle = (low + high) / 2;
    if (cdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** x with P(Z ≤ x) = probability, for probabilities in [1e-12, 1 − 1e-12]. */
export const normalQuantile = (probability: number): number => invert(normalCdf, probability, 9);

/** P(T ≤ x) of Student's t with a whole number of degrees of freedom ≥ 1 (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
export const studentCdf = (x: number, degrees: number): number => {
  const theta = Math.atan(x / Math.sqrt(degrees));
  const cosine = Math.cos(theta);
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let i = odd ? 3 : 2; i < degrees; i += 2) {
    term *= ((i - 1) / i) * cosine * cosine;
    sum += term;
  }
  const between = odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
  return (1 + between) / 2;
};

/** x with P(T ≤ x) = probability, for a whole number of degrees of freedom ≥ 1 and |x| up to 10⁶. */
export const studentQuantile = (probability: number, degrees: number): number =>
  invert((x) => studentCdf(x, degrees), probability, 1e6);

/** P(X ≥ x) of chi-square with a whole number of degrees of freedom ≥ 1 (Abramowitz and Stegun, 26.4.4 and 26.4.5). */
export const chiSquareTail = (x: number, degrees: number): number => {
  if (x <= 0) return 1;
  const first = degrees % 2;
  let sum = first === 1 ? 2 * normalCdf(-Math.sqrt(x)) : 0;
  // As logarithms: the terms rise before they fall, and the first may be below what a double can hold.
  let log = first === 1 ? Math.log((2 * x) / Math.PI) / 2 - x / 2 : -x / 2;
  for (let i = first; i < degrees - 1; i += 2) {
    sum += Math.exp(log);
    log += Math.log(x / (i + 2));
  }
  return Math.min(1, sum);
};
