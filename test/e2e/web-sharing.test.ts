// Sharing on the Machines page: a person gets a key, their studio connects with it and loses it; refusals are explained.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openNetwork } from '../support/chaos/cut.ts'
import { isLive, NO_BROWSER, openPage, withoutConnection } from '../support/web/browser.ts'
import { button, clean, dialog, isRefusal } from '../support/web/machines-page.ts'
import { freePort, openWorld } from '../support/world/world.ts'

test('a person gets a key on the page, another studio connects with it on its own page, and loses access', {
  skip: NO_BROWSER,
}, async (t) => {
  const blocker = createServer().listen(0, '0.0.0.0')
  t.after(() => blocker.close())
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const [owner, guest] = await Promise.all([
    openWorld(t, { env: { STUDIO_PORT: String(await freePort()), STUDIO_WORKER_PORT: String(port) } }),
    openWorld(t),
  ])
  const network = await openNetwork(t, new URL(owner.url).host)
  const [host, visitor] = await Promise.all([openPage(t, `http://${network.address}/#/machines`), openPage(t, `${guest.url}/#/machines`)])
  const view = (page: Page, name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
  await button(host.page, 'Turn on remote machines').click()
  await host.page.getByText(new RegExp(`Couldn't turn on remote machines: .*${port}`)).waitFor()
  await view(host.page, 'Shared by me')
  const section = host.page.getByRole('region', { name: 'Share this machine' })
  await section.getByLabel('Port').fill(String(await freePort()))
  await button(section, 'Start sharing').click()
  await section.getByText('Only programs on this machine can reach it').waitFor()
  await button(section, 'New key…').click()
  const making = dialog(host.page, 'New key')
  await making.getByLabel('Person').fill('<b>Ada</b>')
  await button(making, 'Create key').click()
  const text = await making.getByLabel('Connection string', { exact: true }).inputValue()
  assert.match(text, /^svcnode:/)
  await clean(host.page, 'a key')
  await host.shot('machines-key')
  await button(making, 'Done').click()

  const dial = dialog(visitor.page, 'Connect to a GPU machine')
  const connecting = () => button(visitor.page, 'Connect with a string…').click()
  await connecting()
  await dial.getByText('Turn on remote machines first').waitFor()
  await button(dial, 'Close').click()
  await button(visitor.page, 'Turn on remote machines').click()
  await button(visitor.page, 'Turn off…').waitFor()
  await connecting()
  const paste = dial.getByLabel('Connection string')
  await paste.fill('10.0.0.7:7444')
  await button(dial, 'Connect').click()
  await dial
    .getByRole('alert')
    .getByText(/looks like an address without a key/)
    .waitFor()
  await clean(visitor.page, 'a string that is none')
  await paste.fill(text)
  await button(dial, 'Connect').click()
  await dial.getByText('Connected', { exact: true }).waitFor()
  await visitor.page.locator('[data-machine] .badge', { hasText: 'Needs approval' }).waitFor()
  await visitor.shot('machines-connected')

  await button(section, 'Disconnect <b>Ada</b>').waitFor()
  await host.shot('machines-attached')
  // The machine stays lent while the page has no connection.
  await withoutConnection(host.page, network, () => button(section, 'Disconnect <b>Ada</b>').waitFor())
  // A killed studio shares again when it is back, and the other studio connects by itself.
  await owner.restart('SIGKILL')
  await isLive(host.page)
  await host.page.reload()
  await section.getByText('Only programs on this machine can reach it').waitFor()
  await button(section, 'Disconnect <b>Ada</b>').waitFor()
  await button(section, 'Disconnect <b>Ada</b>').click()
  await host.page.getByText(/Disconnected\. The studio can connect again after a minute/).waitFor()
  await section.getByText('No one is connected.').waitFor()
  await button(section, 'Revoke the key of <b>Ada</b>').click()
  await clean(host.page, 'revoking')
  const revoking = dialog(host.page, 'Revoke this key?')
  await withoutConnection(host.page, network, async () => {
    await button(revoking, 'Revoke').click()
    await host.page.getByText("Couldn't reach the studio.").first().waitFor()
  })
  // A revocation that the studio did not get is not shown as one.
  assert.equal(await section.getByText('Revoked', { exact: true }).count(), 0)
  await button(revoking, 'Revoke').click()
  await section.getByText('Revoked', { exact: true }).waitFor()
  await section.getByText('No one is connected.').waitFor()
  await dial.getByText(/has revoked this access/).waitFor()
  await clean(visitor.page, 'connections')
  await visitor.shot('machines-connections')
  // A revocation survives a kill.
  await owner.restart('SIGKILL')
  await isLive(host.page)
  await host.page.reload()
  await section.getByText('Revoked', { exact: true }).waitFor()
  await section.getByText('No one is connected.').waitFor()
  await button(dial, 'Close').click()
  await visitor.page.locator('tr[data-machine]:not([data-machine=local]) th a').click()
  await visitor.page
    .locator('[data-details] .reasons')
    .getByText(/Not connected\. .*has revoked this access/)
    .waitFor()

  await view(visitor.page, 'Shared by me')
  const lending = visitor.page.getByRole('region', { name: 'Lend with a join code' })
  await lending.getByLabel('Join code of the other studio').fill('svcj_short')
  await button(lending, 'Join and lend').click()
  await lending.getByRole('alert').waitFor()
  await clean(visitor.page, 'a code that is none')
  await visitor.shot('machines-sections')
  const lender = host.page.getByRole('region', { name: 'Lend with a join code' })
  await lender.getByLabel('Join code of the other studio').fill(await guest.code({ label: 'lender' }))
  await button(lender, 'Join and lend').click()
  await lender.getByText(/^It lends to .* and runs 0 tasks now\.$/).waitFor()
  await button(lender, 'Stop lending').click()
  await lender.getByText(/lends nothing now/).waitFor()
  await clean(host.page, 'a machine that has joined and lends nothing')
  await view(visitor.page, 'Borrowed')
  await connecting()
  await button(dial, /^Remove the connection/).click()
  await button(dialog(visitor.page, 'Remove this connection?'), 'Remove').click()
  await dial.getByRole('listitem').waitFor({ state: 'detached' })
  await dialog(visitor.page, 'Remove this connection?').waitFor({ state: 'detached' })
  await button(dial, 'Close').click()
  await button(visitor.page, 'Turn off…').click()
  await clean(visitor.page, 'turning off')
  await button(dialog(visitor.page, 'Turn off remote machines?'), 'Turn off').click()
  await visitor.page.getByText('Remote machines: off').waitFor()
  assert.deepEqual(
    [...host.complaints, ...visitor.complaints].filter((line) => !isRefusal(line) && !/ERR_|status of 503/.test(line)),
    [],
  )
})
