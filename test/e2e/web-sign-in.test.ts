// Signing in from another device: the page in a real browser, from the wrong key to the sign-out.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { SIGN_IN_RETURN } from '#control-plane/features/operate/people/people.contract.ts'
import { CLIENT_ID, openIdentities } from '../support/identities/provider.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { freePort, openWorld } from '../support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
const SKIP = NO_BROWSER || (lanAddress === undefined && 'this machine has only a loopback address')

test('a link on another site opens the page that it names for a person who is signed in', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: KEY, STUDIO_SERVER_MODE: '1' } })
  const { page, shot } = await openPage(t, `${world.url}/#/jobs`)
  const follow = async () => {
    await page.goto(`data:text/html,<a href="${world.url}/%23/jobs">link</a>`)
    await page.getByRole('link').click()
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  await follow()
  await heading('Sign in')
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Jobs')
  // The browser sends no cookie with the request of another site.
  await follow()
  await heading('Jobs')

  // A person signs in with the provider of identities, and lands on the page that was asked for.
  const identities = await openIdentities(t, world.url + SIGN_IN_RETURN, {
    ada: { email: 'ada@example.org', email_verified: true },
    eve: { email: 'eve@example.org', email_verified: true },
  })
  const provider = { issuer: identities.issuer, client_id: CLIENT_ID, client_secret: identities.secret, public_address: world.url }
  assert.equal((await world.send('PUT', '/people/oidc', { ...provider, label: 'Example' })).status, 200)
  assert.equal((await world.post('/people', { name: 'Ada', role: 'operate', sign_in: { email: 'ada@example.org' } })).status, 201)
  const signInAs = async (account: string) => {
    await page.context().clearCookies()
    await page.goto(`${world.url}/sign-in#/jobs`)
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Example' }).click()
    await page.getByPlaceholder('Enter any login').fill(account)
    await page.getByPlaceholder('and password').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await signInAs('eve')
  await page.getByText("The owner of this studio hasn't added your account.").waitFor()
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    assert.deepEqual(await axeComplaints(page), [], theme)
    await shot(`web-sign-in-provider-${theme}`)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  // A place that is too long for the studio to keep is left out.
  await page.goto(`${world.url}/sign-in#/jobs?q=${'x'.repeat(600)}`)
  await page.reload()
  assert.match((await page.getByRole('link', { name: 'Sign in with Example' }).getAttribute('href'))!, /\?page=$/)
  await signInAs('ada')
  await heading('Jobs')
  await page.getByRole('button', { name: 'This device' }).click()
  await page.getByText('Ada').first().waitFor()
  await shot('web-signed-in-with-provider')
})

test('a browser on another device signs in, lands on the page it asked for, and signs out', { skip: SKIP }, async (t) => {
  const world = await openWorld(t, {
    env: { STUDIO_HOST: '0.0.0.0', STUDIO_PORT: String(await freePort()), STUDIO_API_KEY: KEY, STUDIO_SERVER_MODE: '1' },
  })
  const { port } = new URL(world.url)
  const origin = `http://${lanAddress}:${port}`
  const { page, complaints, shot } = await openPage(t, `${origin}/#/machines`)
  // Without TLS the browser ignores one header of the pages, and says so each time.
  const found = () => complaints.splice(0).filter((text) => !text.startsWith('The Cross-Origin-Opener-Policy header has been ignored'))
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  for (const width of [1280, 380]) {
    await page.setViewportSize({ width, height: 800 })
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`localStorage.setItem('voice-studio-theme', '${theme}')`)
      await page.reload()
      await heading('Sign in')
      assert.deepEqual(await axeComplaints(page), [], `${theme}, ${width}`)
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `wider than ${width}`)
      await shot(`web-sign-in-${theme}-${width}`)
    }
  }
  assert.deepEqual(found(), [])

  const field = page.getByLabel('API key')
  assert.equal(await field.evaluate('document.activeElement === document.querySelector("#key")'), true)
  await field.fill(`${KEY}\u200b`)
  await page.keyboard.press('Enter')
  await page.getByText(/^That has a character that can't be part of it/).waitFor()
  await field.fill('not the key')
  await page.keyboard.press('Enter')
  await page.getByText("That key doesn't match.").waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('web-sign-in-wrong')
  await field.fill(KEY)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText("Couldn't reach the studio.").waitFor()
  await page.context().setOffline(false)
  assert.equal(await field.inputValue(), KEY)
  await page.getByLabel('Show the key').check()
  assert.equal(await field.getAttribute('type'), 'text')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Machines')
  await isLive(page)
  assert.equal(await page.evaluate('document.cookie'), '', 'no script can read the cookie')
  assert.equal(found().filter((text) => !text.includes('ERR_')).length, 1, 'the console reports the refused key')

  // A change, which needs more than the cookie.
  await page.getByRole('button', { name: 'Turn on' }).first().click()
  await page.getByRole('button', { name: 'Turn off…' }).waitFor()
  // A kill in the middle ends the sign-in, as sessions are kept in memory only; the page asks again and returns to its address.
  await world.restart('SIGKILL')
  await page.getByText('You were signed out.').waitFor()
  await field.fill(KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Machines')
  await page.getByRole('button', { name: 'Turn off…' }).waitFor()
  found()

  await page.getByRole('button', { name: 'This device' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading('Sign in')
  assert.equal(new URL(page.url()).hash, '#/machines')
  // A poll that was on its way when the sign-in ended is refused.
  assert.deepEqual(
    found().filter((text) => !text.includes('status of 401')),
    [],
  )
  await page.reload()
  await heading('Sign in')

  // The sign-in ends elsewhere: the next request of the page shows the sign-in page.
  await field.fill(KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Machines')
  await page.context().clearCookies()
  // A poll may make the page leave at any moment, which ends the evaluation with an error.
  await page.evaluate("void setTimeout(() => { location.hash = '#/setup' })").catch(() => {})
  await page.getByText('You were signed out.').waitFor()
  await shot('web-signed-out')

  // Without server mode the key gives no right to administer: only the pages that work are offered.
  await page.route(`${origin}/`, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({
      response: reply,
      body: (await reply.text()).replace('name="studio-rights" content="admin"', 'name="studio-rights" content="consume"'),
    })
  })
  found()
  await page.goto(`${origin}/sign-in#/setup`)
  await field.fill(KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This page works only for the owner').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  const offered = await page.getByRole('navigation').getByRole('link', { includeHidden: true }).allTextContents()
  for (const name of ['Home', 'Speak', 'Dub', 'Audiobook', 'Transcribe', 'Tools', 'Projects', 'Voices', 'Files'])
    assert.ok(offered.includes(name), `${name} in ${offered}`)
  for (const name of ['Jobs', 'Machines', 'Setup', 'Models', 'Settings']) assert.ok(!offered.includes(name), `${name} in ${offered}`)
  await page.getByRole('link', { name: 'Speak' }).click()
  await page.getByRole('button', { name: 'Speak' }).waitFor()
  await shot('web-consume')
  assert.deepEqual(await axeComplaints(page), [])
  assert.deepEqual(found(), [])
  // The page may be loading itself again at this moment.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
