// The parts of what the tailscale program prints that are used here. Pure.
import { z } from 'zod'

const addresses = z.array(z.string().max(64)).max(64)
const Status = z.object({
  BackendState: z.string().max(64).default(''),
  Self: z.object({ DNSName: z.string().max(300).default(''), TailscaleIPs: addresses.nullish() }).nullish(),
  TailscaleIPs: addresses.nullish(),
  CertDomains: z.array(z.string().max(300)).max(64).nullish(),
})
const Served = z.object({
  TCP: z.record(z.string(), z.unknown()).nullish(),
  Web: z.record(z.string(), z.object({ Handlers: z.record(z.string(), z.object({ Proxy: z.string().nullish() })).nullish() })).nullish(),
})
export type TailscaleState = {
  readonly running: boolean
  /** Name without the final period; null when the tailnet has no names. */
  readonly name: string | null
  readonly addresses: readonly string[]
  readonly certDomains: readonly string[]
}
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/** From `tailscale status --json`; null for a text that is not its document. */
export function readStatus(text: string): TailscaleState | null {
  const parsed = Status.safeParse(json(text))
  if (!parsed.success) return null
  const { BackendState, Self, TailscaleIPs, CertDomains } = parsed.data
  const name = (Self?.DNSName ?? '').replace(/\.$/, '').toLowerCase()
  return {
    running: BackendState === 'Running',
    name: NAME.test(name) ? name : null,
    addresses: Self?.TailscaleIPs ?? TailscaleIPs ?? [],
    certDomains: CertDomains ?? [],
  }
}

/** Target of the port in `tailscale serve status --json`: null if it is free, '' if it is not a proxy. */
export function servedAt(text: string, port: number): string | null {
  const parsed = Served.safeParse(json(text))
  if (!parsed.success) return null
  const { TCP, Web } = parsed.data
  const web = Object.entries(Web ?? {}).find(([host]) => host.endsWith(`:${port}`))?.[1]
  if (web === undefined && TCP?.[String(port)] === undefined) return null
  const handlers = web?.Handlers ?? {}
  return Object.keys(handlers).length === 1 ? (handlers['/']?.Proxy ?? '') : ''
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
