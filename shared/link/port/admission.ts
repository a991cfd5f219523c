// Rate limits for unauthenticated callers. Unknown callers share one budget per address and one in total. An enrolled machine has its own
// budget per address, so that neither a flood from elsewhere nor one behind its own router blocks it. A caller that claims its name without
// its key uses up only that budget, at that address.
import type { Clock } from '#shared/runtime/clock.ts'
import { createBuckets } from './bucket.ts'

export type Rate = { readonly burst: number; readonly perMinute: number }
export type AdmissionRates = {
  /** TLS handshakes of unknown callers, per address and in total: each costs a signature. */
  readonly handshakesPerHost: Rate
  readonly handshakes: Rate
  /** Preambles with an unknown worker id, per address. */
  readonly unknownPerHost: Rate
  /** Sessions and renewals of one enrolled machine, per address. */
  readonly sessionsPerWorker: Rate
  readonly renewalsPerWorker: Rate
}
export const RATES: AdmissionRates = {
  // Fifty machines that join at once from behind one router make a hundred handshakes.
  handshakesPerHost: { burst: 150, perMinute: 60 },
  handshakes: { burst: 300, perMinute: 3_000 },
  unknownPerHost: { burst: 60, perMinute: 60 },
  sessionsPerWorker: { burst: 60, perMinute: 120 },
  renewalsPerWorker: { burst: 10, perMinute: 6 },
}

export function createAdmission(rates: AdmissionRates, clock: Clock) {
  const bucketsOf = (rate: Rate) => createBuckets({ ...rate, clock })
  const perHost = bucketsOf(rates.handshakesPerHost)
  const total = bucketsOf(rates.handshakes)
  const unknownCallers = bucketsOf(rates.unknownPerHost)
  const sessions = bucketsOf(rates.sessionsPerWorker)
  const renewals = bucketsOf(rates.renewalsPerWorker)
  const of = (workerId: string, host: string) => `${workerId} ${limitKey(host)}`
  return {
    handshake: (host: string): boolean => isLocal(host) || (perHost.take(limitKey(host)) && total.take('')),
    unknownCaller: (host: string): boolean => isLocal(host) || unknownCallers.take(limitKey(host)),
    session: (workerId: string, host: string): boolean => isLocal(host) || sessions.take(of(workerId, host)),
    /** Seconds until `session` accepts this machine again. */
    sessionAfter: (workerId: string, host: string): number => sessions.secondsUntil(of(workerId, host)),
    renewal: (workerId: string, host: string): boolean => isLocal(host) || renewals.take(of(workerId, host)),
  }
}

/** Only this machine's user can open the Unix socket. */
export const isLocal = (host: string): boolean => host === 'local'

/** The address that limits count: for IPv6 the /64 network, because one host can use all its addresses. */
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
