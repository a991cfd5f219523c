// Tailscale: makes the shared port reachable in the tailnet, by the `tailscale serve` command. Only the port that the studio has set up is
// taken back, and a port that serves something else is left alone.
import type { Log } from '#shared/runtime/log.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { RunTailscale } from './program.ts'
import { readStatus, servedAt, type TailscaleState } from './status.ts'

type Deps = {
  /** The program; null while it is not installed. */
  readonly program: () => RunTailscale | null
  /** The shared port; null while sharing is off. */
  readonly sharedPort: () => number | null
  /** Null when the tailnet no longer leads here. */
  readonly setName: (name: string | null) => void
  readonly log: Log
}
type Scheme = 'https' | 'http'
type Serving = { readonly scheme: Scheme; readonly url: string }
export type Tailscale = ReturnType<typeof createTailscale>

const PORTS: Readonly<Record<Scheme, number>> = { https: 443, http: 80 }
const failed = (error: string) => ({ ok: false as const, error })
const NOT_INSTALLED = 'Tailscale is not installed on this machine. Install it from tailscale.com.'
const NOT_RUNNING = 'Tailscale is not connected. Run tailscale up on this machine.'
const NOT_SHARED = 'Sharing is off. Turn on sharing in the local network first; devices of the tailnet need its PIN.'
const NO_NAME = 'This tailnet has no MagicDNS names. Turn on MagicDNS in the settings of the tailnet.'
const NO_CERTIFICATE = 'The tailnet has no HTTPS certificates, so the address is http. The connection is encrypted by Tailscale.'

export function createTailscale({ program, sharedPort, setName, log }: Deps) {
  const inOrder = createSerialQueue()
  let serving: Serving | null = null

  async function stateOf(run: RunTailscale): Promise<TailscaleState | null> {
    const { ok, text } = await run(['status', '--json'])
    return ok ? readStatus(text) : null
  }

  async function serve(): Promise<{ ok: true; scheme: Scheme; url: string; note?: string } | { ok: false; error: string }> {
    const run = program()
    if (run === null) return failed(NOT_INSTALLED)
    const port = sharedPort()
    if (port === null) return failed(NOT_SHARED)
    const state = await stateOf(run)
    if (!state?.running) return failed(NOT_RUNNING)
    if (state.name === null) return failed(NO_NAME)
    const scheme = state.certDomains.length > 0 ? 'https' : 'http'
    const target = `http://127.0.0.1:${port}`
    const current = servedAt((await run(['serve', 'status', '--json'])).text, PORTS[scheme])
    if (current !== null && current !== target && serving === null)
      return failed(
        `Tailscale serves another program at ${scheme}://${state.name}. End it with tailscale serve --${scheme}=${PORTS[scheme]} off.`,
      )
    const { ok, text } = await run(['serve', '--bg', `--${scheme}=${PORTS[scheme]}`, target])
    if (!ok) return failed(text)
    serving = { scheme, url: `${scheme}://${state.name}` }
    setName(state.name)
    log.info({ scheme }, 'the shared port is reachable in the tailnet')
    return { ok: true, ...serving, ...(scheme === 'http' && { note: NO_CERTIFICATE }) }
  }

  async function unserve(): Promise<{ ok: boolean; error?: string }> {
    if (serving === null) return { ok: true }
    const run = program()
    if (run === null) return failed(NOT_INSTALLED)
    const { ok, text } = await run(['serve', `--${serving.scheme}=${PORTS[serving.scheme]}`, 'off'])
    if (!ok) return failed(text)
    serving = null
    setName(null)
    log.info({}, 'the shared port is no longer reachable in the tailnet')
    return { ok: true }
  }

  return {
    /** Never rejects. */
    async status() {
      const run = program()
      const state = run && (await stateOf(run))
      return {
        installed: run !== null,
        running: state?.running ?? false,
        magic_dns_name: state?.name ?? null,
        tailnet_ips: [...(state?.addresses ?? [])],
        cert_domains: [...(state?.certDomains ?? [])],
      }
    },
    /** Never rejects. */
    enable: () => inOrder(serve),
    /** Never rejects. */
    disable: () => inOrder(unserve),
  }
}
