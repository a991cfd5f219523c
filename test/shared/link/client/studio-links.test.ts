// The reason with which a link closes: only an agent that never answered may have refused our certificate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINK_KINDS, openPair } from '#test/support/doubles/link-pair.ts'

for (const kind of LINK_KINDS)
  test(`${kind}: an agent that goes after it has answered is lost, and one that never answers may have refused us`, async (t) => {
    const pair = await openPair(t, kind)
    const link = await pair.connect()
    await link.describe({ studio_version: '1.0.0', features: [] })
    const refusing = await openPair(t, kind, { studioPins: [] })
    await pair.endpoint.stop(0)
    const { code, message } = await link.closed
    assert.deepEqual([code, message], ['WORKER_DISCONNECTED', 'The connection to the agent was lost.'])

    const refused = await refusing.connect()
    assert.match((await refused.closed).message, /before it answered\. It may not accept our certificate; see its log\./)
  })
