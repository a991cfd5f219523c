// Who may cost the studio something before anything is proven. Strangers share a budget for each address and one for all of them; a
// machine that is enrolled has a budget of its own for each address it calls from, so neither a flood from elsewhere nor one from behind
// its own router keeps it out. Whoever claims its name without its key uses up no more than that, at that address.
import type { Clock } from '#shared/runtime/clock.ts'
import { createBuckets } from './bucket.ts'

export type Rate = { readonly burst: number; readonly perMinute: number }
export type AdmissionRates = {
  /** TLS handshakes of strangers, from one address and altogether: each costs a signature. */
  readonly handshakesPerHost: Rate
  readonly handshakes: Rate
  /** Preambles that name nobody who is enrolled, from one address. */
  readonly strangersPerHost: Rate
  /** Sessions and renewals of one enrolled machine from one address. */
  readonly sessionsPerWorker: Rate
  readonly renewalsPerWorker: Rate
}
export const RATES: AdmissionRates = {
  // Fifty machines that join at the same moment from behind one router make a hundred handshakes.
  handshakesPerHost: { burst: 150, perMinute: 60 },
  handshakes: { burst: 300, perMinute: 3_000 },
  strangersPerHost: { burst: 60, perMinute: 60 },
  sessionsPerWorker: { burst: 60, perMinute: 120 },
  renewalsPerWorker: { burst: 10, perMinute: 6 },
}

export function createAdmission(rates: AdmissionRates, clock: Clock) {
  const bucketsOf = (rate: Rate) => createBuckets({ ...rate, clock })
  const perHost = bucketsOf(rates.handshakesPerHost)
  const altogether = bucketsOf(rates.handshakes)
  const strangers = bucketsOf(rates.strangersPerHost)
  const sessions = bucketsOf(rates.sessionsPerWorker)
  const renewals = bucketsOf(rates.renewalsPerWorker)
  // A path on this machine is no place for strangers.
  const isLocal = (host: string) => host === 'local'
  const of = (workerId: string, host: string) => `${workerId} ${limitKey(host)}`
  return {
    handshake: (host: string): boolean => isLocal(host) || (perHost.take(limitKey(host)) && altogether.take('')),
    stranger: (host: string): boolean => isLocal(host) || strangers.take(limitKey(host)),
    session: (workerId: string, host: string): boolean => isLocal(host) || sessions.take(of(workerId, host)),
    renewal: (workerId: string, host: string): boolean => isLocal(host) || renewals.take(of(workerId, host)),
  }
}

/** What counts as one address: of IPv6 the network, because whoever has one address there has all of them. */
export function limitKey(host: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)
  if (mapped) return mapped[1]!
  if (!host.includes(':')) return host
  const [left = '', right] = host.split('%')[0]!.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const head = groups(left)
  const missing = right === undefined ? 0 : Math.max(0, 8 - head.length - groups(right).length)
  return `${[...head, ...Array<string>(missing).fill('0'), ...groups(right ?? '')].slice(0, 4).join(':')}::/64`
}
