// Components of the pages by themselves, in the real browser: a module of stories is bundled as the pages are, and served with their styles. A
// story is opened by its name.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { rolldown } from 'rolldown'
import { INPUT, SHEETS } from '#control-plane/features/operate/system/pages/bundle.ts'
import type { Ending } from '../world/process.ts'
import { ROOT } from '../world/process.ts'
import { type Look, openPage } from './browser.ts'

const WEB = join(ROOT, 'control-plane/web')
const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><title>Stories</title><link rel="icon" href="/icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/styles/studio.css" /></head>
<body><main id="main" tabindex="-1"><h1>Stories</h1><div id="story"></div><pre id="log"></pre></main><div id="around"></div>
<script type="module" src="/stories.js"></script></body></html>
`

/** `messages`: the folder of a catalogue, in place of the one that the pages show. */
async function bundled(stories: string, messages: string | undefined): Promise<string> {
  const ofLanguage = {
    name: 'messages of another language',
    resolveId: (name: string) => (messages && name.startsWith('#messages/') ? join(messages, name.slice('#messages/'.length)) : null),
  }
  // A catalogue outside of the project imports from it.
  const ofProject = {
    name: 'modules of this project',
    resolveId: (name: string) => (/^#(?!messages\/)/.test(name) ? join(ROOT, name.slice(1)) : null),
  }
  const bundle = await rolldown({ ...INPUT, input: join(ROOT, stories), plugins: [ofLanguage, ofProject] })
  try {
    const { output } = await bundle.generate({ codeSplitting: false })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

type Served = { readonly type: string; readonly body: string | Uint8Array }

/** Serves the stories of a module until the tests of the file end, which calls this outside of its tests. Returns how to open one. */
export function createStories(path: string, { messages }: { readonly messages?: () => string } = {}) {
  let started: Promise<string> | undefined
  let stop = () => {}
  after(() => stop())
  const start = async (): Promise<string> => {
    const script = await bundled(path, messages?.())
    const styles = SHEETS.map((name) => readFileSync(join(WEB, 'styles', `${name}.css`), 'utf8')).join('\n')
    const fixed: Readonly<Record<string, Served>> = {
      '/': { type: 'text/html', body: PAGE },
      '/stories.js': { type: 'text/javascript', body: script },
      '/styles/studio.css': { type: 'text/css', body: styles },
      '/icon.svg': { type: 'image/svg+xml', body: readFileSync(join(WEB, 'icon.svg')) },
    }
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://stories')
      const font = /^\/fonts\/([\w-]+\.woff2)$/.exec(pathname)?.[1]
      const file = font ? { type: 'font/woff2', body: readFileSync(join(WEB, 'fonts', font)) } : fixed[pathname]
      response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body)
    })
    stop = () => {
      server.closeAllConnections()
      server.close()
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  return async (t: Ending, story: string): Promise<Look & { readonly log: () => Promise<string[]> }> => {
    started ??= start()
    const look = await openPage(t, `${await started}#${story}`)
    await look.page.locator(`#story[data-story="${story}"]`).waitFor()
    const log = async () => (await look.page.locator('#log').innerText()).split('\n').filter(Boolean)
    return { ...look, log }
  }
}
