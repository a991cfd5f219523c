// In any surroundings, planted secrets, home folders and host names never survive the scrubber.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createScrub, scrubbed, secretValues } from '#control-plane/observe/scrub.ts'
import { scrubsInLinearTime } from './hostile/hostile-text.ts'

const HOME = '/home/some.person'
const ROOT = ['', 'root'].join('/')
const SECRET = 'plain words of a secret'
const scrub = createScrub({ home: HOME, secrets: () => [SECRET, ''], hosts: () => ['attic-server', 'büro-pc', 'studio', ''] })

const letters = (chars: string, minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...chars), { minLength, maxLength }).map((all) => all.join(''))
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const token = letters(ALPHABET, 24, 60)
/** The text as it is planted, and the part of it that must not remain. */
const planted = fc.oneof(
  token.map((text) => [`hf_${text}`, text]),
  token.map((text) => [`sk-proj-${text}`, text]),
  token.map((text) => [`ghp_${text}`, text]),
  token.map((text) => [`eyJ${text}.${text}.${text}`, text]),
  token.map((text) => [`Authorization: Bearer ${text}`, text]),
  token.map((text) => [`"api_key":"${text}"`, text]),
  token.map((text) => [`STUDIO_API_KEY=${text}`, text]),
  token.map((text) => [`password: ${text}`, text]),
  token.map((text) => [`{"token": "${text}", "x": 1}`, text]),
  token.map((text) => [`https://me:${text}@example.org/path`, text]),
  token.map((text) => [`-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`, text]),
  letters('0123456789abcdef', 64).map((text) => [text, text]),
  letters('abcdefgh', 5, 12).map((name) => [`/home/${name}/voices/a.wav`, `/home/${name}`]),
  letters('abcdefgh', 5, 12).map((name) => [`C:\\Users\\${name}\\AppData`, `Users\\${name}`]),
  fc.constant([`${HOME}/.cache/huggingface`, HOME]),
  fc.constant([[ROOT, '.ssh/id_ed25519'].join('/'), `${ROOT}/`]),
  fc.constant([SECRET, SECRET]),
  fc.constantFrom('attic-server', 'Attic-Server', 'büro-pc').map((name) => [name, name]),
  letters('abcdefgh', 5, 12).map((name) => [`${name}.local`, `${name}.local`]),
  letters('abcdefgh', 5, 12).map((name) => [`https://${name}.example.org:8443/x`, name]),
  fc.tuple(fc.integer({ min: 128, max: 223 }), fc.nat(255), fc.nat(255)).map(([a, b, c]) => [`${a}.${b}.${c}.7`, `${a}.${b}.${c}.7`]),
  fc.constant(['fe80::1ff:fe23:4567:890a', 'fe80::1ff']),
) as fc.Arbitrary<[string, string]>
/** Words that contain none of the planted texts by chance. */
const around = fc.array(fc.constantFrom('error', 'at', 'line 12', '(', ')', '"', "'", ',', ';', '…', '\n', '->', 'ENOSPC', '42'), {
  maxLength: 8,
})

test('planted private data never survives, wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(around, planted), { minLength: 1, maxLength: 6 }), (parts) => {
      const text = parts.map(([words, [shown]]) => `${words.join(' ')} ${shown} `).join('')
      const clean = scrub(text)
      for (const [, [, secret]] of parts) assert.ok(!clean.includes(secret), `${secret} in\n${clean}\nfrom\n${text}`)
      const json = JSON.stringify(scrubbed({ list: [text], inner: { text } }, scrub))
      for (const [, [, secret]] of parts) assert.ok(!json.includes(JSON.stringify(secret).slice(1, -1)))
    }),
    { numRuns: 300 },
  )
})

test('secrets, home folders and hosts are removed in every way in which programs write them', () => {
  const secret = 'pä"ss\\wo/rd+1 x%'
  const home = '/srv/people/ada lovelace'
  const strict = createScrub({ home, secrets: () => [secret], hosts: () => [] })
  const json = (text: string) => JSON.stringify(text).slice(1, -1)
  const written = (text: string) => [
    text,
    json(text),
    json(json(text)),
    json(text).replaceAll('/', '\\/'),
    json(text).replaceAll('ä', '\\u00e4'),
    encodeURI(text),
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    Buffer.from(text).toString('base64'),
  ]
  for (const form of written(secret)) assert.match(strict(`before ${form} after`), /^before <secret>=* after$/, form)
  for (const form of written(home).slice(0, 4))
    assert.equal(strict(`open ${form}${form.includes('\\/') ? '\\/' : '/'}a`).slice(0, 6), 'open ~', form)
  const rows: [string, string][] = [
    [`file://${encodeURI(home)}/a.wav`, 'file://~/a.wav'],
    [`?path=${encodeURIComponent(`${HOME}/a.wav`)}`, '?path=~%2Fa.wav'],
    ['"\\/home\\/ada\\/voices"', '"~\\/voices"'],
    [json(json('C:\\Users\\ada\\x')), '~\\\\\\\\x'],
    ['/media/ada/disk/x', '~/disk/x'],
    ['?url=https%3A%2F%2Fme%3Aword%2Fs%40inner.example%2Fx', '?url=https%3A%2F%2F<credentials>%40<host>%2Fx'],
    ['start --api-key hunter2-abc --token=hunter2-abc -v', 'start --api-key <secret> --token=<secret> -v'],
    ['/ws/tts?ws_ticket=abc', '/ws/tts?ws_ticket=<secret>'],
    ['cookie: svc_pin=abc; svc_session=def', 'cookie: <secret>; svc_session=<secret>'],
    ['Authorization: Basic bWU6cw==', 'Authorization: <secret>'],
    ['{"password":"hunter\\"two three"}', '{"password":<secret>"}'],
    ['from ada@example.org', 'from <address>'],
  ]
  for (const [text, clean] of rows) assert.equal(strict(text), clean)
})

test('ordinary text stays readable', () => {
  for (const text of [
    'The disk of the studio is full (ENOSPC).',
    'at speak (control-plane/features/speech/speech/speech.service.ts:42:17)',
    'POST /v1/audio/speech failed with STORAGE_FULL after 1204 ms',
    'https://huggingface.co/models answers, http://127.0.0.1:3900/health too',
    'version 0.5.0, Node 24.21.0, 16.0 GB, 2026-11-22T13:40:01.123Z',
    'the studio at attic-servers is not attic-server-like_name_x'.replace('attic-server-', 'attics-'),
    '~/.local/share/voice-studio/outputs',
    'control-plane/media/encode.ts and npm package left-pad@1.3.0',
    '--keyframes 12 --format json',
  ])
    assert.equal(scrub(text), text)
})

// A megabyte: test/long/units/properties.test.ts.
test('250,000 characters of hostile text take less than half a second of processor time', () => scrubsInLinearTime(scrub, 250_000))

test('the secret variables are found by their names', () => {
  const env = {
    HOME: '/x',
    PATH: '/bin',
    AWS_SECRET_ACCESS_KEY: 'one',
    STUDIO_MODELS_TOKEN: 'two',
    http_proxy: 'three',
    EMPTY_KEY: undefined,
  }
  assert.deepEqual(secretValues(env), ['one', 'two', 'three'])
})
