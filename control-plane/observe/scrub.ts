// Removes private data from text that may leave this machine in a report: home folders, tokens, keys, passwords, and names and addresses of
// machines. Replaces too much rather than too little. Every expression takes linear time.

export type Scrub = (text: string) => string
type Deps = {
  /** Home folder of the user; '' when there is none. */
  readonly home: string
  /** Texts to remove literally: values of secrets, and names of machines. Called for each text, because both change. */
  readonly secrets: () => Iterable<string>
  readonly hosts: () => Iterable<string>
}

/** Shorter values would also remove ordinary words. */
const SECRET_CHARS = 6
const HOST_CHARS = 4
/** Secrets whose written forms are kept, because a report has hundreds of lines. */
const KEPT_FORMS = 1_000
const COMMON_HOSTS: ReadonlySet<string> = new Set(['localhost', 'local', 'studio', 'huggingface.co', 'hf-mirror.com', 'github.com'])
const SECRET_NAME = /(?:TOKEN|KEY|SECRET|PASSW|CREDENTIAL|PROXY|COOKIE)/i

/** Words in the name of a value that make the value secret. */
const SECRET_WORD =
  /auth|api[_-]?key|apikey|access[_-]?key|private[_-]?key|secret|token|passw|pwd|(?:\b|_)pin\b|cookie|session\b|ticket|credential|connection[_-]?string|join[_-]?code/i
