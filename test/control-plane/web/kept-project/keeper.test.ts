// The keeper of a project against a studio in memory that can be slow, full and out of reach: what a person typed is never lost.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createKeeper } from '#control-plane/web/kept-project/keeper.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

type Content = { readonly text: string }
type Project = { kind: string; name: string; state: unknown; revision: number }

const projects: Map<string, Project> = new Map()
/** Each request waits for it, after the studio has read it. */
let gate: Promise<void> = Promise.resolve()
/** Status that the next saves get; `lost`: they are done, and the answer does not arrive. */
let trouble: number | 'lost' = 0
let ids = 0

const fetch: typeof globalThis.fetch = async (path, init) => {
  const id = String(path).split('/')[2] ?? ''
  const method = init?.method ?? 'GET'
  const body = method === 'GET' ? null : JSON.parse(String(init?.body))
  const answer = reply(method, id, body)
  await gate
  if (trouble === 'lost' && method !== 'GET') throw new TypeError('no answer')
  return Response.json(answer.body, { status: answer.status })
}

function reply(method: string, id: string, body: Project | null): { status: number; body: unknown } {
  if (method !== 'GET' && typeof trouble === 'number' && trouble !== 0) return { status: trouble, body: { detail: 'no' } }
  const found = projects.get(id)
  if (method === 'POST' && body) {
    const made = `p${++ids}`
    projects.set(made, { ...body, revision: 1 })
    return { status: 200, body: { id: made, ...projects.get(made) } }
  }
  if (!found) return { status: 404, body: { detail: 'Project not found' } }
  if (method === 'PUT' && body) {
    if (body.revision !== found.revision) return { status: 409, body: { detail: 'changed' } }
    projects.set(id, { ...found, ...body, revision: found.revision + 1 })
  }
  return { status: 200, body: { id, ...projects.get(id) } }
}

const textOf = (id: string) => (projects.get(id)?.state as Content | undefined)?.text
const texts = () => [...projects.keys()].map(textOf)
const put = (id: string, text: string) => projects.set(id, { kind: 'text', name: text, state: { text }, revision: 1 })
/** Saved in another browser. */
const savedElsewhere = (id: string, text: string) => {
  const project = projects.get(id)
  if (project) projects.set(id, { ...project, state: { text }, revision: project.revision + 1 })
}

function page() {
  let shown: { readonly project: string; readonly content: Content } = { project: '', content: { text: '' } }
  const keeper = createKeeper<Content>({
    kind: 'text',
    revisionKey: `revision-${ids++}`,
    now: () => shown,
    show: (local) => {
      shown = local
    },
    parse: (state) => ({ text: String((state as Content | null)?.text ?? '') }),
    nameOf: ({ text }) => text || 'Untitled',
    isEmpty: ({ text }) => text === '',
  })
  const type = (text: string) => {
    shown = { ...shown, content: { text } }
    keeper.later()
  }
  return { keeper, type, text: () => shown.content.text, project: () => shown.project }
}

/** Requests are held until the function that it returns is called. */
function hold() {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  return resolve
}
const turns = () => new Promise((resolve) => setImmediate(resolve))

function start(t: TestContext) {
  replaceGlobals(t, { document: { hidden: false }, fetch })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  projects.clear()
  gate = Promise.resolve()
  trouble = 0
}

test('text that could not be saved stays when another one is asked for', async (t) => {
  start(t)
  put('a', 'A')
  for (const status of [507, 500, 'lost'] as const) {
    const { keeper, type, text } = page()
    trouble = status
    type('only here')
    await assert.rejects(keeper.restart({ text: '' }))
    await assert.rejects(keeper.open('a'))
    assert.equal(text(), 'only here')
  }
})

test('a book that is deleted is taken from the page also when it cannot be saved', async (t) => {
  start(t)
  put('a', 'A')
  const { keeper, type, text } = page()
  await keeper.open('a')
  trouble = 507
  type('A2')
  await keeper.restart({ text: '' }, true)
  assert.equal(text(), '')
})

test('text that is typed while another one is read is saved before that one is shown', async (t) => {
  start(t)
  put('a', 'A')
  put('b', 'B')
  const { keeper, type, text } = page()
  await keeper.open('a')
  const free = hold()
  const opened = keeper.open('b')
  await turns()
  type('A, and more')
  free()
  await opened
  assert.equal(text(), 'B')
  assert.equal(textOf('a'), 'A, and more')
})

test('an answer that is older than the last save does not bring the old text back', async (t) => {
  start(t)
  put('a', 'A')
  const { keeper, type, text } = page()
  await keeper.open('a')
  const free = hold()
  const refreshed = keeper.refresh()
  gate = Promise.resolve()
  type('A2')
  await keeper.write()
  free()
  await refreshed
  assert.equal(text(), 'A2')
  assert.equal(textOf('a'), 'A2')
})

test('a save whose answer was lost is no change of another browser', async (t) => {
  start(t)
  put('a', 'A')
  const { keeper, type } = page()
  await keeper.open('a')
  trouble = 'lost'
  type('A2')
  await keeper.write()
  trouble = 0
  type('A3')
  await keeper.write()
  t.mock.timers.tick(5000)
  for (let turn = 0; turn < 10; turn++) await turns()
  assert.equal(textOf('a'), 'A3')
})

test('a change in another browser is asked about, and both texts stay', async (t) => {
  start(t)
  put('a', 'A')
  const { keeper, type, text } = page()
  await keeper.open('a')
  savedElsewhere('a', 'theirs')
  type('mine')
  await keeper.write()
  assert.equal(text(), 'mine')
  assert.equal(textOf('a'), 'theirs')
  await keeper.restart({ text: '' })
  assert.deepEqual(texts(), ['theirs', 'mine'])
})

test('text of a project that was deleted elsewhere becomes a new project before another one takes its place', async (t) => {
  start(t)
  put('a', 'A')
  const { keeper, type } = page()
  await keeper.open('a')
  projects.delete('a')
  type('A2')
  await keeper.restart({ text: '' })
  assert.deepEqual(texts(), ['A2'])
})

test('changes are there for a later page until the studio has them, also without a project', async (t) => {
  start(t)
  const { keeper, type } = page()
  type('first words')
  assert.equal(keeper.unsaved()?.content.text, 'first words')
  await keeper.write()
  assert.equal(keeper.unsaved(), null)
})
