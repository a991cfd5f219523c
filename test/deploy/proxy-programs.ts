// The reverse proxies of deploy/proxy as programs on loopback, with their files unchanged but for ports and certificate.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'
import { selfSigned } from '../support/services/self-signed.ts'
import { REPOSITORY } from '../support/world/cli.ts'
import type { Ending } from '../support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '../support/world/world.ts'

export const NAME = 'studio.example.org'
export type RunningProxy = { readonly port: number; readonly ca: string }
/** `site`: text of a configuration, such as a file of deploy/proxy. */
type Open = (t: Ending, studioUrl: string, site: string) => Promise<RunningProxy>

export const siteOf = (file: string): string => readFileSync(join(REPOSITORY, 'deploy/proxy', file), 'utf8')
export const nginx = findProgram('nginx', `${process.env['PATH']}:/usr/sbin`)
export const caddy = findProgram('caddy', process.env['PATH'])

/** Replaces each text, which must occur. */
function replaced(site: string, values: Readonly<Record<string, string>>): string {
  let text = site
  for (const [from, to] of Object.entries(values)) {
    if (!text.includes(from)) throw new Error(`The file does not contain ${from}.`)
    text = text.replaceAll(from, to)
  }
  return text
}

async function run(t: Ending, program: string, args: readonly string[], proxy: RunningProxy, folder: string): Promise<RunningProxy> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said)
    return answers(proxy)
  })
  return proxy
}

const answers = ({ port, ca }: RunningProxy): Promise<boolean> =>
  new Promise((resolve) => {
    const call = request({ port, host: '127.0.0.1', servername: NAME, ca, headers: { host: NAME }, path: '/', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode !== 502)
    })
    call.on('error', () => resolve(false))
    call.end()
  })

function certificateIn(folder: string): { readonly ca: string; readonly certificate: string; readonly key: string } {
  const { key, certificate } = selfSigned([NAME])
  const paths = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(paths.certificate, certificate)
  writeFileSync(paths.key, key, { mode: 0o600 })
  return { ca: certificate, ...paths }
}

export const openNginx: Open = async (t, studioUrl, site) => {
  const folder = temporaryFolder(t)
  const { ca, certificate, key } = certificateIn(folder)
  const port = await freePort()
  mkdirSync(join(folder, 'temp'))
  const text = replaced(site, {
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/ssl/certs/studio.example.org.pem': certificate,
    '/etc/ssl/private/studio.example.org.key': key,
    '127.0.0.1:3900': new URL(studioUrl).host,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/temp/${name};`)
    .join('\n')
  writeFileSync(join(folder, 'site.conf'), text)
  // nginx as root gives its workers to another user, who cannot write here.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user}\ndaemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\ninclude ${folder}/site.conf;\n}\n`,
  )
  return run(t, nginx!, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], { port, ca }, folder)
}

export const openCaddy: Open = async (t, studioUrl, site) => {
  const folder = temporaryFolder(t)
  const { ca, certificate, key } = certificateIn(folder)
  const port = await freePort()
  const text = replaced(site, {
    'studio.example.org {': `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
    '127.0.0.1:3900': new URL(studioUrl).host,
  })
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`)
  return run(t, caddy!, ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], { port, ca }, folder)
}
