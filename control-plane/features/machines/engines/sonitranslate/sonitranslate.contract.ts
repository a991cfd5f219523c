// SoniTranslate, a dubbing program that the owner installed: its state, starting and stopping it.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const state = {
  installed: z.boolean(),
  venv_ready: z.boolean(),
  running: z.boolean(),
  path: z.string(),
  url: z.string(),
}
const State = z.object(state).meta({ id: 'SonitranslateState' })
const Started = z
  .object({ started: z.boolean(), reason: z.literal('already_running').optional(), ...state })
  .meta({ id: 'SonitranslateStarted' })
const Stopped = z.object({ stopped: z.boolean(), reason: z.literal('not_running').optional() }).meta({ id: 'SonitranslateStopped' })

const extension = true as const

export const sonitranslateContracts = {
  readState: contract({
    id: 'engines.readSonitranslate',
    method: 'GET',
    path: '/engines/sonitranslate/status',
    access: 'admin',
    extension,
    summary: 'Returns whether SoniTranslate is installed and running, its folder and the address of its page.',
    reply: State,
  }),
  install: contract({
    id: 'engines.installSonitranslate',
    method: 'POST',
    path: '/engines/sonitranslate/install',
    access: 'loopback',
    extension,
    summary: 'Returns the state of an installed SoniTranslate. 501 says how to install it, because the studio does not install it.',
    reply: State,
  }),
  start: contract({
    id: 'engines.startSonitranslate',
    method: 'POST',
    path: '/engines/sonitranslate/start',
    access: 'loopback',
    extension,
    summary: 'Starts SoniTranslate and waits until its page answers, at most 30 seconds.',
    reply: Started,
  }),
  stop: contract({
    id: 'engines.stopSonitranslate',
    method: 'POST',
    path: '/engines/sonitranslate/stop',
    access: 'loopback',
    extension,
    summary: 'Stops SoniTranslate and all processes that it started.',
    reply: Stopped,
  }),
}
