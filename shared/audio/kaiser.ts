// The Kaiser window and the sinc function, from which low-pass filters are made. Pure.

/** The modified Bessel function of order zero. */
function bessel(x: number): number {
  let [sum, term] = [1, 1]
  for (let k = 1; k < 30; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}
/** The window from -1 to 1, zero outside. A higher `beta` suppresses more and passes less of the highest frequencies. */
export const kaiser = (x: number, beta: number): number => (Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta))
export const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
