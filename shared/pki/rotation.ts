// When to renew a certificate: early enough that a machine that sleeps for days still has a valid one.

/** Epoch milliseconds. */
export type Validity = { readonly notBefore: number; readonly notAfter: number }

/** True from half of the lifetime on, shifted by up to a tenth, so that a fleet that enrolled together does not renew together. `jitter` is in [0, 1]. */
export function shouldRenew(now: number, validity: Validity, jitter: number): boolean {
  const life = validity.notAfter - validity.notBefore
  return now >= validity.notBefore + life * (0.4 + 0.2 * jitter)
}
