// Every limit that one client could use up for the others is shared between clients (control-plane/clients), or is listed here with the reason why
// no client can take it from others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources } from '../source.ts'

const REFUSES = /new Failure\(\s*'QUEUE_FULL'/
const ALONE: Readonly<Record<string, string>> = {
  'control-plane/clients/places.ts': 'the shared limits themselves',
  'control-plane/http/limits/connection-limiter.ts': 'counts connections by address, before a client is known, and an idle one gives way',
  'control-plane/features/operate/mcp/calls.ts': 'calls of one session, which has one client',
  'control-plane/features/machines/models/models.service.ts': 'a pause of one model after its installation failed',
  'control-plane/features/dubbing/batch/batch.service.ts': 'the stored list of films, from which every client may delete',
  'control-plane/features/base/library/exports/show-folder.ts': 'windows on the screen of the owner; no other user reaches the route',
  'control-plane/features/base/tools/probe.service.ts': 'no other user than the owner reaches the route',
  'control-plane/trust/enrolment.ts': 'renewals of one machine',
}

test('a refusal for lack of room comes from a limit that clients share', () => {
  const found = allSources()
    .filter(({ path, text }) => path.startsWith('control-plane/') && path.endsWith('.ts') && REFUSES.test(text))
    .map(({ path }) => path)
  assert.deepEqual(found.sort(), Object.keys(ALONE).sort())
})
