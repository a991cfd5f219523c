// Signs in with the API key, or on the shared port with its PIN. Either goes into one request and is not stored; the browser then has a
// cookie that no script can read. The provider of identities, where there is one, is a link: the studio sends the browser there and back.
// Loads nothing else of the web pages: before the sign-in the studio serves this folder only.
import { strings } from '#messages/sign-in.ts'

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new TypeError(id)
  return found
}
const form = element('form', HTMLFormElement)
const key = element('key', HTMLInputElement)
const show = element('show', HTMLInputElement)
const send = element('send', HTMLButtonElement)
const problem = element('problem', HTMLElement)

const meta = (name: string) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
const asksPin = meta('studio-proof') === 'pin'

const provider: { name: string; address: string } | null = JSON.parse(meta('studio-provider') ?? 'null')

/** `tone`: class of the message */
function report(text: string, tone: string = 'bad') {
  problem.textContent = text
  problem.className = `callout ${tone}`
  problem.hidden = false
}

/** The reason of a refusal. */
function reasonOf({ status, headers }: Response) {
  if (status === 401) return asksPin ? strings.wrongPin : strings.wrongKey
  if (status === 429 && asksPin) return strings.tooManyPins
  return status === 429 ? strings.tooMany(headers.get('retry-after') ?? '60') : strings.failed(status)
}

const sendKey = () =>
  fetch('api/auth/session', {
    method: 'POST',
    headers: { authorization: `Bearer ${key.value.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transport: 'cookie' }),
  })

/** Any request with the right PIN is answered with the cookie. */
const sendPin = () => fetch('jobs/counts', { headers: { 'x-svc-pin': key.value.trim() } })

async function signIn() {
  // A header takes no other characters: what was pasted has an invisible space or a curly quote.
  if (/[^\x20-\x7e]/.test(key.value.trim())) return report(strings.oddCharacter)
  send.disabled = true
  try {
    const response = await (asksPin ? sendPin() : sendKey())
    if (response.ok) return open()
    report(reasonOf(response))
  } catch {
    report(strings.unreachable)
  }
  send.disabled = false
  key.select()
}

/** Opens the page whose address the visitor had asked for. */
function open() {
  if (location.pathname.endsWith('/')) location.reload()
  else location.replace(`./${location.hash}`)
}

/** Texts that differ where a PIN is asked for. */
const pinTexts: Record<string, string> = {
  key: strings.pin,
  whereKey: strings.wherePin,
  show: strings.showPin,
  send: strings.sendPin,
  duration: '',
}
for (const one of document.querySelectorAll('[data-text]')) {
  const name = one.getAttribute('data-text') ?? ''
  const text = (asksPin ? pinTexts[name] : undefined) ?? Reflect.get(strings, name)
  one.textContent = String(text)
}
const theme = localStorage.getItem('voice-studio-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.setAttribute('data-theme', theme)
element('plain', HTMLElement).hidden = location.protocol === 'https:' || location.hostname === 'localhost'
if (sessionStorage.getItem('voice-studio-signed-out')) report(strings.signedOut, 'warn')
sessionStorage.removeItem('voice-studio-signed-out')
if (!asksPin && meta('studio-key') !== 'set') report(strings.noKey, 'warn')

/** Characters of a place that the studio keeps during a sign-in. */
const PLACE_CHARS = 512
if (provider) {
  const place = location.hash.length <= PLACE_CHARS ? location.hash : ''
  const link = element('provider', HTMLAnchorElement)
  link.textContent = strings.signInWith(provider.name)
  link.href = `${provider.address}?page=${encodeURIComponent(place)}`
  link.hidden = false
}
const refused = new URLSearchParams(location.search).get('refused')
if (refused !== null) {
  report(Object.entries(strings.refusals).find(([reason]) => reason === refused)?.[1] ?? strings.refusals.failed)
  history.replaceState(null, '', location.pathname + location.hash)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void signIn()
})
show.addEventListener('change', () => {
  key.type = show.checked ? 'text' : 'password'
})
key.focus()
// The browser sends its cookie with the next request, which is not made by the other site.
if (meta('studio-link') === 'yes') location.reload()