/** name=value, --name=value, name: value and "name": "value", also inside of quoted JSON. */
const NAME = /(?<![\w-])-{0,2}[A-Za-z_][\w-]{0,60}[\\"']{0,4}\s{0,3}[=:]\s{0,3}/g
/** In quotes that are escaped themselves, in quotes with escapes inside, or without quotes. */
const VALUE =
  /\\{1,3}["'][^"'\\]{1,2000}|"(?:[^"\\\n]|\\.){1,2000}|'(?:[^'\\\n]|\\.){1,2000}|(?:Basic|Bearer|Token) [^\s,;&"'<>)}\]\\]{1,2000}|[^\s,;&"'<>)}\]\\]{1,2000}/iy

type Rule = readonly [pattern: RegExp, by: string | ((...parts: string[]) => string)]
const BEFORE_NAMES: readonly Rule[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{1,40}-----)?/g, '<key>'],
  // Names and passwords in addresses.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]{1,500}@/gi, '$1<credentials>@'],
  // Known forms of tokens.
  [/\b(?:hf_|sk-|sk_|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AIza|AKIA|ya29\.|npm_|pypi-)[\w.-]{8,}/g, '<token>'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]+){0,4}/g, '<token>'],
  [/\b(Bearer\s{1,3})[\w.~+/=:-]{6,}/gi, '$1<token>'],
  [/\b(Basic\s{1,3})[\w+/=-]{12,}/gi, '$1<token>'],
  // The value of an option is the next word.
  [
    /(?<![\w-])--([\w-]{1,60})(\s{1,3})[^\s-]\S{0,2000}/g,
    (all, name, space) => (SECRET_WORD.test(name!) || /(?:^|-)key$/.test(name!) ? `--${name}${space}<secret>` : all!),
  ],
  // Credentials in an address that is part of another one.
  [/(%3A%2F%2F)[^\s/@"'<>&%]{1,200}(?:%[0-9A-F]{2}[^\s/@"'<>&%]{0,200}){0,20}%40/gi, '$1<credentials>%40'],
]
const AFTER_NAMES: readonly Rule[] = [
  // Home folders of any user, also in JSON that escapes the slashes, and in addresses.
  [/(?:\\?\/home|\\?\/Users|\/var\/home)\\?\/[^/\\\s"':;,<>()]+/g, '~'],
  [/%2F(?:home|Users)%2F[^%/\s"':;,<>()&]+(?:%(?!2F)[0-9A-F]{2}[^%/\s"':;,<>()&]*){0,20}/gi, '~'],
  [/(?<![\w.~-])(?:\/run)?\/media\/[^/\s"':;,<>()]+(?=\/)/g, '~'],
  [/\b[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)[^\\/\s"':;,<>]+/g, '~'],
  [/(^|[\s"'=:(,])\/root(?=$|[/\s"':;,)])/g, '$1~'],
  // Long random text. Words of letters alone are identifiers.
  [/[A-Za-z0-9_-]{40,}={0,2}/g, (text) => (/\d/.test(text!) ? '<token>' : text!)],
  // Hosts of addresses, names of local networks, addresses.
  [
    /\b((?:https?|wss?|socks[45]?h?|ftp|ssh|grpcs?):\/\/(?:<credentials>@)?)([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])/gi,
    (_all, scheme, host) => `${scheme}${publicHost(host!)}`,
  ],
  [/\b((?:https?|wss?)%3A%2F%2F(?:<credentials>%40)?)([\w.-]{1,253})/gi, (_all, scheme, host) => `${scheme}${publicHost(host!)}`],
  // Addresses of mail.
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,24}\b/gi, '<address>'],
  [/(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:local|lan|home|internal|intranet|corp|localdomain|ts\.net|home\.arpa)\b(?!\/)/gi, '<host>'],
  [/\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b/g, '<address>'],
  [/(?<![\w:.])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])/gi, '<address>'],
  [/(?<![\w:.])(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4}(?![\w:])/gi, '<address>'],
]

function withoutNamedValues(text: string): string {
  let clean = ''
  let from = 0
  NAME.lastIndex = 0
  for (let name = NAME.exec(text); name; name = NAME.exec(text)) {
    if (!SECRET_WORD.test(name[0])) continue
    VALUE.lastIndex = NAME.lastIndex
    if (!VALUE.test(text)) continue
    clean += `${text.slice(from, NAME.lastIndex)}<secret>`
    from = NAME.lastIndex = VALUE.lastIndex
  }
  return clean + text.slice(from)
}

function publicHost(host: string): string {
  const name = host.toLowerCase()
  return COMMON_HOSTS.has(name) || /^(?:127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(name) ? host : '<host>'
}

export function createScrub({ home, secrets, hosts }: Deps): Scrub {
  const forms = new Map<string, readonly string[]>()
  function formsOf(text: string): readonly string[] {
    const known = forms.get(text) ?? writtenAs(text)
    if (forms.size < KEPT_FORMS) forms.set(text, known)
    return known
  }
  return (text) => {
    let clean = text
    for (const secret of longestFirst(secrets(), SECRET_CHARS))
      for (const form of formsOf(secret)) clean = clean.replaceAll(form, '<secret>')
    if (home.length > 1) for (const form of formsOf(home)) clean = clean.replaceAll(form, '~')
    for (const [pattern, by] of BEFORE_NAMES) clean = clean.replace(pattern, by as string)
    clean = withoutNamedValues(clean)
    for (const [pattern, by] of AFTER_NAMES) clean = clean.replace(pattern, by as string)
    for (const host of longestFirst(hosts(), HOST_CHARS)) if (publicHost(host) !== host) clean = withoutWord(clean, host)
    return clean
  }
}

/** A text as it may stand in logs: plain, in JSON, in JSON inside of JSON, in an address, in a form, in base64. The longest first. */
function writtenAs(text: string): string[] {
  const json = inJson(text)
  const address = encodeURIComponent(text.toWellFormed())
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const slashes = json.replaceAll('/', '\\/')
  const path = encodeURI(text.toWellFormed())
  const base64 = Buffer.from(text).toString('base64').replaceAll('=', '')
  return longestFirst([text, json, inJson(json), ascii, slashes, address, path, address.replaceAll('%20', '+'), base64], 2)
}
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Applies `scrub` to every text of a JSON value, keys excepted. */
export function scrubbed<T>(value: T, scrub: Scrub): T {
  if (typeof value === 'string') return scrub(value) as T
  if (Array.isArray(value)) return value.map((one) => scrubbed(one, scrub)) as T
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubbed(inner, scrub)])) as T
  return value
}

/** The values of variables whose names say that they are secret. */
export const secretValues = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : []))

const longestFirst = (texts: Iterable<string>, least: number): string[] =>
  [...new Set(texts)].filter((text) => text.length >= least).sort((a, b) => b.length - a.length)

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Replaces the name where it stands alone, in any case. */
function withoutWord(text: string, word: string): string {
  const lower = text.toLowerCase()
  const wanted = word.toLowerCase()
  if (lower.length !== text.length) return text.replaceAll(word, '<host>')
  let clean = ''
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    if (isWord(text[at - 1]) || isWord(text[at + wanted.length])) continue
    clean += `${text.slice(from, at)}<host>`
    from = at + wanted.length
  }
  return clean + text.slice(from)
}
