// The text that a person copies from the studio to a lending machine. It contains a one-time secret, and the pins that ensure that the secret
// is sent only to the studio that issued the code.
import { Failure } from '../failure.ts'
import { AGENT_IMAGE, NATIVE_VERSION, PACKAGES, PUBLISHED, VERSION } from '../version.ts'

export type JoinCode = {
  readonly id: string
  readonly secret: string
  /** `host:port`, most likely to work first. */
  readonly endpoints: readonly string[]
  /** SHA-256 of the SPKI of the authority, now and next; lower-case hex. */
  readonly pins: readonly string[]
  /** By the clock of the studio, which decides. */
  readonly expiresAtSeconds: number
}
/** The `reason` in the `detail` of a refusal, so that callers need not parse messages. */
export type JoinCodeRefusal = 'not-a-code' | 'malformed' | 'newer-version' | 'no-pins'

const PREFIX = 'svcj_'
const CODE_VERSION = 1
export const JOIN_CODE_LIMIT_CHARS = 4096

export function encodeJoinCode(code: JoinCode): string {
  const fields = { v: CODE_VERSION, id: code.id, s: code.secret, e: code.endpoints, p: code.pins, x: code.expiresAtSeconds }
  const text = PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url')
  if (text.length > JOIN_CODE_LIMIT_CHARS) throw new Failure('BAD_REQUEST', 'A join code cannot contain that many addresses.')
  return text
}

/** Ignores blanks and line breaks, because people copy codes from mails. */
export function parseJoinCode(text: string): JoinCode {
  const code = text.replace(/\s+/g, '')
  if (!code.startsWith(PREFIX)) throw refusal('not-a-code')
  if (code.length > JOIN_CODE_LIMIT_CHARS) throw refusal('malformed')
  const fields = parseFields(code.slice(PREFIX.length))
  // First, because a newer version may have other fields.
  if (typeof fields['v'] === 'number' && fields['v'] > CODE_VERSION) throw refusal('newer-version')
  const { v, id, s: secret, e: endpoints, p: pins, x: expiresAtSeconds } = fields
  if (v !== CODE_VERSION || !isText(id) || !isText(secret) || !isTextList(endpoints) || endpoints.length === 0) throw refusal('malformed')
  if (typeof expiresAtSeconds !== 'number' || !Number.isFinite(expiresAtSeconds)) throw refusal('malformed')
  if (!Array.isArray(pins) || pins.length === 0) throw refusal('no-pins')
  if (!isTextList(pins) || !pins.every((pin) => /^[0-9a-f]{64}$/.test(pin))) throw refusal('malformed')
  return { id, secret, endpoints, pins, expiresAtSeconds }
}

function parseFields(encoded: string): Record<string, unknown> {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) throw refusal('malformed')
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    if (fields !== null && typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>
  } catch {
    // Refused below.
  }
  throw refusal('malformed')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 512
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

const REFUSALS = {
  'not-a-code': ['BAD_REQUEST', 'This is not a join code. A join code starts with svcj_.'],
  malformed: ['BAD_REQUEST', 'The join code is malformed or truncated. Copy all of it.'],
  'newer-version': ['UPGRADE_REQUIRED', 'The join code was issued by a newer version. Update this program.'],
  'no-pins': ['AUTH_FAILED', 'The join code contains no key to trust. Issue a new one.'],
} as const satisfies Record<JoinCodeRefusal, readonly [string, string]>

const refusal = (reason: JoinCodeRefusal) => new Failure(REFUSALS[reason][0], REFUSALS[reason][1], { detail: { reason } })

/** The command of a checkout, which the other machine may have even where this program comes from a package. */
const IN_CHECKOUT = ['.', 'studio'].join('/')
/** Ways of the program to the other machine: from the registry of npm, in a container, as packed files, or as a checkout. */
export const JOIN_WAYS = ['npx', 'container', 'files', 'checkout'] as const
export type JoinLine = { readonly way: (typeof JOIN_WAYS)[number]; readonly line: string }

/** In every shell, PowerShell too. npm refuses the packages of other systems, which a release also has. */
const OWN_PLATFORM = `$(node -p "process.platform+'-'+process.arch")`

type Release = { readonly published: boolean; readonly image: string | null }

/**
 * Before a release no line may install from a registry: the names belong to no one, and could be a stranger's program. The packed files are
 * installed offline for the same reason.
 */
export function joinLines({ published, image }: Release = { published: PUBLISHED, image: AGENT_IMAGE }): readonly JoinLine[] {
  const agent = PACKAGES.agent
  // npm names the file of a scoped package without its sign.
  const native = `./${PACKAGES.native.replace('@', '').replace('/', '-')}-${OWN_PLATFORM}-${NATIVE_VERSION}.tgz`
  const files = `npm install --offline --prefix . ${native} ./${agent}-${VERSION}.tgz && npx --no-install ${agent} join CODE`
  const volume = `--volume ${agent}:/var/lib/voice-studio ${image}`
  const container = `echo CODE | docker run --rm --interactive ${volume} join && docker run --detach --restart unless-stopped ${volume} run`
  return [
    ...(published ? [{ way: 'npx', line: `npx --yes ${agent} join CODE` } as const] : []),
    ...(published && image !== null ? [{ way: 'container', line: container } as const] : []),
    ...(published ? [] : [{ way: 'files', line: files } as const]),
    { way: 'checkout', line: `${IN_CHECKOUT} agent join CODE` },
  ]
}
