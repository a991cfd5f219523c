// The studio itself writes English. These hints stand in place of those that it writes for programs.
import type { ServerTexts } from '../server.ts'

export const server: ServerTexts = {
  failures: {
    NO_CAPABLE_WORKER: ['', 'No machine that may be used can do this now. The Machines page shows the state of each.'],
    CONSENT_MISSING: ['', 'The machine is not approved. Approve it on the Machines page first.'],
    MODEL_NOT_FOUND: ['', 'There is no engine of this name. Choose another one.'],
    METHOD_NOT_ALLOWED: ['', 'This page and the studio differ. Reload the page.'],
    UNAUTHORIZED: ['', 'Sign in again.'],
    WORKER_REVOKED: ['', 'This machine was removed from the studio. Join again with a new code.'],
    BODY_TOO_LARGE: ['', 'It is too large. Send a smaller file or less text.'],
    HEADERS_TOO_LARGE: ['', 'Clear the cookies of this address in the browser.'],
    VIDEO_FETCH_FAILED: ['', 'Videos of this page could not be read. Update the media tools in the settings, or upload a recording.'],
    IDEMPOTENCY_CONFLICT: ['', 'Try again.'],
    MODEL_REF_REJECTED: ['', 'The server of models does not have this one. Choose another server in the settings, or another model.'],
  },
  settings: {},
  checks: {},
  sentences: {
    modelsUnreached: 'The server of the models cannot be reached. Check the connection of this machine, then try again.',
    otherChosen: 'another machine is chosen for it',
    cannotRun: 'the engine or the model is missing',
    failedBefore: 'it failed there before',
    drained: 'you took it out of service',
    ending: 'its owner is ending it',
  },
}
