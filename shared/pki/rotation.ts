// When a certificate should be replaced: early enough that a machine which sleeps for days still wakes up with a valid one.

/** Epoch milliseconds. */
export type Validity = { readonly notBefore: number; readonly notAfter: number }

/** True from the half of the life on, shifted by up to a tenth of it so that a fleet enrolled together does not renew together. `jitter` is in [0, 1]. */
export function shouldRenew(now: number, validity: Validity, jitter: number): boolean {
  const life = validity.notAfter - validity.notBefore
  return now >= validity.notBefore + life * (0.4 + 0.2 * jitter)
}
