// Address of the studio for a command: STUDIO_HOST and STUDIO_PORT, or a whole address in STUDIO_HOST, such as that of a proxy with TLS.
import { type Environment, Misuse } from '../command.ts'

export type StudioAddress = {
  readonly isSecure: boolean
  /** A name or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The path of the studio behind a proxy, without a slash at its end; usually empty. */
  readonly base: string
  /** Address for messages: without a user name or a password. */
  readonly shown: string
}

/** The wildcard address of a listener cannot be connected to. */
const OF_LISTENERS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Throws a Misuse for settings that are no address. */
export function studioAddress(env: Environment): StudioAddress {
  const { STUDIO_HOST: named = '' } = env
  if (named.includes('://')) return fromUrl(named)
  const port = Number(env['STUDIO_PORT'] || '3900')
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) throw new Misuse('STUDIO_PORT must be a port number from 1 to 65535.')
  const host = named || '127.0.0.1'
  return { isSecure: false, host: OF_LISTENERS[host] ?? host, port, base: '', shown: `${host}:${port}` }
}

function fromUrl(text: string): StudioAddress {
  const url = URL.parse(text)
  const usual = PORTS[url?.protocol ?? '']
  if (!url || usual === undefined || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new Misuse('STUDIO_HOST must be a name, an address, or a URL such as https://studio.example.')
  const port = url.port === '' ? usual : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    isSecure: url.protocol === 'https:',
    host,
    port,
    base: withoutSlashes(url.pathname),
    shown: `${url.origin}${withoutSlashes(url.pathname)}`,
  }
}

/** True if a studio of this data folder can be meant: a command for another machine must not look at files of this one. */
export const isOfThisMachine = ({ isSecure, host }: StudioAddress): boolean =>
  !isSecure && (host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host))

/** The path without slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
