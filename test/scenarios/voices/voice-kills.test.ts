// A studio that is killed while voices change; test/long/units/kills.test.ts kills it after other events too.
import { test } from 'node:test'
import { sharedWorld } from '#test/support/world/world.ts'
import { killedAfterEvents } from './kills/voices.ts'

const open = sharedWorld()

test('after a kill between rows and events, rows and events agree and nothing is doubled', async (t) =>
  killedAfterEvents(t, await open(), [3]))
